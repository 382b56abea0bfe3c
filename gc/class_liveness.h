// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The interface through which a full marking asks the owner of the classes. Picture and rules:
// vm/link/loading/class_unloading.h.
//
//   begin; (tracing; visit_reached) until that returns false; reference processing; the same again for what finalizers
//   keep; unlink; ... purge
#pragma once

#include "gc/roots.h"

namespace keyhole::gc {

using LivenessTest = bool (*)(Object* object, void* context);

struct UnloadedClasses {
  u64 units, classes, bytes;
};

struct ClassUnloader {
  void (*begin)();
  // Visits the roots of classes found to be in use since the last call. False: there were none.
  bool (*visit_reached)(RootVisitor& visitor, LivenessTest is_live, void* context);
  // Unlinks classes that were not reached. Afterwards nothing that lives refers to them, but headers of dead objects
  // may.
  UnloadedClasses (*unlink)();
  // Frees the unlinked classes, once no such header is left.
  void (*purge)();
};

// Without a class unloader, no class dies.
void register_class_unloader(const ClassUnloader& unloader);
// The class unloader. Null: there is none, or -XX:-ClassUnloading is set.
const ClassUnloader* class_unloader();

}  // namespace keyhole::gc
