// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Wraps each snippet in a function. The definitions of snippets are inline functions here, so an executable may also
// link the machine code of the snippets' module.
#define KEYHOLE_SNIPPET extern "C" [[gnu::always_inline]] NO_THREAD_SAFETY_ANALYSIS inline

#include "jit/middle/snippet_functions.h"

#include "jit/snippets/locks.h"
#include "jit/snippets/objects.h"
#include "jit/snippets/strings.h"

namespace keyhole::middle {
namespace {

template <auto snippet> struct Wrapped;
template <typename Result, typename... Arguments, Result (*snippet)(Arguments...)> struct Wrapped<snippet> {
  [[clang::preserve_most]] static Result call(Arguments... arguments) { return snippet(arguments...); }
};

}  // namespace

std::span<const SnippetFunction> snippet_functions() {
  static const SnippetFunction all[] = {
#define SNIPPET(name, result, parameters) {"snippet_" #name, reinterpret_cast<uptr>(&Wrapped<&snippet_##name>::call)},
#include "jit/snippets/snippets.def"
#undef SNIPPET
  };
  return all;
}

}  // namespace keyhole::middle
