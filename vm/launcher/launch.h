// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// From a booted VM to the program: find the main class, check its main method, call it.
#pragma once

#include <string>
#include <vector>

#include "runtime/threads/java_thread.h"

namespace keyhole {

// Runs main(arguments) of the class (dots or slashes) on the class path. Problems with the class or its main method are
// printed as java prints them and give 1; an exception that leaves main stays pending in the thread.
int run_main_class(JavaThread* thread, const std::string& class_name, const std::vector<std::string>& arguments);

// The main class that a jar's manifest names; `problem`: java's text when the jar cannot be run.
struct RunnableJar {
  std::string main_class;
  std::string problem;
};
RunnableJar read_runnable_jar(const std::string& jar_file);

}  // namespace keyhole
