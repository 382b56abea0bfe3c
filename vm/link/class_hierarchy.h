// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Which classes are below which, and what compiled code takes for granted about that.
//
//   Shape <── Circle           every receiver of type Shape selects Circle.area: code calls it without asking
//     ^────── Square, linked   not any more: that code retires first, then Square gets instances
//
//     Loaded ──its supers are published, its tables made──> published ──> verified, linked ──> initialised: instances
//
// A class that is loaded, and was never linked, contradicts nothing.
//
// H1: a class is published before it can have an instance, and after its supers (linking.cpp).
// H2: publishing first enters the class in its supers' lists, then asks for code that it contradicts. Who makes such
//     code first registers what the code assumes, then looks whether that holds (jit/code/assumptions.h). So one of the
//     two sees the other.
// H3: contradicted code retires while the world is stopped. A thread that was in it is in one of its calls, or has left
//     it at a poll; behind the call it leaves (jit/code/obsolete_code.h). A reference to an instance of the new class
//     comes into being later, so it is in none of the values of such a frame.
// H4: lists grow by atomic steps, and shrink where classes are unloaded, while the world is stopped. So they are read
//     without a lock.
// H5: the verifier makes sure that a value of a class's type is an instance of the class. It does not for interfaces.
#pragma once

#include "vm/metadata/instance_klass.h"

namespace keyhole {

// In the list of one of a class's direct supers. In the subtype's arena.
struct SubtypeLink {
  InstanceKlass* subtype;
  SubtypeLink* next;
};

// Every instance of `type` and of what is below selects `method`.
struct OnlyMethod {
  const InstanceKlass* type;
  const InstanceKlass* interface;   // by this interface's table; null: by the vtable
  u32 index;                        // there
  Method* method;

  bool operator==(const OnlyMethod&) const = default;
};

// Null: the look-up throws, or is the interpreter's.
Method* selected_method(const Klass* klass, const InstanceKlass* interface, u32 index);

// The method of which it may be assumed, as far as is known now; null: there is none, or it would take too long to find
// out. `OnlyMethod::method` is ignored.
Method* find_only_method(const OnlyMethod& asked);
inline bool holds(const OnlyMethod& assumed) { return find_only_method(assumed) == assumed.method; }
// By this class alone.
bool is_contradicted_by(const OnlyMethod& assumed, const InstanceKlass* klass);

// Makes its interface tables, too. Who links the class calls it.
void publish_class(JavaThread* thread, InstanceKlass* klass) MAY_SAFEPOINT;

}  // namespace keyhole
