// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the body of a native method, and runs synchronized native methods.
#include "runtime/sync/synchronizer.h"
#include "vm/frames/layout/make_frame.h"
#include "vm/interpreter/decoder.h"
#include "vm/interpreter/intrinsics.h"
#include "vm/interpreter/raise.h"
#include "vm/link/exceptions.h"
#include "vm/link/native_methods.h"

namespace keyhole::interpreter {

bool prepare_native(JavaThread* thread, Method* method) {
  if (method->native.load(std::memory_order_acquire) == nullptr) {
    NativeFunction function = native_methods().find_or_throw(thread, method);
    if (function == nullptr) return false;
    method->native.store(function, std::memory_order_release);
  }
  Handler entry = interp_entry_native_value;
  NativeFunction body = method->native.load(std::memory_order_relaxed);
  if (Handler intrinsic = intrinsic_entry_of(method)) entry = intrinsic;
  else if (MethodEntry own = native_methods().entry_with_body(body)) entry = reinterpret_cast<Handler>(own);
  else if (method->is_synchronized()) entry = interp_entry_native_synchronized;
  else if (slot_count(method->return_type) == 0) entry = interp_entry_native_void;
  else if (slot_count(method->return_type) == 2) entry = interp_entry_native_wide;
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
