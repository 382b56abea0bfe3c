// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The bitcode of the snippets, as the optimising tier gets it: bytes, names, and addresses for what they refer to.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "runtime/base/types.h"

namespace keyhole::snippets {

// One LLVM module for this VM's header layout. Lives as long as the VM.
std::span<const std::byte> bitcode();

// The functions of the module, `snippet_NAME` for each row of snippets.def.
std::span<const std::string_view> names();

// What the module refers to outside of itself (symbols.def).
struct Symbol {
  std::string_view name;   // the linker's
  std::string_view what;   // as written within keyhole
  void* address;
  usize bytes;             // of a number, whose value code may have for a constant; 0: a pointer or a function
};
std::span<const Symbol> symbols();

// -XX:SnippetBitcodeFile=: empty, or why it could not be written.
std::string write_bitcode(const std::string& path);

}  // namespace keyhole::snippets
