// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// jdk.internal.perf.Perf: counters that the library keeps in direct buffers, in addition to the VM's own
// (runtime/base/process/perf_data.h), and those of other processes.
#include <unistd.h>

#include <algorithm>

#include "classlib/natives/declarations.h"
#include "classlib/natives/late_bound.h"
#include "classlib/natives/support.h"
#include "runtime/base/process/perf_data.h"
#include "runtime/threads/mapped_files.h"

namespace keyhole::natives {

namespace {

Object* direct_buffer(JavaThread* thread, void* memory, i32 bytes) MAY_SAFEPOINT {
  const late::DirectByteBuffer* row = late::get<late::DirectByteBuffer>(thread);
  if (row == nullptr || !initialize_class(thread, row->klass)) return nullptr;
  HandleScope scope(thread);
  Object* object = new_instance(thread, row->klass);
  if (object == nullptr) return nullptr;
  Handle buffer = scope.make(object);
  Slot place = slot_of(reinterpret_cast<i64>(memory));
  if (row->constructor != nullptr) {
    Slot arguments[] = {slot_of(buffer), 0, place, slot_of(bytes)};
    call_java(thread, row->constructor, arguments);
  } else {
    Slot arguments[] = {slot_of(buffer), 0, place, 0, slot_of(i64{bytes})};
    call_java(thread, row->constructor_21, arguments);
  }
  return has_exception(thread) ? nullptr : buffer.get();
}

}  // namespace

namespace {

bool is_variability(i32 value) { return value >= 1 && value <= 3; }
bool is_unit(i32 value) { return value >= 1 && value <= 6; }

}  // namespace

Object* Perf_createLong(JavaThread* thread, Handle, Handle name, i32 variability, i32 units, i64 value) {
  if (name.is_null()) return throw_null_pointer(thread);
  if (!is_variability(variability) || !is_unit(units)) return throw_illegal_argument(thread, nullptr);
  i64* counter = perf_data::add_number(string_to_utf8(name.get()), static_cast<perf_data::Units>(units),
                                       static_cast<perf_data::Variability>(variability), value);
  if (counter == nullptr) return throw_illegal_argument(thread, "PerfLong name already exists");
  return direct_buffer(thread, counter, sizeof(i64));
}

// A constant gets room for its value, a variable for `maximum_length` bytes. Both get one more byte at the end.
Object* Perf_createByteArray(JavaThread* thread, Handle, Handle name, i32 variability, i32 units, Handle value,
                             i32 maximum_length) {
  if (name.is_null() || value.is_null()) return throw_null_pointer(thread);
  auto kind = static_cast<perf_data::Variability>(variability);
  bool is_constant = kind == perf_data::Variability::constant;
  if (!is_variability(variability) || kind == perf_data::Variability::monotonic ||
      units != static_cast<i32>(perf_data::Units::string) || maximum_length < 0)
    return throw_illegal_argument(thread, nullptr);
  std::string text(reinterpret_cast<const char*>(value->elements<u8>()), static_cast<usize>(value->length()));
  i32 length = is_constant ? value->length() : maximum_length;
  text.resize(std::min(text.size(), static_cast<usize>(length)));
  u8* bytes = perf_data::add_text(string_to_utf8(name.get()), kind, text, static_cast<usize>(length) + 1);
  if (bytes == nullptr) return throw_illegal_argument(thread, "PerfByteArray name already exists");
  return direct_buffer(thread, bytes, length + 1);
}

static Object* attach_to(JavaThread* thread, i32 process_id, const std::string& user) MAY_SAFEPOINT {
  perf_data::Attached attached = perf_data::attach(process_id == 0 ? getpid() : process_id, user);
  if (attached.memory == nullptr) return throw_illegal_argument(thread, attached.problem.c_str());
  Object* buffer = direct_buffer(thread, attached.memory, static_cast<i32>(attached.bytes));
  if (buffer == nullptr) perf_data::detach(attached.memory, attached.bytes);
  else mapped_files::add(reinterpret_cast<uptr>(attached.memory), attached.bytes);  // its process may end it
  return buffer;
}

Object* Perf_attach(JavaThread* thread, Handle, Handle user, i32 process_id, i32 mode) {
  constexpr i32 read_only = 0;
  if (mode != read_only) return throw_illegal_argument(thread, "Unsupported access mode");
  return attach_to(thread, process_id, user.is_null() ? std::string() : string_to_utf8(user.get()));
}
Object* Perf_attach0(JavaThread* thread, Handle, i32 process_id) { return attach_to(thread, process_id, {}); }

void Perf_detach(JavaThread* thread, Handle, Handle buffer) {
  const late::Buffer* row = late::get<late::Buffer>(thread);
  if (buffer.is_null() || row == nullptr) return;
  mapped_files::remove(static_cast<uptr>(buffer->get<i64>(row->address)),
                       static_cast<usize>(buffer->get<i32>(row->capacity)));
}

i64 Perf_highResCounter(JavaThread* thread, Handle) { return System_nanoTime(thread); }
i64 Perf_highResFrequency(JavaThread*, Handle) { return 1'000'000'000; }

}  // namespace keyhole::natives
