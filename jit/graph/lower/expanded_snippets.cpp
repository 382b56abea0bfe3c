// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Expands the shortest snippets to low nodes, for the middle tier (jit/middle), which does not inline their bitcode. An
// expansion does the same as its snippet (jit/snippets/objects.h). Baseline code has the same sequences
// (jit/baseline/macro_assembler.cpp).
#include "gc/barrier.h"
#include "gc/heap/heap.h"
#include "jit/graph/lower/lowering.h"
#include "runtime/object/layout.h"

namespace keyhole::graph {

using low::Alias;
using low::no_node;

namespace {

constexpr low::Type word_type = sizeof(layout::Word) == 8 ? low::Type::I64 : low::Type::I32;
// Offset of the klass id in an object's header, for header layouts that do not keep the klass id in the header word.
constexpr i64 klass_id_offset = i64{layout::header_bytes} - 4;

}  // namespace

// Returns true if it has expanded the snippet. Then `result` is the snippet's result, or no_node if it has none.
bool Lowering::expand_snippet(std::string_view name, const std::vector<NodeId>& arguments, NodeId* result) {
  *result = no_node;
  if (name == "klass_id_of") *result = expanded_klass_id(arguments[0]);
  else if (name == "klass_of") *result = expanded_klass(arguments[0]);
  else if (name == "has_room") *result = expanded_has_room(arguments[2]);
  else if (name == "has_room_for_array") *result = expanded_has_room_for_array(arguments);
  else if (name == "allocate") *result = expanded_allocation(arguments[1], arguments[2]);
  else if (name == "allocate_array") *result = expanded_array_allocation(arguments);
  else if (name == "initialize_reference") expand_store(arguments, /*is_ordered=*/false, /*marks=*/false);
  else if (name == "store_reference") expand_store(arguments, /*is_ordered=*/false, /*marks=*/true);
  else if (name == "store_volatile_reference") expand_store(arguments, /*is_ordered=*/true, /*marks=*/true);
  else return false;
  return true;
}

Lowering::NodeId Lowering::expanded_klass_id(NodeId object) {
  if constexpr (layout::klass_is_in_word && layout::klass_shift == 32) {
    return b_.load(low::Type::I32, b_.address(object, no_node, 1, 4), Alias::Header);
  } else if constexpr (layout::klass_is_in_word) {
    NodeId word = b_.load(word_type, object, Alias::Header);
    NodeId id = b_.value(low::Op::UShr, word_type, {word, b_.constant(word_type, layout::klass_shift)});
    return word_type == low::Type::I32 ? id : b_.value(low::Op::Truncate, low::Type::I32, {id});
  } else {
    return b_.load(low::Type::I32, b_.address(object, no_node, 1, klass_id_offset), Alias::Header);
  }
}

Lowering::NodeId Lowering::expanded_klass(NodeId object) {
  NodeId id = b_.value(low::Op::ZeroExtend, low::Type::I64, {expanded_klass_id(object)});
  NodeId table = b_.constant(low::Type::Ptr, address_space::klass_table_base);
  return b_.load(low::Type::Ptr, b_.address(table, id, sizeof(Klass*), 0), Alias::Metadata);
}

Lowering::NodeId Lowering::expanded_has_room(NodeId bytes) {
  NodeId top = thread_field(offsetof(JavaThread, tlab_top), low::Type::I64);
  NodeId end = thread_field(offsetof(JavaThread, tlab_end), low::Type::I64);
  return b_.value(low::Op::BelowEqual, low::Type::I1, {bytes, b_.value(low::Op::Sub, low::Type::I64, {end, top})});
}

// Computes the size of an array in bytes. The length must be at most longest_fast_array.
Lowering::NodeId Lowering::array_bytes(NodeId element_shift, NodeId length) {
  u32 shift = static_cast<u32>(lowered_.function.nodes[element_shift].bits);
  auto number = [&](u64 value) { return b_.constant(low::Type::I64, value); };
  NodeId elements =
      b_.value(low::Op::Shl, low::Type::I64, {b_.value(low::Op::ZeroExtend, low::Type::I64, {length}), number(shift)});
  u64 rounded = u64{layout::array_base_offset(shift)} + layout::object_alignment - 1;
  NodeId bytes = b_.value(low::Op::Add, low::Type::I64, {elements, number(rounded)});
  return b_.value(low::Op::And, low::Type::I64, {bytes, number(~u64{layout::object_alignment - 1})});
}

Lowering::NodeId Lowering::expanded_has_room_for_array(const std::vector<NodeId>& arguments) {
  NodeId length = arguments[3];
  NodeId is_short = b_.value(low::Op::BelowEqual, low::Type::I1, {length, int_constant(heap::longest_fast_array)});
  return b_.value(low::Op::And, low::Type::I1, {is_short, expanded_has_room(array_bytes(arguments[2], length))});
}

Lowering::NodeId Lowering::expanded_allocation(NodeId klass_id, NodeId bytes) {
  NodeId top = thread_field(offsetof(JavaThread, tlab_top), low::Type::I64);
  NodeId place = b_.address(thread_, no_node, 1, offsetof(JavaThread, tlab_top));
  b_.store(place, b_.value(low::Op::Add, low::Type::I64, {top, bytes}), Alias::Thread,
           offsetof(JavaThread, tlab_top) + 1);
  NodeId object = b_.value(low::Op::Bits, low::Type::Ptr, {top});
  u32 id = static_cast<u32>(lowered_.function.nodes[klass_id].bits);
  b_.store(object, b_.constant(word_type, layout::prototype_word(id)), Alias::Header);
  if constexpr (!layout::klass_is_in_word)
    b_.store(b_.address(object, no_node, 1, klass_id_offset), klass_id, Alias::Header);
  return object;
}

Lowering::NodeId Lowering::expanded_array_allocation(const std::vector<NodeId>& arguments) {
  NodeId array = expanded_allocation(arguments[1], array_bytes(arguments[2], arguments[3]));
  b_.store(b_.address(array, no_node, 1, layout::array_length_offset), arguments[3], Alias::ArrayLength);
  return array;
}

// Stores a reference, and marks the card of its slot (B2 of gc/barrier.h).
void Lowering::expand_store(const std::vector<NodeId>& arguments, bool is_ordered, bool marks) {
  NodeId offset = b_.value(low::Op::ZeroExtend, low::Type::I64, {arguments[1]});
  NodeId slot = b_.address(arguments[0], offset, 1, 0);
  NodeId bits = b_.value(low::Op::Bits, low::Type::I64, {arguments[2]});
  NodeId shifted = b_.value(low::Op::UShr, low::Type::I64, {bits, b_.constant(low::Type::I64, narrow_shift)});
  b_.store(slot, b_.value(low::Op::Truncate, low::Type::I32, {shifted}), Alias::Any, 0,
           is_ordered ? low::Order::SequentiallyConsistent : low::Order::Unordered);
  if (!marks || barrier::kind == barrier::Kind::None) return;
  NodeId number =
      b_.value(low::Op::UShr, low::Type::I64,
               {b_.value(low::Op::Bits, low::Type::I64, {slot}), b_.constant(low::Type::I64, barrier::card_shift)});
  NodeId card =
      b_.address(b_.value(low::Op::Bits, low::Type::Ptr, {number}), no_node, 1, static_cast<i64>(barrier::card_bias));
  b_.store(card, b_.constant(low::Type::I8, barrier::dirty_card), Alias::Any);
}

}  // namespace keyhole::graph
