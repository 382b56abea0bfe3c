// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The main method as libraries from 25 on choose it: it need not be public, nor static, nor have parameters.
#pragma once

#include <optional>

#include "runtime/threads/handles.h"
#include "vm/launcher/main_problems.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole {

// Whether the library chooses main methods as described above.
bool library_has_instance_main();
// Finds the main method of a class. Null: there is none, or an exception is pending.
Method* find_instance_main(JavaThread* thread, Klass* klass) MAY_SAFEPOINT;
// Says why the class cannot be instantiated to run its main method.
std::optional<MainProblem> problem_of_instance_main(const Klass* klass);
// Runs the method, on a new object if it is not static. `array` is the String[], for a method that takes it.
void call_instance_main(JavaThread* thread, Klass* klass, Method* method, Handle array) MAY_SAFEPOINT;

}  // namespace keyhole
