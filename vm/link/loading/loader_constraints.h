// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Loading constraints (JVMS 5.3.4): a class name in a signature must mean the same to the loader of the class that uses
// the member and to the loader of the class that declares it.
//
//   recorded   when a field or method is resolved across loaders, when a class overrides or implements a method across
//              loaders
//   checked    then, and whenever a loader's dictionary gets a class of a constrained name
//
// Loaders that are constrained with one another on a name form one set. The set knows the class as soon as one of its
// loaders has it.
#pragma once

#include "vm/link/exceptions.h"
#include "vm/link/loading/loader_data.h"

namespace keyhole {

// From now on each class in the descriptor (of a field or a method) is the same to both. Returns null, or a name on
// which they already disagree (a class name, or an array's descriptor): the rest of the descriptor is then not
// recorded.
SymbolHandle constrain_signature(const Symbol* descriptor, LoaderData* first, LoaderData* second) TOUCHES_OBJECTS;

// The only way into the dictionary: enters `klass` under `name`, unless the loader has another class of that name, or a
// constraint names another one.
struct RecordedClass {
  Klass* klass;  // the loader's class of that name; null: `conflicting` violates a constraint
  // The class of another loader that violates the constraint. Nothing keeps it alive: it is valid until the next
  // safepoint.
  const Klass* conflicting;
};
RecordedClass record_class(LoaderData* loader, const Symbol* name, Klass* klass);
// Throws LinkageError after a record_class(loader, klass->name, klass) that returned this `conflicting`. No safepoint
// may have been reached since then.
Thrown throw_constraint_violation(JavaThread* thread, const LoaderData* loader, const Klass* klass,
                                  const Klass* conflicting) MAY_SAFEPOINT;

// Called while `klass` is linked: records what it overrides and implements across loaders. False: LinkageError is
// pending.
bool check_inherited_constraints(JavaThread* thread, InstanceKlass* klass) MAY_SAFEPOINT;

}  // namespace keyhole
