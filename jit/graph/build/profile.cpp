// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads profiles and computes the frequencies of blocks.
#include "jit/graph/build/profile.h"

#include <algorithm>

#include "runtime/object/klass.h"

namespace keyhole::graph {

using namespace interpreter;

Profile::Profile(const Instructions& instructions, const Flow& flow)
    : data_(instructions.method()->data.load(std::memory_order_acquire)) {
  // A profile of an older body of the method is not used.
  if (data_ != nullptr && data_->instructions != instructions.body()->instructions()) data_ = nullptr;
  if (data_ != nullptr && flow.refusal().empty()) count_blocks(instructions, flow);
}

// Counts the executions of blocks. Profiling may have begun while the method was inside a loop. The blocks before that
// loop were executed, too, so the method counts as entered at least once.
void Profile::count_blocks(const Instructions& instructions, const Flow& flow) {
  entries_ = std::max(1.0, static_cast<f64>(data_->calls.read()));
  counts_.assign(flow.blocks().size(), unknown);
  for (u32 block = 0; block < counts_.size(); ++block) count_block(instructions, flow, block);
}

// Returns how often the block was executed: the sum of the counts of its incoming edges. An edge without a counter has
// the count of its source block. The recursion ends, because every cycle has a backward branch, and backward branches
// have counters.
f64 Profile::count_block(const Instructions& instructions, const Flow& flow, u32 block) {
  if (counts_[block] != unknown) return counts_[block];
  f64 count = block == 0 ? entries_ : 0;
  if (flow.blocks()[block].is_handler) count += entries_ * share_of_handlers;  // no counter
  const std::vector<u32>& predecessors = flow.blocks()[block].predecessors;
  for (usize i = 0; i < predecessors.size(); ++i) {
    const FlowBlock& from = flow.blocks()[predecessors[i]];
    if (std::find(predecessors.begin(), predecessors.begin() + static_cast<i64>(i), predecessors[i]) !=
        predecessors.begin() + static_cast<i64>(i)) {
      // `predecessors` has one entry per edge, so this predecessor may have several entries. The loop counted all edges
      // from this predecessor at its first entry.
      continue;
    }
    for (usize successor = 0; successor < from.successors.size(); ++successor) {
      if (from.successors[successor] != block) continue;
      std::optional<f64> counted = count_of_edge(instructions, from, successor);
      count += counted.has_value() ? *counted : count_block(instructions, flow, predecessors[i]);
    }
  }
  return counts_[block] = count;
}

// Returns the count of a switch target. The default target is number 0 in Instructions::switch_targets, but the last
// target in the profile.
f64 Profile::count_of_target(const SwitchProfile& profile, usize target) {
  return profile.targets[target == 0 ? profile.count : target - 1].read();
}

std::optional<f64> Profile::count_of_edge(const Instructions& instructions, const FlowBlock& from,
                                          usize successor) const {
  Operation operation = instructions.operation(from.last);
  if (is_switch(operation)) return count_of_target(*data_->at<SwitchProfile>(from.last), successor);
  if (is_conditional_branch(operation)) {
    const auto* profile = data_->at<BranchProfile>(from.last);
    return (successor == 0 ? profile->taken : profile->not_taken).read();
  }
  if (const auto* profile = is_branch(operation) ? data_->at<JumpProfile>(from.last) : nullptr) {
    return profile->taken.read();
  }
  return std::nullopt;
}

bool Profile::is_never_taken(u32 instruction) const {
  const auto* profile = exists() ? data_->at<BranchProfile>(instruction) : nullptr;
  return profile != nullptr && profile->taken.read() == 0 && profile->not_taken.read() >= least_executions;
}

bool Profile::is_always_taken(u32 instruction) const {
  const auto* profile = exists() ? data_->at<BranchProfile>(instruction) : nullptr;
  return profile != nullptr && profile->not_taken.read() == 0 && profile->taken.read() >= least_executions;
}

bool Profile::is_target_never_taken(u32 instruction, usize target) const {
  const auto* profile = exists() ? data_->at<SwitchProfile>(instruction) : nullptr;
  if (profile == nullptr || count_of_target(*profile, target) != 0) return false;
  f64 executions = 0;
  for (u32 i = 0; i <= profile->count; ++i) executions += profile->targets[i].read();
  return executions >= least_executions;
}

Receivers Profile::receivers_of(u32 instruction) const {
  Receivers found;
  const auto* profile = exists() ? data_->at<TypeProfile>(instruction) : nullptr;
  if (profile == nullptr) return found;
  for (u32 i = 0; i < TypeProfile::width(); ++i) {
    const TypeRow& row = profile->rows[i];
    u32 id = row.klass_id.load(std::memory_order_relaxed), count = row.count.read();
    if (id == 0 || count == 0) continue;
    found.rows.push_back({klass_of_id(id), count});
    found.total += count;
  }
  std::sort(found.rows.begin(), found.rows.end(),
            [](const Receivers::Row& a, const Receivers::Row& b) { return a.count > b.count; });
  u32 others = profile->others.read();
  found.total += others;
  found.are_all = others == 0 && !found.rows.empty();
  return found;
}

const Klass* Profile::only_class_of(u32 instruction) const {
  Receivers seen = receivers_of(instruction);
  if (!seen.are_all || seen.rows.size() != 1 || seen.total < least_executions) return nullptr;
  return data_->at<TypeProfile>(instruction)->nulls.read() == 0 ? seen.rows[0].klass : nullptr;
}

}  // namespace keyhole::graph
