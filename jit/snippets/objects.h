// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Object snippets: allocation, type tests, lookup of interface methods, identity hash, reference stores with their
// barrier, and one iteration of a spin-wait loop.
#pragma once

#include "gc/barrier.h"
#include "gc/heap/heap.h"
#include "jit/snippets/declarations.h"
#include "runtime/object/identity.h"
#include "vm/interpreter/array_copy.h"
#include "vm/link/interface_method.h"

namespace keyhole {

KEYHOLE_SNIPPET bool snippet_has_room(JavaThread* thread, u32, u64 bytes) { return heap::tlab_has_room(thread, bytes); }
KEYHOLE_SNIPPET Object* snippet_allocate(JavaThread* thread, u32 klass_id, u64 bytes) {
  return heap::take_from_tlab(thread, klass_id, bytes);
}
KEYHOLE_SNIPPET bool snippet_has_room_for_array(JavaThread* thread, u32, u32 element_shift, u32 length) {
  return heap::tlab_has_room_for_array(thread, element_shift, length);
}
KEYHOLE_SNIPPET Object* snippet_allocate_array(JavaThread* thread, u32 klass_id, u32 element_shift, u32 length) {
  return heap::take_array_from_tlab(thread, klass_id, element_shift, length);
}

KEYHOLE_SNIPPET Klass* snippet_klass_of(Object* object) { return object->klass(); }
KEYHOLE_SNIPPET u32 snippet_klass_id_of(Object* object) { return object->klass_id(); }
KEYHOLE_SNIPPET bool snippet_is_known_subtype(Klass* klass, Klass* wanted) {
  return klass->is_known_subtype_of(wanted);
}
KEYHOLE_SNIPPET bool snippet_can_store(Klass* array, Klass* of_element) {
  const Klass* component = array->as_array()->component;
  if (of_element->is_known_subtype_of(component)) return true;
  return component->is_in_displays() && of_element->has_in_display(component);
}

KEYHOLE_SNIPPET Method* snippet_interface_method(Klass* klass, InstanceKlass* interface, u32 itable_index) {
  return interface_method(klass, interface, itable_index);
}

KEYHOLE_SNIPPET u32 snippet_identity_hash(Object* object) { return hash_of_unlocked(object); }

KEYHOLE_SNIPPET void snippet_store_reference(Object* holder, u32 offset, Object* value) {
  barrier::store(holder, offset, value);
}
KEYHOLE_SNIPPET void snippet_store_volatile_reference(Object* holder, u32 offset, Object* value) {
  barrier::store_ordered(holder, offset, value, std::memory_order_seq_cst);
}
KEYHOLE_SNIPPET void snippet_initialize_reference(Object* holder, u32 offset, Object* value) {
  barrier::initialize(holder, offset, value);
}
KEYHOLE_SNIPPET void snippet_mark_elements(Object* array, i64 begin, i64 end) {
  barrier::mark_elements(array, begin, end);
}
KEYHOLE_SNIPPET Object* snippet_exchange_reference(Object* holder, u32 offset, Object* value) {
  return barrier::exchange(holder, offset, value);
}
KEYHOLE_SNIPPET bool snippet_compare_exchange_reference(Object* holder, u32 offset, Object* expected, Object* value) {
  return barrier::compare_exchange(holder, offset, expected, value);
}
KEYHOLE_SNIPPET Object* snippet_compare_exchange_witness(Object* holder, u32 offset, Object* expected, Object* value) {
  Object* witness;
  barrier::compare_exchange(holder, offset, expected, value, &witness);
  return witness;
}

KEYHOLE_SNIPPET void snippet_spin_wait() { HardwareWorld::pause(); }

KEYHOLE_SNIPPET void snippet_copy_bytes(Object* from, i32 from_index, Object* to, i32 to_index, i32 count) {
  interpreter::copy_bytes(from, from_index, to, to_index, count);
}
KEYHOLE_SNIPPET void snippet_copy_elements(Object* from, Object* to, u32 element_shift, i32 length) {
  interpreter::copy_elements(from, to, element_shift, length);
}

}  // namespace keyhole
