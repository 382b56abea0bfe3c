// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Collects the writes of each loop, then computes the versions in one pass over the blocks in reverse postorder.
#include "jit/graph/optimize/memory.h"

#include <algorithm>

namespace keyhole::graph {
namespace {

constexpr u32 no_part = ~u32{0};

bool is_element(Op op) { return op == Op::load_element || op == Op::store_element || op == Op::copy_elements; }
bool is_field(Op op) { return op == Op::load_field || op == Op::store_field; }
bool is_store(Op op) {
  return op == Op::store_field || op == Op::store_element || op == Op::copy_bytes || op == Op::copy_elements;
}

// The access type that stands for all elements of an array type in keys. char[] and short[] share one type, because
// stores into them have the same access type. Accesses to a float[] have the type 'I' already.
char width_of_element(char type) { return type == 'C' ? 'S' : type; }

}  // namespace

MemoryVersions::MemoryVersions(const Graph& graph)
    : parts_(graph.node_count(), no_part), versions_(graph.node_count()), block_writes_(graph.blocks.size()),
      loop_writes_(graph.blocks.size()), at_end_(graph.blocks.size()) {
  find_writes(graph);
  for (const Block* block : graph.blocks) {
    if (block->is_loop_header) find_loop_writes(graph, block);
  }
  for (const Block* block : graph.blocks) {
    enter(block);
    pass(block);
    at_end_[block->id] = now_;
  }
}

bool MemoryVersions::is_written_in(const Block* header, const Node* load) const {
  const Writes& writes = loop_writes_[header->id];
  return writes.all || std::ranges::find(writes.parts, parts_[load->id]) != writes.parts.end();
}

bool MemoryVersions::writes_all(const Node* node) {
  switch (node->op) {
    case Op::monitor_enter:
    case Op::store_raw:
    case Op::compare_and_set:
    case Op::compare_and_exchange:
    case Op::exchange:
    case Op::fetch_and_add:
    case Op::fence:
    case Op::load_store_fence:
    case Op::spin_wait:
    case Op::set_current_thread:
    case Op::set_scoped_value_cache:
    case Op::copy_array:
    case Op::library_call: return true;
    case Op::load_raw: return node->access.is_ordered;
    default: break;
  }
  if (node->has(effect::calls)) return true;
  return is_field(node->op) && node->access.is_ordered;
}

u32 MemoryVersions::part_of(const Node* node) {
  if (!is_field(node->op) && !is_element(node->op) && node->op != Op::copy_bytes) return no_part;
  // The key of a field has the 48 bits of its name's address and 16 bits of its offset. Fields with equal keys count as
  // one part.
  u64 key = node->op == Op::copy_bytes ? static_cast<u64>('B')
            : is_element(node->op)     ? static_cast<u64>(width_of_element(node->access.type))
                                       : reinterpret_cast<u64>(node->access.name) | (u64{node->access.offset} << 48);
  return numbers_.emplace(key, static_cast<u32>(numbers_.size())).first->second;
}

void MemoryVersions::find_writes(const Graph& graph) {
  for (const Block* block : graph.blocks) {
    Writes& writes = block_writes_[block->id];
    for (const Node* node : block->nodes) {
      u32 part = parts_[node->id] = part_of(node);
      if (writes_all(node)) writes.all = true;
      else if (is_store(node->op)) writes.parts.push_back(part);
    }
  }
  now_.assign(numbers_.size(), 0);
}

// Collects the writes of all blocks of the loop. These blocks are those from which a back edge can be reached without
// passing the header.
void MemoryVersions::find_loop_writes(const Graph& graph, const Block* header) {
  Writes& writes = loop_writes_[header->id];
  std::vector<bool> is_in(graph.blocks.size());
  std::vector<const Block*> work;
  auto enter = [&](const Block* block) {
    if (is_in[block->id]) return;
    is_in[block->id] = true;
    work.push_back(block);
  };
  is_in[header->id] = true;
  for (const Block* predecessor : header->predecessors) {
    if (predecessor->id >= header->id) enter(predecessor);
  }
  auto add = [&](const Block* block) {
    const Writes& more = block_writes_[block->id];
    writes.all = writes.all || more.all;
    writes.parts.insert(writes.parts.end(), more.parts.begin(), more.parts.end());
  };
  add(header);
  while (!work.empty() && !writes.all) {
    const Block* block = work.back();
    work.pop_back();
    add(block);
    for (const Block* predecessor : block->predecessors) enter(predecessor);
  }
}

// Sets the version of each part of the heap at the start of the block, by merging the versions at the ends of the
// block's forward edges. At a loop header, each part that the loop may write gets a new version.
void MemoryVersions::enter(const Block* block) {
  const std::vector<u32>* first = nullptr;
  for (const Block* predecessor : block->predecessors) {
    if (predecessor->id >= block->id) continue;  // a back edge
    const std::vector<u32>& versions = at_end_[predecessor->id];
    if (first == nullptr) {
      first = &versions;
      now_ = versions;
      continue;
    }
    for (usize part = 0; part < now_.size(); ++part) {
      // If the predecessors have different versions of a part of the heap, the part gets a new version, which differs
      // from all of theirs.
      if (now_[part] != versions[part]) now_[part] = ++last_version_;
    }
  }
  if (first == nullptr) {
    for (u32& version : now_) version = ++last_version_;
  }
  const Writes& writes = loop_writes_[block->id];
  if (writes.all) {
    for (u32& version : now_) version = ++last_version_;
  } else {
    for (u32 part : writes.parts) now_[part] = ++last_version_;
  }
}

void MemoryVersions::pass(const Block* block) {
  for (const Node* node : block->nodes) {
    u32 part = parts_[node->id];
    if (writes_all(node)) {
      for (u32& version : now_) version = ++last_version_;
    } else if (is_store(node->op)) {
      now_[part] = ++last_version_;
    }
    if (part != no_part && !writes_all(node)) versions_[node->id] = now_[part];
  }
}

}  // namespace keyhole::graph
