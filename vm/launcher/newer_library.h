// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Advice for a program that is too new for the library: a library of this machine that would run it, and the option for
// it.
#pragma once

#include <string>
#include <string_view>

#include "runtime/object/object.h"

namespace keyhole {

// A line for below the text of a throwable, by its class ("java.lang.NoSuchMethodError") and message: a class file that
// is too new, or a class or method that a newer library of this machine has. Empty when no newer library helps.
std::string newer_library_line(std::string_view throwable, std::string_view message);

// That of a throwable, or of its cause.
std::string newer_library_line(Object* throwable) TOUCHES_OBJECTS;

}  // namespace keyhole
