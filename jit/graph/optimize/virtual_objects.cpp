// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tracks candidates and their field values while escape analysis walks over the graph.
#include "jit/graph/optimize/virtual_objects.h"

#include <algorithm>

#include "jit/graph/optimize/counters.h"
#include "runtime/base/flags.h"
#include "runtime/object/klass.h"
#include "runtime/object/object.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::graph {
namespace {

constexpr usize most_fields = 32;

// Returns the type letter of an Access to a field or element of this Java type.
char access_type(BasicType type) {
  switch (type) {
    case BasicType::Boolean:
    case BasicType::Byte: return 'B';
    case BasicType::Char: return 'C';
    case BasicType::Short: return 'S';
    case BasicType::Long:
    case BasicType::Double: return 'J';
    case BasicType::Reference: return 'A';
    default: return 'I';
  }
}
Type stack_type(BasicType type) {
  switch (type) {
    case BasicType::Long: return Type::Long;
    case BasicType::Float: return Type::Float;
    case BasicType::Double: return Type::Double;
    case BasicType::Reference: return Type::Reference;
    default: return Type::Int;
  }
}

bool is_element(const Node* node) { return node->op == Op::load_element || node->op == Op::store_element; }

}  // namespace

std::vector<VirtualField> elements_of(const Klass* klass, u32 length) {
  std::vector<VirtualField> elements;
  for (u32 i = 0; i < length; ++i) {
    u32 offset = Object::element_offset(klass->element_shift, i);
    elements.push_back({{access_type(klass->element_type), false, offset, nullptr}, stack_type(klass->element_type)});
  }
  return elements;
}

std::vector<VirtualField> fields_of(const Klass* klass) {
  std::vector<VirtualField> fields;
  for (; klass != nullptr; klass = klass->super) {
    const InstanceKlass* holder = klass->as_instance();
    for (const Field& field : std::span(holder->fields, holder->field_count)) {
      if (!field.is_static())
        fields.push_back({{access_type(field.type), false, field.offset, field.name}, stack_type(field.type)});
    }
  }
  std::ranges::sort(fields, {}, [](const VirtualField& field) { return field.access.offset; });
  return fields;
}

VirtualObjects::VirtualObjects(Graph& graph) : graph_(graph), by_node_(graph.node_count()) {
  find_candidates();
  if (empty()) return;
  ends_.resize(graph.blocks.size());
  now_.resize(types_.size());
  find_loop_stores();
}

void VirtualObjects::find_candidates() {
  for (Block* block : graph_.blocks) {
    for (Node* node : block->nodes) {
      if (node->op == Op::new_instance) {
        const Klass* klass = klass_of_id(node->allocation.klass_id);
        if (klass->kind == KlassKind::Instance) add(node, fields_of(klass), klass, 0);
      } else if (node->op == Op::new_array && node->inputs[0]->is_constant()) {
        const Klass* klass = klass_of_id(node->allocation.klass_id);
        u64 length = node->inputs[0]->bits;
        if (length > static_cast<u64>(flags::EliminateAllocationArraySizeLimit)) continue;
        add(node, elements_of(klass, static_cast<u32>(length)), klass, static_cast<u32>(length));
        candidates_.back().length = node->inputs[0];
      }
    }
  }
}

void VirtualObjects::add(Node* node, std::vector<VirtualField> fields, const Klass* klass, u32 length) {
  if (klass->is_instance() && fields.size() > most_fields) return;
  u32 first = static_cast<u32>(types_.size());
  for (const VirtualField& field : fields) types_.push_back(field.type);
  VirtualLayout layout{klass, length, graph_.make_span<VirtualField>(std::span<const VirtualField>(fields))};
  candidates_.push_back({node, layout, first});
  by_node_[node->id] = &candidates_.back();
}

// Returns the numbers of the fields to which the node may store. If a load has given the node its object, this object
// may be any candidate for scalar replacement.
std::vector<u32> VirtualObjects::stores_of(const Node* node) {
  std::vector<u32> fields;
  if (node->op != Op::store_field && node->op != Op::store_element) return fields;
  const Node* holder = node->inputs[0];
  for (const Candidate& object : candidates_) {
    bool is_it = holder == object.node;
    if (!is_it && holder->op != Op::load_field && holder->op != Op::load_element) continue;
    bool is_any = is_element(node) && object.layout.klass->is_array() && !node->inputs[1]->is_constant();
    for (u32 i = 0; is_any && i < object.layout.fields.size(); ++i) fields.push_back(object.first + i);
    i64 field = is_any ? -1 : field_of(object, node);
    if (field >= 0) fields.push_back(static_cast<u32>(field));
  }
  return fields;
}

void VirtualObjects::find_loop_stores() {
  loop_stores_.resize(graph_.blocks.size());
  std::vector<std::vector<u32>> stores(graph_.blocks.size());
  for (const Block* block : graph_.blocks) {
    for (const Node* node : block->nodes) {
      std::vector<u32> fields = stores_of(node);
      stores[block->id].insert(stores[block->id].end(), fields.begin(), fields.end());
    }
  }
  for (const Block* header : graph_.blocks) {
    if (!header->is_loop_header) continue;
    std::vector<bool>& in_loop = loop_stores_[header->id];
    in_loop.assign(types_.size(), false);
    std::vector<bool> is_in = blocks_of_loop(graph_, header);
    for (const Block* block : graph_.blocks) {
      if (!is_in[block->id]) continue;
      for (u32 field : stores[block->id]) in_loop[field] = true;
    }
  }
}

// --- objects ---------------------------------------------------------------------------------------------------------

