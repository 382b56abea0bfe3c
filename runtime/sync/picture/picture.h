// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Picture: one lock at one moment, as its algorithm sees it. Threads are given by their ids; 0 is no thread.
//
//   header      the lock state in the header: lock bits and flags
//   owner       the holder of the lock; after a hand-over the new one, even while it sleeps
//   levels      the number of levels that the owner has entered; 0 while the owner is within one of its operations
//   queue       the threads queued for the lock, in order of arrival: entry list, queued ribs, elements
//   waiters     the threads in Object.wait, in order of arrival
//   successor   for monitors: the thread that is designated to take the lock next
//   is_hashed   the object has its identity hash
//   is_tabled   its monitor is in the object monitor table
//
// reconstruction.h makes pictures from the notes of the lock's threads.
//
// P1: between two steps of a thread a fact may be in that thread's registers only, and not in memory. A reader of the
//     lock itself reports such a fact as unknown (Sight), and does not guess.
#pragma once

#include <string>
#include <vector>

#include "runtime/sync/picture/header_state.h"

namespace keyhole::sync::picture {

struct Picture {
  HeaderState header{};
  u32 owner = 0;
  u32 levels = 0;
  std::vector<u32> queue, waiters;
  u32 successor = 0;
  bool is_hashed = false, is_tabled = false;

  friend bool operator==(const Picture&, const Picture&) = default;
};

// The state that a reader sees in a lock between two steps (P1).
struct Sight {
  Picture picture;
  // Whether the lock is held by a thread that has not written its id yet.
  bool has_unknown_owner = false;
  // Whether the newest queued thread is not linked into the queue yet.
  bool has_loose_queue = false;
  // Whether the waiters, or the hash, are in a queue element that is not linked yet, where a reader of the lock cannot
  // see them.
  bool has_unknown_waiters = false, has_unknown_hash = false;
  // Whether the deflater is taking the monitor out of the table.
  bool has_leaving_monitor = false;
};

// Returns the name of a family of algorithms, as the page of --look shows it.
std::string_view name_of(Family family);
std::string_view name_of(OwnerEffect effect);
std::string_view name_of(ListEffect effect);

// Compares the reconstructed picture with the lock as a reader sees it. Returns the empty string if the two agree,
// otherwise a description of the difference. `levels` 0 in either one agrees with any number of levels.
std::string difference(Family family, const Sight& seen, const Picture& told);

// Describes a picture in words: "10 inflated, owner 3 (2 levels), queue 4 5, waiting 6, next 4, hashed".
std::string describe(Family family, const Picture& picture);

}  // namespace keyhole::sync::picture
