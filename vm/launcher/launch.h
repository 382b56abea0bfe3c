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

// Runs main(arguments) of the class on the class path or in the module. If the class cannot be run, prints java's
// message and returns 1. An exception that main throws stays pending in the thread.
int run_program(JavaThread* thread, const Program& program) MAY_SAFEPOINT;

// Clears the pending exception, which no Java code will see, and prints it as that of the thread "main".
void print_exception_of_main(JavaThread* thread) MAY_SAFEPOINT;

// Prints what --list-modules or --describe-module asks for, by the JDK's own launcher class. Returns the exit code.
int list_modules(JavaThread* thread) MAY_SAFEPOINT;
int describe_module(JavaThread* thread, const std::string& name) MAY_SAFEPOINT;

// Prints the settings, also by the JDK's launcher class. `option` is the whole text of the option -XshowSettings. An
// exception stays pending.
void show_settings(JavaThread* thread, const std::string& option) MAY_SAFEPOINT;

// The main class that a jar's manifest names. If the jar cannot be run, `problem` has java's text.
struct RunnableJar {
  std::string main_class;
  bool has_agent = false;  // Launcher-Agent-Class
  std::string problem;
};
RunnableJar read_runnable_jar(const std::string& jar_file, const std::string& wanted_home);
// Starts the agent that is in the program's jar. False: it threw, and the exception has been printed.
[[nodiscard]] bool start_agent_of_jar(JavaThread* thread, const std::string& jar_file) MAY_SAFEPOINT;

}  // namespace keyhole
