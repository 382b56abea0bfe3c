// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds low graphs, and names their operations and types.
#include "jit/graph/low/low_graph.h"

#include <algorithm>
#include <iterator>

namespace keyhole::low {

std::string_view name(Type type) {
  constexpr std::string_view names[] = {"void", "i1", "i8", "i16", "i32", "i64", "f32", "f64", "ptr"};
  return names[static_cast<u32>(type)];
}

std::string_view name(Op op) {
  constexpr std::string_view names[] = {
#define LOW_NODE(name, mnemonic, operands, meaning) mnemonic,
#include "jit/graph/low/low_nodes.def"
#undef LOW_NODE
  };
  return names[static_cast<u32>(op)];
}

bool is_terminator(Op op) { return op >= Op::Jump; }
bool belongs_to_no_block(Op op) { return op <= Op::Variable; }

NodeId Builder::add(Node node, const NodeId* operands, usize count, bool in_block) {
  const NodeId id = static_cast<NodeId>(function.nodes.size());
  node.first_operand = static_cast<u32>(function.operands.size());
  node.operand_count = static_cast<u32>(count);
  node.mark = mark;
  function.operands.insert(function.operands.end(), operands, operands + count);
  function.nodes.push_back(node);
  if (in_block) function.blocks[current].nodes.push_back(id);
  return id;
}

u32 Builder::symbol_number(std::string_view name) {
  const auto found = std::ranges::find(function.symbols, name);
  const auto number = static_cast<u32>(std::distance(function.symbols.begin(), found));
  if (found == function.symbols.end()) function.symbols.emplace_back(name);
  return number;
}

u32 Builder::add_mark(std::string text) {
  function.marks.push_back(std::move(text));
  return static_cast<u32>(function.marks.size());
}

BlockId Builder::new_block() {
  function.blocks.emplace_back();
  return static_cast<BlockId>(function.blocks.size() - 1);
}

NodeId Builder::constant(Type type, u64 bits) {
  return add({.op = Op::Constant, .type = type, .bits = bits}, nullptr, 0, false);
}

NodeId Builder::symbol(std::string_view name) {
  return add({.op = Op::Symbol, .type = Type::Ptr, .bits = symbol_number(name)}, nullptr, 0, false);
}

NodeId Builder::parameter(Parameter parameter, Type type) {
  return add({.op = Op::Parameter, .type = type, .bits = static_cast<u64>(parameter)}, nullptr, 0, false);
}

NodeId Builder::site_address(const Site& site) {
  function.sites.push_back(site);
  return add({.op = Op::SiteAddress, .type = Type::Ptr, .bits = function.sites.size() - 1}, nullptr, 0, false);
}

NodeId Builder::variable(Type type) { return add({.op = Op::Variable, .type = type}, nullptr, 0, false); }

NodeId Builder::get(NodeId variable) {
  return add({.op = Op::Get, .type = function.nodes[variable].type}, &variable, 1, true);
}

NodeId Builder::set(NodeId variable, NodeId value) {
  const NodeId operands[] = {variable, value};
  return add({.op = Op::Set}, operands, 2, true);
}

NodeId Builder::value(Op op, Type type, std::initializer_list<NodeId> operands) {
  return add({.op = op, .type = type}, operands.begin(), operands.size(), true);
}

NodeId Builder::address(NodeId base, NodeId index, u32 scale, i64 offset) {
  const NodeId operands[] = {base, index};
  return add({.op = Op::Address, .type = Type::Ptr, .bits = static_cast<u64>(offset), .scale = scale}, operands,
             index == no_node ? 1 : 2, true);
}

NodeId Builder::load(Type type, NodeId address, Alias alias, u32 part, Order order) {
  return add({.op = Op::Load, .type = type, .alias = alias, .order = order, .part = part}, &address, 1, true);
}

NodeId Builder::store(NodeId address, NodeId value, Alias alias, u32 part, Order order) {
  const NodeId operands[] = {address, value};
  return add({.op = Op::Store, .alias = alias, .order = order, .part = part}, operands, 2, true);
}

NodeId Builder::atomic(Op op, Type type, std::initializer_list<NodeId> operands, Alias alias, u32 part) {
  return add({.op = op, .type = type, .alias = alias, .order = Order::SequentiallyConsistent, .part = part},
             operands.begin(), operands.size(), true);
}

NodeId Builder::fence(Order order) { return add({.op = Op::Fence, .order = order}, nullptr, 0, true); }

NodeId Builder::phi(Type type, u32 operand_count) {
  const std::vector<NodeId> none(operand_count, no_node);
  return add({.op = Op::Phi, .type = type}, none.data(), none.size(), true);
}

NodeId Builder::call_leaf(std::string_view symbol, Type type, const std::vector<NodeId>& arguments) {
  return add({.op = Op::Leaf, .type = type, .bits = symbol_number(symbol)}, arguments.data(), arguments.size(), true);
}

NodeId Builder::call_snippet(std::string_view name, Type type, const std::vector<NodeId>& arguments) {
  return add({.op = Op::Snippet, .type = type, .bits = symbol_number(name)}, arguments.data(), arguments.size(), true);
}

NodeId Builder::call_java(NodeId target, NodeId frame, NodeId slot, NodeId method, NodeId thread) {
  const NodeId operands[] = {target, frame, slot, method, thread};
  return add({.op = Op::CallJava}, operands, 5, true);
}

void Builder::leads_to(BlockId target) {
  function.blocks[current].targets.push_back(target);
  function.blocks[target].predecessors.push_back(current);
}

void Builder::jump(BlockId target) {
  add({.op = Op::Jump}, nullptr, 0, true);
  leads_to(target);
}

void Builder::branch(NodeId condition, BlockId when_true, BlockId when_false, bool likely, bool unlikely) {
  add({.op = Op::Branch}, &condition, 1, true);
  leads_to(when_true);
  leads_to(when_false);
  function.blocks[current].likely = likely;
  function.blocks[current].unlikely = unlikely;
}

void Builder::switch_on(NodeId value, BlockId otherwise, const std::vector<Case>& cases) {
  add({.op = Op::Switch}, &value, 1, true);
  leads_to(otherwise);
  for (const Case& one : cases) {
    leads_to(one.target);
    function.blocks[current].cases.push_back(one.value);
  }
}

void Builder::ret(NodeId status, NodeId result, NodeId slot) {
  const NodeId operands[] = {status, result, slot};
  add({.op = Op::Return}, operands, 3, true);
}

void Builder::exit(NodeId target, const std::vector<NodeId>& parameters) {
  std::vector<NodeId> operands{target};
  operands.insert(operands.end(), parameters.begin(), parameters.end());
  operands.resize(1 + parameter_count, no_node);
  add({.op = Op::Exit}, operands.data(), operands.size(), true);
}

void Builder::unreachable() { add({.op = Op::Unreachable}, nullptr, 0, true); }

}  // namespace keyhole::low
