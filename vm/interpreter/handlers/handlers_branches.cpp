// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Branches, switches, subroutines. A backward branch that is taken polls first, before anything is popped.
#include "vm/interpreter/handlers/handlers.h"

namespace keyhole::interpreter {

#define CONDITION(name, condition)         \
  HANDLER(name) {                          \
    bool taken = (condition);              \
    sp -= slots_popped(Operation::name);   \
    tos = *sp;                             \
    if (taken) BRANCH(operand_b(word));    \
    NEXT();                                \
  }                                        \
  HANDLER(name##_back) {                   \
    if (condition) {                       \
      POLL();                              \
      sp -= slots_popped(Operation::name); \
      tos = *sp;                           \
      BRANCH(operand_b(word));             \
    }                                      \
    sp -= slots_popped(Operation::name);   \
    tos = *sp;                             \
    NEXT();                                \
  }

#include "vm/interpreter/branch_conditions.def"
#undef CONDITION

HANDLER(goto_) { BRANCH(operand_b(word)); }
HANDLER(goto_back) {
  POLL();
  BRANCH(operand_b(word));
}

HANDLER(tableswitch) {
  if (operand_a(word) != 0) POLL();
  const TableSwitch* table_switch = metadata_at<TableSwitch>(operand_b(word));
  u32 index = table_switch->index_of(as_int(tos));
  i32 distance = index < table_switch->count ? table_switch->distances[index] : table_switch->default_distance;
  POP();
  BRANCH(distance);
}

HANDLER(lookupswitch) {
  if (operand_a(word) != 0) POLL();
  const LookupSwitch* lookup = metadata_at<LookupSwitch>(operand_b(word));
  u32 found = lookup->find(as_int(tos));
  i32 distance = found < lookup->count ? lookup->pairs[found].distance : lookup->default_distance;
  POP();
  BRANCH(distance);
}

// A return address is the bci after the jsr, as in frame maps (vm/verify/frame_map.h).
HANDLER(jsr) {  // a = that bci
  PUSH(operand_a(word));
  BRANCH(operand_b(word));
}

HANDLER(ret) {
  POLL();
  const MethodCode* code = frame->method->body.load(std::memory_order_relaxed);
  pc = code->instruction_at(static_cast<u32>(locals[operand_a(word)]));
  word = load_instruction(pc);
  DISPATCH();
}

}  // namespace keyhole::interpreter
