// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes figures about objects and their locks. Each figure has its worst instance, as the number of an event.
#pragma once

#include <algorithm>
#include <vector>

#include "runtime/recorder/recording.h"
#include "vm/tools/recording/competition.h"

namespace keyhole::look {

struct Instance {
  i64 amount = 0;  // nanoseconds, or a count
  u32 event = 0;   // its number in the recording
};

struct ObjectFigures {
  u32 events = 0;  // events that name the object
  u32 first_event = 0, last_event = 0;
  u32 enters = 0, contended = 0, waits = 0, inflations = 0;
  i64 waited = 0;    // nanoseconds in contended enters
  Instance longest;  // the longest contended enter
};

struct HotObject {
  u32 number;
  recording::Competition competition;
};

struct LockFigures {
  std::vector<ObjectFigures> objects;  // by number
  std::vector<Instance> waits;         // wait times of contended enters (lock_contended to lock_enter), ascending
  u64 enters = 0, contended = 0, futile_wake_ups = 0;
  Instance most_futile;              // the operation with the most futile wake-ups
  std::vector<Instance> unfinished;  // contended enters that still wait when the recording ends, ascending
  std::vector<HotObject> hot;        // objects by total waiting time, then by number of acquisitions, descending

  // Returns a quantile: the wait time that this share of the contended enters did not exceed.
  Instance wait_at(f64 share) const {
    if (waits.empty()) return {};
    return waits[std::min(waits.size() - 1, static_cast<usize>(share * static_cast<f64>(waits.size())))];
  }
};

LockFigures lock_figures_of(const recorder::Recording& recording);

}  // namespace keyhole::look
