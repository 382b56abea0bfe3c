// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A constructor that would have to run when the module is linked.
// error: R3: llvm.global_ctors
// error: R1: _GLOBAL__sub_I_constructor.cpp was not inlined
// error: calls llvm.readcyclecounter
// error: calls llvm.invariant.start
// error: R4: llvm.readcyclecounter
// error: R4: llvm.invariant.start
// error: R2: start is a variable of the bitcode's own
#include "jit/snippets/declarations.h"

extern "C" const long start = __builtin_readcyclecounter();
KEYHOLE_SNIPPET long snippet_start() { return start; }
