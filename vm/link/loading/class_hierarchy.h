// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The class hierarchy: direct subtypes of each class, and the dependencies of compiled code on them.
//
//   Shape <── Circle           Circle.area is the unique concrete method: code calls it without a class check
//     ^────── Square, linked   invalidates that: the code is retired, then Square gets instances
//
//     Loaded ──its supers are published, its tables made──> published ──> verified, linked ──> initialised: instances
//
// A class that is loaded but was never linked invalidates nothing.
//
// H1: a class is published before it can have an instance, and after its supers (linking.cpp).
// H2: publishing first enters the class in its supers' lists, then looks for code whose dependencies it invalidates. A
//     compiler first registers the dependencies of its code, then checks that they hold (jit/code/assumptions.h). So
//     one of the two sees the other.
// H3: code with an invalidated dependency is retired while the world is stopped. A thread that was in the code is in
//     one of its calls, or has deoptimized at a poll. In a call it deoptimizes when the call returns
//     (jit/code/obsolete_code.h). References to instances of the new class do not exist yet, so no value of such a
//     frame is one.
// H4: lists grow by CAS, and shrink only when classes are unloaded, while the world is stopped. So they are read
//     without a lock.
// H5: the verifier makes sure that a value of a class's type is an instance of the class. It does not for interfaces.
#pragma once

#include "vm/metadata/instance_klass.h"

namespace keyhole {

// An entry in the list of a class's direct subtypes. It lies in the subtype's arena.
struct SubtypeLink {
  InstanceKlass* subtype;
  SubtypeLink* next;
};

// A dependency: every instance of `type` and of its subtypes selects `method`.
struct UniqueConcreteMethod {
  const InstanceKlass* type;
  const InstanceKlass* interface;  // selected by this interface's table; null: by the vtable
  u32 index;                       // there
  Method* method;

  bool operator==(const UniqueConcreteMethod&) const = default;
};

// The method that `klass` selects. Null: the look-up throws, or only the interpreter does it.
Method* selected_method(const Klass* klass, const InstanceKlass* interface, u32 index);

// The unique concrete method of a type, judging by the classes that are linked now. Null: there are several, or the
// search would take too long. The argument's `method` is ignored.
Method* find_unique_concrete_method(const UniqueConcreteMethod& asked);
inline bool holds(const UniqueConcreteMethod& assumed) {
  return find_unique_concrete_method(assumed) == assumed.method;
}
// Does this class invalidate the dependency?
bool is_invalidated_by(const UniqueConcreteMethod& assumed, const InstanceKlass* klass);

// Enters a class that is being linked in its supers' lists, and makes its interface tables.
void publish_class(JavaThread* thread, InstanceKlass* klass) MAY_SAFEPOINT;

}  // namespace keyhole
