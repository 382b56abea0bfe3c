// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Fillers: dead space dressed as an object, so that a region can be walked from bottom to top.
//
//   8 bytes    [header: word filler]
//   n bytes    [header: run filler][length in words: u32][unused ...]
//
// Their two klasses are the collector's own (KlassKind::Filler): no mirror, no loader, invisible to for_each_klass. Nothing refers
// to a filler; object walks skip them.
#pragma once

#include "runtime/object/klass.h"

namespace keyhole::gc {

// Registers the two klasses; once per process.
void initialize_fillers();
// Overwrites [start, start + bytes), a multiple of 8; nothing for 0. Writes at most 12 bytes of it.
void write_filler(char* start, u64 bytes);
inline bool is_filler(const Klass* klass) { return klass->kind == KlassKind::Filler; }

}  // namespace keyhole::gc
