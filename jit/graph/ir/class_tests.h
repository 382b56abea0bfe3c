// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Questions about classes that need not be asked.
#pragma once

#include <optional>

#include "jit/graph/ir/graph.h"

namespace keyhole::graph {

// The class of the object that the node makes or names; null: it is not known.
const Klass* class_of(const Node* value);

// is_instance, is_castable, has_class, selects.
bool is_class_test(Op op);
// Its answer for an object of exactly this class.
bool result_for(const Node* test, const Klass* klass);
// Its answer for what is of this class or of a subclass, when that decides. `may_be_null`: or null.
std::optional<bool> result_for_subclass(const Node* test, const Klass* klass, bool may_be_null);

}  // namespace keyhole::graph
