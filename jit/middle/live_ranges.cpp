// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes liveness at the ends of blocks until nothing changes, then scans each block backwards.
#include "jit/middle/live_ranges.h"

#include <algorithm>

#include "jit/middle/bits.h"

namespace keyhole::middle {

using low::BlockId;
using low::no_node;
using low::Node;
using low::NodeId;
using low::Op;

namespace {

class Finder {
 public:
  Finder(const low::Function& function, const BlockOrder& order, const Selection& selection)
      : function_(function), order_(order), selection_(selection), number_(function.nodes.size(), LiveRanges::none) {
    result_.first.assign(function.nodes.size(), LiveRanges::none);
    result_.weight.assign(function.nodes.size(), 0);
    result_.length.assign(function.nodes.size(), 0);
    result_.position.assign(function.nodes.size(), 0);
  }

  LiveRanges run() {
    number_values();
    solve();
    // Scans the blocks from the last to the first, and the nodes of each block backwards. So when the scan reaches a
    // node, it has passed all later uses of the node's value, and knows whether the node is dead (L2). Positions count
    // down from 2 * `most`, where `most` counts the dead nodes, too. Each live node takes two positions, and a dead
    // node takes none. So the lowest position may be above 0; finish() then subtracts the lowest position from all
    // positions.
    const u32 most = count_emitted();
    next_position_ = 2 * most;
    end_.assign(nodes_.size(), 0);
    for (u32 place = static_cast<u32>(order_.blocks.size()); place-- > 0;) scan(place);
    finish(most);
    return std::move(result_);
  }

 private:
  struct Flow {
    // sunk: the variables that are set by moves on the block's outgoing edges (selection.h, E5)
    Bits live_in, killed, live_out, sunk;
  };

  void number_values() {
    for (NodeId id = 0; id < function_.nodes.size(); ++id) {
      const Node& node = function_.nodes[id];
      if (selection_.form[id] != Form::Value) continue;
      if (node.type == low::Type::None) continue;
      number_[id] = static_cast<u32>(nodes_.size());
      nodes_.push_back(id);
    }
  }

  const std::vector<NodeId>& nodes_of(u32 place) const { return function_.blocks[order_.blocks[place]].nodes; }
  bool is_live_phi(NodeId id) const { return function_.nodes[id].op == Op::Phi && selection_.form[id] == Form::Value; }

  // Calls `visit` with each value that is read at the end of the block: by a phi of a successor, or by a Set that was
  // moved to an outgoing edge (selection.h, E5).
  template <typename Visit> void for_each_phi_use(BlockId from, Visit&& visit) const {
    const std::vector<BlockId>& targets = function_.blocks[from].targets;
    for (const SunkSet& sunk : selection_.sunk[from])
      selection_.for_each_leaf(function_, function_.operand(sunk.set, 1), visit);
    for (usize i = 0; i < targets.size(); ++i) {
      if (std::find(targets.begin(), targets.begin() + static_cast<i64>(i), targets[i]) !=
          targets.begin() + static_cast<i64>(i))
        continue;
      const low::Block& block = function_.blocks[targets[i]];
      const auto edge = std::ranges::find(block.predecessors, from) - block.predecessors.begin();
      for (const NodeId id : block.nodes) {
        if (function_.nodes[id].op != Op::Phi) break;
        if (selection_.form[id] != Form::Value) continue;
        selection_.for_each_leaf(function_, function_.operand(id, static_cast<u32>(edge)), visit);
      }
    }
  }

  // Calls `visit` with each value or variable that the emitted node writes.
  template <typename Visit> void for_each_definition(NodeId id, Visit&& visit) const {
    const Node& node = function_.nodes[id];
    if (node.op == Op::Set) return visit(function_.operand(id, 0));
    if (node.op == Op::CallJava) {
      const CallResults& results = selection_.calls[selection_.call_number[id]];
      for (const NodeId part : {results.status, results.result, results.slot}) {
        if (part != no_node) visit(part);
      }
      return;
    }
    if (node.type != low::Type::None) visit(id);
  }

