// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// MiddleCompiler: the back end of the middle tier, behind the same interface as LLVM's (jit/llvm/plugin.h).
//
//   Function ──order_blocks──> ──select──> ──find_live_ranges──> ──allocate──> ──Emitter──> code in the host's memory
//
// B1: a function with something that is not compiled is refused: Result::error begins with `refused_prefix` and says
//     what it is. The method stays in the tier where it is.
// B2: a Compiler has no state between two functions, and several threads may use their own ones at the same time.
#pragma once

#include <memory>
#include <string_view>

#include "jit/llvm/plugin.h"

namespace keyhole::middle {

inline constexpr std::string_view refused_prefix = "the middle tier does not compile ";

// The host resolves snippets to functions with clang's convention `preserve_most` (snippet_functions.h).
std::unique_ptr<llvm_plugin::Compiler> make_compiler(llvm_plugin::Host& host);

}  // namespace keyhole::middle
