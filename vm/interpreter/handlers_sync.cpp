// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// monitorenter and monitorexit: the algorithm's fast path inline, the rest in runtime/sync.
//
// Each enter pushes a lock record on the thread's record stack, each exit drops the frame's innermost record of that object. A
// monitor without a record in this frame is not this method's to release (structured locking, JVMS 2.11.10).
#include "runtime/sync/fast_paths.h"
#include "runtime/sync/synchronizer.h"
#include "vm/interpreter/handlers.h"
#include "vm/interpreter/java_frames.h"
#include "vm/interpreter/raise.h"

namespace keyhole::interpreter {

static SLOW_HANDLER(monitorenter_slow) {
  SAVE_STATE();
  if (!has_lock_record(thread)) {
    throw_stack_overflow(thread);
    GO(unwind);
  }
  LockRecord* record = push_lock_record(thread, as_object(tos));
  sync::enter(thread, Handle(&record->object), record);
  POP();
  NEXT();
}

HANDLER(monitorenter) {
  CHECK_NULL(tos);
  // A load behind a CAS begins when the CAS is done: whatever can be loaded before is.
  Slot below = sp[-1];
  u64 next = load_cell(pc + 1);
  u32 record_index = thread->lock_record_top;
  LockRecord* record = thread->lock_records + record_index;
  if (record_index >= thread->lock_record_capacity) [[unlikely]] GO(monitorenter_slow);
  if (!sync::fast_paths::lightweight::try_enter(thread, as_object(tos), record)) [[unlikely]] GO(monitorenter_slow);
  thread->lock_record_top = record_index + 1;
  record->object = as_object(tos);
  tos = below;
  --sp;
  ++pc;
  cell = next;
  DISPATCH();
}

static SLOW_HANDLER(monitorexit_slow) {
  SAVE_STATE();
  Object* object = as_object(tos);
  for (u32 i = thread->lock_record_top; i > frame->lock_record_base; --i) {
    LockRecord* record = &thread->lock_records[i - 1];
    if (record->object != object) continue;
    sync::Status status = sync::exit(thread, Handle(&record->object), record);
    drop_lock_record(thread, frame, record);
    if (status != sync::Status::Done) break;
    POP();
    NEXT();
  }
  throw_illegal_monitor_state(thread);
  GO(unwind);
}

HANDLER(monitorexit) {
  CHECK_NULL(tos);
  u32 top = thread->lock_record_top;
  if (top <= frame->lock_record_base) [[unlikely]] GO(monitorexit_slow);
  Slot below = sp[-1];
  u64 next = load_cell(pc + 1);
  if (thread->lock_records[top - 1].object != as_object(tos)) [[unlikely]] GO(monitorexit_slow);
  if (!sync::fast_paths::lightweight::try_exit(thread, as_object(tos), &thread->lock_records[top - 1])) [[unlikely]] GO(monitorexit_slow);
  // The record below may be an empty one that an exit out of order left: the next slow exit or the return drops it.
  thread->lock_record_top = top - 1;
  tos = below;
  --sp;
  ++pc;
  cell = next;
  DISPATCH();
}

}  // namespace keyhole::interpreter
