// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// jdk.internal.misc.Unsafe: offsets, off-heap memory, classes, parking. Loads and stores: unsafe_access.cpp.
#include <stdlib.h>
#include <unistd.h>

#include <atomic>

#include "classlib/natives/declarations.h"
#include "classlib/natives/java.base/lang/define_class.h"
#include "classlib/natives/java.base/lang/recorded_park.h"
#include "classlib/natives/java.base/lang/thread_lifecycle.h"
#include "classlib/natives/java.base/reflect/reflect_objects.h"
#include "classlib/natives/late_bound.h"
#include "runtime/threads/asynchronous.h"
#include "runtime/threads/blocking.h"
#include "runtime/threads/points.h"
#include "vm/link/loading/loader_names.h"

namespace keyhole::natives {

// Runs in Unsafe's static initialiser, before it copies the constants that the VM is to fill in.
void Unsafe_registerNatives(JavaThread* thread) {
  const late::UnsafeConstants* row = late::get<late::UnsafeConstants>(thread);
  if (row == nullptr || !initialize_class(thread, row->klass)) return;
  Object* statics = row->klass->mirror;
  statics->set<i32>(row->address_size, 8);
  statics->set<i32>(row->page_size, static_cast<i32>(sysconf(_SC_PAGESIZE)));
  statics->set<u8>(row->big_endian, 0);
  statics->set<u8>(row->unaligned_access, 1);
  statics->set<i32>(row->data_cache_line_flush_size, 0);
}

// --- where members are -----------------------------------------------------------------------------------------------

i64 Unsafe_objectFieldOffset0(JavaThread* thread, Handle, Handle reflected) {
  const Field* field = field_of(thread, reflected.get());
  return field == nullptr ? 0 : field->offset;
}

i64 Unsafe_objectFieldOffset1(JavaThread* thread, Handle, Handle mirror, Handle name) {
  Klass* klass = klass_of(mirror);
  if (klass->is_instance()) {
    SymbolHandle symbol = symbol_of_string(name.get());
    for (u16 i = 0; i < klass->as_instance()->field_count; ++i) {
      const Field& field = klass->as_instance()->fields[i];
      if (field.name == symbol && !field.is_static()) return field.offset;
    }
  }
  throw_message(thread, names::java_lang_InternalError, string_to_utf8(name.get()));
  return 0;
}

i64 Unsafe_staticFieldOffset0(JavaThread* thread, Handle, Handle reflected) {
  const Field* field = field_of(thread, reflected.get());
  return field == nullptr ? 0 : field->offset;
}

Object* Unsafe_staticFieldBase0(JavaThread* thread, Handle, Handle reflected) {
  const Field* field = field_of(thread, reflected.get());
  return field == nullptr ? nullptr : field->holder->mirror;
}

i32 Unsafe_arrayBaseOffset0(JavaThread* thread, Handle, Handle mirror) {
  const Klass* klass = klass_of(mirror);
  if (klass->is_array()) return static_cast<i32>(layout::array_base_offset(klass->element_shift));
  throw_message(thread, Symbol::intern("java/io/InvalidClassException"), external_name(klass));
  return 0;
}

i32 Unsafe_arrayIndexScale0(JavaThread* thread, Handle, Handle mirror) {
  const Klass* klass = klass_of(mirror);
  if (klass->is_array()) return 1 << klass->element_shift;
  throw_message(thread, Symbol::intern("java/io/InvalidClassException"), external_name(klass));
  return 0;
}

// --- classes ---------------------------------------------------------------------------------------------------------

bool Unsafe_shouldBeInitialized0(JavaThread*, Handle, Handle mirror) {
  Klass* klass = klass_of(mirror);
  return klass->is_instance() && !klass->as_instance()->is_initialized();
}

void Unsafe_ensureClassInitialized0(JavaThread* thread, Handle, Handle mirror) {
  Klass* klass = klass_of(mirror);
  if (klass->is_instance() && !initialize_class(thread, klass->as_instance())) return;  // the exception is the result
}

Object* Unsafe_allocateInstance(JavaThread* thread, Handle, Handle mirror) {
  if (mirror.is_null()) return throw_null_pointer(thread);
  Klass* klass = klass_of(mirror);
  if (!klass->is_instance() || klass->is_interface() || klass->is_abstract() || klass->kind == KlassKind::Mirror)
    return throw_message(thread, names::java_lang_InstantiationException, external_name(klass));
  if (!initialize_class(thread, klass->as_instance())) return nullptr;
  return new_instance(thread, klass->as_instance());
}

Object* Unsafe_defineClass0(JavaThread* thread, Handle, Handle name, Handle bytes, i32 offset, i32 length,
                            Handle loader, Handle domain) {
  return define_from_array(thread, loader, name, bytes, offset, length, domain, {});
}

void Unsafe_throwException(JavaThread* thread, Handle, Handle throwable) { throw_object(thread, throwable.get()); }

// --- memory outside the heap; Java has checked sizes and addresses ---------------------------------------------------

i64 Unsafe_allocateMemory0(JavaThread*, Handle, i64 bytes) {
  return reinterpret_cast<i64>(malloc(static_cast<usize>(bytes)));
}
i64 Unsafe_reallocateMemory0(JavaThread*, Handle, i64 address, i64 bytes) {
  return reinterpret_cast<i64>(realloc(reinterpret_cast<void*>(address), static_cast<usize>(bytes)));
}
void Unsafe_freeMemory0(JavaThread*, Handle, i64 address) { free(reinterpret_cast<void*>(address)); }

namespace {

// Without a base the offset is the address. It is a sum of integers, because arithmetic on null is undefined in C++.
char* address_of(Handle base, i64 offset) TOUCHES_OBJECTS {
  return reinterpret_cast<char*>(reinterpret_cast<uptr>(base.get()) + static_cast<uptr>(offset));
}

template <typename T, T (*swap)(T)> void copy_swapped(const char* from, char* to, usize bytes) {
  // Ranges may overlap, so the copy starts at the end when the target lies above the source.
  bool backwards = to > from && to < from + bytes;
  for (usize done = 0; done < bytes; done += sizeof(T)) {
    usize at = backwards ? bytes - sizeof(T) - done : done;
    T value;
    memcpy(&value, from + at, sizeof value);
    value = swap(value);
    memcpy(to + at, &value, sizeof value);
  }
}

}  // namespace

void Unsafe_setMemory0(JavaThread*, Handle, Handle base, i64 offset, i64 bytes, i8 value) {
  if (bytes == 0) return;  // the address may be null then, which memset must not get
  memset(address_of(base, offset), value, static_cast<usize>(bytes));
}

void Unsafe_copyMemory0(JavaThread*, Handle, Handle from, i64 from_offset, Handle to, i64 to_offset, i64 bytes) {
  if (bytes == 0) return;
  memmove(address_of(to, to_offset), address_of(from, from_offset), static_cast<usize>(bytes));
}

void Unsafe_copySwapMemory0(JavaThread*, Handle, Handle from, i64 from_offset, Handle to, i64 to_offset, i64 bytes,
                            i64 element_bytes) {
  const char* source = address_of(from, from_offset);
  char* target = address_of(to, to_offset);
  usize count = static_cast<usize>(bytes);
  if (element_bytes == 2) copy_swapped<u16, [](u16 v) { return __builtin_bswap16(v); }>(source, target, count);
  else if (element_bytes == 4) copy_swapped<u32, [](u32 v) { return __builtin_bswap32(v); }>(source, target, count);
  else copy_swapped<u64, [](u64 v) { return u64{__builtin_bswap64(v)}; }>(source, target, count);
}

// Never called: UnsafeConstants says that there is no cache-line flush.
void Unsafe_writeback0(JavaThread*, Handle, i64) {}
void Unsafe_writebackPreSync0(JavaThread*, Handle) {}
void Unsafe_writebackPostSync0(JavaThread*, Handle) {}

// --- threads and the machine -----------------------------------------------------------------------------------------

void Unsafe_park(JavaThread* thread, Handle, bool is_absolute, i64 time) {
  record_park_if_on(thread);
  threads::park(thread, is_absolute, time);
  asynchronous::answer(thread);
}

void Unsafe_unpark(JavaThread* thread, Handle, Handle target) {
  JavaThread* java_thread = target.is_null() ? nullptr : thread_of(target.get());
  if (java_thread == nullptr) return;
  if (recorder::is_on(recorder::Family::threads)) [[unlikely]]
    recorder::record(recorder::Kind::unpark, static_cast<u32>(java_thread->id));
  points::before(thread, controlled::Kind::unpark, &java_thread->parker);
  threads::unpark(java_thread);
}

i32 Unsafe_getLoadAverage0(JavaThread*, Handle, Handle averages, i32 count) {
  f64 values[3];
  i32 found = getloadavg(values, std::min(count, 3));
  for (i32 i = 0; i < found; ++i) averages->elements<f64>()[i] = values[i];
  return found;
}

}  // namespace keyhole::natives
