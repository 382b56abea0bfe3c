// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A snippet that calls into the VM.
// error: R1: snippet_copy calls _ZN7keyhole7barrier13copy_elementsEPNS_6ObjectEiS2_ii
// error: R4: _ZN7keyhole7barrier13copy_elementsEPNS_6ObjectEiS2_ii is not in the table of symbols
#include "gc/barrier.h"
#include "jit/snippets/declarations.h"

KEYHOLE_SNIPPET void snippet_copy(keyhole::Object* from, keyhole::Object* to) {
  keyhole::barrier::copy_elements(from, 0, to, 0, 1);
}
