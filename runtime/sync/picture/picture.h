// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Picture: one lock at one moment, as its algorithm has it. Threads are their ids; 0 is nobody.
//
//   header      what the header's lock bits and flags say
//   owner       who holds the lock; after a hand-over the successor, even while it sleeps
//   levels      by how many enters; 0: the owner is in the middle of one of its own operations
//   queue       who waits for the lock, first come first: entry list, queued ribs, elements behind the header
//   waiters     who is in Object.wait, who came first first
//   successor        who is named to take the lock next: the monitors' successor
//   is_hashed   the object has its identity hash
//   is_tabled   its monitor is in the table (the modes with one)
//
// reconstruction.h replays what the lock's threads have said.
//
// P1: between two steps of a thread a fact may be nowhere in memory but in that thread's registers. Who looks at the
//     lock itself then says that it cannot know (Sight), and does not guess.
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

// What a reader sees of a lock between two steps (P1).
struct Sight {
  Picture picture;
  bool has_unknown_owner = false;   // somebody holds it, and only that thread knows
  bool has_loose_queue = false;     // somebody has just come last and is not linked yet
  bool has_unknown_waiters = false, has_unknown_hash = false;   // the element, or record, that knows is on the way
  bool has_leaving_monitor = false;   // the deflater takes it out of the table
};

// As the page of --look has them.
std::string_view name_of(Family family);
std::string_view name_of(OwnerEffect effect);
std::string_view name_of(ListEffect effect);

// Empty when the replay agrees with the sight; else what differs. levels of 0 agree with any.
std::string difference(Family family, const Sight& seen, const Picture& told);

// "10 inflated, held by 3 (2 levels), queue 4 5, waiting 6, next 4, hashed".
std::string describe(Family family, const Picture& picture);

}  // namespace keyhole::sync::picture
