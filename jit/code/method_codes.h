// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a call of a method leads: to the newest of its codes that is in use (vm/interpreter/compiled_code.h describes
// the chain), else to the interpreter, which counts calls. Three words lead there, and all three are written here:
//
//   Method::entry            the interpreter and C++             entry_of_compiled        a counting entry
//   Method::entry_from_code  compiled code                       the code                 code_to_entry
//   the entry stub           compiled code that names the        the code                 code_to_entry
//                            method (entry_stubs.h)
//                                                                ^ while code is in use   ^ otherwise, or while calls
//                                                                                           are counted (sweeper.h)
//
// M1: entry_from_code and the stub lead to the same place. The interpreter keeps an entry that needs no frame (of a
//     getter, of an intrinsic).
// M2: when code retires, calls go to the next older code in use, else to the interpreter.
// M3: a thread that has read one of the words before it changed goes to the old place. That is code that still exists
//     (C2), or code_to_entry, which reads Method::entry.
#pragma once

#include "vm/interpreter/compiled_code.h"

namespace keyhole::method_codes {

// All of it under the compiler's lock.

// Finished code becomes its method's newest, and calls lead to it; code of baseline goes behind what the optimising
// tier has made, if that is in use.
void install(CompiledCode* code);
// Calls lead to it, if they do not. It is the newest in use.
void set_entry_point(const CompiledCode& code);
// Calls are counted from the beginning, and lead to the interpreter until then.
void count_calls(Method* method);
// It is not entered any more. Code that is retired already gets another reason. -XX:+PrintCompilation prints "made not
// entrant".
void retire(CompiledCode* code, Retired reason);

// Do the method's entries lead to its code?
bool is_installed(const Method* method);

}  // namespace keyhole::method_codes
