// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// MiddleCompiler: the back end of the middle tier. It implements the same interface as the LLVM back end
// (jit/llvm/plugin.h).
//
//   Function ──order_blocks──> ──select──> ──find_live_ranges──> ──allocate──> ──Emitter──> code in the host's memory
//
// B1: if a function contains something that this back end cannot compile, the function is refused: Result::error begins
//     with `refused_prefix` and gives the reason. The method stays in its present tier.
// B2: a Compiler keeps no state from one function to the next. Several threads may compile at the same time, each with
//     its own Compiler.
#pragma once

#include <memory>
#include <string_view>

#include "jit/llvm/plugin.h"

namespace keyhole::middle {

inline constexpr std::string_view refused_prefix = "the middle tier does not compile ";

// Creates the back end. For the name of a snippet, `host` must return a function with clang's convention
// `preserve_most` (snippet_functions.h).
std::unique_ptr<llvm_plugin::Compiler> make_compiler(llvm_plugin::Host& host);

}  // namespace keyhole::middle
