// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The references inside one object, and the objects inside one region: the two loops that every policy is built of.
#pragma once

#include "gc/filler.h"
#include "gc/region.h"
#include "runtime/object/klass.h"

namespace keyhole::gc {

// object_bytes, inline: the tracing loops cannot afford the call.
[[gnu::always_inline]] inline u64 bytes_of(const Object* object, const Klass* klass) {
  if (klass->kind == KlassKind::Instance || klass->kind == KlassKind::Reference) [[likely]] return klass->instance_bytes;
  if (klass->is_array()) return layout::array_bytes(klass->element_shift, static_cast<u32>(object->length()));
  return object_bytes(object, klass);
}

// visit(NarrowRef*) for each strong reference field, element or static; the referent of a Reference is left out.
template <typename Visitor>
[[gnu::always_inline]] inline void for_each_strong_slot(Object* object, const Klass* klass, Visitor&& visit) {
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
    // A mirror that is still being made stands for nothing yet.
    const Klass* mirrored = klass_of_mirror(object);
    if (mirrored == nullptr || mirrored->static_reference_count == 0) return;
    NarrowRef* slot = object->address<NarrowRef>(mirrored->static_reference_offset);
    for (NarrowRef* end = slot + mirrored->static_reference_count; slot < end; ++slot) visit(slot);
  }
}

// The referent as well: for passes that only rewrite addresses.
template <typename Visitor> [[gnu::always_inline]] inline void for_each_slot(Object* object, const Klass* klass, Visitor&& visit) {
  for_each_strong_slot(object, klass, visit);
  if (klass->kind == KlassKind::Reference) visit(object->address<NarrowRef>(reference_referent_offset));
}

// visit(Object*, Klass*, bytes) for each object, fillers included. Headers must be in place (not forwarded).
template <typename Visitor> void for_each_object_in(Region& region, Visitor&& visit) {
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
