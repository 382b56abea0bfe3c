// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Slices at several levels of detail: so few at each level that a page can draw all that are in view.
//
//   exact            |==|   |=| |==|  |=|                  |===============|
//   a coarser level  |=== of all these, in shares ===|     |===============|
//
// L1: at a level of width w a thread's slices shorter than w, with gaps shorter than w between them, become one
//     that is cut when it is as long as w. So there are at most about two for each w of time.
// L2: a slice at least as long as w is kept unchanged, and so is one without neighbours to be merged with.
// L3: the coarsest width is a thousandth of the recording, each finer one an eighth of the one before; levels end
//     where they would be hardly shorter than the exact one.
#pragma once

#include <vector>

#include "vm/tools/look/slices.h"

namespace keyhole::look {

struct Level {
  i64 width;               // nanoseconds; 0: exact
  std::vector<Slice> all;  // in the order of their beginnings
};

// The coarsest first, the exact one last. `exact` as slices_of returns them.
std::vector<Level> levels_of(std::vector<Slice> exact, i64 nanoseconds);

}  // namespace keyhole::look
