// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Fields and array elements.
#include "jit/graph/builder.h"
#include "vm/link/constant_pool.h"

namespace keyhole::graph {

using namespace interpreter;

// --- fields ----------------------------------------------------------------------------------------------------------

void Builder::build_field(Operation operation, u64 word) {
  const OperationRow& columns = interpreter::row(operation);
  if (columns.type == '*') return leave(Reason::Interpreted);   // its offset does not fit into the cell
  bool is_static = columns.category == Category::static_field;
  bool is_put = interpreter::has(operation, interpreter::effect::writes);
  Access access{columns.type, interpreter::has(operation, interpreter::effect::ordered),
                is_static ? operand_a(word) : static_cast<u32>(operand_b(word)),
                method()->constants->ref_name(bytecode::constant_index(method()->code, cells_.bci(cell_)))};
  u32 value_slots = is_put ? (columns.type == 'J' ? 2 : 1) : 0;
  if (!is_static) guard_not_null(peek(value_slots));
  Node* value = is_put ? pop() : nullptr;
  Node* holder = nullptr;
  if (is_static) {
    holder = mirror_of(metadata_at<const Klass>(operand_b(word)));
  } else {
    holder = pop();
  }
  if (!is_put) {
    Node* load = add(Op::load_field, type_of_descriptor(cells_.descriptor(cell_)[0]), {holder});
    load->access = access;
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
  guard(compare(Condition::Below, index, add(Op::array_length, Type::Int, {array})), Reason::Range);
  Node* value = is_store ? peek(0) : nullptr;
  if (columns.type == 'A' && is_store) guard(add(Op::can_store, Type::Int, {array, value}), Reason::ElementType);
  if (is_store) pop();
  pop();
  pop();
  if (!is_store) {
    Node* load = add(Op::load_element, type_of_letter(bytecode::row(cells_.opcode(cell_)).pushes[0]), {array, index});
    load->access = {columns.type, false, 0, nullptr};
    return push(load);
  }
  if (columns.type == 'B') value = add(Op::byte_for_array, Type::Int, {array, value});
  add(Op::store_element, Type::None, {array, index, value})->access = {columns.type, false, 0, nullptr};
}

}  // namespace keyhole::graph
