// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Copies between arrays of one class, and between arrays of references where the source's element class is a subtype
// of the destination's.
#include "vm/interpreter/array_copy.h"

#include "gc/barrier.h"
#include "runtime/object/klass.h"

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

}  // namespace keyhole::interpreter
