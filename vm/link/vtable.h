// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Virtual method tables of classes (overriding: JVMS 5.4.5) and the tables of implemented interfaces (selection: JVMS
// 5.4.6).
//
// The vtable holds methods declared in classes only. A call of an interface's method, by any instruction, goes through
// the interface table; so there are no miranda entries, and abstract classes and interfaces need no interface tables.
#pragma once

#include <vector>

#include "runtime/base/arena.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole {

struct FinalOverride {  // a method that overrides a final one
  const Method* own;
  const Method* overridden;
};

// The table of a class with this superclass and these own methods (whose vtable_index it sets). Empty for interfaces.
// `klass` needs name, loader, super, methods and flags only: its final place depends on the result's length.
std::vector<Method*> make_vtable(InstanceKlass* klass, FinalOverride& violation);
// Numbers the methods of an interface that its implementers' tables contain.
void number_interface_methods(InstanceKlass* interface);
// Fills interface_tables of an instantiable class. Called once, when it is published; the arena's lock is held.
void make_interface_tables(InstanceKlass* klass, Arena& arena);

// The result of selecting an interface's method (JVMS 5.4.6).
struct Selection {
  Method* method = nullptr;  // null: abstract (or several candidates)
  Method* other = nullptr;   // not null: `method` and `other` are defaults that conflict
};
Selection select_for_interface_method(InstanceKlass* klass, const Method* method);
// The maximally-specific superinterface methods of klass with this name and descriptor (JVMS 5.4.3.3 step 3), without
// private and static ones.
std::vector<Method*> maximally_specific_methods(InstanceKlass* klass, const Symbol* name, const Symbol* descriptor);

}  // namespace keyhole
