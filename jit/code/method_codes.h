// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Entry points of methods. A call of a method reaches the newest of its codes that is in use (vm/code/compiled_code.h
// describes the chain of codes). If no code is in use, the call reaches the interpreter, which counts calls. Each
// method has three entry points. The functions of this file switch them between compiled code and the interpreter:
//
//   entry point              used by                             while code is in use     otherwise, or while calls are
//                                                                                         counted (sweeper.h)
//   Method::entry            the interpreter and C++             entry_of_compiled        a counting entry
//   Method::entry_from_code  compiled code                       the code                 code_to_entry
//   the entry stub           compiled code that names the        the code                 code_to_entry
//                            method (entry_stubs.h)
//
// M1: entry_from_code and the entry stub have the same target. If Method::entry is the entry of a getter or an
//     intrinsic, which needs no frame, it is not replaced by compiled code.
// M2: when the newest code in use retires, the entry points are set to the next older code in use, or else to the
//     interpreter.
// M3: a thread that has read an entry point before the entry point changed calls the old target. The old target is code
//     that still exists (compiled_code.h C2), or code_to_entry, which reads Method::entry.
#pragma once

#include "vm/code/compiled_code.h"

namespace keyhole::method_codes {

// All functions require the compiler's lock.

// Adds finished code to the method's chain of codes: baseline code after optimised code that is in use, all other code
// as the newest. Sets the entry points to the newest code in use.
void install(CompiledCode* code);
// Sets the method's entry points to this code, which must be the method's newest code in use.
void set_entry_point(const CompiledCode& code);
// Sets the method's entry points to the interpreter, and restarts the method's counts of calls and backward branches.
void count_calls(Method* method);
// Retires the code: calls and frames do not enter it any more. -XX:+PrintCompilation prints "made not entrant". If the
// code has retired before, only its reason changes.
void retire(CompiledCode* code, Retired reason);

// Whether Method::entry leads to compiled code of the method.
bool is_installed(const Method* method);

}  // namespace keyhole::method_codes
