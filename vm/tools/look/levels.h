// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Slices at several levels of detail. Each level has so few slices that a page can draw all that are in view.
//
//   exact            |==|   |=| |==|  |=|                  |===============|
//   a coarser level  |=== of all these, in shares ===|     |===============|
//
// L1: at a level of width w, slices of a thread that are shorter than w, with gaps shorter than w, are merged. A merged
//     slice is cut when it is as long as w. So there are at most about two slices for each w of time.
// L2: a slice at least as long as w is kept unchanged, and so is a slice without neighbours to merge it with.
// L3: the coarsest width is a thousandth of the recording, and each finer width an eighth of the width before. Levels
//     end where they would be hardly smaller than the exact one.
#pragma once

#include <vector>

#include "vm/tools/look/slices.h"

namespace keyhole::look {

struct Level {
  i64 width;               // nanoseconds; 0: exact
  std::vector<Slice> all;  // in the order of their beginnings
};

// The levels, the coarsest first, the exact one last. `exact` has the slices in the order of slices_of.
std::vector<Level> levels_of(std::vector<Slice> exact, i64 nanoseconds);

}  // namespace keyhole::look
