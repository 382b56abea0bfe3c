// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiles a user's lock file (runtime/sync/lab/keyhole/lock.h), once for each world: the VM, the model checker, the
// simulator.
//
//   mylock.h --> a translation unit of five lines --clang++-19--> <cache>/locks/<hash>.so, with <hash>.d beside it
//
// O1: the modification time of an object is the time at which its compilation began. A cached object is reused as long
//     as all files that it was compiled from, and this executable, are older.
// O2: the lock's file is code that this process is going to run, so it must be a trusted file
//     (jit/image/trusted_file.h).
#pragma once

#include <string>
#include <vector>

namespace keyhole::lab {

// The programs for which a lock can be compiled.
enum class World {
  vm,         // the VM (-XX:LockingMode=), and the benchmark mutexbench on the real machine
  checker,    // the model checker lockcheck
  simulator,  // mutexbench on a simulated machine
};

struct Compiled {
  std::string object;  // path of the object; empty if there is a complaint
  std::string complaint;
};
Compiled compile(const std::string& file, World world);

// Compiles the lock's file for the VM, and stores the object at a given path.
std::string compile_to(const std::string& file, const std::string& object);

// Removes an object and the files that belong to it from the cache.
void remove_object(const std::string& object);

// Runs a program with its standard output and standard error redirected to a file. Returns the program's exit code, or
// 128 plus the number of the signal that killed it. Returns -1 and sets errno if the program did not start.
int run(const std::vector<std::string>& words, const std::string& output);

// Returns the name of this build: its header layout and build id. A lock's object works only in the build for which it
// was compiled.
const std::string& build_of_vm();

// Translates the compiler's messages about the author's file. If the file breaks a rule of the interface, returns a
// sentence about that rule, otherwise the messages themselves.
std::string explain_messages(const std::string& messages, const std::string& file);

}  // namespace keyhole::lab
