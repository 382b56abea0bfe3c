// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls with a unique concrete method: the code calls or inlines it without a check of the receiver's class
// (vm/link/loading/class_hierarchy.h).
//
//    invokevirtual Shape.area ──┬── Circle and Square override it      by the profile, or a virtual call
//                               ├── no class below Shape does          bound; the code depends on that
//                               └── Shape is final                     bound
//
// The verifier has checked that the receiver is of the class that the call names. It checks nothing if the call names
// an interface. Suppose that all implementors of the interface inherit the method from one class C, and that the
// profile does not show a single receiver class. Then a guard tests that the receiver is an instance of C, and the code
// depends on this: every subclass of C selects the method through the interface.
//
//    invokeinterface Counted.count ── guard is_instance Counting ── Counting.count
#include "jit/graph/build/builder.h"
#include "vm/bytecodes.h"

namespace keyhole::graph {

// The class that the call names. Null if the call names an interface, because the receiver need not implement it
// (vm/link/loading/class_hierarchy.h H5), or if the class is no longer resolved.
const InstanceKlass* Builder::class_named_by_call() const {
  const u8* instruction = method()->code + instructions_.bci(instruction_);
  if (*instruction != INVOKEVIRTUAL) return nullptr;
  const ConstantPool* constants = method()->constants;
  u32 named = constants->first(bytecode::constant_index(method()->code, instructions_.bci(instruction_)));
  u64 resolved = constants->resolved[named].load(std::memory_order_acquire);
  const auto* klass = reinterpret_cast<const Klass*>(resolved);
  return klass == nullptr || !klass->is_instance() || klass->is_interface() ? nullptr : klass->as_instance();
}

// If the interface method has only one implementation, returns this implementation, and adds a guard that the
// receiver's class inherits it. Otherwise returns null. The receiver must be known not to be null.
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

// If the call names an array class, returns this class; otherwise null.
const Klass* Builder::array_named_by_call() const {
  const u8* instruction = method()->code + instructions_.bci(instruction_);
  if (*instruction != INVOKEVIRTUAL) return nullptr;
  const ConstantPool* constants = method()->constants;
  u32 named = constants->first(bytecode::constant_index(method()->code, instructions_.bci(instruction_)));
  const auto* klass = reinterpret_cast<const Klass*>(constants->resolved[named].load(std::memory_order_acquire));
  return klass != nullptr && klass->is_array() ? klass : nullptr;
}

Method* Builder::unique_concrete_method_of(const CallTarget& call) {
  // All arrays have the methods of Object.
  if (const Klass* array = array_named_by_call()) return array->vtable_entry(call.vtable_index).load();
  const InstanceKlass* type = class_named_by_call();
  if (type == nullptr) return nullptr;
  if (call.kind == CallKind::Virtual) return inliner_.unique_concrete_method(type, nullptr, call.vtable_index);
  return inliner_.unique_concrete_method(type, call.interface->interface, call.interface->itable_index);
}

}  // namespace keyhole::graph
