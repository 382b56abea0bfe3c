// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Constants that are objects, allocation, type tests, athrow.
#include "gc/heap/heap.h"
#include "vm/frames/layout/virtual_frame.h"
#include "vm/interpreter/handlers/handlers.h"
#include "vm/interpreter/raise.h"
#include "vm/interpreter/resolution.h"
#include "vm/link/linker.h"

namespace keyhole::interpreter {

#define RESOLVE(function)                           \
  SAVE_STATE();                                     \
  word = function(thread, frame->method, pc, word); \
  if (word == 0) [[unlikely]]                       \
    GO(unwind);                                     \
  RELOAD_TOS();                                     \
  DISPATCH()

[[gnu::noinline]] HANDLER(ldc_unresolved) { RESOLVE(resolve_ldc); }
[[gnu::noinline]] HANDLER(new_unresolved) { RESOLVE(resolve_new); }
[[gnu::noinline]] HANDLER(anewarray_unresolved) { RESOLVE(resolve_anewarray); }

// --- allocation ------------------------------------------------------------------------------------------------------

static SLOW_HANDLER(allocate_instance_slow) {
  SAVE_STATE();
  Object* object = heap::allocate_instance(thread, klass_of_id(static_cast<u32>(operand_b(word))));
  if (object == nullptr) {
    throw_out_of_memory(thread, "Java heap space");
    GO(unwind);
  }
  RELOAD_TOS();
  PUSH(to_slot(object));
  NEXT();
}

HANDLER(new_instance) {  // operand a: the instance size in object_alignment units; operand b: the klass id
  Object* object = heap::allocate_in_tlab_nogc(thread, static_cast<u32>(operand_b(word)),
                                               u64{operand_a(word)} * layout::object_alignment);
  if (object == nullptr) [[unlikely]]
    GO(allocate_instance_slow);
  PUSH(to_slot(object));
  NEXT();
}
HANDLER(new_large_instance) { GO(allocate_instance_slow); }

static SLOW_HANDLER(allocate_array_slow) {
  SAVE_STATE();
  i32 length = as_int(tos);
  if (length < 0) {
    throw_negative_array_size(thread, length);
    GO(unwind);
  }
  Object* array = heap::allocate_array(thread, klass_of_id(static_cast<u32>(operand_b(word))), length);
  if (array == nullptr) {
    throw_array_too_large(thread, length);
    GO(unwind);
  }
  tos = to_slot(array);
  NEXT();
}

// Operand a: log2 of the size of an element; operand b: the klass id of the array. This handler also serves anewarray.
HANDLER(newarray) {
  Object* array = heap::allocate_array_in_tlab_nogc(thread, static_cast<u32>(operand_b(word)), operand_a(word),
                                                    static_cast<u32>(tos));
  if (array == nullptr) [[unlikely]]
    GO(allocate_array_slow);
  tos = to_slot(array);
  NEXT();
}

// Operand a: the number of dimensions; operand b: the index in the constant pool.
[[gnu::noinline]] HANDLER(multianewarray) {
  SAVE_STATE();
  u32 dimensions = operand_a(word);
  // The executing method is that of the virtual frame, because optimised code calls this handler from inlined methods,
  // too.
  ConstantPool* constants = VirtualFrame(thread).method()->constants;
  Klass* klass = resolve_class_at(thread, constants, static_cast<u32>(operand_b(word)));
  if (klass == nullptr) GO(unwind);
  Object* array = allocate_multi_array(thread, klass, dimensions, sp - dimensions + 1);
  if (array == nullptr) GO(unwind);
  sp -= dimensions - 1;
  tos = to_slot(array);
  NEXT();
}

// --- type tests ------------------------------------------------------------------------------------------------------

// checkcast of null succeeds for every class, so this handler does not resolve the class.
[[gnu::noinline]] HANDLER(checkcast_unresolved) {
  if (tos == 0) NEXT();
  RESOLVE(resolve_checkcast);
}
[[gnu::noinline]] HANDLER(instanceof_unresolved) {
  if (tos == 0) NEXT();
  RESOLVE(resolve_instanceof);
}

// Decides a type test by one comparison. `klass` is the class of the tested object. Operand a is the offset of a field
// of `klass`: an entry of the superclass display, or the cache of the last search.
#define IS_AT_OFFSET(klass, wanted) \
  (*reinterpret_cast<const Klass* const*>(reinterpret_cast<const char*>(klass) + operand_a(word)) == (wanted))

static SLOW_HANDLER(checkcast_slow) {
  const Klass* klass = as_object(tos)->klass();
  const Klass* wanted = metadata_at<const Klass>(operand_b(word));
  if (klass->is_subtype_of(wanted)) NEXT();
  SAVE_STATE();
  throw_class_cast(thread, klass, wanted);
  GO(unwind);
}

HANDLER(checkcast) {  // b = the class
  if (tos == 0) NEXT();
  const Klass* klass = as_object(tos)->klass();
  if (!IS_AT_OFFSET(klass, metadata_at<const Klass>(operand_b(word)))) [[unlikely]]
    GO(checkcast_slow);
  NEXT();
}

static SLOW_HANDLER(instanceof_slow) {
  tos = as_object(tos)->klass()->is_subtype_of(metadata_at<const Klass>(operand_b(word)));
  NEXT();
}

HANDLER(instanceof_) {  // b = the class
  if (tos == 0) NEXT();
  const Klass* klass = as_object(tos)->klass();
  if (!IS_AT_OFFSET(klass, metadata_at<const Klass>(operand_b(word)))) {
    if (operand_a(word) != offsetof(Klass, secondary_super_cache)) {
      tos = 0;  // the display is exact
      NEXT();
    }
    GO(instanceof_slow);
  }
  tos = 1;
  NEXT();
}

[[gnu::noinline]] HANDLER(athrow) {
  CHECK_NULL(tos);
  SAVE_STATE();
  throw_object(thread, as_object(tos));
  GO(unwind);
}

}  // namespace keyhole::interpreter
