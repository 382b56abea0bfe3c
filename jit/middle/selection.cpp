// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the nodes that are needed, then chooses aliases and folded nodes, and finally checks these against E2 and E3 of
// selection.h.
#include "jit/middle/selection.h"

#include <algorithm>
#include <limits>

#include "jit/middle/bits.h"

namespace keyhole::middle {

using low::BlockId;
using low::no_node;
using low::Node;
using low::NodeId;
using low::Op;
using low::Type;

bool writes_memory(const Node& node) {
  switch (node.op) {
    case Op::Store:
    case Op::Exchange:
    case Op::FetchAdd:
    case Op::FetchAnd:
    case Op::CompareExchange:
    case Op::Fence:
    case Op::Leaf:
    case Op::Snippet:
    case Op::CallJava: return true;
    default: return false;
  }
}

bool has_effect(const Node& node) {
  if (writes_memory(node) || low::is_terminator(node.op) || node.op == Op::Set) return true;
  return node.op == Op::Load && node.order >= low::Order::EachTime;
}

bool Selection::is_emitted(const low::Function& function, NodeId id) const {
  switch (function.nodes[id].op) {
    case Op::Phi:
    case Op::CallStatus:
    case Op::CallResult:
    case Op::CallSlot: return false;
    default: return form[id] == Form::Value && !is_sunk[id];
  }
}

namespace {

bool is_compare(Op op) { return op >= Op::Equal && op <= Op::BelowEqual; }
bool is_part_of_call(Op op) { return op == Op::CallStatus || op == Op::CallResult || op == Op::CallSlot; }

class Selector {
 public:
  Selector(const low::Function& function, const BlockOrder& order)
      : function_(function), order_(order), uses_(function.nodes.size()), user_(function.nodes.size(), no_node),
        block_(function.nodes.size(), no_node), narrow_uses_(function.nodes.size()),
        is_exchanged_(function.nodes.size()) {
    result_.form.assign(function.nodes.size(), Form::Dead);
    result_.alias.assign(function.nodes.size(), no_node);
    result_.is_sunk.assign(function.nodes.size(), false);
    result_.sunk.resize(function.blocks.size());
  }

  Selection run() {
    find_needed();
    for (NodeId id = 0; id < function_.nodes.size(); ++id) {
      if (result_.form[id] != Form::Dead) choose(id);
    }
    sink_sets();
    check_places();
    return std::move(result_);
  }

 private:
  Type type_of(NodeId id) const { return function_.nodes[id].type; }

  void find_needed() {
    std::vector<NodeId> work;
    auto need = [&](NodeId id) {
      if (id == no_node || result_.form[id] != Form::Dead) return;
      result_.form[id] = Form::Value;
      work.push_back(id);
    };
    for (const BlockId block : order_.blocks) {
      for (const NodeId id : function_.blocks[block].nodes) {
        block_[id] = block;
        if (has_effect(function_.nodes[id])) need(id);
      }
    }
    while (!work.empty()) {
      const NodeId id = work.back();
      work.pop_back();
      const Node& node = function_.nodes[id];
      for (u32 i = 0; i < node.operand_count; ++i) {
        const NodeId operand = function_.operand(id, i);
        if (operand == no_node) continue;
        ++uses_[operand];
        user_[operand] = id;
        const bool is_narrow =
            (node.op == Op::Store && i == 1) || node.op == Op::SignExtend || node.op == Op::ZeroExtend;
        if (is_narrow) ++narrow_uses_[operand];
        if (node.op == Op::CompareExchange && i == 2) is_exchanged_[without_bits(operand)] = true;
        need(operand);
      }
    }
  }

  // Bits nodes only change the type of a value. Returns the node below all Bits nodes.
  NodeId without_bits(NodeId id) const {
    while (function_.nodes[id].op == Op::Bits) id = function_.operand(id, 0);
    return id;
  }

  void make_alias(NodeId id, NodeId of) {
    result_.form[id] = Form::Alias;
    result_.alias[id] = of;
  }

