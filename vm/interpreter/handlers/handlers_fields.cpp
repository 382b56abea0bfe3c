// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Handlers of resolved fields; the word holds the field's offset. Statics lie in the mirror of their class. Mirrors
// move, so the instruction refers to the klass.
//
// Plain accesses are relaxed atomics, so those of long and double are not torn (they are aligned). Volatile accesses
// are sequentially consistent: a plain load and an exchange on x86.
#include "gc/barrier.h"
#include "vm/interpreter/handlers/handlers.h"
#include "vm/interpreter/resolution.h"

namespace keyhole::interpreter {

// Resolves the field, then executes the quick word that the resolving function returns, even if that word was not
// published (resolution.h).
#define RESOLVE(function)                           \
  SAVE_STATE();                                     \
  word = function(thread, frame->method, pc, word); \
  if (word == 0) [[unlikely]]                       \
    GO(unwind);                                     \
  RELOAD_TOS();                                     \
  DISPATCH()

[[gnu::noinline]] HANDLER(getfield_unresolved) { RESOLVE(resolve_getfield); }
[[gnu::noinline]] HANDLER(putfield_unresolved) { RESOLVE(resolve_putfield); }
[[gnu::noinline]] HANDLER(getstatic_unresolved) { RESOLVE(resolve_getstatic); }
[[gnu::noinline]] HANDLER(putstatic_unresolved) { RESOLVE(resolve_putstatic); }

#define STATIC_HOLDER() metadata_at<const Klass>(operand_b(word))->mirror

// Macro parameters: name, C++ type, slots, memory order, conversion of the value to a slot.
#define LOAD_FIELD(name, type, slots, order, convert)                                         \
  HANDLER(getfield_##name) {                                                                  \
    CHECK_NULL(tos);                                                                          \
    type value = as_object(tos)->atomic<type>(static_cast<u32>(operand_b(word))).load(order); \
    tos = (convert);                                                                          \
    sp += (slots) - 1;                                                                        \
    NEXT();                                                                                   \
  }                                                                                           \
  HANDLER(getstatic_##name) {                                                                 \
    type value = STATIC_HOLDER()->atomic<type>(operand_a(word)).load(order);                  \
    *sp = tos;                                                                                \
    sp += (slots);                                                                            \
    tos = (convert);                                                                          \
    NEXT();                                                                                   \
  }
#define LOAD_FIELDS(prefix, order)                              \
  LOAD_FIELD(prefix##byte, i8, 1, order, to_slot(i32{value}))   \
  LOAD_FIELD(prefix##char, u16, 1, order, value)                \
  LOAD_FIELD(prefix##short, i16, 1, order, to_slot(i32{value})) \
  LOAD_FIELD(prefix##int, u32, 1, order, value)                 \
  LOAD_FIELD(prefix##long, u64, 2, order, value)                \
  LOAD_FIELD(prefix##reference, NarrowRef, 1, order, to_slot(decode(value)))

LOAD_FIELDS(, std::memory_order_relaxed)
LOAD_FIELDS(volatile_, std::memory_order_seq_cst)

// Macro parameters: name, slots, the statement that stores `tos` into `holder` at `offset`.
#define STORE_FIELD(name, slots, store)             \
  HANDLER(putfield_##name) {                        \
    CHECK_NULL(sp[-(slots)]);                       \
    Object* holder = as_object(sp[-(slots)]);       \
    u32 offset = static_cast<u32>(operand_b(word)); \
    store;                                          \
    sp -= (slots) + 1;                              \
    tos = *sp;                                      \
    NEXT();                                         \
  }                                                 \
  HANDLER(putstatic_##name) {                       \
    Object* holder = STATIC_HOLDER();               \
    u32 offset = operand_a(word);                   \
    store;                                          \
    sp -= (slots);                                  \
    tos = *sp;                                      \
    NEXT();                                         \
  }
#define STORE_FIELDS(prefix, order)                                                                  \
  STORE_FIELD(prefix##byte, 1, holder->atomic<u8>(offset).store(static_cast<u8>(tos), order))        \
  STORE_FIELD(prefix##boolean, 1, holder->atomic<u8>(offset).store(static_cast<u8>(tos & 1), order)) \
  STORE_FIELD(prefix##short, 1, holder->atomic<u16>(offset).store(static_cast<u16>(tos), order))     \
  STORE_FIELD(prefix##int, 1, holder->atomic<u32>(offset).store(static_cast<u32>(tos), order))       \
  STORE_FIELD(prefix##long, 2, holder->atomic<u64>(offset).store(tos, order))

STORE_FIELDS(, std::memory_order_relaxed)
STORE_FIELDS(volatile_, std::memory_order_seq_cst)
STORE_FIELD(reference, 1, barrier::store(holder, offset, as_object(tos)))
STORE_FIELD(volatile_reference, 1, barrier::store_ordered(holder, offset, as_object(tos), std::memory_order_seq_cst))

// Accesses statics whose offset does not fit into operand `a`: pushes the mirror, then runs the getfield or putfield of
// the type. The mirror's slot may lie beyond max_stack, in a reserve below the stack limit. The mirror is popped before
// the stack can be walked.
[[gnu::noinline]] HANDLER(getstatic_far) {
  const Field* field = metadata_at<const Field>(operand_b(word));
  PUSH(to_slot(static_cast<const Klass*>(field->holder)->mirror));
  word = far_static_word(field, false);
  GO(plain_table[word & 0xFFFF]);
}
[[gnu::noinline]] HANDLER(putstatic_far) {
  const Field* field = metadata_at<const Field>(operand_b(word));
  sp[1 - static_cast<i64>(operand_a(word))] = to_slot(static_cast<const Klass*>(field->holder)->mirror);
  ++sp;
  word = far_static_word(field, true);
  GO(plain_table[word & 0xFFFF]);
}

}  // namespace keyhole::interpreter
