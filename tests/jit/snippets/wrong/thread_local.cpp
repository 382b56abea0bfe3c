// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A thread-local variable: compiled code may continue on another carrier.
// error: R2: current is thread-local
// error: R1: snippet_current calls llvm.threadlocal.address
// error: R4: llvm.threadlocal.address
#include "jit/snippets/declarations.h"

extern "C" thread_local constinit int current;
KEYHOLE_SNIPPET int snippet_current() { return current; }
