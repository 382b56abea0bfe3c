// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of a controlled VM: operations that read or write fields and arrays are points, before which the thread may
// stop (points/schedule_points.h). All other operations run their plain handlers. A superinstruction that contains an
// access runs only its first part, so that its other parts are dispatched through the table.
//
//   controlled_table[operation]  ──>  before_heap_access  ──>  plain_table[operation]
#include "runtime/threads/points.h"
#include "vm/interpreter/entries.h"
#include "vm/interpreter/handlers/frame_macros.h"
#include "vm/interpreter/points/schedule_points.h"

namespace keyhole::interpreter {

Handler controlled_table[operation_count];

namespace {

[[gnu::noinline]] MAY_SAFEPOINT KEYHOLE_PRESERVE_NONE void stop_and_run(HANDLER_PARAMETERS) {
  SAVE_STATE();
  before_heap_access(thread, frame, word);
  RELOAD_TOS();
  GO((plain_table[word & 0xFFFF]));
}

// The end of a constructor freezes the final fields.
[[gnu::noinline]] MAY_SAFEPOINT KEYHOLE_PRESERVE_NONE void tell_return(HANDLER_PARAMETERS) {
  SAVE_STATE();
  before_controlled_return(frame);
  RELOAD_TOS();
  GO((plain_table[word & 0xFFFF]));
}

KEYHOLE_PRESERVE_NONE void run_first_part(HANDLER_PARAMETERS) {
  GO((plain_table[index_of(plain_operation(operation_of(word)))]));
}

Handler handler_of(Operation operation) {
  if (operation == Operation::return_void || operation == Operation::return_void_checked) return tell_return;
  if (is_heap_access(operation)) return stop_and_run;
  if (is_superinstruction(operation) && has(operation, effect::reads | effect::writes)) return run_first_part;
  return plain_table[index_of(operation)];
}

}  // namespace

[[gnu::noinline]] MAY_SAFEPOINT KEYHOLE_PRESERVE_NONE void interp_controlled_spin_wait(HANDLER_PARAMETERS) {
  frame->pc = pc;  // saves the state for yield_in_loop; the operands are in their stack slots already
  frame->sp = sp;
  thread->top_frame = frame;
  yield_in_loop(thread);
  tos = *sp;
  NEXT();
}

// The invoke has stored the arguments in their stack slots, so only pc, sp and the top frame have to be saved.
[[gnu::noinline]] MAY_SAFEPOINT KEYHOLE_PRESERVE_NONE void interp_controlled_native(HANDLER_PARAMETERS) {
  frame->pc = pc;
  frame->sp = sp;
  thread->top_frame = frame;
  points::drain(thread);
  GO(native_entry_of(CALLEE()));
}

void fill_controlled_table() {
  for (u32 i = 0; i < operation_count; ++i) controlled_table[i] = handler_of(operation_at(i));
}

}  // namespace keyhole::interpreter
