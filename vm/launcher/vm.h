// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Starting and ending the VM inside this process: what main does between the command line and the program, and what
// tests that need a whole VM call.
#pragma once

#include <string>
#include <vector>

#include "runtime/threads/java_thread.h"

namespace keyhole {

struct StartOptions {
  std::string java_home;                        // of the JDK whose lib/modules is read; empty = found
  std::string class_path = ".";
  std::vector<std::pair<std::string, std::string>> properties;   // -Dname=value
};

// Boots java.base up to System.initPhase1 and the application loader. Null: the reason was printed.
JavaThread* start_vm(const StartOptions& options);
// Waits for the non-daemon threads, runs the shutdown hooks, flushes. Returns the exit code.
int stop_vm(JavaThread* thread, int exit_code);

}  // namespace keyhole
