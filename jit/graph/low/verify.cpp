// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Verifies low graphs (low_graph.h, G1 and G2; types by low_nodes.def).
#include "jit/graph/low/low_graph.h"

#include <algorithm>

#include <fmt/format.h>

namespace keyhole::low {

namespace {

constexpr std::string_view operands_of[] = {
#define LOW_NODE(name, mnemonic, operands, meaning) operands,
#include "jit/graph/low/low_nodes.def"
#undef LOW_NODE
};

bool is_integer(Type type) { return type >= Type::I1 && type <= Type::I64; }
bool is_float(Type type) { return type == Type::F32 || type == Type::F64; }
u32 bits_of(Type type) {
  constexpr u32 bits[] = {0, 1, 8, 16, 32, 64, 32, 64, 64};
  return bits[static_cast<u32>(type)];
}

class Verifier {
 public:
  explicit Verifier(const Function& function) : function(function), block_of(function.nodes.size(), no_block) {}

  std::string run() {
    if (function.blocks.empty()) return "no blocks";
    for (BlockId i = 0; i < function.blocks.size() && wrong.empty(); ++i) place_nodes(i);
    if (wrong.empty()) check_edges();
    if (!wrong.empty()) return wrong;
    find_dominators();
    for (NodeId i = 0; i < function.nodes.size() && wrong.empty(); ++i) {
      if (belongs_to_no_block(function.nodes[i].op)) check_placeless(i);
      else if (block_of[i] != no_block) check_node(i);
    }
    return wrong;
  }

 private:
  static constexpr BlockId no_block = ~0u;

  void refuse(NodeId id, std::string_view why) {
    if (wrong.empty()) wrong = fmt::format("v{} ({}): {}", id, name(function.nodes[id].op), why);
  }

  void place_nodes(BlockId number) {
    const Block& block = function.blocks[number];
    if (block.nodes.empty()) wrong = fmt::format("block {} is empty", number);
    bool after_phis = false;
    for (usize i = 0; i < block.nodes.size() && wrong.empty(); ++i) {
      const NodeId id = block.nodes[i];
      if (id >= function.nodes.size()) {
        wrong = fmt::format("block {}: there is no v{}", number, id);
        return;
      }
      const Node& node = function.nodes[id];
      if (belongs_to_no_block(node.op)) refuse(id, "belongs to no block");
      if (block_of[id] != no_block) refuse(id, "is in two places");
      const bool is_last = i + 1 == block.nodes.size();
      if (is_terminator(node.op) != is_last) refuse(id, "a block ends in its one terminator");
      if (node.op == Op::Phi && after_phis) refuse(id, "phis come first");
      after_phis |= node.op != Op::Phi;
      block_of[id] = number;
      place.resize(function.nodes.size());
      place[id] = static_cast<u32>(i);
    }
  }

  void check_edges() {
    std::vector<std::vector<BlockId>> expected(function.blocks.size());
    for (BlockId i = 0; i < function.blocks.size(); ++i) {
      const Block& block = function.blocks[i];
      const Op op = function.nodes[block.nodes.back()].op;
      const usize count = op == Op::Jump ? 1 : op == Op::Branch ? 2 : op == Op::Switch ? 1 + block.cases.size() : 0;
      if (block.targets.size() != count) {
        wrong = fmt::format("block {}: its targets are not its terminator's", i);
        return;
      }
      for (const BlockId target : block.targets) {
        if (target == 0 || target >= function.blocks.size()) {
          wrong = fmt::format("block {} leads to {}", i, target);
          return;
        }
        expected[target].push_back(i);
      }
    }
    for (BlockId i = 0; i < function.blocks.size(); ++i) {
      auto predecessors = function.blocks[i].predecessors;
      std::ranges::sort(predecessors);
      if (predecessors != expected[i]) {
        wrong = fmt::format("block {}: wrong predecessors", i);
        return;
      }
    }
  }

