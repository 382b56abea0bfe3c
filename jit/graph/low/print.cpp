// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints a low graph as text:
//
//   function Fib.fib
//   block 0:
//     v3 = i32 load frame v2
//     v5 = i1 le v3 i32:1
//     branch v5 -> 1, 2
#include "jit/graph/low/low_graph.h"

#include <fmt/format.h>

namespace keyhole::low {

namespace {

constexpr std::string_view parameters[] = {"pc", "slot", "locals", "thread", "frame", "table", "method", "word"};
constexpr std::string_view aliases[] = {"any", "frame", "thread", "metadata", "length", "header", "element", "field"};
constexpr std::string_view orders[] = {"",         " unordered", " each_time", " acquire",
                                       " release", " acq_rel",   " seq_cst",   " thread_release"};

// A node that belongs to no block has no line of its own: it is printed in the line of each user.
std::string use(const Function& function, NodeId id) {
  if (id >= function.nodes.size()) return "-";
  const Node& node = function.nodes[id];
  switch (node.op) {
    case Op::Constant: return fmt::format("{}:{}", name(node.type), static_cast<i64>(node.bits));
    case Op::Symbol: return fmt::format("@{}", node.bits < function.symbols.size() ? function.symbols[node.bits] : "?");
    case Op::Parameter: return fmt::format("%{}", node.bits < parameter_count ? parameters[node.bits] : "?");
    case Op::SiteAddress: return fmt::format("site {}", node.bits);
    case Op::Variable: return fmt::format("variable {}", id);
    default: return fmt::format("v{}", id);
  }
}

std::string line(const Function& function, const Block& block, NodeId id) {
  const Node& node = function.nodes[id];
  std::string text = "  ";
  if (node.type != Type::None) text += fmt::format("v{} = {} ", id, name(node.type));
  else if (node.op == Op::CallJava) text += fmt::format("v{} = ", id);
  text += name(node.op);
  if (node.op == Op::Leaf || node.op == Op::Snippet) {
    text += fmt::format(" {}", node.bits < function.symbols.size() ? function.symbols[node.bits] : "?");
  }
  if (node.alias != Alias::Any) text += fmt::format(" {}", aliases[static_cast<u32>(node.alias)]);
  if (node.part != 0) text += fmt::format(".{}", node.part);
  text += orders[static_cast<u32>(node.order)];
  for (u32 i = 0; i < node.operand_count; ++i) text += " " + use(function, function.operand(id, i));
  if (node.op == Op::Address) text += fmt::format(" * {} + {}", node.scale, static_cast<i64>(node.bits));
  if (!block.targets.empty() && is_terminator(node.op)) {
    text += " ->";
    for (usize i = 0; i < block.targets.size(); ++i) {
      text += fmt::format("{} {}", i == 0 ? "" : ",", block.targets[i]);
      if (node.op == Op::Switch && i > 0 && i <= block.cases.size()) text += fmt::format(" ({})", block.cases[i - 1]);
    }
    if (block.likely) text += " likely";
    if (block.unlikely) text += " unlikely";
  }
  return text + "\n";
}

}  // namespace

std::string print(const Function& function) {
  std::string text = fmt::format("function {}\n", function.name);
  for (usize i = 0; i < function.blocks.size(); ++i) {
    text += fmt::format("block {}:\n", i);
    for (const NodeId id : function.blocks[i].nodes) text += line(function, function.blocks[i], id);
  }
  return text;
}

}  // namespace keyhole::low
