// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A variable within a function.
// error: R2: _ZZ13snippet_countE5count is a variable of the bitcode's own
#include "jit/snippets/declarations.h"

KEYHOLE_SNIPPET int snippet_count() {
  static int count;
  return ++count;
}
