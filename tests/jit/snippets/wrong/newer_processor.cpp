// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// An instruction that plain x86-64 does not have.
// error: +popcnt
#include "jit/snippets/declarations.h"

KEYHOLE_SNIPPET __attribute__((target("popcnt"))) int snippet_bits(unsigned value) { return __builtin_popcount(value); }
