// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Snippets as functions, for code that does not inline them: the same C++ as the bitcode's (jit/snippets), compiled
// with the options of the build. Their convention, clang's `preserve_most`, preserves all general registers but r11.
#pragma once

#include <span>
#include <string_view>

#include "runtime/base/types.h"

namespace keyhole::middle {

struct SnippetFunction {
  std::string_view name;  // snippet_NAME
  uptr address;
};
std::span<const SnippetFunction> snippet_functions();

}  // namespace keyhole::middle