  // Numbers the blocks in postorder, then computes immediate dominators until nothing changes.
  void find_dominators() {
    const auto count = static_cast<BlockId>(function.blocks.size());
    number.assign(count, no_block);
    std::vector<BlockId> order;
    std::vector<std::pair<BlockId, usize>> path{{0, 0}};
    std::vector<bool> seen(count);
    seen[0] = true;
    while (!path.empty()) {
      auto& [block, next] = path.back();
      if (next == function.blocks[block].targets.size()) {
        number[block] = static_cast<u32>(order.size());
        order.push_back(block);
        path.pop_back();
      } else if (const BlockId target = function.blocks[block].targets[next++]; !seen[target]) {
        seen[target] = true;
        path.emplace_back(target, 0);
      }
    }
    dominator.assign(count, no_block);
    dominator[0] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (auto block = order.rbegin() + 1; block != order.rend(); ++block) {
        BlockId common = no_block;
        for (const BlockId other : function.blocks[*block].predecessors) {
          if (dominator[other] != no_block) common = common == no_block ? other : meet(common, other);
        }
        if (dominator[*block] != common) {
          dominator[*block] = common;
          changed = true;
        }
      }
    }
  }

  BlockId meet(BlockId a, BlockId b) const {
    while (a != b) {
      if (number[a] < number[b]) a = dominator[a];
      else b = dominator[b];
    }
    return a;
  }

  bool dominates(BlockId upper, BlockId lower) const {
    if (dominator[lower] == no_block) return true;  // it is an unreachable block
    while (lower != upper && lower != 0) lower = dominator[lower];
    return lower == upper;
  }

  void check_placeless(NodeId id) {
    const Node& node = function.nodes[id];
    if (node.type == Type::None) refuse(id, "has no type");
    if (node.op == Op::Symbol && node.bits >= function.symbols.size()) refuse(id, "there is no such symbol");
    if (node.op == Op::SiteAddress && node.bits >= function.sites.size()) refuse(id, "there is no such site");
    if (node.op == Op::Parameter && node.bits >= parameter_count) refuse(id, "there is no such parameter");
    if (node.op == Op::Parameter && node.type != Type::Ptr && node.type != Type::I64) refuse(id, "is a word");
  }

  void check_node(NodeId id) {
    const Node& node = function.nodes[id];
    const std::string_view letters = operands_of[static_cast<u32>(node.op)];
    const bool open = letters.ends_with('*'), optional = letters.ends_with('x');
    const usize least = letters.size() - (open || optional);
    if (node.operand_count < least || (!open && node.operand_count > letters.size())) {
      return refuse(id, "wrong number of operands");
    }
    for (u32 i = 0; i < node.operand_count; ++i) check_operand(id, i, letters[std::min<usize>(i, letters.size() - 1)]);
    if (wrong.empty()) check_type(id);
  }

  void check_operand(NodeId id, u32 index, char letter) {
    const Node& node = function.nodes[id];
    const NodeId used = function.operand(id, index);
    if (node.op == Op::Exit && index > 0 && used == no_node) return;
    if (used >= function.nodes.size()) return refuse(id, "an operand is missing");
    const Node& operand = function.nodes[used];
    if (letter == 'j' ? operand.op != Op::CallJava : operand.type == Type::None) {
      return refuse(id, "an operand has no value");
    }
    if ((operand.op == Op::Variable) != (letter == 'w')) return refuse(id, "a variable is set, or got");
    if (letter == 'w') return;
    const Type type = operand.type;
    const bool fits = letter == 'v'   ? type == node.type && type != Type::Ptr
                      : letter == 'n' ? is_integer(type) && (type == node.type || node.type == Type::None)
                      : letter == 'f' ? is_float(type) && type == node.type
                      : letter == 'i' ? is_integer(type)
                      : letter == 'd' ? is_float(type)
                      : letter == 'p' ? type == Type::Ptr
                      : letter == 'x' ? type == Type::I64
                      : letter == 'b' ? type == Type::I1
                      : letter == 's' ? type == function.nodes[function.operand(id, index - 1)].type
                                      : true;
    if (!fits) return refuse(id, fmt::format("operand {} is of type {}", index, name(type)));
    if (belongs_to_no_block(operand.op)) return;
    if (block_of[used] == no_block) return refuse(id, fmt::format("v{} is in no block", used));
    if (node.op == Op::Phi) {
      if (index < function.blocks[block_of[id]].predecessors.size() &&
          !dominates(block_of[used], function.blocks[block_of[id]].predecessors[index])) {
        refuse(id, fmt::format("v{} does not dominate its edge", used));
      }
    } else if (block_of[used] == block_of[id] ? place[used] >= place[id] : !dominates(block_of[used], block_of[id])) {
      refuse(id, fmt::format("v{} does not dominate it", used));
    }
  }

