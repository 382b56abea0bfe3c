// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The effect of each step on a picture, by its row. Rules: reconstruction.h.
#include "runtime/sync/picture/reconstruction.h"

#include <algorithm>

namespace keyhole::sync::picture {

namespace {

void apply(ListEffect effect, std::vector<u32>& list, u32 thread) {
  if (effect == ListEffect::joins) list.push_back(thread);
  if (effect == ListEffect::leaves) std::erase(list, thread);  // R3
}

}  // namespace

void Reconstruction::set_owner(u32 thread) {
  picture_.owner = thread;
  picture_.levels = thread == 0 ? 0 : levels_[thread].held;
}

void Reconstruction::change(u32 subject, const Change& change) {
  const StepRow& row = row_of(change.step);
  if (row.owner == OwnerEffect::subject) set_owner(subject);
  if (row.owner == OwnerEffect::nobody && picture_.owner == subject) set_owner(0);  // R3
  apply(row.queue, picture_.queue, subject);
  apply(row.waiters, picture_.waiters, subject);
  if (row.successor == SuccessorEffect::subject) picture_.successor = subject;
  if (row.successor == SuccessorEffect::nobody) picture_.successor = 0;
  // R4
  if (change.step == Step::hashed) picture_.is_hashed |= !change.rule.of_monitor || has_monitor();
  if (change.step == Step::unhashed) picture_.is_hashed = false;
  if (change.step == Step::tabled) picture_.is_tabled = true;
  if (change.step == Step::deflated) picture_.is_tabled = false;
  if (change.has_header) picture_.header = change.header;
  if (has_monitors(family_) && !has_monitor()) picture_.successor = 0;  // R4
}

void Reconstruction::snippet(bool takes) {
  bool others_wait = has_elements(family_) && !(picture_.queue.empty() && picture_.waiters.empty());
  picture_.header = after_snippet(family_, picture_.header, takes, others_wait);
}

void Reconstruction::entered(u32 thread) {
  ++levels_[thread].held;
  if (picture_.owner != thread) snippet(true);  // R1
  has_lock(thread);
}

void Reconstruction::exited(u32 thread, bool says_more) {
  Levels& levels = levels_[thread];
  if (levels.held != 0) --levels.held;
  if (picture_.owner != thread || says_more) return;
  if (levels.held == 0) {
    snippet(false);  // R1
    set_owner(0);
  } else {
    set_owner(thread);
  }
}

void Reconstruction::waits(u32 thread) {
  Levels& levels = levels_[thread];
  levels.given_up = levels.held;
  levels.held = 0;
  if (picture_.owner == thread) set_owner(thread);
}

void Reconstruction::waited(u32 thread) {
  Levels& levels = levels_[thread];
  levels.held = levels.given_up == 0 ? 1 : levels.given_up;
  levels.given_up = 0;
  has_lock(thread);
}

void Reconstruction::has_lock(u32 thread) {
  set_owner(thread);
  std::erase(picture_.queue, thread);  // R5
  std::erase(picture_.waiters, thread);
}

}  // namespace keyhole::sync::picture
