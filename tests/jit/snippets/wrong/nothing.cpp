// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A module whose snippets were all dropped.
// error: R1: no snippet at all
#include "jit/snippets/declarations.h"

KEYHOLE_SNIPPET inline int snippet_never_emitted(int value) { return value; }
