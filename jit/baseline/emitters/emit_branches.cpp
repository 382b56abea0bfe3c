// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emits branches and switches.
#include "jit/baseline/emitters/emit_branches.h"

#include <utility>

#include "runtime/threads/java_thread.h"

namespace keyhole::baseline {

using namespace interpreter;
using x86::CondCode;

namespace {

struct Comparison {
  CondCode condition;
  u32 operands;  // number of operands; 1: compared with zero or null
  bool is_reference;
};

CondCode condition_of(Operation forward) {
  switch (forward) {
    case Operation::ifeq:
    case Operation::if_icmpeq:
    case Operation::if_acmpeq:
    case Operation::ifnull: return CondCode::kEqual;
    case Operation::iflt:
    case Operation::if_icmplt: return CondCode::kSignedLT;
    case Operation::ifge:
    case Operation::if_icmpge: return CondCode::kSignedGE;
    case Operation::ifgt:
    case Operation::if_icmpgt: return CondCode::kSignedGT;
    case Operation::ifle:
    case Operation::if_icmple: return CondCode::kSignedLE;
    default: return CondCode::kNotEqual;
  }
}

Comparison comparison_of(Operation branch) {
  return {condition_of(forward_of(branch)), slots_popped(branch), row(branch).pops[0] == 'a'};
}
bool is_backward(Operation branch) { return has(branch, effect::backward); }
constexpr bool is_comparison(Operation operation) {
  return operation >= Operation::lcmp && operation <= Operation::dcmpg;
}
static_assert(static_cast<u32>(Operation::dcmpg) - static_cast<u32>(Operation::lcmp) == 4);

}  // namespace

// Brings operands and pinned locals into the state that the target block expects.
void BranchEmitter::prepare_to_go_to(u32 target) {
  stack_.flush();
  locals_.load_all();
  locals_.write_back_for(blocks_[target]);
}

Label BranchEmitter::reach(u32 target) {
  blocks_.reach(target, stack_.depth());
  return blocks_.label(target);
}

void BranchEmitter::jump(u32 target, bool is_backward) {
  if (returns_.emit_in_place(target)) return;
  Label label = reach(target);
  prepare_to_go_to(target);
  if (is_backward) {
    poll();
    if (JumpProfile* profile = profile_.of_instruction<JumpProfile>(instruction()))
      profile_.count(&profile->taken, x86::rcx);
    count_down_iteration();
  }
  a_.jmp(label);
  compilation_.is_reachable = false;
}

void BranchEmitter::count_down_iteration() {
  if (MethodData* data = profile_.data_in_interval())
    profile_.count_down(data->back_edges_left, x86::rcx, slow_paths_.end_profiling());
}

// Emits the jump, and its poll if the branch is backward. `is_fused`: the branch is fused with the preceding
// comparison, so at the poll the interpreter executes both bytecodes.
void BranchEmitter::jump_if(const Jump& jump, bool is_fused) {
  Label target = reach(jump.target);
  BranchProfile* profile = profile_.of_instruction<BranchProfile>(jump.instruction);
  if (!jump.is_backward && profile == nullptr) {
    a_.j(jump.condition, target);
    return;
  }
  Label stay = a_.newLabel();
  a_.j(x86::negateCond(jump.condition), stay);
  if (jump.is_backward && is_fused) {
    a_.cmp(thread_field(offsetof(JavaThread, poll), 4), imm(0));
    a_.jne(slow_paths_.side_exit());
  } else if (jump.is_backward) {
    poll();
  }
  profile_.count_outcome(profile, true);
  if (jump.is_backward) count_down_iteration();
  a_.jmp(target);
  a_.bind(stay);
  profile_.count_outcome(profile, false);
}

// --- comparisons -----------------------------------------------------------------------------------------------------

void BranchEmitter::branch(Operation operation) {
  Comparison comparison = comparison_of(operation);
  registers_.reserve(comparison.operands, 2);
  Value right{Value::Kind::Constant};
  if (comparison.operands == 2) right = stack_.pop();
  Value left = stack_.pop();
  CondCode condition = comparison.condition;
  if (left.is_constant() && !right.is_constant()) {
    std::swap(left, right);
    condition = x86::reverseCond(condition);
  }
  u32 target = instructions().target_of(instruction());
  prepare_to_go_to(target);
  compare(left, right, comparison.is_reference ? 8 : 4);
  jump_if({condition, instruction(), target, is_backward(operation)}, false);
}

void BranchEmitter::compare(const Value& left, const Value& right, u32 bytes) {
  if (right.is_zero() && values_.is_in_memory(left)) {
    a_.emit(Inst::kIdCmp, values_.memory_of(left, bytes), imm(0));
    return;
  }
  Gp first = sized(registers_.in_register(left), bytes == 8);
  if (right.is_zero()) a_.test(first, first);
  else a_.emit(Inst::kIdCmp, first, registers_.as_operand(right, bytes));
}

bool BranchEmitter::emit_fused(Operation operation) {
  if (!is_comparison(operation)) return false;
  u32 next = instruction() + 1;
  if (next >= instructions().count() || blocks_.starts(next) || !is_conditional_branch(instructions().operation(next)))
    return false;
  Operation branch = instructions().operation(next);
  Comparison comparison = comparison_of(branch);
  if (comparison.operands != 1 || comparison.is_reference) return false;
  bool equality = comparison.condition == CondCode::kEqual || comparison.condition == CondCode::kNotEqual;
  if (operation != Operation::lcmp && equality) return false;  // equality of floats would also need the parity flag
  bool wide = operation == Operation::lcmp || operation == Operation::dcmpl || operation == Operation::dcmpg;
  registers_.reserve(wide ? 4 : 2, 2);
  registers_.reserve_xmm(wide ? 4 : 2, 2);
  Value right = stack_.pop(wide);
  Value left = stack_.pop(wide);
  u32 target = instructions().target_of(next);
  prepare_to_go_to(target);
  CondCode condition = comparison.condition;
  if (operation == Operation::lcmp) {
    Gp first = registers_.in_register(left);
    a_.emit(Inst::kIdCmp, first, registers_.as_operand(right, 8));
  } else {
    condition = compare_floats(left, right, operation, condition);
  }
  jump_if({condition, next, target, is_backward(branch)}, true);
  ++compilation_.instruction;
  return true;
}

// Emits the comparison, and translates the signed `condition` to a condition on the flags. CF means "less, or
// unordered"; with exchanged operands it means "greater, or unordered".
CondCode BranchEmitter::compare_floats(Value left, Value right, Operation operation, CondCode condition) {
  bool nan_is_greater = operation == Operation::fcmpg || operation == Operation::dcmpg;
  bool is_double = operation == Operation::dcmpl || operation == Operation::dcmpg;
  if (nan_is_greater) std::swap(left, right);
  Xmm first = registers_.in_xmm(left);
  a_.emit(is_double ? Inst::kIdUcomisd : Inst::kIdUcomiss, first, registers_.as_xmm_operand(right, is_double ? 8 : 4));
  switch (condition) {
    case CondCode::kSignedLT: return nan_is_greater ? CondCode::kUnsignedGT : CondCode::kUnsignedLT;
    case CondCode::kSignedLE: return nan_is_greater ? CondCode::kUnsignedGE : CondCode::kUnsignedLE;
    case CondCode::kSignedGT: return nan_is_greater ? CondCode::kUnsignedLT : CondCode::kUnsignedGT;
    default: return nan_is_greater ? CondCode::kUnsignedLE : CondCode::kUnsignedGE;
  }
}

// --- switches --------------------------------------------------------------------------------------------------------

void BranchEmitter::emit_switch(Operation operation, u64 word) {
  Value key = stack_.pop();
  stack_.flush();
  locals_.load_all();
  for (u32 target : instructions().switch_targets(instruction())) locals_.write_back_for(blocks_[target]);
  values_.load(x86::rax, key);
  if (operand_a(word) != 0) poll();
  if (operation == Operation::lookupswitch) lookup_switch(metadata_at<LookupSwitch>(operand_b(word)));
  else table_switch(metadata_at<TableSwitch>(operand_b(word)));
  compilation_.is_reachable = false;
}

void BranchEmitter::lookup_switch(const LookupSwitch* table) {
  const SwitchProfile* profile = profile_.of_instruction<SwitchProfile>(instruction());
  Label otherwise = reach(Instructions::instruction_at(instruction(), table->default_distance));
  const Counter* other_keys = profile == nullptr ? nullptr : &profile->targets[profile->count];
  search_keys(table, 0, table->count, profile_.counting(other_keys, otherwise));
}

// Emits a binary search for the key, which is in eax.
void BranchEmitter::search_keys(const LookupSwitch* table, u32 low, u32 high, Label otherwise) {
  if (low == high) {
    a_.jmp(otherwise);
    return;
  }
  u32 middle = (low + high) / 2;
  const SwitchProfile* profile = profile_.of_instruction<SwitchProfile>(instruction());
  a_.cmp(x86::eax, imm(table->pairs[middle].key));
  Label target = reach(Instructions::instruction_at(instruction(), table->pairs[middle].distance));
  a_.je(profile_.counting(profile == nullptr ? nullptr : &profile->targets[middle], target));
  if (high - low == 1) {
    a_.jmp(otherwise);
    return;
  }
  Label upper = a_.newLabel();
  a_.jg(upper);
  search_keys(table, low, middle, otherwise);
  a_.bind(upper);
  search_keys(table, middle + 1, high, otherwise);
}

// Emits a jump through a table of distances, which follows the jump in the code. The key is in eax.
void BranchEmitter::table_switch(const TableSwitch* table) {
  const SwitchProfile* profile = profile_.of_instruction<SwitchProfile>(instruction());
  Label otherwise = reach(Instructions::instruction_at(instruction(), table->default_distance));
  if (table->low != 0) a_.sub(x86::eax, imm(table->low));
  else a_.mov(x86::eax, x86::eax);  // clears the upper half, which is undefined for an int
  a_.cmp(x86::eax, imm(table->count));
  a_.jae(profile_.counting(profile == nullptr ? nullptr : &profile->targets[profile->count], otherwise));
  if (profile != nullptr) {
    a_.load_address(x86::rcx, &profile->targets[0]);
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
    Label target = reach(Instructions::instruction_at(instruction(), table->distances[i]));
    a_.embedLabelDelta(target, distances, 4);
  }
}

// --- with GC stress --------------------------------------------------------------------------------------------------

bool BranchEmitter::polls(Operation operation, u64 word) {
  return is_switch(operation) ? operand_a(word) != 0 : has(operation, effect::backward);
}

// Lets the interpreter execute the branch. Both of its targets get entries.
void BranchEmitter::interpret_poll(Operation operation) {
  slow_paths_.always_fallback(false);
  stack_.drop(slots_popped(operation));
  if (is_switch(operation)) {
    for (u32 target : instructions().switch_targets(instruction())) reach(target);
  } else {
    reach(instructions().target_of(instruction()));
  }
  if (has(operation, effect::ends_block)) compilation_.is_reachable = false;
}

// ---------------------------------------------------------------------------------------------------------------------

namespace {

// The operations that this file emits. A switch that omits one of them does not compile.
enum class Emitted : u16 {
#define EMITTED_branch(name) EMITTED(name)
#include "jit/baseline/emitters/emitted_operations.inc"
};

}  // namespace

void BranchEmitter::emit(interpreter::Operation operation, u64 word) {
  using Operation = Emitted;
  switch (static_cast<Emitted>(operation)) {
    case Operation::goto_: return jump(instructions().target_of(instruction()), false);
    case Operation::goto_back: return jump(instructions().target_of(instruction()), true);
    case Operation::tableswitch:
    case Operation::lookupswitch: return emit_switch(operation, word);
#define CONDITION(name, condition) \
  case Operation::name:            \
  case Operation::name##_back:
#include "vm/interpreter/branch_conditions.def"
#undef CONDITION
      return branch(operation);
    case Operation::jsr:
    case Operation::ret: return always_side_exit();  // unreachable: methods with subroutines are not compiled
  }
}

}  // namespace keyhole::baseline
