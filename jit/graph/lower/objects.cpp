// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lowers allocation, type checks and reference stores to snippets (jit/snippets). If the fast path of a snippet fails,
// the code calls a leaf function, which reaches no safepoint.
#include <fmt/format.h>

#include <algorithm>

#include "gc/heap/leaf_allocation.h"
#include "jit/graph/lower/lowering.h"
#include "runtime/object/object.h"
#include "vm/link/loading/array_klasses.h"
#include "vm/metadata/constant_pool.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::graph {

using low::Alias;
using low::no_node;

namespace {

bool is_subtype(const Klass* klass, const Klass* wanted) { return klass->is_subtype_of(wanted); }
bool can_store(const Klass* array, const Klass* klass) {
  return klass->is_subtype_of(static_cast<const ArrayKlass*>(array)->component);
}

}  // namespace

Lowering::NodeId Lowering::snippet(std::string_view name, low::Type type, const std::vector<NodeId>& arguments) {
  NodeId result;
  if (snippets_ == Snippets::Expanded && expand_snippet(name, arguments, &result)) return result;
  return b_.call_snippet(fmt::format("snippet_{}", name), type, arguments);
}

Lowering::NodeId Lowering::klass_of(NodeId object) { return snippet("klass_of", low::Type::Ptr, {object}); }

Lowering::NodeId Lowering::klass_id_of(NodeId object) { return snippet("klass_id_of", low::Type::I32, {object}); }

// Returns an I1: `if_null` if the reference is null, otherwise the result of `test`.
template <typename Test> Lowering::NodeId Lowering::unless_null(const Node* node, bool if_null, Test&& test) {
  if (node->is_never_null) return test();
  NodeId object = value_of(node);
  BlockId not_null = b_.new_block(), merged = b_.new_block();
  NodeId is_null = b_.value(low::Op::Equal, low::Type::I1, {object, b_.constant(low::Type::Ptr, 0)});
  b_.branch(is_null, merged, not_null);
  b_.go_to(not_null);
  NodeId result = test();
  b_.jump(merged);
  b_.go_to(merged);
  NodeId phi = b_.phi(low::Type::I1, 2);
  b_.set_operand(phi, 0, b_.constant(low::Type::I1, if_null));
  b_.set_operand(phi, 1, result);
  return phi;
}

Lowering::NodeId Lowering::is_subtype_of(NodeId object, const Klass* wanted) {
  bool is_final = (wanted->access_flags & access::Final) != 0;
  if (wanted->is_instance() && is_final) {  // a final class has no subtype except the class itself
    return b_.value(low::Op::Equal, low::Type::I1, {klass_id_of(object), int_constant(wanted->id)});
  }
  NodeId klass = klass_of(object), other = numbered_symbol("klass", wanted);
  if (wanted->is_in_displays()) {
    i64 place = static_cast<i64>(offsetof(Klass, supers)) + i64{wanted->depth} * 8;
    NodeId super = b_.load(low::Type::Ptr, b_.address(klass, no_node, 1, place), Alias::Metadata);
    return b_.value(low::Op::Equal, low::Type::I1, {super, other});
  }
  NodeId known = snippet("is_known_subtype", low::Type::I1, {klass, other});
  if (wanted->is_array()) {
    return or_by_leaf(known, "is_subtype", reinterpret_cast<const void*>(&is_subtype), {klass, other});
  }
  return is_listed(known, klass, other, wanted);
}

// Returns an I1: true if `known` is true, or if the wanted interface is among the secondary supers of the object's
// class. Each class has a filter word, Klass::absent_supers. If the word has the interface's bit, the interface is not
// among the secondary supers, and the code does not search.
Lowering::NodeId Lowering::is_listed(NodeId known, NodeId klass, NodeId other, const Klass* wanted) {
  BlockId unknown = b_.new_block(), slow = b_.new_block(), merged = b_.new_block();
  b_.branch(known, merged, unknown);
  b_.go_to(unknown);
  NodeId absent =
      b_.load(low::Type::I64, b_.address(klass, no_node, 1, offsetof(Klass, absent_supers)), Alias::Metadata);
  NodeId bit =
      b_.value(low::Op::And, low::Type::I64, {absent, b_.constant(low::Type::I64, Klass::bit_of_super(wanted->id))});
  b_.branch(b_.value(low::Op::NotEqual, low::Type::I1, {bit, b_.constant(low::Type::I64, 0)}), merged, slow);
  b_.go_to(slow);
  symbol("is_subtype", reinterpret_cast<const void*>(&is_subtype));
  NodeId result = b_.call_leaf("is_subtype", low::Type::I1, {klass, other});
  b_.jump(merged);
  b_.go_to(merged);
  NodeId phi = b_.phi(low::Type::I1, 3);
  b_.set_operand(phi, 0, b_.constant(low::Type::I1, 1));
  b_.set_operand(phi, 1, b_.constant(low::Type::I1, 0));
  b_.set_operand(phi, 2, result);
  return phi;
}

