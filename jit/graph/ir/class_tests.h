// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Class checks whose result is known when the code is compiled.
#pragma once

#include <optional>

#include "jit/graph/ir/graph.h"

namespace keyhole::graph {

// Returns the exact class of the node's value, or null if the class is not known. The class is known for allocations,
// boxes, and phis of allocations and boxes.
const Klass* class_of(const Node* value);

// Whether the operation is a class check: is_instance, is_castable, has_class or selects.
bool is_class_test(Op op);
// The result of the class check `test` for an object whose class is exactly `klass`.
bool result_for(const Node* test, const Klass* klass);
// The result of the class check `test` for all objects of `klass` and its subclasses, and also for null if
// `may_be_null`. Nothing if the result is not known, or differs between these objects.
std::optional<bool> result_for_subclass(const Node* test, const Klass* klass, bool may_be_null);

}  // namespace keyhole::graph
