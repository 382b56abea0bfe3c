// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiles the file of a lock outside the VM (runtime/sync/lab/keyhole/lock.h), once for each world that opens it.
//
//   mylock.h --> a translation unit of five lines --clang++-19--> <cache>/locks/<hash>.so, with <hash>.d beside it
//
// O1: an object has the time at which its compilation began. It is reused while each file that went into it, and this
//     executable, is older.
// O2: the author's file is code that this process will run: it must be trusted (jit/image/trusted_file.h).
#pragma once

#include <string>
#include <vector>

namespace keyhole::lab {

enum class World {
  vm,         // -XX:LockingMode=, and mutexbench on this machine
  checker,    // lockcheck
  simulator,  // mutexbench on a simulated machine
};

struct Compiled {
  std::string object;  // its path; empty after a complaint
  std::string complaint;
};
Compiled compile(const std::string& file, World world);

// Compiles the file for the VM to a given path.
std::string compile_to(const std::string& file, const std::string& object);

// Removes an object from the cache, with the files beside it.
void remove_object(const std::string& object);

// Runs a program, whose output and messages go to a file. Returns its exit code, as shells do 128 and the number of
// the signal that ended it; -1: it did not start, and errno says why.
int run(const std::vector<std::string>& words, const std::string& output);

// Names the executable that an object of a lock is made for: its build, and its header layout.
const std::string& build_of_vm();

// The compiler's messages about the author's file, as the author shall read them: one sentence for a rule of this
// interface, otherwise the messages themselves.
std::string explain_messages(const std::string& messages, const std::string& file);

}  // namespace keyhole::lab
