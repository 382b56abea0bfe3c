// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Snippet functions: snippets as functions, for code that does not inline them. They have the same C++ source as the
// bitcode (jit/snippets), compiled with the options of the build. Their calling convention is clang's `preserve_most`,
// which preserves all general registers except r11 and the result register.
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
