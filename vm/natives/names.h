// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Names as messages show them: "int[]", "java.lang.String", "void A.foo(int, java.lang.String)".
#pragma once

#include <string>
#include <string_view>

#include "runtime/object/klass.h"
#include "vm/link/method.h"

namespace keyhole::natives {

// "[[I" -> "int[][]", "Ljava/lang/String;" -> "java.lang.String".
std::string type_in_java(std::string_view descriptor);
// "int[]", "java.lang.String", "int".
std::string class_in_java(const Klass* klass);
// What Class.getName() answers: "[I", "java.lang.String", "A/0x12" of a hidden class keeps its last slash.
std::string class_get_name(const Klass* klass);
// "void A.foo(int, java.lang.String)".
std::string signature_in_java(const Method* method);

}  // namespace keyhole::natives