  void solve() {
    const usize blocks = order_.blocks.size();
    const Bits empty(nodes_.size());
    flow_.assign(blocks, {empty, empty, empty, empty});
    for (u32 place = 0; place < blocks; ++place) {
      Flow& flow = flow_[place];
      auto use = [&](NodeId leaf) { flow.live_in.add(number_[leaf]); };
      for (const SunkSet& sunk : selection_.sunk[order_.blocks[place]])
        flow.sunk.add(number_[function_.operand(sunk.set, 0)]);
      for_each_phi_use(order_.blocks[place], [&](NodeId leaf) {
        flow.live_out.add(number_[leaf]);
        use(leaf);
      });
      const std::vector<NodeId>& nodes = nodes_of(place);
      for (auto id = nodes.rbegin(); id != nodes.rend(); ++id) {
        if (is_live_phi(*id)) {
          flow.killed.add(number_[*id]);
          flow.live_in.remove(number_[*id]);
        } else if (selection_.is_emitted(function_, *id)) {
          for_each_definition(*id, [&](NodeId value) {
            flow.killed.add(number_[value]);
            flow.live_in.remove(number_[value]);
          });
          selection_.for_each_use(function_, *id, use);
        }
      }
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (u32 place = static_cast<u32>(blocks); place-- > 0;) {
        Flow& flow = flow_[place];
        for (const BlockId target : function_.blocks[order_.blocks[place]].targets)
          flow.live_out.add_all(flow_[order_.place[target]].live_in, flow.sunk);
        changed |= flow.live_in.add_all(flow.live_out, flow.killed);
      }
    }
  }

  u32 count_emitted() const {
    u32 count = 0;
    for (u32 place = 0; place < order_.blocks.size(); ++place) {
      for (const NodeId id : nodes_of(place)) count += selection_.is_emitted(function_, id);
    }
    return count;
  }

  void add_range(u32 value, u32 begin, u32 end) {
    const NodeId id = nodes_[value];
    u32& first = result_.first[id];
    result_.length[id] += end - begin;
    if (first != LiveRanges::none && result_.ranges[first].begin == end) {
      result_.ranges[first].begin = begin;
      return;
    }
    result_.ranges.push_back({begin, end, first});
    first = static_cast<u32>(result_.ranges.size() - 1);
  }

  void scan(u32 place) {
    const BlockId block = order_.blocks[place];
    const f32 weight = order_.weight[block];
    Bits live = flow_[place].live_out;
    const u32 block_end = next_position_;
    live.for_each([&](u32 value) { end_[value] = block_end; });
    for_each_phi_use(block, [&](NodeId leaf) { result_.weight[leaf] += weight; });
    const std::vector<NodeId>& nodes = nodes_of(place);
    for (auto id = nodes.rbegin(); id != nodes.rend(); ++id) {
      if (!selection_.is_emitted(function_, *id)) continue;
      const Node& node = function_.nodes[*id];
      bool is_needed = node.op != Op::Set && has_effect(node);
      for_each_definition(*id, [&](NodeId value) { is_needed |= live.has(number_[value]); });
      if (!is_needed) continue;  // L2
      result_.emitted.push_back(*id);
      next_position_ -= 2;
      const u32 position = result_.position[*id] = next_position_;
      for_each_definition(*id, [&](NodeId value) {
        const u32 number = number_[value];
        if (!live.has(number)) return;
        live.remove(number);
        add_range(number, position + 2, std::max(end_[number], position + 3));
        result_.weight[value] += weight;
      });
      if (node.op == Op::CallJava) result_.java_calls.push_back(position + 1);
      selection_.for_each_use(function_, *id, [&](NodeId leaf) {
        const u32 number = number_[leaf];
        result_.weight[leaf] += weight;
        if (live.has(number)) return;
        live.add(number);
        end_[number] = position + 1;
      });
    }
    result_.block_begin.push_back(static_cast<u32>(result_.emitted.size()));
    const u32 block_begin = next_position_;
    live.for_each([&](u32 number) {
      if (end_[number] > block_begin) add_range(number, block_begin, end_[number]);
    });
  }

  // Turns the results of the backward scan into forward order. Reverses `emitted` and `block_begin`. Subtracts the
  // lowest position from all positions, so that they start at 0.
  void finish(u32 most) {
    const u32 shift = next_position_;
    const auto count = static_cast<u32>(result_.emitted.size());
    std::ranges::reverse(result_.emitted);
    for (const NodeId id : result_.emitted) result_.position[id] -= shift;
    std::ranges::reverse(result_.block_begin);
    for (u32& begin : result_.block_begin) begin = count - begin;
    for (Range& range : result_.ranges) range.begin -= shift, range.end -= shift;
    for (u32& call : result_.java_calls) call -= shift;
    result_.end = 2 * most - shift + 3;
    for (const NodeId id : nodes_) {
      if (result_.first[id] != LiveRanges::none) result_.values.push_back(id);
    }
  }

  const low::Function& function_;
  const BlockOrder& order_;
  const Selection& selection_;
  std::vector<u32> number_;    // by NodeId: the number of the node's value in the bit sets of Flow
  std::vector<NodeId> nodes_;  // by number: the node whose value has this number
  std::vector<Flow> flow_;     // by BlockOrder::place
  std::vector<u32> end_;       // by number: the end of the live range that the scan is in at present
  u32 next_position_ = 0;
  LiveRanges result_;
};

}  // namespace

LiveRanges find_live_ranges(const low::Function& function, const BlockOrder& order, const Selection& selection) {
  return Finder(function, order, selection).run();
}

}  // namespace keyhole::middle
