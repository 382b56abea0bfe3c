// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Code that the natives of java.io, java.nio and java.util.zip share.
#include "classlib/natives/java.base/io/io_support.h"

#include <signal.h>
#include <string.h>

#include "gc/barrier.h"
#include "gc/heap/heap.h"
#include "vm/link/java_call.h"

namespace keyhole::natives::io {
namespace {

constinit const JavaField descriptor_fd("fd", "I");
constinit const JavaField descriptor_append("append", "Z");
constinit const JavaField stream_descriptor("fd", "Ljava/io/FileDescriptor;");

}  // namespace

u32 JavaField::find(const Object* object) const {
  Field* field = find_field(object->klass()->as_instance(), Symbol::intern(name_), Symbol::intern(descriptor_));
  KEYHOLE_CHECK(field != nullptr && !field->is_static(), "{} has no field {} {}", object->klass()->name->text(),
                descriptor_, name_);
  u32 id = object->klass_id();
  if (object->klass()->liveness == nullptr)
    cache_[id % cache_size].store(u64{id} << 32 | field->offset, std::memory_order_relaxed);
  return field->offset;
}

void JavaField::set_reference(Object* object, Object* value) const { barrier::store(object, offset(object), value); }

i32 descriptor_number(Handle descriptor) {
  return descriptor.is_null() ? -1 : descriptor_fd.get<i32>(descriptor.get());
}

Object* descriptor_of(Handle stream) { return stream_descriptor.get_reference(stream.get()); }

i32 stream_number(Handle stream) {
  Object* descriptor = descriptor_of(stream);
  return descriptor == nullptr ? -1 : descriptor_fd.get<i32>(descriptor);
}

void set_descriptor_number(Object* descriptor, i32 number) { descriptor_fd.set<i32>(descriptor, number); }
void set_descriptor_append(Object* descriptor, bool append) { descriptor_append.set<u8>(descriptor, append); }

void survive_failed_writes() {
  for (int number : {SIGPIPE, SIGXFSZ}) {
    struct sigaction current;
    if (sigaction(number, nullptr, &current) != 0 || current.sa_handler != SIG_DFL) continue;
    struct sigaction quiet{};
    quiet.sa_handler = [](int) {};
    quiet.sa_flags = SA_RESTART;
    sigaction(number, &quiet, nullptr);
  }
}

std::string error_text(int error) {
  char buffer[256];
  return strerror_r(error, buffer, sizeof buffer);  // the GNU form: may answer with a constant
}

Thrown throw_named(JavaThread* thread, const char* class_name, const std::string& message) {
  return throw_message(thread, Symbol::intern(class_name), message);
}
Thrown throw_io_message(JavaThread* thread, const char* message) {
  return throw_message(thread, Symbol::intern("java/io/IOException"), message);
}
Thrown throw_io(JavaThread* thread, int error, const char* otherwise) {
  return error == 0 ? throw_io_message(thread, otherwise)
                    : throw_named(thread, "java/io/IOException", error_text(error));
}
Thrown throw_not_found(JavaThread* thread, const std::string& path, int error) {
  return throw_named(thread, "java/io/FileNotFoundException", fmt::format("{} ({})", path, error_text(error)));
}

Thrown throw_unix(JavaThread* thread, int error) {
  Klass* klass = resolve_class(thread, Symbol::intern("sun/nio/fs/UnixException"), boot_loader());
  if (klass == nullptr || !initialize_class(thread, klass->as_instance())) return {};
  HandleScope scope(thread);
  Handle exception = scope.make(heap::allocate_instance(thread, klass));
  if (exception.is_null()) return throw_out_of_memory(thread, "Java heap space");
  Method* constructor = find_method(klass, names::object_initializer, Symbol::intern("(I)V"));
  Slot arguments[] = {slot_of(exception), slot_of(static_cast<i32>(error))};
  call_java(thread, constructor, arguments);
  if (has_exception(thread)) return {};
  return throw_object(thread, exception.get());
}

Object* make_byte_array(JavaThread* thread, const void* bytes, usize count) {
  Object* array = heap::allocate_array(thread, primitive_array_klass(BasicType::Byte), static_cast<i32>(count));
  if (array == nullptr) return throw_out_of_memory(thread, "Java heap space");
  memcpy(array->elements<u8>(), bytes, count);
  return array;
}
Object* make_byte_array(JavaThread* thread, const std::string& text) {
  return make_byte_array(thread, text.data(), text.size());
}

bool check_range(JavaThread* thread, Handle array, i32 offset, i32 length) {
  if (array.is_null()) return throw_null_pointer(thread);
  if (offset >= 0 && length >= 0 && length <= array->length() - offset) return true;
  return throw_message(thread, Symbol::intern("java/lang/IndexOutOfBoundsException"),
                       static_cast<const char*>(nullptr));
}

void copy_out(Handle array, i32 offset, void* to, usize count) { memcpy(to, array->elements<u8>() + offset, count); }
void copy_in(Handle array, i32 offset, const void* from, usize count) {
  memcpy(array->elements<u8>() + offset, from, count);
}

}  // namespace keyhole::natives::io
