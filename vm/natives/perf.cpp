// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// jdk.internal.perf.Perf: counters that the library keeps in direct buffers. They live outside the heap, for ever; nobody else reads them.
#include <stdlib.h>

#include "vm/natives/declarations.h"
#include "vm/natives/late_bound.h"
#include "vm/natives/support.h"

namespace keyhole::natives {

namespace {

Object* direct_buffer(JavaThread* thread, void* memory, i32 bytes) {
  const late::DirectByteBuffer* row = late::get<late::DirectByteBuffer>(thread);
  if (row == nullptr || !initialize_class(thread, row->klass)) return nullptr;
  HandleScope scope(thread);
  Object* object = new_instance(thread, row->klass);
  if (object == nullptr) return nullptr;
  Handle buffer = scope.make(object);
  Slot arguments[] = {slot_of(buffer), 0, slot_of(reinterpret_cast<i64>(memory)), slot_of(bytes)};
  call_java(thread, row->constructor, arguments);
  return has_exception(thread) ? nullptr : buffer.get();
}

}  // namespace

Object* Perf_createLong(JavaThread* thread, Handle, Handle, i32, i32, i64 value) {
  auto* counter = static_cast<i64*>(malloc(sizeof(i64)));
  *counter = value;
  return direct_buffer(thread, counter, sizeof(i64));
}

Object* Perf_createByteArray(JavaThread* thread, Handle, Handle, i32, i32, Handle value, i32 maximum_length) {
  if (value.is_null()) return throw_null_pointer(thread);
  auto* bytes = static_cast<u8*>(calloc(1, static_cast<usize>(maximum_length) + 1));
  memcpy(bytes, value->elements<u8>(), static_cast<usize>(std::min(maximum_length, value->length())));
  return direct_buffer(thread, bytes, maximum_length);
}

Object* Perf_attach(JavaThread* thread, Handle, Handle, i32, i32) {
  return throw_message(thread, names::java_io_IOException, "Keyhole has no shared counters");
}
void Perf_detach(JavaThread*, Handle, Handle) {}
i64 Perf_highResCounter(JavaThread* thread, Handle) { return System_nanoTime(thread); }
i64 Perf_highResFrequency(JavaThread*, Handle) { return 1'000'000'000; }

}  // namespace keyhole::natives
