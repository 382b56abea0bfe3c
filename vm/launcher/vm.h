// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Starting and ending the VM inside this process: called by main between the command line and the program, and by tests
// that need a whole VM. The order of steps is that of classlib/README.md, "The boot sequence".
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "runtime/threads/java_thread.h"

namespace keyhole {

struct StartOptions {
  std::string java_home;  // the JDK whose lib/modules is read; empty: found
  std::string class_path = ".";
  std::string boot_class_path;                                  // after the library's own classes: -Xbootclasspath/a
  bool has_class_path = true;                                   // false: the class path is empty, without "."
  std::vector<std::pair<std::string, std::string>> properties;  // -Dname=value, in order
  std::vector<std::string> assertions;                          // "-ea", "-da:pkg...", in order
  std::vector<std::string> vm_arguments;                        // for Java to read
  std::vector<std::string> agents;                              // "x.jar" or "x.jar=options", in order
  std::vector<std::string> debuggers;                           // options of -agentlib:jdwp=
  std::string code_listings;                                    // FILE[:PATTERN] (jit/code/listings.h); empty: none
  bool reduces_signal_usage = false;                            // -Xrs
  std::string command_on_error;                                 // -XX:OnError=, for the crash report
  std::string command;                                          // sun.java.command
};

// Boots java.base up to a working System.out and the application class loader. The calling OS thread becomes the Java
// thread "main", managed (InVM). Null: the start failed, and the reason was printed.
JavaThread* start_vm(const StartOptions& options);

// Ends the calling thread as a Java thread (a pending exception goes to its handler), waits for the non-daemon threads
// and runs the shutdown hooks. Returns the exit code: `exit_code`, or 1 after an uncaught exception.
int stop_vm(JavaThread* thread, int exit_code) MAY_SAFEPOINT;

// Writes the VM's final reports to a debugger, to standard output and to files, and removes the process's files.
// stop_vm calls it after the shutdown hooks; it also precedes Runtime.halt.
void report_the_end(JavaThread* thread) MAY_SAFEPOINT;

// Removes the process's counters and socket from /tmp when it ends without report_the_end.
void remove_files_of_process();

}  // namespace keyhole
