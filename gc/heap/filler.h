// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Fillers: dead space formatted as an object, so that a region can be walked from bottom to top.
//
//   8 bytes    [word of the word filler]; in layouts whose klass id lies after the word there is no room for an id, and
//              the word is [hole_word]
//   n bytes    [header: run filler][length in words: u32][unused ...]
//
// The two filler klasses belong to the collector (KlassKind::Filler): they have no mirror and no loader, and
// for_each_klass does not visit them. Nothing refers to a filler; object walks, which read klasses by klass_in_walk,
// skip them.
#pragma once

#include "runtime/object/klass.h"

namespace keyhole::gc {

// Registers the two klasses; once per process.
void initialize_fillers();
// Overwrites [start, start + bytes), a multiple of 8; does nothing for 0. Writes at most 12 bytes.
void write_filler(char* start, u64 bytes) TOUCHES_OBJECTS;
inline bool is_filler(const Klass* klass) { return klass->kind == KlassKind::Filler; }

// The word of a hole: no object's word has ones in all upper bits.
inline constexpr u64 hole_word = layout::never_displaced_mask | u64{layout::unlocked};
extern Klass* const word_filler;
// The klass of the object or filler at `object`.
inline u32 klass_id_in_walk(const Object* object) TOUCHES_OBJECTS {
  if constexpr (!layout::klass_is_in_word) {
    if (object->header_word() == hole_word) [[unlikely]]
      return word_filler->id;
  }
  return object->klass_id();
}
inline Klass* klass_in_walk(const Object* object) TOUCHES_OBJECTS { return klass_of_id(klass_id_in_walk(object)); }

}  // namespace keyhole::gc
