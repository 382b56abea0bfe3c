// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lowers accesses to fields, elements and mirrors: computes addresses, and decodes references.
#include "jit/graph/lower/lowering.h"
#include "runtime/object/object.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::graph {

using low::Alias;
using low::no_node;
using low::Order;

namespace {

u32 shift_of(char type) {
  switch (type) {
    case 'B': return 0;
    case 'C':
    case 'S': return 1;
    case 'J': return 3;
    default: return 2;
  }
}

}  // namespace

// The type of a value in memory. Floats have the Access type 'I', doubles 'J'.
low::Type Lowering::memory_type(char type) {
  switch (type) {
    case 'B': return low::Type::I8;
    case 'C':
    case 'S': return low::Type::I16;
    case 'J': return low::Type::I64;
    default: return low::Type::I32;
  }
}

Lowering::Place Lowering::field(const Node* node) {
  u32 offset = node->access.offset;
  return {b_.address(value_of(node->inputs[0]), no_node, 1, offset), Alias::Field, offset + 1};
}

Lowering::Place Lowering::element(const Node* node) {
  u32 shift = shift_of(node->access.type);
  NodeId index = b_.value(low::Op::ZeroExtend, low::Type::I64, {value_of(node->inputs[1])});
  u32 part = node->access.type == 'A' ? reference_part : shift + 1;
  return {b_.address(value_of(node->inputs[0]), index, 1u << shift, layout::array_base_offset(shift)), Alias::Element,
          part};
}

Lowering::NodeId Lowering::load(const Access& access, Type type, const Place& place) {
  low::Type memory = memory_type(access.type);
  bool is_floating = type == Type::Float || type == Type::Double;
  if (is_floating && !access.is_ordered) memory = type_of(type);
  Order order = access.is_ordered    ? Order::SequentiallyConsistent
                : access.type == 'A' ? Order::Unordered
                                     : Order::Plain;
  NodeId loaded = b_.load(memory, place.address, place.alias, place.part, order);
  switch (access.type) {
    case 'B':
    case 'S': return b_.value(low::Op::SignExtend, low::Type::I32, {loaded});
    case 'C': return b_.value(low::Op::ZeroExtend, low::Type::I32, {loaded});
    case 'A': return decoded(loaded);
    default: break;
  }
  if (is_floating && access.is_ordered) return b_.value(low::Op::Bits, type_of(type), {loaded});
  return loaded;
}

void Lowering::store(const Access& access, const Place& place, const Node* node) {
  NodeId value = value_of(node);
  bool is_floating = node->type == Type::Float || node->type == Type::Double;
  if (is_floating && access.is_ordered) value = b_.value(low::Op::Bits, memory_type(access.type), {value});
  else if (shift_of(access.type) < 2) value = b_.value(low::Op::Truncate, memory_type(access.type), {value});
  Order order = access.is_ordered ? Order::SequentiallyConsistent : Order::Plain;
  b_.store(place.address, value, place.alias, place.part, order);
}

Lowering::NodeId Lowering::decoded(NodeId narrow) {
  NodeId wide = b_.value(low::Op::ZeroExtend, low::Type::I64, {narrow});
  NodeId address = b_.value(low::Op::Shl, low::Type::I64, {wide, b_.constant(low::Type::I64, narrow_shift)});
  return b_.value(low::Op::Bits, low::Type::Ptr, {address});
}

Lowering::NodeId Lowering::array_length(const Node* node) {
  NodeId address = b_.address(value_of(node->inputs[0]), no_node, 1, layout::array_length_offset);
  return b_.load(low::Type::I32, address, Alias::ArrayLength);
}

Lowering::NodeId Lowering::mirror_of(const Klass* klass) {
  NodeId root = numbered_symbol("mirror", &klass->mirror);
  return b_.load(low::Type::Ptr, root, Alias::Metadata);
}

}  // namespace keyhole::graph
