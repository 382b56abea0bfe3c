// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Array elements. The index check is one unsigned comparison, in which a negative index counts as a large one.
#include "gc/barrier.h"
#include "vm/interpreter/handlers/handlers.h"
#include "vm/interpreter/raise.h"
#include "vm/link/linker.h"
#include "vm/link/loading/array_klasses.h"

namespace keyhole::interpreter {

#define CHECK_INDEX(array, index)                                              \
  do {                                                                         \
    i32 length_ = (array)->length();                                           \
    if (static_cast<u32>(index) >= static_cast<u32>(length_)) [[unlikely]] {   \
      word = (u64{static_cast<u32>(index)} << 32) | static_cast<u32>(length_); \
      GO(raise_index_out_of_bounds);                                           \
    }                                                                          \
  } while (0)

// Stack effect: array, index => element.
#define ARRAY_LOAD(name, type, shift, slots, convert)                                                                \
  HANDLER(name) {                                                                                                    \
    i32 index = as_int(tos);                                                                                         \
    Slot holder = sp[-1];                                                                                            \
    CHECK_NULL(holder);                                                                                              \
    Object* array = as_object(holder);                                                                               \
    CHECK_INDEX(array, index);                                                                                       \
    type value =                                                                                                     \
        array->atomic<type>(Object::element_offset(shift, static_cast<u32>(index))).load(std::memory_order_relaxed); \
    tos = (convert);                                                                                                 \
    sp += (slots) - 2;                                                                                               \
    NEXT();                                                                                                          \
  }

ARRAY_LOAD(iaload, u32, 2, 1, value)
ARRAY_LOAD(laload, u64, 3, 2, value)
ARRAY_LOAD(aaload, NarrowRef, 2, 1, to_slot(decode(value)))
ARRAY_LOAD(baload, i8, 0, 1, to_slot(i32{value}))
ARRAY_LOAD(caload, u16, 1, 1, value)
ARRAY_LOAD(saload, i16, 1, 1, to_slot(i32{value}))

// Stack effect: array, index, value => nothing.
#define ARRAY_STORE(name, type, shift, slots)                                   \
  HANDLER(name) {                                                               \
    i32 index = as_int(sp[-(slots)]);                                           \
    Slot holder = sp[-(slots) - 1];                                             \
    CHECK_NULL(holder);                                                         \
    Object* array = as_object(holder);                                          \
    CHECK_INDEX(array, index);                                                  \
    array->atomic<type>(Object::element_offset(shift, static_cast<u32>(index))) \
        .store(static_cast<type>(tos), std::memory_order_relaxed);              \
    sp -= (slots) + 2;                                                          \
    tos = *sp;                                                                  \
    NEXT();                                                                     \
  }

ARRAY_STORE(iastore, u32, 2, 1)
ARRAY_STORE(lastore, u64, 3, 2)
ARRAY_STORE(castore, u16, 1, 1)

// byte[] and boolean[] share the instruction; a boolean keeps only its lowest bit.
HANDLER(bastore) {
  i32 index = as_int(sp[-1]);
  Slot holder = sp[-2];
  CHECK_NULL(holder);
  Object* array = as_object(holder);
  CHECK_INDEX(array, index);
  u32 value = static_cast<u32>(tos);
  if (value > 1 && array->klass_id() == boolean_array_klass_id) value &= 1;
  array->atomic<u8>(Object::element_offset(0, static_cast<u32>(index)))
      .store(static_cast<u8>(value), std::memory_order_relaxed);
  sp -= 3;
  tos = *sp;
  NEXT();
}

// Throws ArrayStoreException; word = the Klass* of the value's class.
static SLOW_HANDLER(raise_array_store) {
  Klass* stored = reinterpret_cast<Klass*>(word);
  SAVE_STATE();
  throw_array_store(thread, stored);
  GO(unwind);
}

static SLOW_HANDLER(aastore_slow) {
  Klass* component = as_object(sp[-2])->klass()->as_array()->component;
  Klass* stored = as_object(tos)->klass();
  if (!stored->is_subtype_of(component)) {
    word = reinterpret_cast<u64>(stored);
    GO(raise_array_store);
  }
  barrier::store_element(as_object(sp[-2]), as_int(sp[-1]), as_object(tos));
  sp -= 3;
  tos = *sp;
  NEXT();
}

HANDLER(aastore) {
  i32 index = as_int(sp[-1]);
  Slot holder = sp[-2];
  CHECK_NULL(holder);
  Object* array = as_object(holder);
  CHECK_INDEX(array, index);
  if (tos != 0) {
    const Klass* component = array->klass()->as_array()->component;
    const Klass* stored = as_object(tos)->klass();
    // The value's class is usually the element type itself or a subclass of the element type. The slow handler checks
    // all other cases.
    if (stored != component) {
      u32 depth = component->depth;
      if (depth >= Klass::display_depth || stored->supers[depth] != component) GO(aastore_slow);
    }
  }
  barrier::store_element(array, index, as_object(tos));
  sp -= 3;
  tos = *sp;
  NEXT();
}

HANDLER(arraylength) {
  CHECK_NULL(tos);
  tos = to_slot(as_object(tos)->length());
  NEXT();
}

}  // namespace keyhole::interpreter
