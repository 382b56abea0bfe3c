// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The references inside one object, and the objects inside one region: the two loops used by every policy.
#pragma once

#include "gc/heap/filler.h"
#include "gc/heap/region.h"
#include "runtime/object/identity.h"

namespace keyhole::gc {

// The first 8 bytes of an object, which forwarding replaces together: its header word, or the word and the 4 bytes
// after it.
inline std::atomic<u64>& first_bytes(Object* object) { return *reinterpret_cast<std::atomic<u64>*>(object); }

// As extent_of, while another worker may be forwarding the object: uses the contents of `first`, and does not read
// these bytes again.
inline u32 extent_of(const Object* object, const Klass* klass, u64 first) TOUCHES_OBJECTS {
  if constexpr (sizeof(layout::Word) < sizeof(first)) {
    constexpr u32 second = sizeof(layout::Word);
    bool is_second = klass->is_array() ? layout::array_length_offset == second
                                       : klass->kind == KlassKind::Mirror && mirror_bytes_offset == second;
    if (is_second) return static_cast<u32>(first >> 32);
  }
  return keyhole::extent_of(object, klass);
}

// As object_bytes, but inline, because the tracing loops cannot afford the call. `first`: the object's first 8 bytes.
[[gnu::always_inline]] inline u64 bytes_of(const Object* object, const Klass* klass, u64 first) TOUCHES_OBJECTS {
  if constexpr (!layout::hash_is_in_word) {
    if ((first & layout::hash_state_mask) == layout::hash_stored) [[unlikely]] {
      u32 extent = extent_of(object, klass, first);
      return plain_bytes(klass, extent) + hash_slot(klass, extent).appended_bytes;
    }
  }
  if (klass->kind == KlassKind::Instance || klass->kind == KlassKind::Reference) [[likely]]
    return klass->instance_bytes;
  if (klass->is_array()) return layout::array_bytes(klass->element_shift, extent_of(object, klass, first));
  if constexpr (layout::hash_is_in_word) return object_bytes(object, klass);
  return plain_bytes(klass, extent_of(object, klass, first));
}
[[gnu::always_inline]] inline u64 bytes_of(const Object* object, const Klass* klass) TOUCHES_OBJECTS {
  return bytes_of(
      object, klass,
      layout::hash_is_in_word ? 0 : first_bytes(const_cast<Object*>(object)).load(std::memory_order_relaxed));
}

// Calls visit(NarrowRef*) for each strong reference field, element or static; not for the referent of a Reference.
template <typename Visitor>
[[gnu::always_inline]] inline void for_each_strong_slot(Object* object, const Klass* klass, Visitor&& visit)
    TOUCHES_OBJECTS {
  if (klass->kind == KlassKind::PrimitiveArray) return;
  if (klass->kind == KlassKind::ReferenceArray) {
    NarrowRef* slot = object->address<NarrowRef>(Object::element_offset(2, 0));
    for (NarrowRef* end = slot + object->length(); slot < end; ++slot) visit(slot);
    return;
  }
  const ReferenceSpan* span = klass->reference_spans;
  for (u32 i = klass->reference_span_count; i > 0; --i, ++span) {
    NarrowRef* slot = object->address<NarrowRef>(span->offset);
    for (NarrowRef* end = slot + span->count; slot < end; ++slot) visit(slot);
  }
  if (klass->kind == KlassKind::Mirror) [[unlikely]] {
    // A mirror that is still being made has no klass yet.
    const Klass* mirrored = klass_of_mirror(object);
    if (mirrored == nullptr || mirrored->static_reference_count == 0) return;
    NarrowRef* slot = object->address<NarrowRef>(mirrored->static_reference_offset);
    for (NarrowRef* end = slot + mirrored->static_reference_count; slot < end; ++slot) visit(slot);
  }
}

// Visits the referent as well, for passes that only rewrite addresses.
template <typename Visitor>
[[gnu::always_inline]] inline void for_each_slot(Object* object, const Klass* klass, Visitor&& visit) TOUCHES_OBJECTS {
  for_each_strong_slot(object, klass, visit);
  if (klass->kind == KlassKind::Reference) visit(object->address<NarrowRef>(reference_referent_offset));
}

// Calls visit(Object*, Klass*, bytes) for each object, fillers included. No object may be forwarded.
template <typename Visitor> void for_each_object_in(Region& region, Visitor&& visit) TOUCHES_OBJECTS {
  if (region.state() == RegionState::HumongousContinues || region.is_free()) return;
  if (region.state() == RegionState::HumongousStart) {
    Object* object = reinterpret_cast<Object*>(region.bottom());
    visit(object, object->klass(), object_bytes(object));
    return;
  }
  for (char *position = region.bottom(), *top = region.top(); position < top;) {
    Object* object = reinterpret_cast<Object*>(position);
    Klass* klass = klass_in_walk(object);
    u64 bytes = bytes_of(object, klass);
    visit(object, klass, bytes);
    position += bytes;
  }
}

}  // namespace keyhole::gc
