// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emits comparisons, branches and switches. A comparison leaves its result in the flags; the moves and loads that are
// emitted after it do not change the flags.
#include <algorithm>

#include "jit/middle/emitter.h"

namespace keyhole::middle {

using low::Op;
using low::Type;

namespace {

constexpr usize smallest_table = 5, longest_chain = 4;
constexpr u64 sparsest_table = 4;  // most table entries per case

CondCode code_of(Op op) {
  switch (op) {
    case Op::Equal: return CondCode::kE;
    case Op::NotEqual: return CondCode::kNE;
    case Op::Less: return CondCode::kL;
    case Op::LessEqual: return CondCode::kLE;
    case Op::Greater: return CondCode::kG;
    case Op::GreaterEqual: return CondCode::kGE;
    case Op::Below: return CondCode::kB;
    default: return CondCode::kBE;
  }
}
CondCode swapped(CondCode code) {
  switch (code) {
    case CondCode::kL: return CondCode::kG;
    case CondCode::kLE: return CondCode::kGE;
    case CondCode::kG: return CondCode::kL;
    case CondCode::kGE: return CondCode::kLE;
    case CondCode::kB: return CondCode::kA;
    case CondCode::kBE: return CondCode::kAE;
    default: return code;
  }
}

}  // namespace

Condition Emitter::compare(NodeId id) {
  const Node& n = node(id);
  const NodeId left = resolve(operand(n, 0));
  u64 bits;
  // if the I1 result of a folded comparison is compared with 0, returns the opposite condition (selection.h, E4)
  if (n.op == Op::Equal && type_of(left) == Type::I1 && selection_.form[left] == Form::Folded &&
      is_constant(operand(n, 1), &bits)) {
    const Condition condition = compare(left);
    return bits == 0 ? condition.negated() : condition;
  }
  return is_float(type_of(operand(n, 0))) ? compare_floats(n) : compare_integers(n);
}

Condition Emitter::compare_integers(const Node& n) {
  NodeId a = operand(n, 0), b = operand(n, 1);
  CondCode code = code_of(n.op);
  u64 bits;
  if (is_constant(a, &bits) && !is_constant(b, &bits)) {
    std::swap(a, b);
    code = swapped(code);
  }
  const Type type = type_of(a);
  const u32 bytes = bytes_of(type);
  i32 value;
  if (is_immediate(b, &value)) {
    if (is_in_memory(a)) {
      a_.cmp(memory_of(a, bytes), imm(value));
    } else {
      const Gp in = sized(in_general(a, x86::rax), type);
      const bool needs_no_carry =
          code == CondCode::kE || code == CondCode::kNE || code == CondCode::kL || code == CondCode::kGE;
      if (value == 0 && needs_no_carry) a_.test(in, in);
      else a_.cmp(in, imm(value));
    }
  } else if (is_in_memory(b)) {
    const Gp in = sized(in_general(a, x86::rax), type);
    a_.cmp(in, memory_of(b, bytes));
  } else if (is_in_memory(a)) {
    const Gp in = sized(in_general(b, x86::rax), type);
    a_.cmp(memory_of(a, bytes), in);
  } else {
    const Gp left = sized(in_general(a, x86::rax), type), right = sized(in_general(b, x86::rdx), type);
    a_.cmp(left, right);
  }
  return {Condition::Kind::One, code, code};
}

// If an operand is NaN, ucomis sets ZF, PF and CF. Then the conditions `above` and `above or equal` are false, as Java
// requires. So `less` exchanges its operands and uses `above`. Only equality has to test PF, too.
Condition Emitter::compare_floats(const Node& n) {
  NodeId a = operand(n, 0), b = operand(n, 1);
  const bool is_reversed = n.op == Op::Less || n.op == Op::LessEqual;
  if (is_reversed) std::swap(a, b);
  const Xmm left = in_vector(a, x86::xmm0);
  const bool is_double = type_of(a) == Type::F64;
  if (is_in_memory(b)) {
    if (is_double) a_.ucomisd(left, memory_of(b, 8));
    else a_.ucomiss(left, memory_of(b, 4));
  } else {
    const Xmm right = in_vector(b, x86::xmm1);
    if (is_double) a_.ucomisd(left, right);
    else a_.ucomiss(left, right);
  }
  switch (n.op) {
    case Op::Equal: return {Condition::Kind::Both, CondCode::kE, CondCode::kNP};
    case Op::NotEqual: return {Condition::Kind::Either, CondCode::kNE, CondCode::kP};
    case Op::Less:
    case Op::Greater: return {Condition::Kind::One, CondCode::kA, CondCode::kA};
    default: return {Condition::Kind::One, CondCode::kAE, CondCode::kAE};
  }
}

// Emits a test of an I1 value. Returns the condition that holds if the I1 is 1.
Condition Emitter::condition_of(NodeId id) {
  const NodeId bit = resolve(id);
  if (selection_.form[bit] == Form::Folded) return compare(bit);
  if (is_in_memory(bit)) {
    a_.cmp(memory_of(bit, 1), imm(0));
  } else {
    const Gp in = in_general(bit, x86::rax);
    a_.test(in.r32(), in.r32());
  }
  return {Condition::Kind::One, CondCode::kNE, CondCode::kNE};
}

void Emitter::emit_compare(NodeId id) {
  const Condition condition = compare(id);
  a_.set(condition.first, x86::al);
  if (condition.kind != Condition::Kind::One) {
    a_.set(condition.second, x86::dl);
    if (condition.kind == Condition::Kind::Both) a_.and_(x86::eax, x86::edx);
    else a_.or_(x86::eax, x86::edx);
  }
  const Gp to = result(id, x86::rax);
  a_.movzx(to.r32(), x86::al);
  finish(id, to);
}

void Emitter::jump_if(Condition condition, Label target) {
  switch (condition.kind) {
    case Condition::Kind::One: a_.j(condition.first, target); return;
    case Condition::Kind::Either:
      a_.j(condition.first, target);
      a_.j(condition.second, target);
      return;
    case Condition::Kind::Both: {
      const Label no = a_.newLabel();
      a_.j(x86::negateCond(condition.first), no);
      a_.j(condition.second, target);
      a_.bind(no);
    }
  }
}

void Emitter::emit_branch(NodeId id, BlockId block, u32 place) {
  const std::vector<BlockId>& targets = function_.blocks[block].targets;
  if (targets[0] == targets[1]) return emit_edge(block, 0, place);
  u64 bits;
  if (is_constant(operand(node(id), 0), &bits)) return emit_edge(block, bits != 0 ? 0 : 1, place);
  Condition condition = condition_of(operand(node(id), 0));
  const BlockId next = place + 1 < order_.blocks.size() ? order_.blocks[place + 1] : low::no_node;
  usize jumped = next == targets[0] ? 1 : 0;
  // If neither target follows directly and only one edge has moves, emits that edge's moves directly after the branch.
  // The branch then jumps along the edge without moves.
  if (next != targets[0] && next != targets[1] && has_moves(block, 0) && !has_moves(block, 1)) jumped = 1;
  if (jumped == 1) condition = condition.negated();
  jump_if(condition, label_of_edge(block, jumped));
  emit_edge(block, 1 - jumped, place);
}

void Emitter::emit_switch(NodeId id, BlockId block, u32 place) {
  const low::Block& b = function_.blocks[block];
  const Type type = type_of(operand(node(id), 0));
  if (b.cases.empty()) return emit_edge(block, 0, place);
  if (type != Type::I32 && type != Type::I64) return refuse(node(id), "a switch over this type");
  std::vector<std::pair<i64, usize>> cases;
  for (usize i = 0; i < b.cases.size(); ++i) cases.emplace_back(b.cases[i], i + 1);
  std::ranges::sort(cases);
  const Gp value = in_general(operand(node(id), 0), x86::rax);
  const u64 range = static_cast<u64>(cases.back().first) - static_cast<u64>(cases.front().first);
  if (type == Type::I64 || cases.size() < smallest_table || range >= sparsest_table * cases.size())
    return search(value, type, cases, block);
  Table table{a_.newLabel(), {}};
  const Label otherwise = label_of_edge(block, 0);
  usize next = 0;
  for (u64 i = 0; i <= range; ++i) {
    const bool is_case = cases[next].first == cases.front().first + static_cast<i64>(i);
    table.targets.push_back(is_case ? label_of_edge(block, cases[next++].second) : otherwise);
  }
  a_.lea(x86::eax, x86::ptr(value, static_cast<i32>(-cases.front().first)));
  a_.cmp(x86::eax, imm(static_cast<i32>(range)));
  a_.ja(otherwise);
  a_.lea(x86::rcx, x86::ptr(table.label));
  a_.jmp(x86::qword_ptr(x86::rcx, x86::rax, 3));
  tables_.push_back(std::move(table));
}

// Emits a switch as a binary search for the case, which ends in short chains of comparisons.
void Emitter::search(Gp value, Type type, std::span<const std::pair<i64, usize>> cases, BlockId block) {
  auto compare_with = [&](i64 number) {
    if (number == static_cast<i32>(number)) {
      a_.cmp(sized(value, type), imm(static_cast<i32>(number)));
    } else {
      a_.mov(x86::rcx, imm(number));
      a_.cmp(value, x86::rcx);
    }
  };
  if (cases.size() <= longest_chain) {
    for (const auto& [number, target] : cases) {
      compare_with(number);
      a_.je(label_of_edge(block, target));
    }
    a_.jmp(label_of_edge(block, 0));
    return;
  }
  const usize middle = cases.size() / 2;
  const Label lower = a_.newLabel();
  compare_with(cases[middle].first);
  a_.jl(lower);
  search(value, type, cases.subspan(middle), block);
  a_.bind(lower);
  search(value, type, cases.subspan(0, middle), block);
}

}  // namespace keyhole::middle
