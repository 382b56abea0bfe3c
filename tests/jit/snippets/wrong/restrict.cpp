// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A promise about aliasing, which allows LLVM to move a load.
// error: R6: snippet_first lets an access move: alias.scope
// error: R6: snippet_first lets an access move: noalias
// error: R1: snippet_first calls llvm.experimental.noalias.scope.decl
// error: R4: llvm.experimental.noalias.scope.decl
#include "jit/snippets/declarations.h"

static inline int store_and_load(int* __restrict to, int* __restrict from) {
  *to = 1;
  return *from;
}
KEYHOLE_SNIPPET int snippet_first(int* to, int* from) { return store_and_load(to, from); }
