// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Run-time packages (JVMS 5.3): a name and a defining loader.
#pragma once

#include "runtime/object/klass.h"

namespace keyhole {

// The class of an array's innermost elements, otherwise the class itself. An array has the loader, package and module
// of that class.
inline Klass* bottom_class(const Klass* klass) {
  return klass->is_array() ? klass->as_array()->bottom : const_cast<Klass*>(klass);
}
// The package of a class name: "java/lang" of "java/lang/String"; empty for the unnamed package. For arrays it is that
// of their elements.
inline std::string_view package_of_name(std::string_view class_name) {
  usize slash = class_name.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : class_name.substr(0, slash);
}
inline std::string_view package_of(const Klass* klass) {
  klass = bottom_class(klass);
  if (klass->is_primitive()) return "java/lang";
  return package_of_name(klass->name->text());
}

}  // namespace keyhole
