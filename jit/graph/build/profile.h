// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Queries of a method's profile (vm/interpreter/method_data.h). Other threads keep counting, so two results may
// contradict each other.
#pragma once

#include <optional>
#include <vector>

#include "jit/graph/build/flow.h"
#include "vm/interpreter/method_data.h"

namespace keyhole::graph {

// The profile of a call: a row for each receiver class. Classes for which the profile had no room have no row.
struct Receivers {
  struct Row {
    const Klass* klass;
    u32 count;
  };
  std::vector<Row> rows;  // the receiver classes with their counts, the most frequent class first
  u64 total = 0;          // number of calls, including those with a receiver class that is not in `rows`
  bool are_all = false;   // whether every receiver's class has a row
};

class Profile {
 public:
  Profile(const Instructions& instructions, const Flow& flow);

  // Whether there is a profile. Without one, every path counts as possible, and no receiver class is known.
  bool exists() const { return data_ != nullptr; }
  // Executions of the flow block per entry of the method.
  f64 frequency_of(u32 block) const { return exists() ? counts_[block] / entries_ : 1.0; }
  // Whether a branch was never taken, or was always taken. Returns false if the branch was executed fewer than
  // least_executions times.
  bool is_never_taken(u32 instruction) const;
  bool is_always_taken(u32 instruction) const;
  // Whether a switch never went to this target. Returns false if the switch was executed fewer than least_executions
  // times. Targets are numbered as in Instructions::switch_targets.
  bool is_target_never_taken(u32 instruction, usize target) const;
  Receivers receivers_of(u32 instruction) const;
  // Returns the class that all objects at a cast had. Returns null if the cast has seen several classes or null, or was
  // executed fewer than least_executions times.
  const Klass* only_class_of(u32 instruction) const;

 private:
  // The profile of a branch, switch or cast is used only if it was executed at least this often.
  static constexpr u64 least_executions = 50;
  static constexpr f64 unknown = -1;
  // The profile does not count entries of handlers. They are assumed to be this share of the method's entries, so that
  // small methods are inlined into handlers.
  static constexpr f64 share_of_handlers = 0.1;
  void count_blocks(const Instructions& instructions, const Flow& flow);
  f64 count_block(const Instructions& instructions, const Flow& flow, u32 block);
  static f64 count_of_target(const SwitchProfile& profile, usize target);
  std::optional<f64> count_of_edge(const Instructions& instructions, const FlowBlock& from, usize successor) const;

  const MethodData* data_;
  std::vector<f64> counts_;  // number of executions of each flow block
  f64 entries_ = 1;
};

}  // namespace keyhole::graph
