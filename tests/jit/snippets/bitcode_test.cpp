// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The embedded bytes are LLVM bitcode of all snippets, and the table of symbols has exactly the symbols that the
// bitcode names.
#include "jit/snippets/snippets.h"

#include <cxxabi.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "gc/barrier.h"
#include "runtime/object/layout.h"

namespace keyhole::test {
namespace {

std::string_view bytes() {
  return {reinterpret_cast<const char*>(snippets::bitcode().data()), snippets::bitcode().size()};
}

std::string demangled(std::string_view name) {
  int status = 0;
  char* text = abi::__cxa_demangle(std::string(name).c_str(), nullptr, nullptr, &status);
  std::string result = text == nullptr ? "" : text;
  free(text);
  return result;
}

TEST(Bitcode, BeginsWithTheMagic) { EXPECT_TRUE(bytes().starts_with("BC\xC0\xDE")); }

TEST(Bitcode, HoldsEverySnippet) {
  std::set<std::string_view> names(snippets::names().begin(), snippets::names().end());
  EXPECT_EQ(names.size(), snippets::names().size());
  EXPECT_TRUE(names.contains("snippet_enter_lightweight"));
  for (std::string_view name : names) EXPECT_NE(bytes().find(name), bytes().npos) << name;
}

TEST(Bitcode, NamesWhatTheTableSays) {
  std::set<void*> addresses;
  for (const snippets::Symbol& symbol : snippets::symbols()) {
    std::string what = demangled(symbol.name);
    if (what.ends_with("()")) what.resize(what.size() - 2);
    EXPECT_EQ(what, "keyhole::" + std::string(symbol.what));
    EXPECT_TRUE(addresses.insert(symbol.address).second) << what;
    // Only with narrow headers does the snippet of the identity hash refer to the symbols of `of_narrow_headers`. Only
    // with wide headers do fast paths refer to the symbols of -XX:LockYieldInterval.
    bool of_narrow_headers = symbol.what == "address_epochs" || symbol.what == "mirror_bytes_offset";
    bool of_wide_headers = symbol.what == "flags::LockYieldInterval" || symbol.what == "give_way_now_and_then";
    bool expected = layout::can_displace ? !of_narrow_headers : !of_wide_headers;
    EXPECT_EQ(bytes().find(symbol.name) != bytes().npos, expected) << what;
  }
  EXPECT_TRUE(addresses.contains(&barrier::kind));
}

TEST(Bitcode, IsWrittenToAFile) {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("keyhole-snippets-{}-{}.bc", layout::name, getpid());
  ASSERT_EQ(snippets::write_bitcode(path), "");
  std::ifstream stream(path);
  std::string written(std::istreambuf_iterator<char>(stream), {});
  std::filesystem::remove(path);
  EXPECT_EQ(written, bytes());
  EXPECT_NE(snippets::write_bitcode("/no/such/folder/file").find("No such file"), std::string::npos);
}

}  // namespace
}  // namespace keyhole::test
