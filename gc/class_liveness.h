// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// What a collection that marks everything asks of whoever owns the classes. vm/link/class_unloading.h has the picture
// and the rules.
//
//   begin; (tracing; visit_reached) until that answers false; reference processing; the same again for what finalizers
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
  // Visits the roots of classes that were found to be in use since the last time. False: there were none.
  bool (*visit_reached)(RootVisitor& visitor, LivenessTest is_live, void* context);
  // What was not reached is dead: nothing that lives refers to it afterwards, but headers of dead objects still may.
  UnloadedClasses (*unlink)();
  // Such headers are gone, too.
  void (*purge)();
};

// Without one, no class dies.
void register_class_unloader(const ClassUnloader& unloader);
// Null: there is none, or -XX:-ClassUnloading.
const ClassUnloader* class_unloader();

}  // namespace keyhole::gc
