// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Derives the class that a node is known to have, and the results of class checks that follow from it.
#include "jit/graph/ir/class_tests.h"

#include "runtime/object/klass.h"
#include "vm/link/well_known.h"

namespace keyhole::graph {

const Klass* class_of(const Node* value) {
  switch (value->op) {
    case Op::new_instance:
    case Op::new_array: return klass_of_id(value->allocation.klass_id);
    case Op::virtual_object: return value->layout->klass;
    case Op::box:
    case Op::virtual_box: return well_known::Integer_class;
    case Op::phi: {  // an input that is a phi itself counts as unknown, because phis may form cycles
      const Klass* only = nullptr;
      for (const Node* input : value->inputs) {
        const Node* object = Graph::current(const_cast<Node*>(input));
        const Klass* klass = object->op == Op::phi ? nullptr : class_of(object);
        if (klass == nullptr || (only != nullptr && klass != only)) return nullptr;
        only = klass;
      }
      return only;
    }
    default: return nullptr;
  }
}

bool is_class_test(Op op) {
  return op == Op::is_instance || op == Op::is_castable || op == Op::has_class || op == Op::selects;
}

bool result_for(const Node* test, const Klass* klass) {
  switch (test->op) {
    case Op::has_class: return klass == test->klass;
    case Op::selects:
      return test->selected->vtable_index < klass->vtable_length &&
             klass->vtable_entry(test->selected->vtable_index).load(std::memory_order_relaxed) ==
                 test->selected->method;
    default: return klass->is_subtype_of(test->klass);
  }
}

std::optional<bool> result_for_subclass(const Node* test, const Klass* klass, bool may_be_null) {
  bool tests_class = test->op == Op::is_castable || (test->op == Op::is_instance && !may_be_null);
  if (tests_class && klass->is_subtype_of(test->klass)) return true;
  return std::nullopt;
}

}  // namespace keyhole::graph
