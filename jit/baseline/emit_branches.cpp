// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Branches and switches. A backward branch that is taken polls. All operands that stay are in their homes, and all pinned copies good, before the
// comparison: both ways lead to the same state.
#include "jit/baseline/method_compiler.h"

namespace keyhole::baseline {

using Kind = Value::Kind;
using namespace interpreter;
using x86::CondCode;

void MethodCompiler::note_target(u32 target) {
  Block& block = block_[target];
  KEYHOLE_CHECK(block.depth < 0 || block.depth == static_cast<i32>(depth()), "two depths of {} at bci {}", method_->external_name(), bci(target));
  block.depth = static_cast<i32>(depth());
}

void MethodCompiler::poll() {
  a_.cmp(thread_field(offsetof(JavaThread, poll), 4), imm(0));
  a_.jne(slow());
}

void MethodCompiler::jump(u32 target, bool backward) {
  if (return_in_place(target)) return;
  note_target(target);
  flush();
  refresh_pinned();
  write_back_for(target);
  if (backward) {
    poll();
    if (JumpProfile* profile = profile_at<JumpProfile>(cell_)) count(profile->taken, x86::rcx);
  }
  a_.jmp(block_[target].label);
  reachable_ = false;
}

// The flags are set.
void MethodCompiler::jump_if(CondCode condition, u32 target, bool backward) {
  note_target(target);
  BranchProfile* profile = profile_at<BranchProfile>(cell_);
  if (!backward && profile == nullptr) {
    a_.j(condition, block_[target].label);
    return;
  }
  Label stay = a_.newLabel();
  a_.j(x86::negateCond(condition), stay);
  if (backward) poll();
  count_way(profile, true);
  a_.jmp(block_[target].label);
  a_.bind(stay);
  count_way(profile, false);
}

namespace {

struct Comparison {
  CondCode condition;
  u32 operands;        // 1: with zero or null
  bool is_reference;
};

CondCode condition_of(Operation forward) {
  switch (forward) {
    case Operation::ifeq: case Operation::if_icmpeq: case Operation::if_acmpeq: case Operation::ifnull:
      return CondCode::kEqual;
    case Operation::iflt: case Operation::if_icmplt: return CondCode::kSignedLT;
    case Operation::ifge: case Operation::if_icmpge: return CondCode::kSignedGE;
    case Operation::ifgt: case Operation::if_icmpgt: return CondCode::kSignedGT;
    case Operation::ifle: case Operation::if_icmple: return CondCode::kSignedLE;
    default: return CondCode::kNotEqual;
  }
}

Comparison comparison_of(Operation branch) {
  return {condition_of(forward_of(branch)), slots_popped(branch), row(branch).pops[0] == 'a'};
}
bool is_backward(Operation branch) { return has(branch, effect::backward); }

}  // namespace

// lcmp, fcmp*, dcmp* with the branch on its result behind it: one comparison.
bool MethodCompiler::fuse_comparison(Operation operation) {
  if (operation != Operation::lcmp && operation != Operation::fcmpl && operation != Operation::fcmpg && operation != Operation::dcmpl &&
      operation != Operation::dcmpg) return false;
  u32 next = cell_ + 1;
  if (next >= cell_count_ || starts_block(next)) return false;
  Operation branch = operation_of(words_[next]);
  if (!is_conditional_branch(branch)) return false;
  Comparison comparison = comparison_of(branch);
  if (comparison.operands != 1 || comparison.is_reference) return false;
  bool equality = comparison.condition == CondCode::kEqual || comparison.condition == CondCode::kNotEqual;
  if (operation != Operation::lcmp && equality) return false;   // would need the parity flag as well
  bool wide = operation == Operation::lcmp || operation == Operation::dcmpl || operation == Operation::dcmpg;
  reserve(wide ? 4 : 2, 2);
  reserve_xmm(wide ? 4 : 2, 2);
  Value right = wide ? pop_wide() : pop();
  Value left = wide ? pop_wide() : pop();
  CondCode condition = comparison.condition;
  u32 target = next + static_cast<u32>(operand_b(words_[next]) / static_cast<i32>(sizeof(Cell)));
  flush();
  refresh_pinned();
  write_back_for(target);
  if (operation == Operation::lcmp) {
    Gp first = in_register(left);
    a_.emit(Inst::kIdCmp, first, as_operand(right, 8));
  } else {
    // CF says "less, or unordered"; with exchanged operands "greater, or unordered".
    bool nan_is_greater = operation == Operation::fcmpg || operation == Operation::dcmpg;
    if (nan_is_greater) std::swap(left, right);
    Xmm first = in_xmm(left, wide);
    a_.emit(wide ? Inst::kIdUcomisd : Inst::kIdUcomiss, first, as_xmm_operand(right, wide ? 8 : 4));
    switch (condition) {
      case CondCode::kSignedLT: condition = nan_is_greater ? CondCode::kUnsignedGT : CondCode::kUnsignedLT; break;
      case CondCode::kSignedLE: condition = nan_is_greater ? CondCode::kUnsignedGE : CondCode::kUnsignedLE; break;
      case CondCode::kSignedGT: condition = nan_is_greater ? CondCode::kUnsignedLT : CondCode::kUnsignedGT; break;
      default: condition = nan_is_greater ? CondCode::kUnsignedLE : CondCode::kUnsignedGE; break;
    }
  }
  note_target(target);
  BranchProfile* profile = profile_at<BranchProfile>(next);
  if (is_backward(branch) || profile != nullptr) {
    Label stay = a_.newLabel();
    a_.j(x86::negateCond(condition), stay);
    if (is_backward(branch)) {
      a_.cmp(thread_field(offsetof(JavaThread, poll), 4), imm(0));
      a_.jne(leaving());   // the comparison and its branch are the interpreter's then
    }
    count_way(profile, true);
    a_.jmp(block_[target].label);
    a_.bind(stay);
    count_way(profile, false);
  } else {
    a_.j(condition, block_[target].label);
  }
  ++cell_;
  return true;
}

namespace {
// What this file emits: a switch that leaves one out does not compile.
enum class Emitted : u16 {
#define EMITTED_branch(name) EMITTED(name)
#include "jit/baseline/emitted_operations.inc"
};
}  // namespace

void MethodCompiler::emit_branch(interpreter::Operation operation, u64 word) {
  using Operation = Emitted;
  switch (static_cast<Emitted>(operation)) {
    case Operation::goto_: return jump(target_of(cell_), false);
    case Operation::goto_back: return jump(target_of(cell_), true);
    case Operation::tableswitch: case Operation::lookupswitch: return emit_switch(operation, word);
#define CONDITION(name, condition) case Operation::name: case Operation::name##_back:
#include "vm/interpreter/branch_conditions.def"
#undef CONDITION
      return emit_conditional_branch(operation);
    case Operation::jsr: case Operation::ret: return leave_for_good();   // methods with subroutines are not compiled
  }
}

void MethodCompiler::emit_conditional_branch(Operation operation) {
  Comparison comparison = comparison_of(operation);
  reserve(comparison.operands, 2);
  Value right{Kind::Constant};
  if (comparison.operands == 2) right = pop();
  Value left = pop();
  CondCode condition = comparison.condition;
  if (left.is_constant() && !right.is_constant()) {
    std::swap(left, right);
    condition = x86::reverseCond(condition);
  }
  flush();
  refresh_pinned();
  write_back_for(target_of(cell_));
  u32 bytes = comparison.is_reference ? 8 : 4;
  bool with_zero = right.is_constant() && right.bits == 0;
  if (with_zero && (left.kind == Kind::Home || (left.kind == Kind::Local && pin_[left.number] < 0))) {
    a_.emit(Inst::kIdCmp, as_operand(left, bytes), imm(0));
  } else {
    Gp first = in_register(left);
    first = sized(first, bytes == 8);
    if (with_zero) a_.test(first, first);
    else a_.emit(Inst::kIdCmp, first, as_operand(right, bytes));
  }
  jump_if(condition, target_of(cell_), is_backward(operation));
}

void MethodCompiler::search_keys(const LookupSwitch* table, const SwitchProfile* profile, u32 low, u32 high, u32 cell, Label otherwise) {
  if (low == high) {
    a_.jmp(otherwise);
    return;
  }
  u32 middle = (low + high) / 2;
  u32 target = cell + static_cast<u32>(table->pairs[middle].distance / static_cast<i32>(sizeof(Cell)));
  a_.cmp(x86::eax, imm(table->pairs[middle].key));
  note_target(target);
  a_.je(counting(profile == nullptr ? nullptr : &profile->targets[middle], block_[target].label));
  if (high - low == 1) {
    a_.jmp(otherwise);
    return;
  }
  Label upper = a_.newLabel();
  a_.jg(upper);
  search_keys(table, profile, low, middle, cell, otherwise);
  a_.bind(upper);
  search_keys(table, profile, middle + 1, high, cell, otherwise);
}

void MethodCompiler::emit_switch(Operation operation, u64 word) {
  auto cell_at = [&](i32 distance) { return cell_ + static_cast<u32>(distance / static_cast<i32>(sizeof(Cell))); };
  Value key = pop();
  flush();
  refresh_pinned();
  for (u32 target : switch_targets(cell_)) write_back_for(target);
  load_to(x86::rax, key);
  if (operand_a(word) != 0) poll();
  const SwitchProfile* profile = profile_at<SwitchProfile>(cell_);
  const Counter* other_keys = profile == nullptr ? nullptr : &profile->targets[profile->count];
  if (operation == Operation::lookupswitch) {
    const auto* table = metadata_at<LookupSwitch>(operand_b(word));
    u32 otherwise = cell_at(table->default_distance);
    note_target(otherwise);
    search_keys(table, profile, 0, table->count, cell_, counting(other_keys, block_[otherwise].label));
  } else {
    const auto* table = metadata_at<TableSwitch>(operand_b(word));
    u32 otherwise = cell_at(table->default_distance);
    note_target(otherwise);
    if (table->low != 0) a_.sub(x86::eax, imm(table->low));
    else a_.mov(x86::eax, x86::eax);   // an int's upper half is undefined
    a_.cmp(x86::eax, imm(table->count));
    a_.jae(counting(other_keys, block_[otherwise].label));
    if (profile != nullptr) {
      load_address(x86::rcx, &profile->targets[0]);
      a_.inc(x86::qword_ptr(x86::rcx, x86::rax, 3));
    }
    Label distances = a_.newLabel();
    a_.lea(x86::rcx, x86::ptr(distances));
    a_.movsxd(x86::rax, x86::dword_ptr(x86::rcx, x86::rax, 2));
    a_.add(x86::rax, x86::rcx);
    a_.jmp(x86::rax);
    a_.align(asmjit::AlignMode::kData, 4);
    a_.bind(distances);
    for (u32 i = 0; i < table->count; ++i) {
      u32 target = cell_at(table->distances[i]);
      note_target(target);
      a_.embedLabelDelta(block_[target].label, distances, 4);
    }
  }
  reachable_ = false;
}

}  // namespace keyhole::baseline
