// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds loops, marks rarely executed blocks, and orders all blocks.
#include "jit/middle/block_order.h"

#include <algorithm>

namespace keyhole::middle {

using low::BlockId;

namespace {

constexpr u8 most_depth = 5;
constexpr f32 iterations = 8, rare_weight = 0.001f;

class Orderer {
 public:
  explicit Orderer(const low::Function& function)
      : function_(function), state_(function.blocks.size()),
        order_{.blocks = {},
               .place = std::vector<u32>(function.blocks.size()),
               .loop_depth = std::vector<u8>(function.blocks.size()),
               .is_rare = std::vector<bool>(function.blocks.size()),
               .weight = std::vector<f32>(function.blocks.size())} {}

  BlockOrder run() {
    const std::vector<BlockId> postorder = walk([this](BlockId block) { return function_.blocks[block].targets; });
    find_loops();
    find_rare(postorder);
    // This depth-first walk visits rare targets of a block first, and targets in the innermost loop last. In reverse
    // postorder, the target that was visited last follows the block directly.
    std::vector<BlockId> last = walk([this](BlockId block) {
      std::vector<BlockId> targets(function_.blocks[block].targets.rbegin(), function_.blocks[block].targets.rend());
      auto rank = [this](BlockId target) { return order_.is_rare[target] ? 0 : 1 + order_.loop_depth[target]; };
      for (usize i = 1; i < targets.size(); ++i) {  // insertion sort, which is stable
        for (usize k = i; k > 0 && rank(targets[k]) < rank(targets[k - 1]); --k) std::swap(targets[k], targets[k - 1]);
      }
      return targets;
    });
    std::ranges::reverse(last);
    std::vector<BlockId> rare;
    for (const BlockId block : last) {
      if (order_.is_rare[block]) rare.push_back(block);
    }
    std::erase_if(last, [this](BlockId block) { return order_.is_rare[block]; });
    last.insert(last.end(), rare.begin(), rare.end());
    std::ranges::fill(order_.place, BlockOrder::unreachable);
    for (u32 i = 0; i < last.size(); ++i) order_.place[last[i]] = i;
    for (const BlockId block : last) {
      order_.weight[block] = order_.is_rare[block] ? rare_weight : 1;
      for (u8 depth = 0; depth < std::min(order_.loop_depth[block], most_depth); ++depth)
        order_.weight[block] *= iterations;
    }
    order_.blocks = std::move(last);
    return std::move(order_);
  }

 private:
  enum class State : u8 { New, OnPath, Done };
  struct Step {
    BlockId block;
    std::vector<BlockId> targets;
    usize next;
  };

  // Returns the reachable blocks in postorder, and collects back edges in back_edges_.
  template <typename Targets> std::vector<BlockId> walk(Targets&& targets_of) {
    std::ranges::fill(state_, State::New);
    back_edges_.clear();
    std::vector<BlockId> postorder;
    std::vector<Step> path;
    auto go_to = [&](BlockId block) {
      state_[block] = State::OnPath;
      path.push_back({block, targets_of(block), 0});
    };
    go_to(0);
    while (!path.empty()) {
      Step& step = path.back();
      if (step.next == step.targets.size()) {
        state_[step.block] = State::Done;
        postorder.push_back(step.block);
        path.pop_back();
        continue;
      }
      const BlockId target = step.targets[step.next++];
      if (state_[target] == State::OnPath) back_edges_.emplace_back(step.block, target);
      else if (state_[target] == State::New) go_to(target);
    }
    return postorder;
  }

  void find_loops() {
    std::ranges::sort(back_edges_, {}, [](const auto& edge) { return std::pair(edge.second, edge.first); });
    std::vector<BlockId> in_loop(function_.blocks.size(), low::no_node), work;
    for (const auto& [latch, header] : back_edges_) {
      auto add = [&](BlockId block) {
        if (in_loop[block] == header || state_[block] == State::New) return;
        in_loop[block] = header;
        ++order_.loop_depth[block];
        if (block != header) work.push_back(block);
      };
      add(header);
      add(latch);
      while (!work.empty()) {
        const BlockId block = work.back();
        work.pop_back();
        for (const BlockId from : function_.blocks[block].predecessors) add(from);
      }
    }
  }

  void find_rare(const std::vector<BlockId>& postorder) {
    std::vector<bool> is_seen(function_.blocks.size());
    for (const BlockId id : postorder) {
      const low::Block& block = function_.blocks[id];
      const low::Op end = function_.nodes[block.nodes.back()].op;
      const bool leads_to_exits =
          std::ranges::all_of(block.targets, [&](BlockId target) { return is_seen[target] && order_.is_rare[target]; });
      order_.is_rare[id] =
          end == low::Op::Exit || end == low::Op::Unreachable || (end != low::Op::Return && leads_to_exits);
      is_seen[id] = true;
    }
    for (auto id = postorder.rbegin(); id != postorder.rend(); ++id) {
      if (*id == 0) continue;
      bool is_reached = false;
      for (const BlockId from : function_.blocks[*id].predecessors) {
        const low::Block& block = function_.blocks[from];
        for (usize i = 0; i < block.targets.size(); ++i) {
          if (block.targets[i] != *id || state_[from] == State::New) continue;
          const bool is_unlikely = (block.likely && i == 1) || (block.unlikely && i == 0);
          is_reached |= !is_unlikely && !order_.is_rare[from];
        }
      }
      if (!is_reached) order_.is_rare[*id] = true;
    }
    order_.is_rare[0] = false;
  }

  const low::Function& function_;
  std::vector<State> state_;
  std::vector<std::pair<BlockId, BlockId>> back_edges_;  // from latch to header
  BlockOrder order_;
};

}  // namespace

BlockOrder order_blocks(const low::Function& function) { return Orderer(function).run(); }

}  // namespace keyhole::middle
