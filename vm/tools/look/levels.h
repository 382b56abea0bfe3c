// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes slices at several levels of detail. The page chooses a level that has few enough slices in view to draw.
//
//   exact            |==|   |=| |==|  |=|                  |===============|
//   a coarser level  |=== of all these, in shares ===|     |===============|
//
// L1: a level of width w merges successive slices of a thread if they and the gaps between them are shorter than w.
//     When a merged slice reaches the length w, the next one begins. So there are at most about two slices per thread
//     for each w of time.
// L2: a slice at least as long as w is kept unchanged. So is a shorter slice that has no neighbour to merge with.
// L3: the coarsest width is a thousandth of the recording's length, and each finer width is an eighth of the previous
//     one. No level is made that would be hardly smaller than the exact slices.
#pragma once

#include <vector>

#include "vm/tools/look/slices.h"

namespace keyhole::look {

struct Level {
  i64 width;               // nanoseconds; 0: exact
  std::vector<Slice> all;  // ordered by begin time
};

// Returns the levels, from the coarsest to the exact one. `exact` must be ordered by begin time, as slices_of() does.
std::vector<Level> levels_of(std::vector<Slice> exact, i64 nanoseconds);

}  // namespace keyhole::look
