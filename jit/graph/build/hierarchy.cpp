// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls with a unique concrete method, which are bound without a look at the receiver's class
// (vm/link/loading/class_hierarchy.h).
//
//    invokevirtual Shape.area ──┬── Circle and Square override it      by the profile, or a virtual call
//                               ├── no class below Shape does          bound; the code depends on that
//                               └── Shape is final                     bound
//
// The verifier has checked that the receiver is of the class that the call names. It checks nothing for an interface.
// So if all implementors of an interface inherit the method from one class, and the profile does not know a single
// receiver class, a guard tests for that class. The code depends on every class below it selecting the method through
// the interface.
//
//    invokeinterface Counted.count ── guard is_instance Counting ── Counting.count
#include "jit/graph/build/builder.h"
#include "vm/bytecodes.h"

namespace keyhole::graph {

// The class that the call names. Null for an interface, which says nothing about the receiver
// (vm/link/loading/class_hierarchy.h H5), and for a class that is not resolved any more.
const InstanceKlass* Builder::class_named_by_call() const {
  const u8* instruction = method()->code + instructions_.bci(instruction_);
  if (*instruction != INVOKEVIRTUAL) return nullptr;
  const ConstantPool* constants = method()->constants;
  u32 named = constants->first(bytecode::constant_index(method()->code, instructions_.bci(instruction_)));
  u64 resolved = constants->resolved[named].load(std::memory_order_acquire);
  const auto* klass = reinterpret_cast<const Klass*>(resolved);
  return klass == nullptr || !klass->is_instance() || klass->is_interface() ? nullptr : klass->as_instance();
}

// Guards for the only implementation. The caller has to know that the receiver is not null.
Method* Builder::guard_only_implementation(const CallTarget& call) {
  if (call.kind != CallKind::Interface || class_named_by_call() != nullptr) return nullptr;
  if (!inliner_.may_speculate(method(), instructions_.bci(instruction_), DeoptReason::Class)) return nullptr;
  const InstanceKlass* interface = call.interface->interface;
  u32 index = call.interface->itable_index;
  Method* known = find_unique_concrete_method({interface, interface, index, nullptr});
  if (known == nullptr || known->holder->is_interface()) return nullptr;
  if (inliner_.unique_concrete_method(known->holder, interface, index) != known) return nullptr;
  Node* test = add(Op::is_instance, Type::Int, {peek(call.argument_slots - 1)});
  test->klass = reinterpret_cast<const Klass*>(known->holder);
  guard(test, DeoptReason::Class);
  return known;
}

Method* Builder::unique_concrete_method_of(const CallTarget& call) {
  const InstanceKlass* type = class_named_by_call();
  if (type == nullptr) return nullptr;
  if (call.kind == CallKind::Virtual) return inliner_.unique_concrete_method(type, nullptr, call.vtable_index);
  return inliner_.unique_concrete_method(type, call.interface->interface, call.interface->itable_index);
}

}  // namespace keyhole::graph
