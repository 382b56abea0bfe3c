// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Constants, locals and stack shuffles: untyped slots.
#include "vm/interpreter/handlers/handlers.h"

namespace keyhole::interpreter {

HANDLER(nop) { NEXT(); }

HANDLER(constant) {
  PUSH(to_slot(operand_b(word)));
  NEXT();
}
HANDLER(constant_wide) {
  PUSH_WIDE(to_slot(static_cast<i64>(operand_b(word))));
  NEXT();
}
HANDLER(constant_double) {  // operand b: the value, which is a whole number
  PUSH_WIDE(to_slot(static_cast<f64>(operand_b(word))));
  NEXT();
}
HANDLER(constant_pool_wide) {  // b names the 64 bits
  PUSH_WIDE(*metadata_at<const u64>(operand_b(word)));
  NEXT();
}
HANDLER(constant_object) {  // operand b: the object's index in the pool's resolved references
  const Object* references = frame->method->constants->resolved_references;
  PUSH(to_slot(references->reference_at(operand_b(word))));
  NEXT();
}

HANDLER(constant_mirror) {  // b = the class
  PUSH(to_slot(metadata_at<const Klass>(operand_b(word))->mirror));
  NEXT();
}

HANDLER(load) {
  PUSH(locals[operand_a(word)]);
  NEXT();
}
HANDLER(load_wide) {
  PUSH_WIDE(locals[operand_a(word) + 1]);
  NEXT();
}
HANDLER(store) {
  locals[operand_a(word)] = tos;
  POP();
  NEXT();
}
HANDLER(store_wide) {
  locals[operand_a(word) + 1] = tos;
  sp -= 2;
  tos = *sp;
  NEXT();
}
HANDLER(iinc) {
  Slot* local = locals + operand_a(word);
  *local = static_cast<u32>(*local) + static_cast<u32>(operand_b(word));
  NEXT();
}

HANDLER(pop) {
  POP();
  NEXT();
}
HANDLER(pop2) {
  sp -= 2;
  tos = *sp;
  NEXT();
}
HANDLER(dup) {
  *sp = tos;
  ++sp;
  NEXT();
}
// The comments show the operand stack as JVMS 6.5 does; the top operand comes last.
HANDLER(dup_x1) {  // stack: b a => a b a
  Slot b = sp[-1];
  sp[-1] = tos;
  sp[0] = b;
  ++sp;
  NEXT();
}
HANDLER(dup_x2) {  // stack: c b a => a c b a
  Slot c = sp[-2], b = sp[-1];
  sp[-2] = tos;
  sp[-1] = c;
  sp[0] = b;
  ++sp;
  NEXT();
}
HANDLER(dup2) {  // stack: b a => b a b a
  sp[0] = tos;
  sp[1] = sp[-1];
  sp += 2;
  NEXT();
}
HANDLER(dup2_x1) {  // stack: c b a => b a c b a
  Slot c = sp[-2], b = sp[-1];
  sp[-2] = b;
  sp[-1] = tos;
  sp[0] = c;
  sp[1] = b;
  sp += 2;
  NEXT();
}
HANDLER(dup2_x2) {  // stack: d c b a => b a d c b a
  Slot d = sp[-3], c = sp[-2], b = sp[-1];
  sp[-3] = b;
  sp[-2] = tos;
  sp[-1] = d;
  sp[0] = c;
  sp[1] = b;
  sp += 2;
  NEXT();
}
HANDLER(swap) {
  Slot b = sp[-1];
  sp[-1] = tos;
  tos = b;
  NEXT();
}

}  // namespace keyhole::interpreter
