// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// From a booted VM to the program: find the main class, check its main method, call it.
#pragma once

#include <string>
#include <vector>

#include "runtime/threads/java_thread.h"

namespace keyhole {

struct Program {
  std::string main_class;  // dots or slashes; of a module: "module" or "module/class"
  bool in_module = false;
  bool from_source_file = false;
  bool dry_run = false;       // everything but the call
  bool shows_traces = false;  // -Xdiag: of exceptions that keep the main class from running
  std::vector<std::string> arguments;
};

// Runs main(arguments) of the class on the class path, or in the module. Problems with the class or its main method are
// printed as java prints them and give 1; an exception that leaves main stays pending in the thread.
int run_program(JavaThread* thread, const Program& program) MAY_SAFEPOINT;

// Clears the pending exception, which no Java code will see, and prints it as that of the thread "main".
void print_exception_of_main(JavaThread* thread) MAY_SAFEPOINT;

// --list-modules, --describe-module: printed by the JDK's own launcher class. The exit code.
int list_modules(JavaThread* thread) MAY_SAFEPOINT;
int describe_module(JavaThread* thread, const std::string& name) MAY_SAFEPOINT;

// -XshowSettings, likewise printed by that class; `option` is the option's whole text. An exception stays pending.
void show_settings(JavaThread* thread, const std::string& option) MAY_SAFEPOINT;

// The main class that a jar's manifest names; `problem`: java's text when the jar cannot be run.
struct RunnableJar {
  std::string main_class;
  bool has_agent = false;  // Launcher-Agent-Class
  std::string problem;
};
RunnableJar read_runnable_jar(const std::string& jar_file, const std::string& wanted_home);
// Starts the agent of such a jar. False: it threw, and the exception has been printed.
[[nodiscard]] bool start_agent_of_jar(JavaThread* thread, const std::string& jar_file) MAY_SAFEPOINT;

}  // namespace keyhole
