// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A snippet that calls an unknown function.
// error: R1: snippet_ask calls through a pointer
#include "jit/snippets/declarations.h"

KEYHOLE_SNIPPET bool snippet_ask(bool (*question)()) { return !question(); }
