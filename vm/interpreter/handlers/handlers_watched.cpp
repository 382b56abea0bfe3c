// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of a VM that detects data races (-XX:+DetectDataRaces): operations that access fields and arrays, use
// classes or end constructors tell the detector first (points/race_points.h). A superinstruction that contains
// one of them runs only its first part, so that its other parts are dispatched through the table.
//
//   watched_table[operation]  ──>  before_watched_access  ──>  plain_table[operation]
#include "vm/interpreter/entries.h"
#include "vm/interpreter/handlers/frame_macros.h"
#include "vm/interpreter/points/race_points.h"

namespace keyhole::interpreter {

Handler watched_table[operation_count];

namespace {

#define TELL_AND_RUN(name, call)                                                        \
  [[gnu::noinline]] MAY_SAFEPOINT KEYHOLE_PRESERVE_NONE void name(HANDLER_PARAMETERS) { \
    SAVE_STATE();                                                                       \
    call;                                                                               \
    RELOAD_TOS();                                                                       \
    GO((plain_table[word & 0xFFFF]));                                                   \
  }
TELL_AND_RUN(tell_access, before_watched_access(thread, frame, word))
TELL_AND_RUN(tell_use, before_watched_use(thread, frame, word))
TELL_AND_RUN(tell_return, before_watched_return(thread, frame))

KEYHOLE_PRESERVE_NONE void run_first_part(HANDLER_PARAMETERS) {
  GO((plain_table[index_of(plain_operation(operation_of(word)))]));
}

Handler handler_of(Operation operation) {
  switch (operation) {
    case Operation::new_instance:
    case Operation::new_large_instance:
    case Operation::invokestatic: return tell_use;
    case Operation::return_void:
    case Operation::return_void_checked: return tell_return;
    default: break;
  }
  if (is_heap_access(operation)) return tell_access;
  if (is_superinstruction(operation) && has(operation, effect::reads | effect::writes)) return run_first_part;
  return plain_table[index_of(operation)];
}

}  // namespace

void fill_watched_table() {
  for (u32 i = 0; i < operation_count; ++i) watched_table[i] = handler_of(operation_at(i));
}

}  // namespace keyhole::interpreter