  void choose(NodeId id) {
    const Node& node = function_.nodes[id];
    switch (node.op) {
      case Op::Constant:
      case Op::Symbol:
      case Op::SiteAddress: result_.form[id] = Form::Placeless; return;
      case Op::Parameter: return choose_parameter(id);
      case Op::Get: return make_alias(id, function_.operand(id, 0));
      case Op::CallJava:
        result_.call_number.resize(function_.nodes.size());
        result_.call_number[id] = static_cast<u32>(result_.calls.size());
        result_.calls.emplace_back();
        return;
      case Op::CallStatus:
      case Op::CallResult:
      case Op::CallSlot: {
        CallResults& call = result_.calls[result_.call_number[function_.operand(id, 0)]];
        NodeId& part = node.op == Op::CallStatus ? call.status : node.op == Op::CallResult ? call.result : call.slot;
        if (part == no_node) part = id;
        else make_alias(id, part);
        return;
      }
      case Op::ZeroExtend: {
        const NodeId of = function_.operand(id, 0);
        if (result_.form[result_.resolve(of)] != Form::Folded) make_alias(id, of);
        return;
      }
      case Op::Bits: {
        const NodeId of = function_.operand(id, 0);
        auto is_float = [](Type type) { return type == Type::F32 || type == Type::F64; };
        if (is_float(node.type) == is_float(type_of(of))) make_alias(id, of);
        return;
      }
      case Op::Truncate:
        if (node.type != Type::I1 && narrow_uses_[id] == uses_[id]) result_.form[id] = Form::Folded;
        return;
      case Op::Address: return choose_address(id);
      case Op::Load: return choose_load(id);
      default:
        if (is_compare(node.op)) choose_compare(id);
    }
  }

  // Chooses the Form of a node that stands for a parameter. The parameter Thread is Placeless, because it is in a fixed
  // register. If several nodes stand for the same parameter, all but the first are Aliases of the first.
  void choose_parameter(NodeId id) {
    const u64 number = function_.nodes[id].bits;
    if (number == static_cast<u64>(low::Parameter::Thread)) {
      result_.form[id] = Form::Placeless;
      return;
    }
    if (parameters_[number] == no_node) parameters_[number] = id;
    else make_alias(id, parameters_[number]);
  }

  // Adds up the indices and offsets of a folded address. Returns false if one memory operand cannot express the sum.
  bool fits(NodeId id, u32& indices, i64& offset) const {
    const Node& node = function_.nodes[id];
    if (node.scale != 1 && node.scale != 2 && node.scale != 4 && node.scale != 8) return false;
    indices += node.operand_count > 1;
    offset += static_cast<i64>(node.bits);
    const NodeId base = result_.resolve(function_.operand(id, 0));
    if (function_.nodes[base].op == Op::Address && result_.form[base] == Form::Folded && !fits(base, indices, offset))
      return false;
    constexpr i64 most = std::numeric_limits<i32>::max() / 2;
    return indices <= 1 && offset >= -most && offset <= most;
  }
  void choose_address(NodeId id) {
    const Node& node = function_.nodes[id];
    if (node.bits == 0 && node.operand_count == 1) return make_alias(id, function_.operand(id, 0));
    if (is_exchanged_[id]) return;
    u32 indices = 0;
    i64 offset = 0;
    if (fits(id, indices, offset)) {
      result_.form[id] = Form::Folded;
      return;
    }
    const NodeId base = result_.resolve(function_.operand(id, 0));
    if (function_.nodes[base].op == Op::Address) result_.form[base] = Form::Value;
    indices = 0, offset = 0;
    if (fits(id, indices, offset)) result_.form[id] = Form::Folded;
  }

