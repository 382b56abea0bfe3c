// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lambdas and method references: the class behind one LambdaMetafactory site.
//
//   final class Main$$Lambda$1 implements Function {         hidden, nestmate of Main
//     private final int arg$1;                               one field per captured value
//     private Main$$Lambda$1(int) { ... }
//     static Function get$Lambda(int a) { return new Main$$Lambda$1(a); }      the site's target
//     public Object apply(Object x) { return Main.lambda$main$0(arg$1, (String) x); }
//   }
//
// The forwarder converts between the interface's erased types, the types of this instantiation and those of the
// implementation: casts, boxing, unboxing, widening. An implementation that bytecode of this class could not name or
// reach (an inherited protected member, a non-private invokespecial, a member of a hidden class) is called through its
// method handle, captured last.
#pragma once

#include <string>
#include <vector>

#include "vm/link/indy/support.h"

namespace keyhole::indy {

// JVMS table 5.4.3.5-A.
enum class ReferenceKind : u8 {
  GetField = 1,
  GetStatic,
  PutField,
  PutStatic,
  InvokeVirtual,
  InvokeStatic,
  InvokeSpecial,
  NewInvokeSpecial,
  InvokeInterface,
};

struct LambdaShape {
  static constexpr u32 serializable_flag = 1, markers_flag = 2, bridges_flag = 4;

  InstanceKlass* caller = nullptr;
  std::string interface;              // internal name
  std::vector<std::string> captures;  // descriptors; without the method handle of `through_handle`
  std::string method_name;
  std::string method_descriptor;        // erased, as the interface declares it
  std::string instantiated_descriptor;  // with this site's type arguments
  std::vector<std::string> bridges;     // more erased descriptors
  std::vector<std::string> markers;     // more interfaces
  bool serializable = false;

  ReferenceKind kind = ReferenceKind::InvokeStatic;
  std::string owner, name, descriptor;  // the implementation that the method handle names
  bool owner_is_interface = false;
  u32 implementation_flags = 0;  // access flags of the resolved method
  InstanceKlass* implementation_holder = nullptr;

  bool through_handle() const;
};

// Generates the class of a lambda and initialises it. `factory` makes instances from the captured values (and the
// handle). It is null for a class without fields: then one instance is allocated and shared.
[[nodiscard]] InstanceKlass* make_lambda_class(JavaThread* thread, const LambdaShape& shape, Method*& factory)
    MAY_SAFEPOINT;

// Links an invokedynamic whose bootstrap method is LambdaMetafactory.metafactory or altMetafactory. Sets `handled` to
// false when its arguments are not plain constants; then the general path links it.
[[nodiscard]] bool link_lambda(JavaThread* thread, Method* method, u32 constant_index, bool alternative,
                               CallSiteLink& link, bool& handled) MAY_SAFEPOINT;

}  // namespace keyhole::indy
