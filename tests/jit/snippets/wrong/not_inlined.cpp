// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A helper function that is not inlined.
// error: R1: _Z5twicem was not inlined
// error: R1: snippet_twice calls _Z5twicem
#include "jit/snippets/declarations.h"

[[gnu::noinline]] keyhole::u64 twice(keyhole::u64 value) { return value * 2; }
KEYHOLE_SNIPPET keyhole::u64 snippet_twice(keyhole::u64 value) { return twice(value); }
