// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// Implements System.arraycopy for two arrays of the same class, and for two arrays of references if the source's
// element class is a subtype of the destination's. Implements Object.clone.
#include "vm/interpreter/array_copy.h"

#include "gc/barrier.h"
#include "gc/heap/heap.h"
#include "runtime/object/klass.h"
#include "vm/link/well_known.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::interpreter {

bool copy_array(Object* from, i32 from_index, Object* to, i32 to_index, i32 count) {
  if (from == nullptr || to == nullptr) return false;
  const Klass *klass = from->klass(), *other = to->klass();
  if (!klass->is_array()) return false;
  if (klass != other) {
    if (klass->kind != KlassKind::ReferenceArray || other->kind != KlassKind::ReferenceArray) return false;
    if (!klass->as_array()->component->is_subtype_of(other->as_array()->component)) return false;
  }
  if ((from_index | to_index | count) < 0 || i64{from_index} + count > from->length() ||
      i64{to_index} + count > to->length()) {
    return false;
  }
  if (klass->kind == KlassKind::ReferenceArray) {
    barrier::copy_elements(from, from_index, to, to_index, count);
    return true;
  }
  u32 shift = klass->element_shift;
  __builtin_memmove(to->address<char>(Object::element_offset(shift, static_cast<u32>(to_index))),
                    from->address<char>(Object::element_offset(shift, static_cast<u32>(from_index))),
                    static_cast<usize>(count) << shift);
  return true;
}

namespace {

// Copies word by word, so that every field is copied whole. The copy lies in the thread's allocation buffer, so the
// references stored into it need no card mark (B5 of gc/barrier.h).
void copy_words(Object* from, Object* to, u32 start, u64 end) TOUCHES_OBJECTS {
  if (start % 8 != 0) {
    to->atomic<u32>(start).store(from->atomic<u32>(start).load(std::memory_order_relaxed), std::memory_order_relaxed);
    start += 4;
  }
  for (u32 offset = start; offset < end; offset += 8) {
    to->atomic<u64>(offset).store(from->atomic<u64>(offset).load(std::memory_order_relaxed), std::memory_order_relaxed);
  }
}

}  // namespace

Object* clone_if_room(JavaThread* thread, Object* object) {
  const Klass* klass = object->klass();
  constexpr u64 most_bytes = 4096;
  if (klass->is_array()) {
    u32 shift = klass->element_shift, length = static_cast<u32>(object->length());
    u64 bytes = layout::array_bytes(shift, length);
    if (bytes > most_bytes || !heap::tlab_has_room(thread, bytes)) return nullptr;
    Object* copy = heap::take_array_from_tlab(thread, klass->id, shift, length);
    if (klass->kind == KlassKind::PrimitiveArray) copy_elements(object, copy, shift, object->length());
    else copy_words(object, copy, layout::array_base_offset(shift), bytes);
    return copy;
  }
  u64 bytes = klass->instance_bytes;
  if (klass->kind != KlassKind::Instance || bytes > most_bytes || klass->as_instance()->has_finalizer ||
      !klass->is_known_subtype_of(well_known::Cloneable_class) || !heap::tlab_has_room(thread, bytes))
    return nullptr;
  Object* copy = heap::take_from_tlab(thread, klass->id, bytes);
  copy_words(object, copy, layout::header_bytes, bytes);
  return copy;
}

}  // namespace keyhole::interpreter
