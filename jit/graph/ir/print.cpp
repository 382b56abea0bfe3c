// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints graphs as text.
//
//   b1 (loop): b0 b1
//     n7 int = phi n3 n12
//     n9 int = compare_int less n7 n4
//     guard range n9 @5 [n7 n4 | n9] holds n2       the bci, locals | operands, locks; - is a dead slot
//     branch n9 b1 b2
//
// Complete text has all attributes of a node, so that the tests' parser can read it back:
//
//     n5 reference! = new_instance {Point 2}        !: never null
//     n9 int = call direct {int Point.sum(int)} n5 n7 @{int Point.sum(int)}:4 [n5 | n7] @9 [- | ]
#include <fmt/format.h>

#include "jit/graph/ir/graph.h"
#include "runtime/object/klass.h"
#include "vm/interpreter/kernel_calls.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::graph {
namespace {

std::string text_of_constant(const Node* node) {
  switch (node->type) {
    case Type::Int: return fmt::format("{}", static_cast<i32>(node->bits));
    case Type::Long: return fmt::format("{}", static_cast<i64>(node->bits));
    case Type::Float: return fmt::format("{}", __builtin_bit_cast(f32, static_cast<u32>(node->bits)));
    case Type::Double: return fmt::format("{}", __builtin_bit_cast(f64, node->bits));
    default: return "null";
  }
}

std::string text_of(const CallTarget& call, Detail detail) {
  if (detail == Detail::Complete) {
    switch (call.kind) {
      case CallKind::Direct: return fmt::format("direct {{{}}}", call.method->external_name());
      case CallKind::Virtual: return fmt::format("virtual {} of {}", call.vtable_index, call.argument_slots);
      case CallKind::Interface: return fmt::format("interface {{{}}}", call.interface->method->external_name());
      case CallKind::Fallback: return fmt::format("fallback of {}", call.argument_slots);
    }
  }
  switch (call.kind) {
    case CallKind::Direct: return call.method->external_name();
    case CallKind::Virtual: return fmt::format("virtual {}", call.vtable_index);
    case CallKind::Interface: return "interface " + call.interface->method->external_name();
    case CallKind::Fallback: return "fallback";
  }
  return {};
}

// The node's attribute as complete text. Empty if the readable text of the attribute is complete.
std::string complete_operand_of(const Node* node) {
  switch (node->op) {
    case Op::mirror:
    case Op::is_instance:
    case Op::is_castable:
    case Op::has_class: return fmt::format(" {{{}}}", node->klass->name->text());
    case Op::selects:
      return fmt::format(" {} {{{}}}", node->selected->vtable_index, node->selected->method->external_name());
    case Op::load_field:
    case Op::store_field:
      return fmt::format(" {}{} +{} {{{}}}", node->access.type, node->access.is_ordered ? " volatile" : "",
                         node->access.offset, node->access.name == nullptr ? "" : node->access.name->text());
    case Op::new_instance:
    case Op::new_array:
      return fmt::format(" {{{} {}}}", klass_of_id(node->allocation.klass_id)->name->text(), node->allocation.size);
    case Op::box:
    case Op::virtual_box: return fmt::format(" cache {} {}", node->cache.first, node->cache.count);
    case Op::virtual_object: {
      const Klass* klass = node->layout->klass;
      return klass->is_array() ? fmt::format(" {{{} {}}}", klass->name->text(), node->layout->length)
                               : fmt::format(" {{{}}}", klass->name->text());
    }
    case Op::class_fact:
    case Op::change_pins: return fmt::format(" {}", static_cast<i32>(node->bits));
    case Op::monitor_enter:
    case Op::held_monitor:
    case Op::try_enter:
      return fmt::format("{}{}", node->has_no_record ? " (no record)" : "",
                         node->joined_regions == 0 ? "" : fmt::format(" (joins {})", node->joined_regions));
    default: return "";
  }
}

// The node's attribute, with a space in front.
std::string operand_of(const Node* node, Detail detail) {
  if (detail == Detail::Complete) {
    if (std::string text = complete_operand_of(node); !text.empty()) return text;
  }
  switch (node->op) {
    case Op::constant: return " " + text_of_constant(node);
    case Op::parameter: return fmt::format(" {}", node->local);
    case Op::mirror:
    case Op::is_instance:
    case Op::is_castable:
    case Op::has_class: return fmt::format(" {}", node->klass->name->text());
    case Op::selects: return " " + node->selected->method->external_name();
    case Op::resolved_object: return fmt::format(" {}", node->resolved.index);
    case Op::compare_int:
    case Op::compare_reference: return fmt::format(" {}", name(node->condition));
    case Op::load_field:
    case Op::store_field:
      return fmt::format(" {}{} +{}", node->access.type, node->access.is_ordered ? " volatile" : "",
                         node->access.offset);
    case Op::load_element:
    case Op::store_element:
    case Op::copy_elements:
    case Op::load_raw:
    case Op::store_raw:
    case Op::compare_and_set:
    case Op::compare_and_exchange:
    case Op::exchange:
    case Op::fetch_and_add:
      return fmt::format(" {}{}{}", node->access.type, node->access.is_ordered ? " volatile" : "",
                         node->card_is_marked ? " (marked)" : "");
    case Op::new_instance:
    case Op::new_array: return fmt::format(" {}", klass_of_id(node->allocation.klass_id)->name->text());
    case Op::virtual_object: return fmt::format(" {}", node->layout->klass->name->text());
    case Op::guard:
    case Op::uncommon_trap: return fmt::format(" {}", name(node->reason));
    case Op::library_query:
    case Op::library_call: return fmt::format(" {}", node->kernel->name);
    case Op::call: return " " + text_of(*node->call, detail);
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

// The field values of virtual objects, each with the field's offset or the element's index.
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

std::string text_of(const FrameState* state, Detail detail) {
  std::string text, objects = state == nullptr ? "" : text_of(state->objects);
  for (; state != nullptr; state = state->outer) {
    text += " @";
    if (state->outer != nullptr) {
      text += detail == Detail::Complete ? fmt::format("{{{}}}:", state->method->external_name())
                                         : fmt::format("{}:", state->method->name->text());
    }
    text += fmt::format("{} [{} | {}]", state->bci, text_of(state->locals), text_of(state->operands));
    if (state->locks != nullptr) text += " holds";
    for (const HeldLock* lock = state->locks; lock != nullptr; lock = lock->outer) {
      text += fmt::format(" n{}{}", lock->object->id,
                          lock->is_eliminated   ? " (eliminated)"
                          : lock->has_no_record ? " (no record)"
                                                : "");
    }
    if (state->coarsened_lock != nullptr) text += fmt::format(" coarsened n{}", state->coarsened_lock->id);
  }
  return text + objects;
}

std::string text_of(const Block* block, Detail detail) {
  std::string text = fmt::format("b{}{}:", block->id, block->is_loop_header ? " (loop)" : "");
  for (const Block* predecessor : block->predecessors) text += fmt::format(" b{}", predecessor->id);
  text += "\n";
  for (const Node* node : block->nodes) {
    text += "  ";
    if (node->type != Type::None) {
      bool is_marked_never_null = detail == Detail::Complete && node->is_never_null;
      text += fmt::format("n{} {}{} = ", node->id, graph::name_of(node->type), is_marked_never_null ? "!" : "");
    }
    text += fmt::format("{}{}", row(node->op).name, operand_of(node, detail));
    if (!node->inputs.empty()) text += " " + text_of(node->inputs);
    text += text_of(node->state, detail);
    if (node == block->end()) {
      for (const Block* successor : block->successors) text += fmt::format(" b{}", successor->id);
    }
    text += "\n";
  }
  return text;
}

}  // namespace

std::string_view name(Condition condition) {
  constexpr std::string_view names[] = {"equal",   "not_equal",     "less", "greater_or_equal",
                                        "greater", "less_or_equal", "below"};
  return names[static_cast<u32>(condition)];
}

std::string_view name(DeoptReason reason) {
  constexpr std::string_view names[] = {"null",         "range",   "zero_divisor", "negative_size", "cast",
                                        "element_type", "throws",  "unresolved",   "locks",         "interpreted",
                                        "class",        "untaken", "intrinsic",    "hoisted",       "monitor"};
  return names[static_cast<u32>(reason)];
}

std::string print(const Graph& graph, Detail detail) {
  std::string text;
  for (const Block* block : graph.blocks) text += text_of(block, detail);
  return text;
}

std::string print_dot(const Graph& graph, std::string_view title) {
  // Quotes text as a string of DOT; \\l ends a line and aligns it to the left.
  auto quoted = [](std::string_view text) {
    std::string result;
    for (char character : text) {
      if (character == '"' || character == '\\') result += '\\';
      if (character == '\n') result += "\\l";
      else result += character;
    }
    return result;
  };
  std::string text =
      fmt::format("digraph \"{}\" {{\n  node [shape=box fontname=monospace fontsize=10];\n", quoted(title));
  for (const Block* block : graph.blocks) {
    text += fmt::format("  b{} [label=\"{}\"{}];\n", block->id, quoted(text_of(block, Detail::Readable)),
                        block->is_loop_header ? " style=bold" : "");
    for (usize i = 0; i < block->successors.size(); ++i) {
      const Block* successor = block->successors[i];
      bool is_back_edge = successor->id <= block->id;
      bool is_taken = block->end()->op == Op::branch && i == 0;
      text += fmt::format("  b{} -> b{}{}{};\n", block->id, successor->id, is_taken ? " [label=true]" : "",
                          is_back_edge ? " [style=dashed constraint=false]" : "");
    }
  }
  return text + "}\n";
}

}  // namespace keyhole::graph
