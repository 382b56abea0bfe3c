// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds basic blocks, loops, and the liveness of locals.
#include "jit/graph/build/flow.h"

#include <algorithm>

#include "jit/graph/ir/order.h"
#include "vm/verify/frame_map.h"

namespace keyhole::graph {

using namespace interpreter;

namespace {

// The number of slots of the local that the instruction reads or writes.
u32 local_slots(Operation operation) {
  return operation == Operation::load_wide || operation == Operation::store_wide ? 2 : 1;
}

}  // namespace

std::vector<u32> successors_of(const Instructions& instructions, u32 instruction) {
  Operation operation = instructions.operation(instruction);
  std::vector<u32> found;
  if (is_switch(operation)) return instructions.switch_targets(instruction);
  if (is_branch(operation)) found.push_back(instructions.target_of(instruction));
  if (!has(operation, interpreter::effect::ends_block)) found.push_back(instruction + 1);
  return found;
}

bool begins_loop(Method* method, i32 bci) {
  const MethodCode* body = method->body.load(std::memory_order_acquire);
  if (bci < 0 || static_cast<u32>(bci) >= method->code_length) return false;
  const u16* end = body->bcis + body->instruction_count;
  const u16* found = std::lower_bound(body->bcis, end, static_cast<u16>(bci));
  if (found == end || *found != bci) return false;
  Instructions instructions(method, body);
  u32 header = static_cast<u32>(found - body->bcis);
  for (u32 instruction = header; instruction < instructions.count(); ++instruction) {
    if (!has(instructions.operation(instruction), interpreter::effect::branches)) continue;
    std::vector<u32> successors = successors_of(instructions, instruction);
    if (std::ranges::find(successors, header) != successors.end()) return true;
  }
  return false;
}

Flow::Flow(const Instructions& instructions, u32 first, const std::vector<bool>& handlers)
    : instructions_(instructions), block_at_(instructions.count() + 1, none) {
  find_blocks(first, handlers);
  find_loops();
  if (first != 0) take_depths_of(Flow(instructions, 0, handlers));
}

namespace {

bool may_throw(Operation operation) {
  return has(operation, interpreter::effect::throws | interpreter::effect::throws_null);
}

}  // namespace

// Collects, for each block, the blocks of its handlers, each handler once.
std::vector<std::vector<u32>> Flow::handlers_of(const std::vector<FlowBlock>& found, const std::vector<u32>& number,
                                                const std::vector<bool>& handlers) const {
  std::vector<std::vector<u32>> all(found.size());
  for (usize block = 0; block < found.size(); ++block) {
    for (u32 instruction = found[block].first; instruction <= found[block].last; ++instruction) {
      if (!may_throw(instructions_.operation(instruction))) continue;
      for (usize i = 0; i < handlers.size(); ++i) {
        if (!handlers[i] || !instructions_.method()->handlers[i].covers(instructions_.bci(instruction))) continue;
        u32 handler = number[instructions_.body()->handler_starts[i]];
        if (std::ranges::find(all[block], handler) == all[block].end()) all[block].push_back(handler);
      }
    }
  }
  return all;
}

void Flow::find_blocks(u32 first, const std::vector<bool>& handlers) {
  std::vector<bool> starts(instructions_.count() + 1);
  starts[0] = true;
  starts[first] = true;
  for (usize i = 0; i < handlers.size(); ++i) {
    if (handlers[i]) starts[instructions_.body()->handler_starts[i]] = true;
  }
  for (u32 instruction = 0; instruction < instructions_.count(); ++instruction) {
    if (!has(instructions_.operation(instruction), interpreter::effect::branches | interpreter::effect::ends_block))
      continue;
    for (u32 successor : successors_of(instructions_, instruction)) starts[successor] = true;
    starts[instruction + 1] = true;
  }
  std::vector<FlowBlock> found;
  std::vector<u32> number(instructions_.count() + 1);
  for (u32 instruction = 0; instruction < instructions_.count(); ++instruction) {
    if (starts[instruction]) found.emplace_back().first = instruction;
    found.back().last = instruction;
    number[instruction] = static_cast<u32>(found.size() - 1);
  }
  std::vector<std::vector<u32>> successors(found.size());
  for (usize i = 0; i < found.size(); ++i) {
    for (u32 instruction : successors_of(instructions_, found[i].last)) successors[i].push_back(number[instruction]);
  }
  std::vector<std::vector<u32>> caught = handlers_of(found, number, handlers), all_paths = successors;
  for (usize i = 0; i < found.size(); ++i) all_paths[i].insert(all_paths[i].end(), caught[i].begin(), caught[i].end());
  std::vector<u32> order = reverse_postorder(all_paths, number[first]);
  std::vector<u32> place(found.size(), none);
  for (u32 i = 0; i < order.size(); ++i) place[order[i]] = i;
  for (u32 i : order) {
    FlowBlock& block = blocks_.emplace_back(std::move(found[i]));
    block_at_[block.first] = place[i];
    for (u32 successor : successors[i]) block.successors.push_back(place[successor]);
    for (u32 handler : caught[i]) block.handlers.push_back(place[handler]);
  }
  for (u32 i = 0; i < blocks_.size(); ++i) {
    for (u32 successor : blocks_[i].successors) blocks_[successor].predecessors.push_back(i);
    for (u32 handler : blocks_[i].handlers) {
      blocks_[handler].predecessors.push_back(i);
      blocks_[handler].is_handler = true;
    }
  }
}

void Flow::find_loops() {
  std::vector<std::vector<u32>> predecessors;
  for (const FlowBlock& block : blocks_) predecessors.push_back(block.predecessors);
  std::vector<u32> dominators = immediate_dominators(predecessors);
  for (u32 header = 0; header < blocks_.size(); ++header) {
    std::vector<u32> ends;
    for (u32 predecessor : blocks_[header].predecessors) {
      if (predecessor < header) continue;
      if (dominates(dominators, header, predecessor)) ends.push_back(predecessor);
      else refusal_ = "a loop with two entries";
    }
    if (!ends.empty()) note_loop(header, ends);
  }
}

// Copies the loop depths from the flow of the whole method. In a flow that starts at an inner loop's header, that
// header also dominates the outer loops, so the whole nest looks like one loop.
void Flow::take_depths_of(const Flow& method) {
  std::vector<u32> depths(instructions_.count());
  for (const FlowBlock& block : method.blocks_)
    std::fill(depths.begin() + block.first, depths.begin() + block.last + 1, block.loop_depth);
  for (FlowBlock& block : blocks_) block.loop_depth = depths[block.first];
}

// Marks the loop's header, adds one to the depth of the loop's blocks, and collects the locals that they write. The
// blocks of a loop are those from which a back edge can be reached without passing the header.
void Flow::note_loop(u32 header, const std::vector<u32>& ends) {
  FlowBlock& loop = blocks_[header];
  loop.is_loop_header = true;
  loop.assigned.resize(instructions_.method()->max_locals);
  std::vector<bool> is_in(blocks_.size());
  std::vector<u32> work;
  is_in[header] = true;
  auto enter = [&](u32 block) {
    if (is_in[block]) return;
    is_in[block] = true;
    work.push_back(block);
  };
  for (u32 end : ends) enter(end);
  while (!work.empty()) {
    u32 block = work.back();
    work.pop_back();
    for (u32 predecessor : blocks_[block].predecessors) enter(predecessor);
  }
  for (u32 i = 0; i < blocks_.size(); ++i) {
    if (!is_in[i]) continue;
    ++blocks_[i].loop_depth;
    for (u32 instruction = blocks_[i].first; instruction <= blocks_[i].last; ++instruction) {
      Operation operation = instructions_.operation(instruction);
      if (!has(operation, interpreter::effect::writes_local)) continue;
      for (u32 k = 0; k < local_slots(operation); ++k)
        loop.assigned[operand_a(instructions_.word(instruction)) + k] = true;
    }
  }
}

LocalLiveness::LocalLiveness(const Instructions& instructions)
    : locals_(instructions.method()->max_locals), live_(u64{instructions.count() + 1} * locals_, keep_dead_locals) {
  const Method* method = instructions.method();
  std::vector<std::vector<u32>> next(instructions.count());
  for (u32 instruction = 0; instruction < instructions.count(); ++instruction) {
    next[instruction] = successors_of(instructions, instruction);
    for (u32 i = 0; i < method->handler_count; ++i) {
      const ExceptionHandler& handler = method->handlers[i];
      u32 bci = instructions.bci(instruction);
      // In `next`, the bitwise complement of the first instruction's index stands for a handler, to distinguish
      // handlers from other successors. If a handler reads a local, the local is live before this instruction even if
      // this instruction writes it.
      if (handler.covers(bci)) next[instruction].push_back(~u32{instructions.body()->handler_starts[i]});
    }
  }
  if (keeps_receiver(method)) {
    for (u32 instruction = 0; instruction <= instructions.count(); ++instruction)
      live_[u64{instruction} * locals_] = true;
  }
  bool changed = !keep_dead_locals;
  while (changed) {
    changed = false;
    for (u32 instruction = instructions.count(); instruction-- > 0;) {
      Operation operation = instructions.operation(instruction);
      u32 local = operand_a(instructions.word(instruction)), end = local + local_slots(operation);
      bool reads = has(operation, interpreter::effect::reads_local);
      bool writes = has(operation, interpreter::effect::writes_local);
      for (u32 i = 0; i < locals_; ++i) {
        if (live_[u64{instruction} * locals_ + i]) continue;
        bool is_named = i >= local && i < end;
        bool is_live = reads && is_named;
        for (u32 successor : next[instruction]) {
          bool is_handler = successor > instructions.count();
          if (writes && is_named && !is_handler) continue;
          if (live_[u64{is_handler ? ~successor : successor} * locals_ + i]) is_live = true;
        }
        if (!is_live) continue;
        live_[u64{instruction} * locals_ + i] = true;
        changed = true;
      }
    }
  }
}

}  // namespace keyhole::graph
