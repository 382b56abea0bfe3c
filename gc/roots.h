// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Root providers: each part of the VM that keeps references outside the heap registers one.
//
//   strong    visit(slot) for every reference that keeps its object alive; the collector writes the new address back
//   weak      after marking: visit_weak(slot): the slot is set to null when the object died, else to its new address
//
// Providers run with the world stopped, on one thread of the collector.
#pragma once

#include "runtime/object/object.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::gc {

class RootVisitor {
 public:
  // Classes in use are visited separately (gc/class_liveness.h): providers omit those that may be unused.
  bool classes_may_die = false;

  virtual void visit(Object** slot) = 0;
  virtual void visit_narrow(NarrowRef* slot) = 0;
  // Called by providers that report threads one by one: the roots since the last such call belong to this thread.
  virtual void end_of_thread(JavaThread*) {}

 protected:
  ~RootVisitor() = default;
};

using RootProvider = void (*)(RootVisitor& visitor);
// `name` appears in -Xlog:gc+phases=debug and in the verifier's paths.
void register_strong_roots(const char* name, RootProvider provider);
void register_weak_roots(const char* name, RootProvider provider);

}  // namespace keyhole::gc
