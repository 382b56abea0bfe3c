// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The policies. Rules: oracle.h.
#include "runtime/base/controlled/oracle.h"

#include <algorithm>
#include <bit>

namespace keyhole::controlled {

namespace {
constexpr u64 middle_priority = u64{1} << 32;  // lowered priorities lie below
}  // namespace

void Oracle::begin() {
  step_ = 0;
  random_state_ = execution_.seed * 0x9E3779B97F4A7C15 + 0x2545F4914F6CDD1D;
  if (random_state_ == 0) random_state_ = 1;
  std::fill(std::begin(priorities_), std::end(priorities_), 0);
  lowest_ = middle_priority;
  for (u32& point : sinking_points_) point = static_cast<u32>(random() % std::max(execution_.length, 1u));
  std::copy(std::begin(execution_.weights), std::end(execution_.weights), remaining_);
  drawn_ = max_strands;
  fits_ = true;
  asleep_ = 0;
  sleep_from_ = UINT32_MAX;
  if (!execution_.is_reduced || execution_.step_count == 0) return;
  sleep_from_ = execution_.steps[execution_.step_count - 1].event;
  for (u32 i = 0; i < execution_.sleeper_count; ++i) asleep_ |= bit_of(execution_.sleepers[i].strand);
}

void Oracle::wake_by(u32 event, u32 strand, Kind kind, u64 location) {
  if (asleep_ == 0 || event < sleep_from_) return;
  asleep_ &= ~bit_of(strand);
  for (u32 i = 0; i < execution_.sleeper_count; ++i) {
    const Sleeper& sleeper = execution_.sleepers[i];
    if (conflict(sleeper.kind, sleeper.location, kind, location)) asleep_ &= ~bit_of(sleeper.strand);
  }
}

u64 Oracle::random() {  // xorshift64*
  random_state_ ^= random_state_ >> 12;
  random_state_ ^= random_state_ << 25;
  random_state_ ^= random_state_ >> 27;
  return (random_state_ * 0x2545F4914F6CDD1D) >> 16;
}

u32 Oracle::by_default(const Choice& choice) {
  StrandSet others = choice.enabled & ~bit_of(choice.running);
  if (choice.buffers != 0) {  // O6
    u32 own = buffer_of(choice.running);
    bool is_due = choice.is_fresh || choice.is_fair || !contains(choice.enabled, choice.running);
    if (is_due && contains(choice.enabled & choice.buffers, own)) return own;
    if ((others & ~choice.buffers) != 0) others &= ~choice.buffers;
  }
  if (contains(choice.enabled, choice.running) && (!choice.is_fair || others == 0)) return choice.running;
  StrandSet later = choice.running + 1 < max_strands ? others & ~(bit_of(choice.running + 1) - 1) : 0;
  return first_of(later != 0 ? later : others);
}

u32 Oracle::by_script(const Choice& choice) {
  if (!has_step_at(choice.event)) return by_default(choice);
  u32 strand = execution_.steps[step_++].strand;
  if (strand < max_strands && contains(choice.enabled, strand)) return strand;
  fits_ = false;
  return by_default(choice);
}

u32 Oracle::choose_write(u32 event, u32 visible) {
  if (execution_.policy != Policy::script) return static_cast<u32>(random() % visible);
  bool has_step = step_ < execution_.step_count && execution_.steps[step_].event == event;
  if (!has_step || execution_.steps[step_].older == 0) return 0;
  u32 older = execution_.steps[step_++].older;
  if (older < visible) return older;
  fits_ = false;
  return 0;
}

u32 Oracle::by_priority(const Choice& choice, u32 number) {
  auto highest = [&] {
    u32 best = max_strands;
    for (StrandSet rest = choice.enabled; rest != 0; rest &= rest - 1) {
      u32 strand = first_of(rest);
      if (best == max_strands || priorities_[strand] > priorities_[best]) best = strand;
    }
    return best;
  };
  for (StrandSet rest = choice.enabled; rest != 0; rest &= rest - 1) {
    u32 strand = first_of(rest);
    if (priorities_[strand] == 0) priorities_[strand] = middle_priority + 1 + (random() & 0xFFFF'FFFF);
  }
  u32 points = std::min(execution_.depth, max_depth + 1) - 1;
  for (u32 i = 0; i < points; ++i) {
    if (sinking_points_[i] == number) priorities_[highest()] = --lowest_;
  }
  if (choice.is_fair) priorities_[choice.running] = --lowest_;
  return highest();
}

u32 Oracle::by_partial_order(const Choice& choice) {
  u32 best = max_strands;
  for (StrandSet rest = choice.enabled; rest != 0; rest &= rest - 1) {
    u32 strand = first_of(rest);
    if (priorities_[strand] == 0) priorities_[strand] = 2 + random();
    if (choice.is_fair && strand == choice.running) priorities_[strand] = 1;
    if (best == max_strands || priorities_[strand] > priorities_[best]) best = strand;
  }
  const Sleeper& operation = choice.next[best];
  for (u32 i = 0; i < choice.strand_count; ++i) {
    const Sleeper& other = choice.next[i];
    if (i == best || conflict(operation.kind, operation.location, other.kind, other.location)) priorities_[i] = 0;
  }
  return best;
}

// Draws a strand that can go on, by weight (O5).
u32 Oracle::draw_by_weights(const Choice& choice) {
  u64 weights[max_strands];
  std::copy(std::begin(remaining_), std::end(remaining_), weights);
  for (u32 i = max_strands; i-- > choice.strand_count;)
    if (weights[i] != 0 && execution_.parents[i] < i) weights[execution_.parents[i]] += weights[i];
  u64 sum = 0;
  for (StrandSet rest = choice.enabled; rest != 0; rest &= rest - 1) sum += weights[first_of(rest)];
  if (sum == 0) return uniform(choice.enabled);
  u64 left = random() % sum;
  for (StrandSet rest = choice.enabled;; rest &= rest - 1) {
    u32 strand = first_of(rest);
    if (left < weights[strand]) return strand;
    left -= weights[strand];
  }
}

u32 Oracle::by_weights(const Choice& choice) {
  auto is_in_focus = [&](u32 strand) {
    return execution_.focus == 0 || choice.next[strand].location == execution_.focus;
  };
  StrandSet enabled = choice.enabled;
  if (choice.is_fair && enabled != bit_of(choice.running)) enabled &= ~bit_of(choice.running);
  Choice fair = choice;
  fair.enabled = enabled;
  if (drawn_ == max_strands || !contains(enabled, drawn_)) drawn_ = draw_by_weights(fair);
  StrandSet candidates = bit_of(drawn_);
  for (StrandSet rest = enabled; rest != 0; rest &= rest - 1) {
    u32 strand = first_of(rest);
    if (!is_in_focus(strand)) candidates |= bit_of(strand);
  }
  u32 strand = uniform(candidates);
  if (is_in_focus(strand)) {
    if (remaining_[strand] != 0) --remaining_[strand];
    drawn_ = max_strands;
  }
  return strand;
}

// Draws a member of the set.
u32 Oracle::uniform(StrandSet set) {
  for (u64 skipped = random() % count_of(set); skipped != 0; --skipped) set &= set - 1;
  return first_of(set);
}

u32 Oracle::choose(const Choice& choice, u32 number) {
  switch (execution_.policy) {
    case Policy::script: return by_script(choice);
    case Policy::priority: return by_priority(choice, number);
    case Policy::partial_order: return by_partial_order(choice);
    case Policy::weighted: return by_weights(choice);
    case Policy::random: break;
  }
  return uniform(choice.enabled);
}

}  // namespace keyhole::controlled