// Returns an I1: true if `known` is true, otherwise the result of calling `function`, a leaf function.
Lowering::NodeId Lowering::or_by_leaf(NodeId known, const std::string& name, const void* function,
                                      const std::vector<NodeId>& arguments) {
  BlockId slow = b_.new_block(), merged = b_.new_block();
  b_.branch(known, merged, slow, /*likely=*/true);
  b_.go_to(slow);
  symbol(name, function);
  NodeId result = b_.call_leaf(name, low::Type::I1, arguments);
  b_.jump(merged);
  b_.go_to(merged);
  NodeId phi = b_.phi(low::Type::I1, 2);
  b_.set_operand(phi, 0, b_.constant(low::Type::I1, 1));
  b_.set_operand(phi, 1, result);
  return phi;
}

void Lowering::lower_type_test(const Node* node) {
  NodeId object = value_of(node->inputs[0]);
  bool if_null = node->op == Op::is_castable;
  bits_[node->id] = unless_null(node->inputs[0], if_null, [&] { return is_subtype_of(object, node->klass); });
}

void Lowering::lower_can_store(const Node* node) {
  NodeId array = value_of(node->inputs[0]), object = value_of(node->inputs[1]);
  bits_[node->id] = unless_null(node->inputs[1], true, [&] {
    NodeId array_klass = klass_of(array);
    NodeId component =
        b_.load(low::Type::Ptr, b_.address(array_klass, no_node, 1, offsetof(ArrayKlass, component)), Alias::Metadata);
    const Klass* top = graph_.method()->holder->supers[0];
    NodeId takes_all = b_.value(low::Op::Equal, low::Type::I1, {component, numbered_symbol("klass", top)});
    BlockId slow = b_.new_block(), merged = b_.new_block();
    b_.branch(takes_all, merged, slow);
    b_.go_to(slow);
    NodeId klass = klass_of(object);
    NodeId result = or_by_leaf(snippet("can_store", low::Type::I1, {array_klass, klass}), "can_store",
                               reinterpret_cast<const void*>(&can_store), {array_klass, klass});
    b_.jump(merged);
    b_.go_to(merged);
    NodeId phi = b_.phi(low::Type::I1, 2);
    b_.set_operand(phi, 0, b_.constant(low::Type::I1, 1));
    b_.set_operand(phi, 1, result);
    return phi;
  });
}

Lowering::NodeId Lowering::has_class(const Node* node) {
  NodeId id = int_constant(node->klass->id);
  return b_.value(low::Op::Equal, low::Type::I1, {klass_id_of(value_of(node->inputs[0])), id});
}

Lowering::NodeId Lowering::selects(const Node* node) {
  const SelectedMethod& selected = *node->selected;
  NodeId found = selected_method(value_of(node->inputs[0]), selected.vtable_index);
  NodeId method = numbered_symbol("selected method", selected.method);
  return b_.value(low::Op::Equal, low::Type::I1, {found, method});
}

Lowering::NodeId Lowering::has_no_finalizer(const Node* node) {
  NodeId klass = klass_of(value_of(node->inputs[0]));
  NodeId flag =
      b_.load(low::Type::I8, b_.address(klass, no_node, 1, offsetof(InstanceKlass, has_finalizer)), Alias::Metadata);
  return b_.value(low::Op::Equal, low::Type::I1, {flag, b_.constant(low::Type::I8, 0)});
}

void Lowering::lower_allocation(const Node* node) {
  NodeId klass_id = b_.constant(low::Type::I32, node->allocation.klass_id);
  NodeId thread = thread_;
  bool is_array = node->op == Op::new_array;
  std::vector<NodeId> arguments;
  if (is_array) {
    arguments = {thread, klass_id, b_.constant(low::Type::I32, node->allocation.size), value_of(node->inputs[0])};
  } else {
    NodeId bytes = b_.constant(low::Type::I64, u64{node->allocation.size} * layout::object_alignment);
    arguments = {thread, klass_id, bytes};
  }
  values_[node->id] = allocate(is_array, arguments, node->state);
  if (is_small(node)) allocated_here_.push_back(node);
}

