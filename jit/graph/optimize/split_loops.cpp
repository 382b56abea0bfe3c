// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Loop splitting for on-stack replacement. A graph that is entered in an inner loop has one header for that loop and
// for the loops around it:
//
//     entry ──> header <── inner          entry ──> outer ──> header <── inner
//                 ^   \                              ^           \
//                 └────── outer's end                └────────────── outer's end
//
// Any of the back edges may stay at the inner header, because the outer header only jumps to it. The phase keeps those
// that change the fewest phis of the header. In the inner loop, the phis that they do not change are then
// loop-invariant.
#include <algorithm>

#include "jit/graph/optimize/phases.h"

namespace keyhole::graph {
namespace {

u32 values_left_alone(const Block* header, usize edge) {
  u32 count = 0;
  for (const Node* node : header->nodes) {
    if (node->op != Op::phi) break;
    if (node->inputs[edge] == node) ++count;
  }
  return count;
}

// Makes the header of the outer loop. The edges for which `is_outer` returns true move from the old header to this new
// header.
Block* give_edges(Graph& graph, Block* header, const std::vector<bool>& is_outer) {
  Block* outer = graph.make_block();
  std::vector<Block*> kept{outer};
  for (usize edge = 0; edge < header->predecessors.size(); ++edge) {
    Block* from = header->predecessors[edge];
    if (!is_outer[edge]) {
      kept.push_back(from);
      continue;
    }
    *std::ranges::find(from->successors, header) = outer;
    outer->predecessors.push_back(from);
  }
  for (Node* phi : header->nodes) {
    if (phi->op != Op::phi) break;
    std::vector<Node*> outer_inputs, inputs(1);
    for (usize edge = 0; edge < is_outer.size(); ++edge)
      (is_outer[edge] ? outer_inputs : inputs).push_back(phi->inputs[edge]);
    Node* outer_phi = graph.make(Op::phi, phi->type, outer_inputs);
    outer_phi->is_never_null = phi->is_never_null;
    Graph::append(outer, outer_phi);
    inputs[0] = outer_phi;
    phi->inputs = graph.make_span<Node*>(inputs);
  }
  header->predecessors.assign(kept.begin(), kept.end());
  return outer;
}

// Copies the header's frame state for a place before the loop: each phi of the header is replaced by its first input,
// which exists before the loop.
FrameState* state_before(Graph& graph, const FrameState& at_header, const Block* header) {
  FrameState* state = graph.make_frame_state(at_header);
  auto before = [header](std::span<Node*> slots) {
    for (Node*& value : slots) {
      if (value != nullptr && value->op == Op::phi && value->block == header) value = value->inputs[0];
    }
  };
  before(state->locals);
  before(state->operands);
  for (FieldValues& object : state->objects) before(object.values);
  return state;
}

}  // namespace

bool split_entered_loop(Graph& graph) {
  if (!graph.loop_instruction) return false;
  for (Block* header : graph.blocks) {
    auto found = std::ranges::find_if(header->nodes, [](const Node* node) { return node->op == Op::loop_entry; });
    if (!header->is_loop_header || found == header->nodes.end()) continue;
    Node* entry = *found;
    header->nodes.erase(found);
    u32 most = 0, least = ~u32{0};
    for (usize edge = 0; edge < header->predecessors.size(); ++edge) {
      if (header->predecessors[edge]->id < header->id) continue;
      u32 count = values_left_alone(header, edge);
      most = std::max(most, count);
      least = std::min(least, count);
    }
    if (least >= most) return false;
    std::vector<bool> is_outer;
    for (usize edge = 0; edge < header->predecessors.size(); ++edge) {
      bool is_entry = header->predecessors[edge]->id < header->id;
      is_outer.push_back(is_entry || values_left_alone(header, edge) < most);
    }
    Block* outer = give_edges(graph, header, is_outer);
    entry->state = state_before(graph, *entry->state, header);
    Graph::append(outer, entry);
    Graph::append(outer, graph.make(Op::jump, Type::None));
    outer->successors.push_back(header);
    graph.order_blocks();
    graph.remove_redundant_phis();
    return true;
  }
  return false;
}

}  // namespace keyhole::graph