  void check_type(NodeId id) {
    const Node& node = function.nodes[id];
    const auto type_of = [&](u32 index) { return function.nodes[function.operand(id, index)].type; };
    const Type first = node.operand_count > 0 && function.operand(id, 0) != no_node ? type_of(0) : Type::None;
    switch (node.op) {
      case Op::SignExtend:
      case Op::ZeroExtend:
        if (!is_integer(node.type) || bits_of(node.type) <= bits_of(first)) refuse(id, "does not widen");
        break;
      case Op::Truncate:
        if (!is_integer(node.type) || bits_of(node.type) >= bits_of(first)) refuse(id, "does not narrow");
        break;
      case Op::IntToFloat:
        if (!is_float(node.type)) refuse(id, "is a float");
        break;
      case Op::FloatToInt:
        if (!is_integer(node.type)) refuse(id, "is an integer");
        break;
      case Op::FloatResize:
        if (!is_float(node.type) || node.type == first) refuse(id, "is the other float");
        break;
      case Op::Bits:
        if (bits_of(node.type) != bits_of(first)) refuse(id, "has another width");
        break;
      case Op::Equal:
      case Op::NotEqual:
      case Op::Less:
      case Op::LessEqual:
      case Op::Greater:
      case Op::GreaterEqual:
      case Op::Below:
      case Op::BelowEqual:
        if (node.type != Type::I1) refuse(id, "is an i1");
        if (node.op >= Op::Below && is_float(first)) refuse(id, "not of floats");
        break;
      case Op::Select:
        if (node.type != type_of(1)) refuse(id, "is of its operands' type");
        break;
      case Op::Phi:
        if (node.operand_count != function.blocks[block_of[id]].predecessors.size())
          refuse(id, "one operand for each edge");
        for (u32 i = 0; i < node.operand_count; ++i) {
          if (type_of(i) != node.type) refuse(id, "is of its operands' type");
        }
        break;
      case Op::Get:
        if (node.type != first) refuse(id, "is of its variable's type");
        break;
      case Op::Load:
        if (node.type == Type::None || node.type == Type::I1) refuse(id, "no such access");
        break;
      case Op::Store:
        if (type_of(1) == Type::I1) refuse(id, "no such access");
        break;
      case Op::Exchange:
      case Op::FetchAdd:
      case Op::FetchAnd:
      case Op::CompareExchange:
        if (!is_integer(node.type) || bits_of(node.type) < 8) refuse(id, "of an integer of 8 to 64 bits");
        break;
      case Op::Fence:
        if (node.order <= Order::EachTime) refuse(id, "has no order");
        break;
      case Op::Leaf:
      case Op::Snippet:
        if (node.bits >= function.symbols.size()) refuse(id, "there is no such symbol");
        break;
      case Op::StackPointer:
      case Op::CallResult:
        if (node.type != Type::I64) refuse(id, "is an i64");
        break;
      case Op::CallStatus:
        if (node.type != Type::I32) refuse(id, "is an i32");
        break;
      case Op::CallSlot:
      case Op::Address:
        if (node.type != Type::Ptr) refuse(id, "is an address");
        break;
      case Op::Return:
        if (first != Type::I32 || type_of(1) != Type::I64) refuse(id, "status i32, result i64");
        break;
      case Op::Exit:
        if (node.operand_count != 1 + parameter_count) refuse(id, "hands over eight parameters");
        break;
      default: break;
    }
  }

  const Function& function;
  std::string wrong;
  std::vector<BlockId> block_of, dominator;
  std::vector<u32> place, number;
};

}  // namespace

std::string verify(const Function& function) { return Verifier(function).run(); }

}  // namespace keyhole::low
