// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Declares the rows of snippets.def as C functions, for the definitions and for tests that link them as machine code.
#pragma once

#include "runtime/object/klass.h"
#include "runtime/threads/java_thread.h"

namespace keyhole {

class Method;

#define SNIPPET(name, result, parameters) extern "C" result snippet_##name parameters;
#include "jit/snippets/snippets.def"
#undef SNIPPET

}  // namespace keyhole

// Each definition begins with this macro. A source that needs no symbols of the snippets defines it before
// (jit/middle/snippet_functions.cpp).
#ifndef KEYHOLE_SNIPPET
#define KEYHOLE_SNIPPET extern "C" [[gnu::always_inline]]
#endif
