// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds branches, switches and returns.
#include "jit/graph/build/builder.h"

namespace keyhole::graph {

using namespace interpreter;

namespace {

struct BranchForm {
  Condition condition;
  u32 operands;  // the two operands of the comparison; a comparison with zero or null has only one
};

BranchForm form_of(Operation forward) {
  switch (forward) {
    case Operation::ifeq:
    case Operation::ifnull: return {Condition::Equal, 1};
    case Operation::ifne:
    case Operation::ifnonnull: return {Condition::NotEqual, 1};
    case Operation::iflt: return {Condition::Less, 1};
    case Operation::ifge: return {Condition::GreaterOrEqual, 1};
    case Operation::ifgt: return {Condition::Greater, 1};
    case Operation::ifle: return {Condition::LessOrEqual, 1};
    case Operation::if_icmpeq:
    case Operation::if_acmpeq: return {Condition::Equal, 2};
    case Operation::if_icmpne:
    case Operation::if_acmpne: return {Condition::NotEqual, 2};
    case Operation::if_icmplt: return {Condition::Less, 2};
    case Operation::if_icmpge: return {Condition::GreaterOrEqual, 2};
    case Operation::if_icmpgt: return {Condition::Greater, 2};
    case Operation::if_icmple: return {Condition::LessOrEqual, 2};
    default: return {Condition::Equal, 0};  // goto
  }
}

Condition inverse(Condition condition) {
  switch (condition) {
    case Condition::Equal: return Condition::NotEqual;
    case Condition::NotEqual: return Condition::Equal;
    case Condition::Less: return Condition::GreaterOrEqual;
    case Condition::GreaterOrEqual: return Condition::Less;
    case Condition::Greater: return Condition::LessOrEqual;
    default: return Condition::Greater;
  }
}

}  // namespace

// The poll comes before the backward branch has any effect. So if the poll deoptimizes, the interpreter can execute the
// branch again.
void Builder::build_branch(Operation operation) {
  BranchForm form = form_of(forward_of(operation));
  u32 target = instructions_.target_of(instruction_);
  if (form.operands != 0 && build_speculation(form.condition, form.operands, target)) return;
  if (interpreter::has(operation, interpreter::effect::backward)) add_deoptimizing(Op::poll, Type::None);
  if (form.operands == 0) {
    go_to(target);
    add(Op::jump, Type::None);
    block_ = nullptr;
    return;
  }
  Node* right = form.operands == 2 ? pop() : nullptr;
  Node* left = pop();
  if (right == nullptr) right = constant(left->type, 0);
  Node* condition = compare(form.condition, left, right);
  go_to(target);
  go_to(instruction_ + 1);
  add(Op::branch, Type::None, {condition});
  block_ = nullptr;
}

// Makes an uncommon trap for a direction that the profile has never seen. If the direction leaves a loop, it stays a
// branch, because it is taken only once per loop, after many iterations. If it leads to a loop without a profile, it
// becomes a trap, too.
bool Builder::build_speculation(Condition condition, u32 operands, u32 target) {
  bool never = shape_.profile.is_never_taken(instruction_), always = shape_.profile.is_always_taken(instruction_);
  if (!never && !always) return false;
  // A backward branch that is always taken is not turned into a guard, because it has to poll.
  if (always && target <= instruction_) return false;
  const FlowBlock& from = flow_.blocks()[begun_ - 1];
  u32 pruned = flow_.block_at(never ? target : instruction_ + 1);
  const bool is_loop_exit = flow_.blocks()[pruned].loop_depth < from.loop_depth;
  if (is_loop_exit && !(never && leads_to_unknown_loop(pruned))) return false;
  if (!inliner_.may_speculate(method(), instructions_.bci(instruction_), DeoptReason::Untaken)) return false;
  Node* left = peek(operands - 1);
  Node* right = operands == 2 ? peek(0) : constant(left->type, 0);
  Block *inside = block_, *outside = nullptr;
  if (is_loop_exit) {  // does not turn the branch into a guard, because the phases recognise a loop by its exit
    outside = block_ = graph_.make_block();
    deoptimize(DeoptReason::Untaken);
    block_ = inside;
  } else {
    guard(compare(always ? condition : inverse(condition), left, right), DeoptReason::Untaken);
  }
  for (u32 i = 0; i < operands; ++i) pop();
  if (is_loop_exit) Graph::connect(inside, outside);
  go_to(always ? target : instruction_ + 1);
  if (is_loop_exit) add(Op::branch, Type::None, {compare(condition, left, right)});
  else add(Op::jump, Type::None);
  block_ = nullptr;
  return true;
}

// Whether the path leads to a loop without a profile. If a method was profiled only while its first loop ran, its
// second loop has no profile. Compiled now, the second loop would have no inlined calls and no speculation. So the code
// deoptimizes before the second loop: the sampler then finds the frame in the second loop and has this loop profiled
// (compile_requests.h P9).
bool Builder::leads_to_unknown_loop(u32 block) const {
  std::vector<bool> seen(flow_.blocks().size());
  std::vector<u32> rest{block};
  while (!rest.empty()) {
    u32 next = rest.back();
    rest.pop_back();
    if (seen[next] || shape_.profile.frequency_of(next) != 0) continue;
    seen[next] = true;
    if (flow_.blocks()[next].is_loop_header) return true;
    const std::vector<u32>& successors = flow_.blocks()[next].successors;
    rest.insert(rest.end(), successors.begin(), successors.end());
  }
  return false;
}

void Builder::build_switch(Operation operation, u64 word) {
  if (operand_a(word) == 1) add_deoptimizing(Op::poll, Type::None);
  std::vector<i32> keys;
  if (operation == Operation::tableswitch) {
    const auto* table = metadata_at<TableSwitch>(operand_b(word));
    for (u32 i = 0; i < table->count; ++i) keys.push_back(static_cast<i32>(static_cast<u32>(table->low) + i));
  } else {
    const auto* table = metadata_at<LookupSwitch>(operand_b(word));
    for (u32 i = 0; i < table->count; ++i) keys.push_back(table->pairs[i].key);
  }
  std::vector<bool> pruned = speculate_on_switch();
  Block *from = block_, *untaken = nullptr;
  if (std::ranges::find(pruned, true) != pruned.end()) {
    untaken = block_ = graph_.make_block();
    deoptimize(DeoptReason::Untaken);
    block_ = from;
  }
  Node* key = pop();
  std::vector<u32> targets = instructions_.switch_targets(instruction_);
  std::vector<i32> compared;  // the keys of the switch_ node; other keys go to the default target
  for (usize i = 0; i < targets.size(); ++i) {
    if (i > 0 && pruned[i] && pruned[0]) continue;
    if (i > 0) compared.push_back(keys[i - 1]);
    if (pruned[i]) Graph::connect(from, untaken);
    else go_to(targets[i]);
  }
  Node* node = add(Op::switch_, Type::None, {key});
  node->switch_keys = graph_.make_data(SwitchKeys{graph_.make_span<i32>(compared)});
  block_ = nullptr;
}

// Decides for each target of a switch whether it becomes an uncommon trap. The default target comes first. A target
// becomes a trap if it was never taken and does not leave a loop.
std::vector<bool> Builder::speculate_on_switch() {
  std::vector<u32> targets = instructions_.switch_targets(instruction_);
  std::vector<bool> pruned(targets.size());
  if (!inliner_.may_speculate(method(), instructions_.bci(instruction_), DeoptReason::Untaken)) return pruned;
  u32 depth = flow_.blocks()[begun_ - 1].loop_depth;
  for (usize i = 0; i < targets.size(); ++i) {
    pruned[i] = shape_.profile.is_target_never_taken(instruction_, i) &&
                flow_.blocks()[flow_.block_at(targets[i])].loop_depth >= depth;
  }
  return pruned;
}

void Builder::build_return(Operation operation) {
  if (operation == Operation::return_register_finalizer) return deoptimize(DeoptReason::Interpreted);
  if (frame_.locks != own_lock_) return deoptimize(DeoptReason::Locks);
  if (own_lock_ != nullptr) add_deoptimizing(Op::monitor_exit, Type::None, {own_lock_->object});
  if (frame_.operands.empty() || method()->return_type == BasicType::Void) return end_inlined_method(nullptr);
  Node* value = pop();
  switch (interpreter::row(operation).type) {
    case 'Z': value = add(Op::iand, Type::Int, {value, int_constant(1)}); break;
    case 'B': value = add(Op::i2b, Type::Int, {value}); break;
    case 'C': value = add(Op::i2c, Type::Int, {value}); break;
    case 'S': value = add(Op::i2s, Type::Int, {value}); break;
    default: break;
  }
  end_inlined_method(value);
}

void Builder::end_inlined_method(Node* value) {
  if (outer_ != nullptr) returns_.push_back({block_, value});
  else if (value == nullptr) add(Op::return_, Type::None);
  else add(Op::return_, Type::None, {value});
  block_ = nullptr;
}

}  // namespace keyhole::graph
