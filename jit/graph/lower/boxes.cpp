// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lowers allocation and comparison of boxes.
//
//   box           place in the cache? ──> its element
//                        └──> allocated, the number stored
//   virtual_box   the number. The box's stack slot gets it, and the site's metadata describe it (scalar_replaced.cpp)

#include "jit/graph/lower/lowering.h"
#include "runtime/object/object.h"
#include "vm/link/well_known.h"

namespace keyhole::graph {

using low::Alias;
using low::no_node;

// Returns the index of the boxed int in the cache of Integer.valueOf. The int is in the cache if the index, compared as
// unsigned, is below the cache's length.
Lowering::NodeId Lowering::place_in_cache(const Node* box) {
  return b_.value(low::Op::Sub, low::Type::I32, {value_of(box->inputs[0]), int_constant(box->cache.first)});
}

Lowering::NodeId Lowering::cached_box(NodeId place) {
  NodeId holder = mirror_of(well_known::IntegerCache_class);
  NodeId field = b_.address(holder, no_node, 1, well_known::IntegerCache_cache);
  NodeId cache =
      decoded(b_.load(low::Type::I32, field, Alias::Field, well_known::IntegerCache_cache + 1, low::Order::Unordered));
  NodeId index = b_.value(low::Op::ZeroExtend, low::Type::I64, {place});
  NodeId element = b_.address(cache, index, sizeof(NarrowRef), layout::array_base_offset(2));
  return decoded(b_.load(low::Type::I32, element, Alias::Element, reference_part, low::Order::Unordered));
}

void Lowering::lower_box(const Node* node) {
  BlockId small = b_.new_block(), large = b_.new_block(), merged = b_.new_block();
  NodeId place = place_in_cache(node), count = int_constant(node->cache.count);
  b_.branch(b_.value(low::Op::Below, low::Type::I1, {place, count}), small, large);
  b_.go_to(small);
  NodeId cached = cached_box(place);
  b_.jump(merged);
  b_.go_to(large);
  const Klass* klass = well_known::Integer_class;
  NodeId bytes = b_.constant(low::Type::I64, well_known::Integer_class->instance_bytes);
  NodeId made = allocate(false, {thread_, int_constant(klass->id), bytes}, node->state);
  NodeId number = b_.address(made, no_node, 1, well_known::Integer_value);
  b_.store(number, value_of(node->inputs[0]), Alias::Field, well_known::Integer_value + 1);
  b_.fence(low::Order::Release);
  b_.jump(merged);
  b_.go_to(merged);
  NodeId box = b_.phi(low::Type::Ptr, 2);
  b_.set_operand(box, 0, cached);
  b_.set_operand(box, 1, made);
  values_[node->id] = box;
}

// Compares a virtual box with another object. If the boxed int is in the cache of Integer.valueOf, the virtual box
// stands for the cached object. Otherwise the virtual box equals no other object.
void Lowering::lower_comparison_with_box(const Node* node) {
  bool is_left = node->inputs[0]->op == Op::virtual_box;
  const Node *box = node->inputs[is_left ? 0 : 1], *other = node->inputs[is_left ? 1 : 0];
  BlockId small = b_.new_block(), merged = b_.new_block();
  NodeId place = place_in_cache(box), count = int_constant(box->cache.count);
  b_.branch(b_.value(low::Op::Below, low::Type::I1, {place, count}), small, merged);
  b_.go_to(small);
  NodeId is_same = b_.value(low::Op::Equal, low::Type::I1, {cached_box(place), value_of(other)});
  b_.jump(merged);
  b_.go_to(merged);
  NodeId result = b_.phi(low::Type::I1, 2);
  b_.set_operand(result, 0, b_.constant(low::Type::I1, 0));
  b_.set_operand(result, 1, is_same);
  bits_[node->id] = node->condition == Condition::Equal ? result : is_false(result);
}

}  // namespace keyhole::graph
