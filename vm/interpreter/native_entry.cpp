// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the body of a native method, and runs synchronized native methods.
#include "runtime/sync/synchronizer.h"
#include "vm/frames/layout/make_frame.h"
#include "vm/interpreter/decoder.h"
#include "vm/interpreter/intrinsics.h"
#include "vm/interpreter/points/schedule_points.h"
#include "vm/interpreter/raise.h"
#include "vm/link/exceptions.h"
#include "vm/link/native_methods.h"

namespace keyhole::interpreter {

namespace {

// Returns whether the native method may write to memory directly instead of through the thread's store buffer. Then the
// buffer must be empty when the method begins (schedule_points.h). Returns false for library methods that only read
// memory, or that report their accesses as schedule points themselves.
bool writes_without_buffer(const Method* method) {
  if (controlled::execution->memory == controlled::Memory::sc || intrinsic_entry_of(method) != nullptr) return false;
  if (!method->holder->is_boot) return true;
  std::string_view holder = method->holder->name->text(), name = method->name->text();
  if (holder == "jdk/internal/misc/Unsafe") {
    bool is_access = name.starts_with("get") || name.starts_with("put") || name.starts_with("compareAnd");
    return !is_access && name != "loadFence" && name != "storeFence";
  }
  if (holder == "java/lang/System") return name != "nanoTime" && name != "currentTimeMillis";
  return !((holder == "java/lang/Object" && (name == "getClass" || name == "hashCode")) ||
           (holder == "java/lang/Thread" && (name == "currentThread" || name == "currentCarrierThread")) ||
           holder == "java/lang/Float" || holder == "java/lang/Double" || holder == "java/lang/invoke/MethodHandle");
}

}  // namespace

Handler native_entry_of(const Method* method) {
  NativeFunction body = method->native.load(std::memory_order_relaxed);
  if (Handler intrinsic = intrinsic_entry_of(method)) return intrinsic;
  if (MethodEntry own = native_methods().entry_with_body(body)) return reinterpret_cast<Handler>(own);
  if (method->is_synchronized()) return interp_entry_native_synchronized;
  switch (slot_count(method->return_type)) {
    case 0: return interp_entry_native_void;
    case 2: return interp_entry_native_wide;
    default: return interp_entry_native_value;
  }
}

bool prepare_native(JavaThread* thread, Method* method) {
  if (method->native.load(std::memory_order_acquire) == nullptr) {
    NativeFunction function = native_methods().find_or_throw(thread, method);
    if (function == nullptr) return false;
    method->native.store(function, std::memory_order_release);
  }
  Handler entry = native_entry_of(method);
  if (controlled::is_on() && writes_without_buffer(method)) entry = interp_controlled_native;
  method->entry.store(as_method_entry(entry), std::memory_order_release);
  return true;
}

u64 call_synchronized_native(JavaThread* thread, Frame* frame) {
  Method* method = frame->method;
  if (!has_lock_record(thread)) {
    throw_stack_overflow(thread);
    return 0;
  }
  Object* object =
      method->is_static() ? static_cast<Klass*>(method->holder)->mirror : reinterpret_cast<Object*>(frame->locals[0]);
  LockRecord* record = push_lock_record(thread, object);
  sync::enter(thread, Handle(&record->object), record);
  u64 result = method->native.load(std::memory_order_relaxed)(thread, frame->locals);
  if (has_exception(thread)) return 0;  // unwinding releases the record
  sync::exit(thread, Handle(&record->object), record);
  drop_lock_record(thread, frame, record);
  return result;
}

}  // namespace keyhole::interpreter
