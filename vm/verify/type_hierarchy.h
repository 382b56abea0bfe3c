// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Queries about classes while one of them is verified. Classes are loaded only where the answer depends on them: never
// for java/lang/Object, equal names, null or arrays of primitives. Interfaces count as Object (JVMS 4.10.1.2).
//
// After any query check threw(): a class did not load, its exception is pending, and the result is invalid.
#pragma once

#include <vector>

#include "vm/link/linker.h"
#include "vm/verify/verification_type.h"

namespace keyhole {

class TypeHierarchy {
 public:
  TypeHierarchy(JavaThread* thread, InstanceKlass* klass) : thread_(thread), klass_(klass) {}

  InstanceKlass* klass() const { return klass_; }
  VerificationType this_type() const { return VerificationType::reference(klass_->name); }
  bool threw() const { return threw_; }

  // The type of a field descriptor: int for boolean, byte, char and short; for long and double the lower half.
  VerificationType type_of_descriptor(std::string_view descriptor);
  // The type of a class name. Symbols that are made for it live until the class is verified.
  VerificationType type_named(std::string_view name);
  // The type of an array's elements, which aaload pushes.
  VerificationType component_of(VerificationType array) { return type_of_descriptor(array.name()->text().substr(1)); }
  VerificationType array_of(VerificationType element);  // the element is an object or array type

  // Is a value of type `actual` acceptable as `wanted` (a type or a query)? `protected_member`: for the
  // protected-access check, where an interface must not hide java/lang/Object.
  bool is_assignable(VerificationType wanted, VerificationType actual, bool protected_member = false) MAY_SAFEPOINT;
  // Both are for inference. common_supertype takes two different references; `a` came first, which decides the order of
  // loading. is_inferred_assignable: is `actual`, a reference, assignable to `wanted`?
  VerificationType common_supertype(VerificationType a, VerificationType b) MAY_SAFEPOINT;
  bool is_inferred_assignable(VerificationType wanted, VerificationType actual) MAY_SAFEPOINT;

  bool is_interface(VerificationType type) MAY_SAFEPOINT;
  // Is `name` this class or one of its superclasses?
  bool is_named_in_supers(const Symbol* name) const;
  // Would accessing this member of `owner` (one of the class's supers) be protected access from another package (JVMS
  // 4.10.1.8)? For a constructor, too, the superclasses are searched.
  bool is_protected_field(const Symbol* owner, const Symbol* name, const Symbol* descriptor) MAY_SAFEPOINT;
  bool is_protected_method(const Symbol* owner, const Symbol* name, const Symbol* descriptor) MAY_SAFEPOINT;

 private:
  Klass* load(const Symbol* name) MAY_SAFEPOINT;
  VerificationType type_of_shape(u32 dimensions, std::string_view class_name);
  bool is_reference_assignable(VerificationType wanted, VerificationType actual, bool protected_member) MAY_SAFEPOINT;

  JavaThread* thread_;
  InstanceKlass* klass_;
  bool threw_ = false;
  std::vector<SymbolHandle> names_;  // symbols that do not live for ever
};

}  // namespace keyhole
