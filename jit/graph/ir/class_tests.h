// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Class checks whose result is known when the code is compiled.
#pragma once

#include <optional>

#include "jit/graph/ir/graph.h"

namespace keyhole::graph {

// The class of the object that the node allocates or names; null: unknown.
const Klass* class_of(const Node* value);

// is_instance, is_castable, has_class, selects.
bool is_class_test(Op op);
// The result of the check for an object of exactly this class.
bool result_for(const Node* test, const Klass* klass);
// The result of the check for an object of this class or a subclass, if it is the same for all of them. `may_be_null`:
// or for null.
std::optional<bool> result_for_subclass(const Node* test, const Klass* klass, bool may_be_null);

}  // namespace keyhole::graph
