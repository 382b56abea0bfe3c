// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Graphs as text.
//
//   b1 (loop): b0 b1
//     n7 int = phi n3 n12
//     n9 int = compare_int less n7 n4
//     guard n9, range @5 [n7 n4 | n9] holds n2       the bci, locals | operands, locks; - is none
//     branch n9: b1 b2
#include <fmt/format.h>

#include "jit/graph/graph.h"
#include "runtime/object/klass.h"
#include "vm/link/instance_klass.h"

namespace keyhole::graph {
namespace {

std::string_view name_of(Condition condition) {
  constexpr std::string_view names[] = {"equal", "not_equal", "less", "greater_or_equal", "greater", "less_or_equal",
                                        "below"};
  return names[static_cast<u32>(condition)];
}
std::string text_of_constant(const Node* node) {
  switch (node->type) {
    case Type::Int: return fmt::format("{}", static_cast<i32>(node->bits));
    case Type::Long: return fmt::format("{}", static_cast<i64>(node->bits));
    case Type::Float: return fmt::format("{}", __builtin_bit_cast(f32, static_cast<u32>(node->bits)));
    case Type::Double: return fmt::format("{}", __builtin_bit_cast(f64, node->bits));
    default: return "null";
  }
}

std::string text_of(const CallTarget& call) {
  switch (call.kind) {
    case CallKind::Direct: return call.method->external_name();
    case CallKind::Virtual: return fmt::format("virtual {}", call.vtable_index);
    case CallKind::Interface: return "interface " + call.interface->method->external_name();
    case CallKind::Step: return "step";
  }
  return {};
}

// Beside the inputs, with a space in front.
std::string operand_of(const Node* node) {
  switch (node->op) {
    case Op::constant: return " " + text_of_constant(node);
    case Op::parameter: return fmt::format(" {}", node->local);
    case Op::mirror: case Op::is_instance: case Op::is_castable: case Op::has_class:
      return fmt::format(" {}", node->klass->name->text());
    case Op::selects: return " " + node->selected->method->external_name();
    case Op::resolved_object: return fmt::format(" {}", node->resolved.index);
    case Op::compare_int: case Op::compare_reference: return fmt::format(" {}", name_of(node->condition));
    case Op::load_field: case Op::store_field:
      return fmt::format(" {}{} +{}", node->access.type, node->access.is_ordered ? " volatile" : "",
                         node->access.offset);
    case Op::load_element: case Op::store_element: case Op::load_raw: case Op::store_raw: case Op::compare_and_set:
    case Op::compare_and_exchange: case Op::exchange: case Op::fetch_and_add:
      return fmt::format(" {}{}{}", node->access.type, node->access.is_ordered ? " volatile" : "",
                         node->is_marked ? " (marked)" : "");
    case Op::new_instance: case Op::new_array:
      return fmt::format(" {}", klass_of_id(node->allocation.klass_id)->name->text());
    case Op::virtual_object: return fmt::format(" {}", node->layout->klass->name->text());
    case Op::guard: case Op::exit: return fmt::format(" {}", name(node->reason));
    case Op::call: return " " + text_of(*node->call);
    case Op::switch_: {
      std::string text;
      for (i32 key : node->switch_keys->keys) text += fmt::format(" {}", key);
      return text;
    }
    default: return node->has_no_record ? " (no record)" : "";
  }
}

std::string text_of(std::span<Node* const> values) {
  std::string text;
  for (const Node* value : values) {
    text += text.empty() ? "" : " ";
    text += value == nullptr ? "-" : fmt::format("n{}", value->id);
  }
  return text;
}

// Fields of virtual objects, by their offsets or indices.
std::string text_of(std::span<const FieldValues> objects) {
  std::string text;
  for (const FieldValues& object : objects) {
    text += fmt::format(" n{}{{", object.object->id);
    std::span<VirtualField> fields = object.object->layout->fields;
    for (usize i = 0; i < fields.size(); ++i) {
      u32 place = object.object->layout->klass->is_array() ? static_cast<u32>(i) : fields[i].access.offset;
      text += fmt::format("{}+{} n{}", i == 0 ? "" : " ", place, object.values[i]->id);
    }
    text += "}";
  }
  return text;
}

std::string text_of(const State* state) {
  std::string text, objects = state == nullptr ? "" : text_of(state->objects);
  for (; state != nullptr; state = state->outer) {
    text += " @";
    if (state->outer != nullptr) text += fmt::format("{}:", state->method->name->text());
    text += fmt::format("{} [{} | {}]", state->bci, text_of(state->locals), text_of(state->operands));
    if (state->locks != nullptr) text += " holds";
    for (const HeldLock* lock = state->locks; lock != nullptr; lock = lock->outer) {
      text += fmt::format(" n{}{}", lock->object->id,
                          lock->is_left_out ? " (left out)" : lock->has_no_record ? " (no record)" : "");
    }
    if (state->still_held != nullptr) text += fmt::format(" still holds n{}", state->still_held->id);
  }
  return text + objects;
}

}  // namespace

std::string_view name(Reason reason) {
  constexpr std::string_view names[] = {"null",   "range",      "zero_divisor", "negative_size", "cast", "element_type",
                                        "throws", "unresolved", "locks",        "interpreted",   "class", "untaken",
                                        "intrinsic", "hoisted",    "monitor"};
  return names[static_cast<u32>(reason)];
}

std::string print(const Graph& graph) {
  std::string text;
  for (const Block* block : graph.blocks) {
    text += fmt::format("b{}{}:", block->id, block->is_loop_header ? " (loop)" : "");
    for (const Block* predecessor : block->predecessors) text += fmt::format(" b{}", predecessor->id);
    text += "\n";
    for (const Node* node : block->nodes) {
      text += "  ";
      if (node->type != Type::None) text += fmt::format("n{} {} = ", node->id, graph::name_of(node->type));
      text += fmt::format("{}{}", row(node->op).name, operand_of(node));
      if (!node->inputs.empty()) text += " " + text_of(node->inputs);
      text += text_of(node->state);
      if (node == block->end()) {
        for (const Block* successor : block->successors) text += fmt::format(" b{}", successor->id);
      }
      text += "\n";
    }
  }
  return text;
}

}  // namespace keyhole::graph