Candidate* VirtualObjects::of(const Node* value) {
  if (value == nullptr || value->id >= by_node_.size()) return nullptr;
  Candidate* object = by_node_[value->id];
  return object == nullptr || object->escapes ? nullptr : object;
}

Node* VirtualObjects::resolve(Node* value) const {
  while (value != nullptr && value->id < aliases_.size() && aliases_[value->id] != nullptr) value = aliases_[value->id];
  return value;
}

void VirtualObjects::alias(Node* load, Node* value) {
  if (load->id >= aliases_.size()) aliases_.resize(load->id + 1);
  aliases_[load->id] = value;
}

void VirtualObjects::forget_aliases() {
  aliases_.clear();
  changed_ = false;
  used_.clear();
  for (auto& [place, phi] : phis_) {
    phi.is_used = false;
    if (phi.forced != nullptr) alias(phi.node, phi.forced);
  }
}

void VirtualObjects::escape(Node* value) {
  if (Candidate* object = of(value)) object->escapes = changed_ = true;
}

i64 VirtualObjects::field_of(const Candidate& object, const Node* access) const {
  if (is_element(access) != object.layout.klass->is_array()) return -1;
  std::span<VirtualField> fields = object.layout.fields;
  if (is_element(access)) {
    const Node* index = access->inputs[1];
    return index->is_constant() && index->bits < fields.size() ? object.first + static_cast<i64>(index->bits) : -1;
  }
  auto found = std::ranges::find_if(
      fields, [access](const VirtualField& field) { return field.access.offset == access->access.offset; });
  return found == fields.end() ? -1 : object.first + (found - fields.begin());
}

// --- the walk --------------------------------------------------------------------------------------------------------

void VirtualObjects::enter(const Block* block) {
  const std::vector<bool>& stored = loop_stores_[block->id];
  for (u32 field = 0; field < now_.size(); ++field) {
    Node* only = nullptr;
    bool is_there = true, is_one = stored.empty() || !stored[field];
    for (const Block* from : block->predecessors) {
      if (from->id >= block->id) continue;  // a back edge
      Node* value = resolve(ends_[from->id][field]);
      is_there &= value != nullptr;
      is_one &= only == nullptr || only == value;
      only = value;
    }
    now_[field] = !is_there ? nullptr : is_one || only == nullptr ? only : resolve(phi_at(block, field));
  }
}

// All fields of a new object begin with zero.
void VirtualObjects::make(const Candidate& object) {
  for (u32 i = 0; i < object.layout.fields.size(); ++i) {
    Node*& zero = defaults_[{object.node, object.layout.fields[i].type}];
    if (zero == nullptr) {
      zero = graph_.make(Op::constant, object.layout.fields[i].type);
      Block* block = zero->block = graph_.blocks[0];
      auto first = std::ranges::find_if(block->nodes, [](const Node* node) { return node->op != Op::phi; });
      block->nodes.insert(first, zero);
    }
    now_[object.first + i] = zero;
  }
}

Node* VirtualObjects::phi_at(const Block* block, u32 field) {
  Phi& phi = phis_[{block->id, field}];
  if (phi.node == nullptr) {
    std::vector<Node*> inputs(block->predecessors.size());
    phi = {graph_.make(Op::phi, type_of(field), inputs), graph_.blocks[block->id], field};
    if (phi.node->id >= phi_by_node_.size()) phi_by_node_.resize(phi.node->id + 1);
    phi_by_node_[phi.node->id] = &phi;
  }
  return phi.node;
}

VirtualObjects::Phi* VirtualObjects::phi_of(const Node* value) {
  return value == nullptr || value->id >= phi_by_node_.size() ? nullptr : phi_by_node_[value->id];
}

void VirtualObjects::use(Node* value) {
  Phi* phi = phi_of(value);
  if (phi == nullptr || phi->is_used) return;
  phi->is_used = true;
  used_.push_back(phi);
}

bool VirtualObjects::settle() {
  auto input = [this](const Phi& phi, usize edge) {
    return resolve(ends_[phi.block->predecessors[edge]->id][phi.field]);
  };
  auto escape_inputs = [&](const Phi& phi) {
    for (usize edge = 0; edge < phi.node->inputs.size(); ++edge) escape(input(phi, edge));
  };
  for (auto& [place, phi] : phis_) {
    if (phi.forced == nullptr) continue;
    bool holds = of(phi.forced) != nullptr;
    for (usize edge = 0; edge < phi.node->inputs.size(); ++edge) holds &= input(phi, edge) == phi.forced;
    if (holds) continue;
    escape_inputs(phi);
    phi.forced = nullptr;
    phi.is_settled = changed_ = true;
  }
  for (usize i = 0; i < used_.size(); ++i) {  // use() appends to used_
    Phi& phi = *used_[i];
    Node* only = nullptr;
    bool is_one = true;
    for (usize edge = 0; edge < phi.node->inputs.size(); ++edge) {
      Node* value = phi.node->inputs[edge] = input(phi, edge);
      use(value);
      if (value == phi.node) continue;
      is_one &= only == nullptr || only == value;
      only = value;
    }
    if (is_one && of(only) != nullptr && !phi.is_settled) {
      phi.forced = only;
      changed_ = true;
    } else {
      escape_inputs(phi);
    }
  }
  return changed_;
}

void VirtualObjects::place_phis() {
  for (const Phi* phi : used_) {
    phi->node->block = phi->block;
    phi->block->nodes.insert(phi->block->nodes.begin(), phi->node);
  }
}

}  // namespace keyhole::graph