  void choose_load(NodeId id) {
    const Node& node = function_.nodes[id];
    if (uses_[id] != 1 || node.order > low::Order::EachTime) return;
    const Node& user = function_.nodes[user_[id]];
    if (block_[user_[id]] != block_[id]) return;
    const bool is_narrow = node.type == Type::I8 || node.type == Type::I16;
    switch (user.op) {
      case Op::SignExtend: result_.form[id] = Form::Folded; return;
      case Op::ZeroExtend:
        if (is_narrow) result_.form[id] = Form::Folded;
        return;
      case Op::Add:
      case Op::Sub:
      case Op::Mul:
      case Op::Div:
      case Op::And:
      case Op::Or:
      case Op::Xor: {
        const bool is_float = node.type == Type::F32 || node.type == Type::F64;
        if ((user.op == Op::Div && !is_float) || is_narrow) return;
        // An x86 instruction that computes into a register can read memory only as its second operand.
        if (function_.operand(user_[id], 1) == id) result_.form[id] = Form::Folded;
        return;
      }
      default:
        if (is_compare(user.op)) result_.form[id] = Form::Folded;
    }
  }

  void choose_compare(NodeId id) {
    if (uses_[id] != 1) return;
    const NodeId user = user_[id];
    if (block_[user] != block_[id]) return;
    const Node& node = function_.nodes[user];
    if (node.op == Op::Branch || (node.op == Op::Select && function_.operand(user, 0) == id)) {
      result_.form[id] = Form::Folded;
      return;
    }
    // Folds a comparison into its negation (E4). The negation is an Equal node that compares the comparison's result,
    // an I1, with 0. A later step decides whether the negation is Folded, too.
    const bool negates = node.op == Op::Equal && function_.operand(user, 0) == id &&
                         function_.nodes[function_.operand(user, 1)].op == Op::Constant;
    if (negates) result_.form[id] = Form::Folded;
  }

  // --- E5 -----------------------------------------------------------------------------------------------------------

  // Finds the variables that are live at the start of each block. A variable is live if a node may read its value
  // before the variable is set again.
  void find_live_variables() {
    variable_number_.assign(function_.nodes.size(), 0);
    u32 variables = 0;
    for (NodeId id = 0; id < function_.nodes.size(); ++id) {
      if (function_.nodes[id].op == Op::Variable) variable_number_[id] = variables++;
    }
    const Bits none(variables);
    live_variables_.assign(function_.blocks.size(), none);
    if (variables == 0) return;
    std::vector<Bits> set(function_.blocks.size(), none);
    for (const BlockId block : order_.blocks) {
      const std::vector<NodeId>& nodes = function_.blocks[block].nodes;
      for (auto id = nodes.rbegin(); id != nodes.rend(); ++id) {
        const Op op = function_.nodes[*id].op;
        if ((op != Op::Get && op != Op::Set) || result_.form[*id] == Form::Dead) continue;
        const u32 number = variable_number_[function_.operand(*id, 0)];
        if (op == Op::Get) {
          live_variables_[block].add(number);
        } else {
          live_variables_[block].remove(number);
          set[block].add(number);
        }
      }
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (auto block = order_.blocks.rbegin(); block != order_.blocks.rend(); ++block) {
        for (const BlockId target : function_.blocks[*block].targets)
          changed |= live_variables_[*block].add_all(live_variables_[target], set[*block]);
      }
    }
  }

  void sink_sets() {
    find_live_variables();
    std::vector<NodeId> mentioned;  // the variables that nodes later in this block read or set
    for (const BlockId id : order_.blocks) {
      const low::Block& block = function_.blocks[id];
      if (function_.nodes[block.nodes.back()].op != Op::Branch || block.targets[0] == block.targets[1]) continue;
      mentioned.clear();
      for (auto node = block.nodes.rbegin(); node != block.nodes.rend(); ++node) {
        const Op op = function_.nodes[*node].op;
        if ((op != Op::Get && op != Op::Set) || result_.form[*node] == Form::Dead) continue;
        const NodeId variable = function_.operand(*node, 0);
        const bool is_last = std::ranges::find(mentioned, variable) == mentioned.end();
        mentioned.push_back(variable);
        if (op != Op::Set || !is_last) continue;
        const u32 number = variable_number_[variable];
        const bool in_first = live_variables_[block.targets[0]].has(number);
        const bool in_second = live_variables_[block.targets[1]].has(number);
        const usize target = in_first ? 0 : 1;
        if (in_first == in_second || !order_.is_rare[block.targets[target]]) continue;
        result_.is_sunk[*node] = true;
        result_.sunk[id].push_back({*node, target});
      }
    }
  }