// Whether the object is so small that it never gets a heap region for itself alone.
bool Lowering::is_small(const Node* allocation) {
  constexpr u64 small = 64;  // an instance's size in units of object_alignment, or an array's number of elements
  if (allocation->op == Op::new_instance) return allocation->allocation.size <= small;
  const Node* length = allocation->inputs[0];
  return length->is_constant() && length->bits <= small;
}

// Allocates by a snippet, or by a leaf function if the thread's allocation buffer has no room. If the leaf function
// fails, the code deoptimizes.
Lowering::NodeId Lowering::allocate(bool is_array, const std::vector<NodeId>& arguments, const FrameState* state) {
  BlockId room = b_.new_block(), merged = b_.new_block(), full = b_.new_block();
  NodeId has_room = snippet(is_array ? "has_room_for_array" : "has_room", low::Type::I1, arguments);
  b_.branch(has_room, room, full, /*likely=*/true);
  b_.go_to(room);
  NodeId fast = snippet(is_array ? "allocate_array" : "allocate", low::Type::Ptr, arguments);
  b_.jump(merged);
  b_.go_to(full);
  std::string_view name = is_array ? "allocate_array_nogc" : "allocate_instance_nogc";
  symbol(std::string(name), is_array ? reinterpret_cast<const void*>(&heap::allocate_array_nogc)
                                     : reinterpret_cast<const void*>(&heap::allocate_instance_nogc));
  NodeId slow = b_.call_leaf(name, low::Type::Ptr, arguments);
  NodeId is_made = b_.value(low::Op::NotEqual, low::Type::I1, {slow, b_.constant(low::Type::Ptr, 0)});
  b_.branch(is_made, merged, deopt_exit(state), /*likely=*/true);
  b_.go_to(merged);
  NodeId made = b_.phi(low::Type::Ptr, 2);
  b_.set_operand(made, 0, fast);
  b_.set_operand(made, 1, slow);
  return made;
}

// Stores a reference by a snippet. The store marks no card if the value is null, or if the object that holds the field
// was allocated since the last call (B5 of gc/barrier.h).
void Lowering::store_reference(const Node* node) {
  const Access& access = node->access;
  NodeId holder = value_of(node->inputs[0]), value = value_of(node->inputs.back()), offset;
  if (node->op == Op::store_field) {
    offset = b_.constant(low::Type::I32, access.offset);
  } else {
    NodeId bytes = b_.value(low::Op::Shl, low::Type::I32, {value_of(node->inputs[1]), int_constant(2)});
    offset = b_.value(low::Op::Add, low::Type::I32, {bytes, int_constant(layout::array_base_offset(2))});
  }
  bool needs_no_mark = node->card_is_marked || node->inputs.back()->is_constant(0) ||
                       std::ranges::find(allocated_here_, node->inputs[0]) != allocated_here_.end();
  const char* kind = access.is_ordered ? "store_volatile_reference"
                     : needs_no_mark   ? "initialize_reference"
                                       : "store_reference";
  snippet(kind, low::Type::None, {holder, offset, value});
}

// The byte that bastore stores: for a boolean[] only the lowest bit.
Lowering::NodeId Lowering::byte_for_array(const Node* node) {
  NodeId value = value_of(node->inputs[1]);
  NodeId is_boolean = b_.value(low::Op::Equal, low::Type::I1,
                               {klass_id_of(value_of(node->inputs[0])), int_constant(boolean_array_klass_id)});
  NodeId bit = b_.value(low::Op::And, low::Type::I32, {value, int_constant(1)});
  return b_.value(low::Op::Select, low::Type::I32, {is_boolean, bit, value});
}

Lowering::NodeId Lowering::resolved_object(const Node* node) {
  const ResolvedObject& resolved = node->resolved;
  NodeId root = numbered_symbol("resolved references", &resolved.constants->resolved_references);
  NodeId array = b_.load(low::Type::Ptr, root, Alias::Metadata);
  i64 offset = Object::element_offset(2, resolved.index);
  NodeId element = b_.address(array, no_node, 1, offset);
  return decoded(b_.load(low::Type::I32, element, Alias::Element, reference_part, low::Order::Unordered));
}

Lowering::NodeId Lowering::root_object(const Node* node) {
  NodeId root = numbered_symbol("root", node->root);
  return b_.load(low::Type::Ptr, root, Alias::Metadata);
}

}  // namespace keyhole::graph
