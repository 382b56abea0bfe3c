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

// Whether the library chooses its main method in this way.
bool library_has_instance_main();
// Null: there is no main method, or an exception is pending.
Method* find_instance_main(JavaThread* thread, Klass* klass) MAY_SAFEPOINT;
// Why no object can be created on which to run it.
std::optional<MainProblem> problem_of_instance_main(const Klass* klass);
// Runs it: a static one, or one on a new object. `array`: the String[], for one that takes it.
void call_instance_main(JavaThread* thread, Klass* klass, Method* method, Handle array) MAY_SAFEPOINT;

}  // namespace keyhole