  // --- E2 and E3 ---------------------------------------------------------------------------------------------------

  struct Place {
    BlockId block;
    u32 number;  // number of the node in code order, counted over all blocks
    u32 writes;  // number of memory writes before the node
  };

  void check_places() {
    places_.assign(function_.nodes.size(), {no_node, 0, 0});
    last_set_.assign(function_.nodes.size(), 0);
    u32 number = 0, writes = 0;
    for (const BlockId block : order_.blocks) {
      for (const NodeId id : function_.blocks[block].nodes) {
        const Place here = places_[id] = {block, ++number, writes};
        if (result_.form[id] != Form::Value || function_.nodes[id].op == Op::Phi || result_.is_sunk[id]) continue;
        const Node& node = function_.nodes[id];
        if (is_part_of_call(node.op)) continue;
        for (u32 i = node.op == Op::Set ? 1 : 0; i < node.operand_count; ++i) check(function_.operand(id, i), here);
        if (low::is_terminator(node.op)) {
          for (const BlockId target : function_.blocks[block].targets) check_phis(block, target, here);
          for (const SunkSet& sunk : result_.sunk[block]) check(function_.operand(sunk.set, 1), here);
        }
        if (writes_memory(node)) ++writes;
        if (node.op == Op::Set) last_set_[function_.operand(id, 0)] = number;
      }
    }
  }

  void check_phis(BlockId from, BlockId to, const Place& here) {
    const low::Block& block = function_.blocks[to];
    for (const NodeId id : block.nodes) {
      if (function_.nodes[id].op != Op::Phi) break;
      if (result_.form[id] == Form::Dead) continue;
      for (usize i = 0; i < block.predecessors.size(); ++i) {
        if (block.predecessors[i] == from) check(function_.operand(id, static_cast<u32>(i)), here);
      }
    }
  }

  // Checks an operand of a node at the place `here`, and the operand's own operands. If one of them is an Alias and
  // breaks rule E2, or is Folded and breaks rule E3 (selection.h), its form becomes Value.
  void check(NodeId operand, const Place& here) {
    if (operand == no_node) return;
    NodeId id = operand;
    for (; result_.form[id] == Form::Alias; id = result_.alias[id]) {
      if (function_.nodes[id].op != Op::Get) continue;
      const NodeId variable = function_.operand(id, 0);
      if (places_[id].block == here.block && last_set_[variable] < places_[id].number) continue;
      result_.form[id] = Form::Value;
      return;
    }
    if (result_.form[id] != Form::Folded) return;
    const Node& node = function_.nodes[id];
    if (node.op == Op::Load && (places_[id].block != here.block || places_[id].writes != here.writes))
      result_.form[id] = Form::Value;
    for (u32 i = 0; i < node.operand_count; ++i) check(function_.operand(id, i), here);
  }

  const low::Function& function_;
  const BlockOrder& order_;
  std::vector<u32> uses_;
  std::vector<NodeId> user_;      // the node's last user
  std::vector<BlockId> block_;    // the node's block
  std::vector<u32> narrow_uses_;  // by NodeId: the number of uses that read only the lower bits of the node's value
  // By NodeId: whether an atomic exchange stores the node's value. The exchange needs two of the three scratch
  // registers for its address and its expected value. So the stored value must have the form Value: values of other
  // forms may need scratch registers.
  std::vector<bool> is_exchanged_;
  std::vector<Place> places_;
  std::vector<u32> variable_number_;  // by NodeId of a Variable
  std::vector<Bits> live_variables_;  // by BlockId
  // by NodeId of a Variable: Place::number of the latest Set of this variable that check_places() has passed
  std::vector<u32> last_set_;
  NodeId parameters_[low::parameter_count] = {no_node, no_node, no_node, no_node, no_node, no_node, no_node, no_node};
  Selection result_;
};

}  // namespace

Selection select(const low::Function& function, const BlockOrder& order) { return Selector(function, order).run(); }

}  // namespace keyhole::middle
