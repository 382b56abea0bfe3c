// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The handler table of a VM that is stepped through. Each handler counts a tick, stops if that tick is the next one to
// stop at, and continues with the controlled handler. Rules: vm/interpreter/stepping.h.
#include "vm/interpreter/points/schedule_points.h"
#include "vm/interpreter/stepping.h"

namespace keyhole::interpreter {

Handler stepping_table[operation_count];

namespace stepping {
bool is_on = false;
u64 ticks = 0;
u64 next_stop = 0;
void (*at_instruction)(JavaThread*, const Frame*, u64) = nullptr;
}  // namespace stepping

namespace {

[[gnu::noinline]] MAY_SAFEPOINT KEYHOLE_PRESERVE_NONE void stop_and_run(HANDLER_PARAMETERS) {
  if (frame->kind == FrameKind::Entry) GO((controlled_table[word & 0xFFFF]));
  SAVE_STATE();
  stepping::at_instruction(thread, frame, word);
  RELOAD_TOS();
  GO((controlled_table[word & 0xFFFF]));
}

MAY_SAFEPOINT KEYHOLE_PRESERVE_NONE void count_and_run(HANDLER_PARAMETERS) {
  if (++stepping::ticks >= stepping::next_stop) [[unlikely]]
    GO(stop_and_run);
  GO((controlled_table[word & 0xFFFF]));
}

MAY_SAFEPOINT KEYHOLE_PRESERVE_NONE void count_and_run_first_part(HANDLER_PARAMETERS) {
  word = (word & ~u64{0xFFFF}) | index_of(plain_operation(operation_of(word)));
  GO(count_and_run);
}

}  // namespace

void fill_stepping_table() {
  for (u32 i = 0; i < operation_count; ++i)
    stepping_table[i] = is_superinstruction(operation_at(i)) ? count_and_run_first_part : count_and_run;
}

}  // namespace keyhole::interpreter
