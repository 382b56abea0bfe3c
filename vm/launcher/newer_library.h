// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Advice for a program that needs a newer library: names a library on this machine that would run it, and the option
// that selects it.
#pragma once

#include <string>
#include <string_view>

#include "runtime/object/object.h"

namespace keyhole {

// Returns a line to print below the text of a throwable with this class ("java.lang.NoSuchMethodError") and message,
// for a class file that is too new, or for a class or method that a newer library on this machine has. Empty: no
// library helps.
std::string newer_library_line(std::string_view throwable, std::string_view message);

// Returns the line for a throwable, or else for its cause.
std::string newer_library_line(Object* throwable) TOUCHES_OBJECTS;

}  // namespace keyhole
