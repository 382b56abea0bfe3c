// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Calling a direct method handle: unboxes the arguments into slots and calls Java.
#include "classlib/natives/java.base/invoke/declarations.h"
#include "gc/heap/heap.h"
#include "runtime/threads/no_safepoint.h"
#include "vm/frames/layout/virtual_frame.h"
#include "vm/link/exceptions.h"
#include "vm/link/indy/direct_call.h"
#include "vm/link/java_call.h"
#include "vm/link/linker.h"

namespace keyhole::natives {

namespace {

struct HandleFields {  // offsets in java.lang.invoke.DirectMethodHandle
  u32 method;
  u32 kind;
  u32 constructed;
};

const HandleFields& handle_fields(const Object* handle) TOUCHES_OBJECTS {
  static const HandleFields fields = [](InstanceKlass* klass) {
    auto offset = [&](const char* name, const char* descriptor) {
      return klass->find_declared_field(Symbol::intern(name), Symbol::intern(descriptor))->offset;
    };
    return HandleFields{offset("method", "J"), offset("kind", "I"), offset("constructed", "Ljava/lang/Class;")};
  }(handle->klass()->as_instance());
  return fields;
}

Slot unboxed(Object* value, BasicType type) TOUCHES_OBJECTS {
  const u32 offset = layout::only_field_offset(type);  // wrappers have one field
  switch (type) {
    case BasicType::Boolean: return value->get<u8>(offset);
    case BasicType::Byte: return static_cast<u32>(static_cast<i32>(value->get<i8>(offset)));
    case BasicType::Short: return static_cast<u32>(static_cast<i32>(value->get<i16>(offset)));
    case BasicType::Char: return value->get<u16>(offset);
    case BasicType::Int:
    case BasicType::Float: return value->get<u32>(offset);
    case BasicType::Long:
    case BasicType::Double: return value->get<u64>(offset);
    default: return slot_of(value);
  }
}

u64 failed(Thrown) { return 0; }

// Converts the arguments of a call to raw slots: `created`, unless it is null, then the elements of the array. Returns
// the number of slots.
u32 spread(const Method* method, Handle created, bool has_receiver, Handle arguments, Slot* slots) TOUCHES_OBJECTS {
  NoSafepoint no_safepoint;
  u32 next = 0;
  i32 index = 0;
  Object* array = arguments.get();
  if (!created.is_null()) slots[next++] = slot_of(created);
  if (has_receiver) slots[next++] = slot_of(array->reference_at(index++));
  for (DescriptorIterator it(method->descriptor); !it.at_end(); it.next()) {
    BasicType type = it.type();
    if (slot_count(type) == 2) slots[next++] = 0;
    slots[next++] = unboxed(array->reference_at(index++), type);
  }
  return next;
}

u64 invoke(JavaThread* thread, Handle handle, Handle arguments) MAY_SAFEPOINT {
  constexpr i32 new_invoke_special = 8, invoke_virtual = 5, invoke_interface = 9;
  const HandleFields& fields = handle_fields(handle.get());
  Method* method = handle->get<Method*>(fields.method);
  i32 kind = handle->get<i32>(fields.kind);
  HandleScope scope(thread);
  Handle created;
  if (kind == new_invoke_special) {
    InstanceKlass* made = klass_of_mirror(handle->get_reference(fields.constructed))->as_instance();
    if (!made->is_initialized() && !initialize_class(thread, made)) return 0;
    if (made->is_abstract())
      return failed(throw_message(thread, names::java_lang_InstantiationException, made->name->dotted()));
    created = scope.make(heap::allocate_instance(thread, made));
    if (created.is_null()) return failed(throw_out_of_memory(thread, "Java heap space"));
  } else if (method->is_static() && !method->holder->is_initialized() && !initialize_class(thread, method->holder)) {
    return 0;
  }
  bool has_receiver = kind != new_invoke_special && !method->is_static();
  if (has_receiver && arguments->reference_at(0) == nullptr)
    return failed(throw_message(thread, names::java_lang_NullPointerException, nullptr));
  // No safepoint may be reached until the call has taken the slots.
  Slot slots[256];
  u32 count = spread(method, created, has_receiver, arguments, slots);
  std::span<const Slot> passed(slots, count);
  bool selects = (kind == invoke_virtual || kind == invoke_interface) && !method->is_private();
  u64 result = selects ? call_java_virtual(thread, method, passed) : call_java(thread, method, passed);
  return kind == new_invoke_special ? slot_of(created) : result;
}

}  // namespace

Object* DirectMethodHandle_invokeReference(JavaThread* thread, Handle handle, Handle arguments) {
  u64 result = invoke(thread, handle, arguments);
  Method* method = handle->get<Method*>(handle_fields(handle.get()).method);
  bool is_object = method->is_initializer() || method->return_type == BasicType::Reference;
  return is_object ? object_of(result) : nullptr;
}

i64 DirectMethodHandle_invokePrimitive(JavaThread* thread, Handle handle, Handle arguments) {
  return static_cast<i64>(invoke(thread, handle, arguments));
}

Object* DirectMethodHandle_codeFor(JavaThread* thread, i64 method, i32 kind) {
  return indy::make_direct_call(thread, reinterpret_cast<Method*>(method), static_cast<indy::ReferenceKind>(kind),
                                indy::CallArguments::Trusted, {});
}

bool TypeBoundary_isChecked(JavaThread*) { return indy::checks_types; }

void TypeBoundary_fail(JavaThread*, Handle text) {
  KEYHOLE_FATAL("type boundary of a method handle: {}", string_to_modified_utf8(text.get()));
}

// Throws for signature-polymorphic methods that are called by reflection. The call's frame says which method it is.
Object* polymorphic_object(JavaThread* thread, Handle, Handle) {
  const Method* called = (*virtual_frames(thread).begin()).method();
  if (called->holder->name->text() == "java/lang/invoke/VarHandle") {
    return throw_message(thread, names::java_lang_UnsupportedOperationException,
                         "VarHandle access mode methods cannot be invoked reflectively");
  }
  return throw_new(thread, names::java_lang_UnsupportedOperationException,
                   "MethodHandle.{} cannot be invoked reflectively", called->name->text());
}
void polymorphic_void(JavaThread* thread, Handle handle, Handle arguments) {
  polymorphic_object(thread, handle, arguments);
}
bool polymorphic_boolean(JavaThread* thread, Handle handle, Handle arguments) {
  return polymorphic_object(thread, handle, arguments) != nullptr;
}

}  // namespace keyhole::natives
