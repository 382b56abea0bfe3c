// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds accesses to fields and array elements.
#include <algorithm>
#include <span>
#include "jit/graph/build/builder.h"

#include "vm/metadata/constant_pool.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::graph {

using namespace interpreter;

// --- fields ----------------------------------------------------------------------------------------------------------

namespace {

// Returns the static final field at the offset if its class is initialized, because the field's value no longer changes
// then. Otherwise returns null.
const Field* constant_field(const Klass* klass, u32 offset) {
  if (!klass->is_instance() || !klass->as_instance()->is_initialized()) return nullptr;
  // The final fields of System are not constants, because System.setIn, setOut and setErr change them.
  if (klass->name->text() == "java/lang/System") return nullptr;
  std::span<const Field> fields(klass->as_instance()->fields, klass->as_instance()->field_count);
  auto found = std::ranges::find_if(
      fields, [offset](const Field& field) { return field.is_static() && field.is_final() && field.offset == offset; });
  return found == fields.end() ? nullptr : &*found;
}

u64 value_of(const Field& field, const Object* mirror) TOUCHES_OBJECTS {
  switch (field.type) {
    case BasicType::Boolean: return mirror->get<u8>(field.offset) & 1u;
    case BasicType::Byte: return static_cast<u32>(mirror->get<i8>(field.offset));
    case BasicType::Char: return mirror->get<u16>(field.offset);
    case BasicType::Short: return static_cast<u32>(mirror->get<i16>(field.offset));
    case BasicType::Long:
    case BasicType::Double: return mirror->get<u64>(field.offset);
    default: return mirror->get<u32>(field.offset);
  }
}

}  // namespace

// Pushes the field's value as a constant, unless it is a reference: a graph names no objects (G5 of graph.h). For a
// reference, note_constant_object() notes the object's class, and that it is not null.
bool Builder::build_constant_field(const Klass* klass, u32 offset) {
  const Field* field = inliner_.is_enabled() ? constant_field(klass, offset) : nullptr;
  if (field == nullptr || field->type == BasicType::Reference) return false;
  push(constant(type_of_descriptor(field->descriptor->text()[0]), value_of(*field, klass->mirror)));
  return true;
}

void Builder::note_constant_object(Node* load, const Klass* klass, u32 offset) {
  const Field* field = inliner_.is_enabled() ? constant_field(klass, offset) : nullptr;
  const Object* object = field == nullptr ? nullptr : klass->mirror->get_reference(offset);
  if (object == nullptr) return;
  load->is_never_null = true;
  if (inliner_.may_name(object->klass())) facts_.push_back({load, object->klass()});
}

void Builder::build_field(Operation operation, u64 word) {
  const OperationRow& columns = interpreter::row(operation);
  // getstatic_far and putstatic_far: the field's offset does not fit into the pre-decoded instruction.
  if (columns.type == '*') return deoptimize(DeoptReason::Interpreted);
  bool is_static = columns.category == Category::static_field;
  bool is_put = interpreter::has(operation, interpreter::effect::writes);
  Access access{
      columns.type, interpreter::has(operation, interpreter::effect::ordered),
      is_static ? operand_a(word) : static_cast<u32>(operand_b(word)),
      method()->constants->ref_name(bytecode::constant_index(method()->code, instructions_.bci(instruction_)))};
  u32 value_slots = is_put ? (columns.type == 'J' ? 2 : 1) : 0;
  if (!is_static) guard_not_null(peek(value_slots));
  Node* value = is_put ? pop() : nullptr;
  Node* holder = nullptr;
  const Klass* klass = is_static ? metadata_at<const Klass>(operand_b(word)) : nullptr;
  if (is_static) {
    if (!is_put && build_constant_field(klass, access.offset)) return;
    holder = mirror_of(klass);
  } else {
    holder = pop();
  }
  if (!is_put) {
    Node* load = add(Op::load_field, type_of_descriptor(instructions_.descriptor(instruction_)[0]), {holder});
    load->access = access;
    if (is_static && load->type == Type::Reference) note_constant_object(load, klass, access.offset);
    note_declared(load, instructions_.descriptor(instruction_));
    return push(load);
  }
  if (access.type == 'Z') {
    value = add(Op::iand, Type::Int, {value, int_constant(1)});
    access.type = 'B';
  }
  add(Op::store_field, Type::None, {holder, value})->access = access;
}

// --- array elements --------------------------------------------------------------------------------------------------

void Builder::build_array(Operation operation) {
  if (operation == Operation::arraylength) {
    guard_not_null(peek(0));
    return push(add(Op::array_length, Type::Int, {pop()}));
  }
  const OperationRow& columns = interpreter::row(operation);
  bool is_store = interpreter::has(operation, interpreter::effect::writes);
  u32 value_slots = is_store ? (columns.type == 'J' ? 2 : 1) : 0;
  Node* index = peek(value_slots);
  Node* array = peek(value_slots + 1);
  guard_not_null(array);
  guard(compare(Condition::Below, index, add(Op::array_length, Type::Int, {array})), DeoptReason::Range);
  Node* value = is_store ? peek(0) : nullptr;
  if (columns.type == 'A' && is_store) guard(add(Op::can_store, Type::Int, {array, value}), DeoptReason::ElementType);
  if (is_store) pop();
  pop();
  pop();
  if (!is_store) {
    Node* load = add(Op::load_element, type_of_letter(bytecode::row(instructions_.opcode(instruction_)).pushes[0]),
                     {array, index});
    load->access = {columns.type, false, 0, nullptr};
    if (std::string_view of_array = declared(array); !of_array.empty()) note_declared(load, of_array.substr(1));
    return push(load);
  }
  if (columns.type == 'B' && !is_byte_array(array)) value = add(Op::byte_for_array, Type::Int, {array, value});
  add(Op::store_element, Type::None, {array, index, value})->access = {columns.type, false, 0, nullptr};
}

}  // namespace keyhole::graph
