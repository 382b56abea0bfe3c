// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Embeds the bitcode, and defines the tables of names and symbols. KEYHOLE_SNIPPET_FILE is the bitcode that
// check_bitcode has accepted.
#include "jit/snippets/snippets.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <type_traits>

#include "gc/barrier.h"
#include "runtime/base/flags.h"
#include "runtime/object/identity.h"
#include "runtime/sync/fast_paths.h"
#include "runtime/threads/injected_yield.h"
#include "vm/link/well_known.h"

asm(R"(
  .pushsection .rodata.keyhole_snippets, "a", @progbits
  .balign 16
keyhole_snippets_begin:
  .incbin ")" KEYHOLE_SNIPPET_FILE R"("
keyhole_snippets_end:
  .popsection
)");

namespace keyhole::snippets {

extern "C" const std::byte keyhole_snippets_begin[], keyhole_snippets_end[];

std::span<const std::byte> bitcode() { return {keyhole_snippets_begin, keyhole_snippets_end}; }

std::span<const std::string_view> names() {
  static constexpr std::string_view all[] = {
#define SNIPPET(name, result, parameters) "snippet_" #name,
#include "jit/snippets/snippets.def"
#undef SNIPPET
  };
  return all;
}

template <typename Type>
constexpr usize bytes_of_number = std::is_integral_v<Type> || std::is_enum_v<Type> ? sizeof(Type) : 0;

std::span<const Symbol> symbols() {
  static const Symbol all[] = {
#define SNIPPET_VARIABLE(name, what) {#name, #what, &what, bytes_of_number<decltype(what)>},
#define SNIPPET_FUNCTION(name, what) {#name, #what, reinterpret_cast<void*>(&what), 0},
#include "jit/snippets/symbols.def"
#undef SNIPPET_VARIABLE
#undef SNIPPET_FUNCTION
  };
  return all;
}

std::string write_bitcode(const std::string& path) {
  FILE* file = fopen(path.c_str(), "we");
  bool written = file != nullptr && fwrite(bitcode().data(), 1, bitcode().size(), file) == bitcode().size();
  if (file != nullptr) written &= fclose(file) == 0;
  return written ? std::string() : fmt::format("SnippetBitcodeFile {}: {}", path, strerror(errno));
}

}  // namespace keyhole::snippets
