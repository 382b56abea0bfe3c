// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic, conversions, comparisons: each handler calls the operation's function of semantics.h on the operands.
#include "vm/interpreter/handlers/handlers.h"
#include "vm/interpreter/handlers/semantics.h"

namespace keyhole::interpreter {

// Pops two operands of `slots` slots each and pushes a result of the same width.
#define BINARY(name, type, slots)                                            \
  HANDLER(name) {                                                            \
    tos = to_slot(semantics::name(as_##type(sp[-(slots)]), as_##type(tos))); \
    sp -= (slots);                                                           \
    NEXT();                                                                  \
  }
#define DIVISION(name, type, slots)                                          \
  HANDLER(name) {                                                            \
    if (as_##type(tos) == 0) [[unlikely]]                                    \
      GO(raise_division_by_zero);                                            \
    tos = to_slot(semantics::name(as_##type(sp[-(slots)]), as_##type(tos))); \
    sp -= (slots);                                                           \
    NEXT();                                                                  \
  }
#define SHIFT(name, type)                                           \
  HANDLER(name) {                                                   \
    tos = to_slot(semantics::name(as_##type(sp[-1]), as_int(tos))); \
    --sp;                                                           \
    NEXT();                                                         \
  }
// Replaces the top operand by a value that is `growth` slots wider (negative: narrower).
#define UNARY(name, type, growth)                   \
  HANDLER(name) {                                   \
    tos = to_slot(semantics::name(as_##type(tos))); \
    sp += (growth);                                 \
    NEXT();                                         \
  }
// Two operands, an int result.
#define COMPARE(name, type, slots)                                           \
  HANDLER(name) {                                                            \
    tos = to_slot(semantics::name(as_##type(sp[-(slots)]), as_##type(tos))); \
    sp -= 2 * (slots) - 1;                                                   \
    NEXT();                                                                  \
  }

BINARY(iadd, int, 1)
BINARY(isub, int, 1)
BINARY(imul, int, 1)
BINARY(iand, int, 1)
BINARY(ior, int, 1)
BINARY(ixor, int, 1)
DIVISION(idiv, int, 1)
DIVISION(irem, int, 1)
BINARY(ladd, long, 2)
BINARY(lsub, long, 2)
BINARY(lmul, long, 2)
BINARY(land, long, 2)
BINARY(lor, long, 2)
BINARY(lxor, long, 2)
DIVISION(ldiv, long, 2)
DIVISION(lrem, long, 2)
BINARY(fadd, float, 1)
BINARY(fsub, float, 1)
BINARY(fmul, float, 1)
BINARY(fdiv, float, 1)
BINARY(frem, float, 1)
BINARY(dadd, double, 2)
BINARY(dsub, double, 2)
BINARY(dmul, double, 2)
BINARY(ddiv, double, 2)
BINARY(drem, double, 2)

SHIFT(ishl, int)
SHIFT(ishr, int)
SHIFT(iushr, int)
SHIFT(lshl, long)
SHIFT(lshr, long)
SHIFT(lushr, long)

UNARY(ineg, int, 0)
UNARY(lneg, long, 0)
UNARY(fneg, float, 0)
UNARY(dneg, double, 0)
UNARY(i2l, int, 1)
UNARY(i2f, int, 0)
UNARY(i2d, int, 1)
UNARY(l2i, long, -1)
UNARY(l2f, long, -1)
UNARY(l2d, long, 0)
UNARY(f2i, float, 0)
UNARY(f2l, float, 1)
UNARY(f2d, float, 1)
UNARY(d2i, double, -1)
UNARY(d2l, double, 0)
UNARY(d2f, double, -1)
UNARY(i2b, int, 0)
UNARY(i2c, int, 0)
UNARY(i2s, int, 0)

COMPARE(lcmp, long, 2)
COMPARE(fcmpl, float, 1)
COMPARE(fcmpg, float, 1)
COMPARE(dcmpl, double, 2)
COMPARE(dcmpg, double, 2)

}  // namespace keyhole::interpreter
