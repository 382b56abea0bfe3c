// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Assignability (JVMS 4.10.1.2) and least upper bounds (4.10.2.2).
#include "vm/verify/type_hierarchy.h"

#include <fmt/format.h>

#include "vm/link/exceptions.h"

namespace keyhole {

VerificationType TypeHierarchy::type_named(std::string_view name) {
  SymbolHandle symbol(name);
  VerificationType type = VerificationType::reference(symbol);
  if (!symbol->lives_for_ever()) names_.push_back(std::move(symbol));
  return type;
}

VerificationType TypeHierarchy::type_of_descriptor(std::string_view descriptor) {
  switch (descriptor[0]) {
    case 'F': return TypeTag::Float;
    case 'J': return TypeTag::Long;
    case 'D': return TypeTag::Double;
    case 'V': return TypeTag::Top;
    case 'L': return type_named(descriptor.substr(1, descriptor.size() - 2));
    case '[': return type_named(descriptor);
    default: return TypeTag::Int;
  }
}

VerificationType TypeHierarchy::array_of(VerificationType element) {
  std::string_view name = element.name()->text();
  return type_named(element.is_array() ? fmt::format("[{}", name) : fmt::format("[L{};", name));
}

Klass* TypeHierarchy::load(const Symbol* name) {
  if (threw_) return nullptr;
  if (name == klass_->name) return klass_;  // no loader finds a hidden class by its name
  Klass* loaded = resolve_class(thread_, name, klass_->loader);
  if (loaded == nullptr) threw_ = true;
  return loaded;
}

bool TypeHierarchy::is_assignable(VerificationType wanted, VerificationType actual, bool protected_member) {
  if (wanted == actual) return true;
  switch (wanted.tag()) {
    case TypeTag::Top: return true;
    case TypeTag::AnyReference: return actual.is_reference() || actual.is_uninitialized();
    case TypeTag::Boolean:
    case TypeTag::Byte:
    case TypeTag::Char:
    case TypeTag::Short: return actual.is(TypeTag::Int);
    case TypeTag::Category1: return actual.is_category1();
    case TypeTag::Category2: return actual.is_category2();
    case TypeTag::Category2Upper: return actual.is_category2_upper();
    case TypeTag::Reference: return actual.is_reference() && is_reference_assignable(wanted, actual, protected_member);
    default: return false;
  }
}

// Implements isJavaAssignable of the JVMS.
bool TypeHierarchy::is_reference_assignable(VerificationType wanted, VerificationType actual, bool protected_member) {
  if (actual.is(TypeTag::Null)) return true;
  if (wanted.is_array()) {
    if (!actual.is_array()) return false;
    // An array of primitives is assignable only to an equal type, which was handled above.
    VerificationType to = component_of(wanted), from = component_of(actual);
    return to.is_reference() && from.is_reference() && is_assignable(to, from, protected_member);
  }
  if (wanted.name() == names::java_lang_Object) return true;
  Klass* target = load(wanted.name());
  if (target == nullptr) return false;
  if (actual.is_array()) {
    return target->is_interface() &&
           (target->name == names::java_lang_Cloneable || target->name == names::java_io_Serializable);
  }
  // An interface accepts any object, because the call checks it. Only the check of a protected member does not accept a
  // value of type Object, because only a subclass may access the member.
  bool asks_for_object = protected_member && actual.name() == names::java_lang_Object;
  if (target->is_interface() && !asks_for_object) return true;
  Klass* source = actual.is_object() ? load(actual.name()) : nullptr;
  return source != nullptr && source->is_subtype_of(target);
}

namespace {

// An array type as a number of dimensions over a class. An array of primitives counts as Object with one dimension
// less.
struct ArrayShape {
  u32 dimensions;
  std::string_view class_name;
};

ArrayShape shape_of(VerificationType type) {
  std::string_view name = type.name()->text();
  u32 dimensions = static_cast<u32>(name.find_first_not_of('['));
  if (dimensions == 0) return {0, name};
  if (name[dimensions] != 'L') return {dimensions - 1, names::java_lang_Object->text()};
  return {dimensions, name.substr(dimensions + 1, name.size() - dimensions - 2)};
}

bool is_supertype_of_arrays(std::string_view name) {
  return name == names::java_lang_Object->text() || name == names::java_lang_Cloneable->text() ||
         name == names::java_io_Serializable->text();
}

}  // namespace

VerificationType TypeHierarchy::type_of_shape(u32 dimensions, std::string_view class_name) {
  return type_named(dimensions == 0 ? std::string(class_name)
                                    : fmt::format("{}L{};", std::string(dimensions, '['), class_name));
}

VerificationType TypeHierarchy::common_supertype(VerificationType a, VerificationType b) {
  if (a == b || b.is(TypeTag::Null)) return a;
  if (a.is(TypeTag::Null)) return b;
  ArrayShape left = shape_of(a), right = shape_of(b);
  if (left.dimensions != right.dimensions) {
    const ArrayShape& shallow = left.dimensions < right.dimensions ? left : right;
    std::string_view common =
        is_supertype_of_arrays(shallow.class_name) ? shallow.class_name : names::java_lang_Object->text();
    return type_of_shape(shallow.dimensions, common);
  }
  std::string_view object = names::java_lang_Object->text(), common = object;
  if (left.class_name == right.class_name) {
    common = left.class_name;
  } else if (left.class_name != object) {
    Klass* first = load(type_named(left.class_name).name());
    if (first == nullptr) return a;
    // If one class is an interface, the other one does not matter and is not loaded.
    Klass* second = first->is_interface() ? first : load(type_named(right.class_name).name());
    if (second == nullptr) return a;
    if (!second->is_interface()) {
      while (!second->is_subtype_of(first)) first = first->super;
      common = first->name->text();
    }
  }
  return type_of_shape(left.dimensions, common);
}

// Is a type assignable in inference? An interface accepts any object or array, at each depth of an array, because the
// call checks it.
bool TypeHierarchy::is_inferred_assignable(VerificationType wanted, VerificationType actual) {
  if (wanted == actual || actual.is(TypeTag::Null)) return true;
  if (!wanted.is_reference() || !actual.is_reference()) return false;
  ArrayShape to = shape_of(wanted), from = shape_of(actual);
  // An array of primitives is assignable only to its own type.
  if (wanted.is_array() && wanted.name()->text().back() != ';') return false;
  if (to.dimensions > from.dimensions) return false;
  if (to.class_name == names::java_lang_Object->text()) return true;
  if (to.dimensions < from.dimensions) return is_supertype_of_arrays(to.class_name);
  if (to.class_name == from.class_name) return true;
  Klass* target = load(type_named(to.class_name).name());
  if (target == nullptr) return false;
  if (target->is_interface()) return true;
  Klass* source = load(type_named(from.class_name).name());
  return source != nullptr && source->is_subtype_of(target);
}

bool TypeHierarchy::is_interface(VerificationType type) {
  const Klass* klass = load(type.name());
  return klass != nullptr && klass->is_interface();
}

bool TypeHierarchy::is_named_in_supers(const Symbol* name) const {
  for (const Klass* at = klass_; at != nullptr; at = at->super)
    if (at->name == name) return true;
  return false;
}

bool TypeHierarchy::is_protected_field(const Symbol* owner, const Symbol* name, const Symbol* descriptor) {
  Klass* target = load(owner);
  if (target == nullptr || !target->is_instance() || !klass_->is_subtype_of(target)) return false;
  Field* field = find_field(target->as_instance(), name, descriptor);
  return field != nullptr && (field->access_flags & access::Protected) != 0 && !same_package(field->holder, klass_);
}

bool TypeHierarchy::is_protected_method(const Symbol* owner, const Symbol* name, const Symbol* descriptor) {
  Klass* target = load(owner);
  if (target == nullptr || !target->is_instance() || !klass_->is_subtype_of(target)) return false;
  Method* method = find_method(target, name, descriptor);
  return method != nullptr && (method->access_flags & access::Protected) != 0 && !same_package(method->holder, klass_);
}

}  // namespace keyhole
