// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The registered root providers, as the collector and the verifier walk them.
#pragma once

#include <span>

#include "gc/roots.h"

namespace keyhole::gc {

struct NamedProvider {
  const char* name;
  RootProvider provider;
};

std::span<const NamedProvider> strong_roots();
std::span<const NamedProvider> weak_roots();

// A RootVisitor from two callables: visit(Object**), visit_narrow(NarrowRef*).
template <typename Wide, typename Narrow> class RootVisitorOf final : public RootVisitor {
 public:
  RootVisitorOf(Wide wide, Narrow narrow) : wide_(wide), narrow_(narrow) {}
  void visit(Object** slot) TOUCHES_OBJECTS override { wide_(slot); }
  void visit_narrow(NarrowRef* slot) TOUCHES_OBJECTS override { narrow_(slot); }

 private:
  Wide wide_;
  Narrow narrow_;
};

}  // namespace keyhole::gc
