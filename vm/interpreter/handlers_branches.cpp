// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Branches, switches, subroutines. A backward branch that is taken polls first, before anything is popped.
#include "vm/interpreter/handlers.h"

namespace keyhole::interpreter {

// Pops `slots`; `condition` sees tos and sp[-1] as they were.
#define CONDITIONAL(name, slots, condition) \
  HANDLER(name) { \
    bool taken = (condition); \
    sp -= (slots); \
    tos = *sp; \
    if (taken) BRANCH(operand_b(cell)); \
    NEXT(); \
  } \
  HANDLER(name##_back) { \
    if (condition) { \
      POLL(); \
      sp -= (slots); \
      tos = *sp; \
      BRANCH(operand_b(cell)); \
    } \
    sp -= (slots); \
    tos = *sp; \
    NEXT(); \
  }

CONDITIONAL(ifeq, 1, as_int(tos) == 0)
CONDITIONAL(ifne, 1, as_int(tos) != 0)
CONDITIONAL(iflt, 1, as_int(tos) < 0)
CONDITIONAL(ifge, 1, as_int(tos) >= 0)
CONDITIONAL(ifgt, 1, as_int(tos) > 0)
CONDITIONAL(ifle, 1, as_int(tos) <= 0)
CONDITIONAL(if_icmpeq, 2, as_int(sp[-1]) == as_int(tos))
CONDITIONAL(if_icmpne, 2, as_int(sp[-1]) != as_int(tos))
CONDITIONAL(if_icmplt, 2, as_int(sp[-1]) < as_int(tos))
CONDITIONAL(if_icmpge, 2, as_int(sp[-1]) >= as_int(tos))
CONDITIONAL(if_icmpgt, 2, as_int(sp[-1]) > as_int(tos))
CONDITIONAL(if_icmple, 2, as_int(sp[-1]) <= as_int(tos))
CONDITIONAL(if_acmpeq, 2, sp[-1] == tos)
CONDITIONAL(if_acmpne, 2, sp[-1] != tos)
CONDITIONAL(ifnull, 1, tos == 0)
CONDITIONAL(ifnonnull, 1, tos != 0)

HANDLER(goto_) { BRANCH(operand_b(cell)); }
HANDLER(goto_back) {
  POLL();
  BRANCH(operand_b(cell));
}

HANDLER(tableswitch) {
  if (operand_a(cell) != 0) POLL();
  const TableSwitch* table_switch = metadata_at<TableSwitch>(operand_b(cell));
  u32 index = static_cast<u32>(as_int(tos)) - static_cast<u32>(table_switch->low);
  i32 distance = index < table_switch->count ? table_switch->distances[index] : table_switch->default_distance;
  POP();
  BRANCH(distance);
}

HANDLER(lookupswitch) {
  if (operand_a(cell) != 0) POLL();
  const LookupSwitch* lookup = metadata_at<LookupSwitch>(operand_b(cell));
  i32 key = as_int(tos);
  i32 distance = lookup->default_distance;
  u32 low = 0, high = lookup->count;
  while (low < high) {
    u32 middle = (low + high) / 2;
    i32 found = lookup->pairs[middle].key;
    if (found == key) {
      distance = lookup->pairs[middle].distance;
      break;
    }
    if (found < key) low = middle + 1;
    else high = middle;
  }
  POP();
  BRANCH(distance);
}

// A return address is the bci behind the jsr: that is what frame maps know (vm/verify/frame_map.h).
HANDLER(jsr) {   // a = that bci
  PUSH(operand_a(cell));
  BRANCH(operand_b(cell));
}

HANDLER(ret) {
  POLL();
  const MethodCode* code = frame->method->body.load(std::memory_order_relaxed);
  pc = code->cell_of(static_cast<u32>(locals[operand_a(cell)]));
  cell = load_cell(pc);
  DISPATCH();
}

}  // namespace keyhole::interpreter
