// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Types for the steps of steps.def, and the packing of a step into 16 bits, a field of the event `lock_change`.
//
//   | 15 monitor's | 14..10 header | 9 has header | 8..5 rule | 4..0 step |
//
// header: the state of the header after the step (HeaderState), if the step has changed it. rule: the number of the
// rule that allows the step, or 0. If bit 15 is set, the rule is in object_monitor.h, otherwise in the algorithm's
// file.
#pragma once

#include <array>
#include <string_view>

#include "runtime/base/types.h"

namespace keyhole::sync::picture {

enum class Step : u8 {
#define PICTURE_STEP(name, ...) name,
#include "runtime/sync/picture/steps.def"
#undef PICTURE_STEP
  Count
};
inline constexpr u32 step_count = static_cast<u32>(Step::Count);
static_assert(step_count <= 32);

enum class OwnerEffect : u8 { same, subject, nobody };
enum class ListEffect : u8 { same, joins, leaves };
using SuccessorEffect = OwnerEffect;
struct StepRow {
  std::string_view name;
  OwnerEffect owner;
  ListEffect queue, waiters;
  SuccessorEffect successor;
  std::string_view sentence;
};
inline constexpr std::array<StepRow, step_count> step_rows = {{
#define PICTURE_STEP(name, owner, queue, waiters, successor, sentence) \
  {#name, OwnerEffect::owner, ListEffect::queue, ListEffect::waiters, SuccessorEffect::successor, sentence},
#include "runtime/sync/picture/steps.def"
#undef PICTURE_STEP
}};
constexpr const StepRow& row_of(Step step) { return step_rows[static_cast<u32>(step)]; }

// The lock state in a header, in 5 bits: the two lowest bits of the word, and up to three flags, whose meaning depends
// on the mode (header_state.h).
struct HeaderState {
  u8 bits = 1;
  static constexpr u8 free = 0b01, held = 0b00, inflated = 0b10, inflating = 0b11;
  constexpr u8 lock() const { return bits & 3; }
  constexpr u8 flags() const { return bits >> 2; }
  friend constexpr bool operator==(HeaderState, HeaderState) = default;
};
constexpr HeaderState header_state(u8 lock, u8 flags = 0) { return {static_cast<u8>(lock | flags << 2)}; }

// The number of the protocol's rule that allows a step. of_monitor: whether the rule is a rule of object_monitor.h.
struct Rule {
  u8 number = 0;
  bool of_monitor = false;
};
constexpr Rule rule(u8 number) { return {number, false}; }
constexpr Rule monitor_rule(u8 number) { return {number, true}; }

struct Change {
  Step step;
  Rule rule;
  bool has_header = false;
  HeaderState header;
};
constexpr Change change(Step step, Rule rule = {}) { return {step, rule, false, {}}; }
constexpr Change change(Step step, Rule rule, HeaderState header) { return {step, rule, true, header}; }

constexpr u16 pack(const Change& change) {
  return static_cast<u16>(static_cast<u32>(change.step) | change.rule.number << 5 | u32{change.has_header} << 9 |
                          u32{change.header.bits} << 10 | u32{change.rule.of_monitor} << 15);
}
constexpr Change unpack(u32 packed) {
  return {static_cast<Step>(packed & 31),
          {static_cast<u8>(packed >> 5 & 15), (packed >> 15 & 1) != 0},
          (packed >> 9 & 1) != 0,
          {static_cast<u8>(packed >> 10 & 31)}};
}

}  // namespace keyhole::sync::picture
