// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Two names for one snippet.
// error: R3: snippet_other is another name for something
#include "jit/snippets/declarations.h"

KEYHOLE_SNIPPET int snippet_one(int value) { return value; }
extern "C" int snippet_other(int) __attribute__((alias("snippet_one")));
