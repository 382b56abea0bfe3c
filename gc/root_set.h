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

// Makes a RootVisitor of two callables, visit(Object**) and visit_narrow(NarrowRef*). A third,
// end_of_thread(JavaThread*), is optional; AnyThread takes its place.
struct AnyThread {
  void operator()(JavaThread*) const {}
};
template <typename Wide, typename Narrow, typename EndOfThread = AnyThread>
class RootVisitorOf final : public RootVisitor {
 public:
  RootVisitorOf(Wide wide, Narrow narrow, EndOfThread end_of_thread = {})
      : wide_(wide), narrow_(narrow), end_of_thread_(end_of_thread) {}
  void visit(Object** slot) TOUCHES_OBJECTS override { wide_(slot); }
  void visit_narrow(NarrowRef* slot) TOUCHES_OBJECTS override { narrow_(slot); }
  void end_of_thread(JavaThread* thread) TOUCHES_OBJECTS override { end_of_thread_(thread); }

 private:
  Wide wide_;
  Narrow narrow_;
  EndOfThread end_of_thread_;
};

}  // namespace keyhole::gc
