// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Stretches at several levels of detail: few enough of each that a page can draw all that it sees.
//
//   exact            |==|   |=| |==|  |=|                  |===============|
//   a coarser level  |=== of all these, in shares ===|     |===============|
//
// L1: at a level of width w a thread's stretches shorter than w, with gaps shorter than w between them, become one
//     that is cut when it is as long as w. So there are at most about two for each w of time.
// L2: what is as long as w stays as it is, and so does one that has no neighbours to be merged with.
// L3: the coarsest width is the thousandth part of the recording, each next one an eighth of that before; levels end
//     where they would be hardly shorter than the exact one.
#pragma once

#include <vector>

#include "vm/tools/look/stretches.h"

namespace keyhole::look {

struct Level {
  i64 width;                   // nanoseconds; 0: exact
  std::vector<Stretch> all;    // in the order of their beginnings
};

// The coarsest first, the exact one last. `exact` as stretches_of returns them.
std::vector<Level> levels_of(std::vector<Stretch> exact, i64 nanoseconds);

}  // namespace keyhole::look
