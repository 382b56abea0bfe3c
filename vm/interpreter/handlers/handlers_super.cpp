// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Superinstructions. pc is at the first instruction of the run; the other plain instructions follow it.
//
// A superinstruction does not poll and does not throw. If it would have to, it executes only its first part, and the
// plain instructions do the rest (FALL_BACK). So bci and operands are exact wherever the stack may be walked. In the
// word of a superinstruction, `a` is the local of the first load (or iinc), `b` the local of a second load or the
// constant.
#include "vm/interpreter/handlers/frame_macros.h"
#include "vm/interpreter/handlers/semantics.h"

namespace keyhole::interpreter {

#define LOCAL_A locals[operand_a(word)]
#define LOCAL_B locals[static_cast<u32>(operand_b(word))]

// Slow path of superinstructions that begin with a load: executes the load alone, then the next plain instruction.
static SLOW_HANDLER(fall_back_load) {
  PUSH(LOCAL_A);
  NEXT();
}
#define POLLING() (thread->poll.load(std::memory_order_relaxed) != 0)
#define FALL_BACK() GO(fall_back_load)

HANDLER(load_load) {
  Slot first = LOCAL_A, second = LOCAL_B;
  sp[0] = tos;
  sp[1] = first;
  sp += 2;
  tos = second;
  NEXT_AT(2);
}
HANDLER(load_wide_load_wide) {
  Slot first = locals[operand_a(word) + 1], second = locals[static_cast<u32>(operand_b(word)) + 1];
  sp[0] = tos;
  sp[2] = first;
  sp += 4;
  tos = second;
  NEXT_AT(2);
}
HANDLER(load_store) {  // operand b: the number of the local that is stored to
  LOCAL_B = LOCAL_A;
  NEXT_AT(2);
}
HANDLER(constant_store) {  // operand a: the number of the local that is stored to; operand b: the constant
  LOCAL_A = to_slot(operand_b(word));
  NEXT_AT(2);
}
HANDLER(iadd_store) {  // operand a: the number of the local that is stored to
  LOCAL_A = to_slot(semantics::iadd(as_int(sp[-1]), as_int(tos)));
  sp -= 2;
  tos = *sp;
  NEXT_AT(2);
}

HANDLER(load_return) { RETURN_ONE(LOCAL_A); }

// --- compare and branch: the second of the two instructions holds the distance ---------------------------------------

#define BRANCH_OF(index) \
  do {                   \
    pc += (index);       \
    BRANCH(pc->b);       \
  } while (0)

#define LOAD_LOAD_IF(name, condition)                            \
  HANDLER(load_load_##name) {                                    \
    i32 left = as_int(LOCAL_A), right = as_int(LOCAL_B);         \
    if (left condition right) BRANCH_OF(2);                      \
    NEXT_AT(3);                                                  \
  }                                                              \
  HANDLER(load_constant_##name) {                                \
    if (as_int(LOCAL_A) condition operand_b(word)) BRANCH_OF(2); \
    NEXT_AT(3);                                                  \
  }
LOAD_LOAD_IF(if_icmpeq, ==)
LOAD_LOAD_IF(if_icmpne, !=)
LOAD_LOAD_IF(if_icmplt, <)
LOAD_LOAD_IF(if_icmpge, >=)
LOAD_LOAD_IF(if_icmpgt, >)
LOAD_LOAD_IF(if_icmple, <=)

// In the words of the following superinstructions, operand b is the distance from the branch, which is the second
// instruction, to the branch's target.
#define LOAD_IF(name, condition) \
  HANDLER(load_##name) {         \
    Slot value = LOCAL_A;        \
    if (condition) {             \
      ++pc;                      \
      BRANCH(operand_b(word));   \
    }                            \
    NEXT_AT(2);                  \
  }
LOAD_IF(ifeq, as_int(value) == 0)
LOAD_IF(ifne, as_int(value) != 0)
LOAD_IF(iflt, as_int(value) < 0)
LOAD_IF(ifge, as_int(value) >= 0)
LOAD_IF(ifgt, as_int(value) > 0)
LOAD_IF(ifle, as_int(value) <= 0)
LOAD_IF(ifnull, value == 0)
LOAD_IF(ifnonnull, value != 0)

static SLOW_HANDLER(fall_back_iinc) { GO(interp_iinc); }
static SLOW_HANDLER(fall_back_store) { GO(interp_store); }

HANDLER(iinc_goto_back) {
  if (POLLING()) [[unlikely]]
    GO(fall_back_iinc);
  Slot* local = locals + operand_a(word);
  *local = static_cast<u32>(*local) + static_cast<u32>(operand_b(word));
  BRANCH_OF(1);
}

HANDLER(store_goto_back) {  // operand a: the number of the local that is stored to
  if (POLLING()) [[unlikely]]
    GO(fall_back_store);
  LOCAL_A = tos;
  POP();
  BRANCH_OF(1);
}

// --- arithmetic ------------------------------------------------------------------------------------------------------

#define LOAD_BINARY(name)                                         \
  HANDLER(load_##name) {                                          \
    tos = to_slot(semantics::name(as_int(tos), as_int(LOCAL_A))); \
    NEXT_AT(2);                                                   \
  }
LOAD_BINARY(iadd)
LOAD_BINARY(isub)
LOAD_BINARY(imul)

#define LOAD_LOAD_BINARY(name)                                        \
  HANDLER(load_load_##name) {                                         \
    PUSH(to_slot(semantics::name(as_int(LOCAL_A), as_int(LOCAL_B)))); \
    NEXT_AT(3);                                                       \
  }
LOAD_LOAD_BINARY(iadd)
LOAD_LOAD_BINARY(isub)

HANDLER(load_constant_iadd) {
  PUSH(to_slot(semantics::iadd(as_int(LOCAL_A), operand_b(word))));
  NEXT_AT(3);
}
HANDLER(load_constant_isub) {
  PUSH(to_slot(semantics::isub(as_int(LOCAL_A), operand_b(word))));
  NEXT_AT(3);
}

#define CONSTANT_BINARY(name)                                     \
  HANDLER(constant_##name) {                                      \
    tos = to_slot(semantics::name(as_int(tos), operand_b(word))); \
    NEXT_AT(2);                                                   \
  }
CONSTANT_BINARY(iadd)
CONSTANT_BINARY(isub)
CONSTANT_BINARY(imul)
CONSTANT_BINARY(iand)
CONSTANT_BINARY(ishl)
CONSTANT_BINARY(ishr)
CONSTANT_BINARY(iushr)

// --- arrays and fields -----------------------------------------------------------------------------------------------

HANDLER(load_arraylength) {
  Slot array = LOCAL_A;
  if (array == 0) [[unlikely]]
    FALL_BACK();
  PUSH(to_slot(as_object(array)->length()));
  NEXT_AT(2);
}

#define ELEMENT(array, index, type, shift) \
  (array)->atomic<type>(Object::element_offset(shift, (index))).load(std::memory_order_relaxed)

#define LOAD_LOAD_ELEMENT(name, type, shift, convert)                        \
  HANDLER(load_load_##name) {                                                \
    Slot holder = LOCAL_A;                                                   \
    u32 index = static_cast<u32>(LOCAL_B);                                   \
    if (holder == 0) [[unlikely]]                                            \
      FALL_BACK();                                                           \
    if (index >= static_cast<u32>(as_object(holder)->length())) [[unlikely]] \
      FALL_BACK();                                                           \
    type value = ELEMENT(as_object(holder), index, type, shift);             \
    PUSH(convert);                                                           \
    NEXT_AT(3);                                                              \
  }
LOAD_LOAD_ELEMENT(iaload, u32, 2, value)
LOAD_LOAD_ELEMENT(aaload, NarrowRef, 2, to_slot(decode(value)))
LOAD_LOAD_ELEMENT(baload, i8, 0, to_slot(i32{value}))
LOAD_LOAD_ELEMENT(caload, u16, 1, value)

// Loads an array element: the array is the top operand, the index is in a local.
#define LOAD_ELEMENT(name, type, shift, convert)                          \
  HANDLER(load_##name) {                                                  \
    u32 index = static_cast<u32>(LOCAL_A);                                \
    if (tos == 0) [[unlikely]]                                            \
      FALL_BACK();                                                        \
    if (index >= static_cast<u32>(as_object(tos)->length())) [[unlikely]] \
      FALL_BACK();                                                        \
    type value = ELEMENT(as_object(tos), index, type, shift);             \
    tos = (convert);                                                      \
    NEXT_AT(2);                                                           \
  }
LOAD_ELEMENT(iaload, u32, 2, value)
LOAD_ELEMENT(aaload, NarrowRef, 2, to_slot(decode(value)))

// Loads a field of an object in a local. Operand a: the number of the local; operand b: the field's offset.
#define LOAD_FIELD(name, type, slots, convert)                                                                       \
  HANDLER(load_getfield_##name) {                                                                                    \
    Slot holder = LOCAL_A;                                                                                           \
    if (holder == 0) [[unlikely]]                                                                                    \
      FALL_BACK();                                                                                                   \
    type value = as_object(holder)->atomic<type>(static_cast<u32>(operand_b(word))).load(std::memory_order_relaxed); \
    *sp = tos;                                                                                                       \
    sp += (slots);                                                                                                   \
    tos = (convert);                                                                                                 \
    NEXT_AT(2);                                                                                                      \
  }
LOAD_FIELD(byte, i8, 1, to_slot(i32{value}))
LOAD_FIELD(char, u16, 1, value)
LOAD_FIELD(short, i16, 1, to_slot(i32{value}))
LOAD_FIELD(int, u32, 1, value)
LOAD_FIELD(long, u64, 2, value)
LOAD_FIELD(reference, NarrowRef, 1, to_slot(decode(value)))

}  // namespace keyhole::interpreter
