// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A static inline variable exists in each module, so the VM would set another one.
// error: R2: _ZN8Settings5limitE is a variable of the bitcode's own
#include "jit/snippets/declarations.h"

struct Settings {
  static inline unsigned limit = 8;
};
KEYHOLE_SNIPPET bool snippet_has_few(unsigned used) { return used < Settings::limit; }
