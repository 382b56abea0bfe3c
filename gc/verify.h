// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The heap verifier. It uses no data that it has not checked, so it reports a corrupt heap instead of crashing.
//
//   V1  Outside a collection a region is Free, Shared, Full or humongous, and bottom <= top <= end.
//   V2  Every header names a klass in the table: ids 1 .. klass_count().
//   V3  No header is forwarded or self-forwarded.
//   V4  Objects are aligned, have a size, follow one another without gaps and end exactly at the region's top.
//   V5  A humongous object begins at the bottom of its HumongousStart and ends in the last of its HumongousContinues.
//   V6  Every reference in an object (a referent and statics included) is null or the start of an object that is no
//       filler.
//   V7  So is every root, strong or weak.
//   V8  A mirror and its klass name each other.
//   V9  The regions counted as used are those that are not Free.
//   V14 Where the header has no room for the hash: its hash state is one of the three (runtime/object/layout_tiny.h), a
//       stored hash has 31 bits and is not 0, and a filler has none.
//
// Under the generational plan also:
//   V10 A reference in an old region to an object in a young one lies on a dirty card.
//   V11 Every card of an old region leads to the object that covers the card's start.
//   V12 A Shared region is young; the parts of a humongous object are of one generation.
//   V13 A reference in an old region to an object in another one that is a candidate for evacuation lies on a dirty or
//       a remembered card.
//   V15 A clean continuation is not mounted, remembers no monitor, and no root or lock element of it refers to a
//       young object.
//
// The first violation is reported with its number and, for an object, the path from a root.
#pragma once

#include <string>

#include "runtime/base/capabilities.h"

namespace keyhole::gc {

// Verifies the heap. The world is stopped, and regions are walkable (make_walkable). Empty when all invariants hold.
std::string verify(const char* when);

}  // namespace keyhole::gc
