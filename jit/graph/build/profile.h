// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A method's profile (vm/interpreter/method_data.h) as the builder asks for it. Other threads keep counting: each
// result was right at some time, and two results need not agree.
#pragma once

#include <optional>
#include <vector>

#include "jit/graph/build/flow.h"
#include "vm/interpreter/method_data.h"

namespace keyhole::graph {

// The profile of a call.
struct Receivers {
  struct Row {
    const Klass* klass;
    u32 count;
  };
  std::vector<Row> rows;  // the most frequent receiver class first
  u64 total = 0;          // all calls, also those whose receiver class has no row
  bool are_all = false;   // every receiver's class has a row
};

class Profile {
 public:
  Profile(const Instructions& instructions, const Flow& flow);

  // Whether there is a profile. Without one, every path counts as possible, and no receiver class is known.
  bool exists() const { return data_ != nullptr; }
  // Executions of the flow block per entry of the method.
  f64 frequency_of(u32 block) const { return exists() ? counts_[block] / entries_ : 1.0; }
  // Whether a branch that was executed often enough was never taken, or was always taken.
  bool is_never_taken(u32 instruction) const;
  bool is_always_taken(u32 instruction) const;
  // Whether a target of a switch that was executed often enough was never taken. Targets are numbered as in
  // Instructions::switch_targets.
  bool is_target_never_taken(u32 instruction, usize target) const;
  Receivers receivers_of(u32 instruction) const;
  // The only class of a cast's operands, if the cast was executed often enough; null if there were other classes or
  // nulls.
  const Klass* only_class_of(u32 instruction) const;

 private:
  // the executions that a branch, switch or cast needs before its profile is used
  static constexpr u64 least_executions = 50;
  static constexpr f64 unknown = -1;
  // handlers are assumed to be entered in this share of the method's entries: small methods are inlined into handlers
  static constexpr f64 share_of_handlers = 0.1;
  void count_blocks(const Instructions& instructions, const Flow& flow);
  f64 count_block(const Instructions& instructions, const Flow& flow, u32 block);
  static f64 count_of_target(const SwitchProfile& profile, usize target);
  std::optional<f64> count_of_edge(const Instructions& instructions, const FlowBlock& from, usize successor) const;

  const MethodData* data_;
  std::vector<f64> counts_;  // by number of the flow block
  f64 entries_ = 1;
};

}  // namespace keyhole::graph
