// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The bitcode of the snippets for the optimising tier: its bytes, the names of its functions, and the addresses of the
// symbols to which it refers.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "runtime/base/types.h"

namespace keyhole::snippets {

// Returns the bitcode of one LLVM module, for this VM's header layout. The bytes stay valid as long as the VM runs.
std::span<const std::byte> bitcode();

// Returns the names of the module's functions: `snippet_NAME` for each row of snippets.def.
std::span<const std::string_view> names();

// An external symbol that the module refers to (symbols.def).
struct Symbol {
  std::string_view name;  // the linker's name
  std::string_view what;  // the C++ name within namespace keyhole
  void* address;
  usize bytes;  // size of a number, whose value code may use as a constant; 0: a pointer or a function
};
std::span<const Symbol> symbols();

// Writes the bitcode to the file of -XX:SnippetBitcodeFile=. Returns an error message, or an empty string on success.
std::string write_bitcode(const std::string& path);

}  // namespace keyhole::snippets
