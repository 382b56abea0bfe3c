// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Entry points of methods. Calls of a method reach the newest of its codes that is in use
// (vm/code/compiled_code.h describes the chain), else the interpreter, which counts calls. A method has three
// entry points, all written here:
//
//   entry point              used by                             while code is in use     otherwise, or while calls are
//                                                                                         counted (sweeper.h)
//   Method::entry            the interpreter and C++             entry_of_compiled        a counting entry
//   Method::entry_from_code  compiled code                       the code                 code_to_entry
//   the entry stub           compiled code that names the        the code                 code_to_entry
//                            method (entry_stubs.h)
//
// M1: entry_from_code and the stub have the same target. Method::entry keeps an entry that needs no frame (of a getter
//     or an intrinsic).
// M2: when code retires, the entry points are set to the next older code in use, else to the interpreter.
// M3: a thread that has read an entry point before it changed calls the old target. That is code that still exists
//     (compiled_code.h C2), or code_to_entry, which reads Method::entry.
#pragma once

#include "vm/code/compiled_code.h"

namespace keyhole::method_codes {

// All functions require the compiler's lock.

// Makes finished code the method's newest, and sets the entry points to it. Baseline code is put after optimised code
// that is in use.
void install(CompiledCode* code);
// Sets the method's entry points to this code, which is the newest in use.
void set_entry_point(const CompiledCode& code);
// Sets the entry points to the interpreter, which counts the method's calls from 0 again.
void count_calls(Method* method);
// Retires the code: it is not entered any more. Code that has retired before gets this reason and is not announced
// again. -XX:+PrintCompilation prints "made not entrant".
void retire(CompiledCode* code, Retired reason);

// Whether Method::entry is set to the method's code.
bool is_installed(const Method* method);

}  // namespace keyhole::method_codes
