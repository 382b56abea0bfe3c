// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Fixture for tests of compiled functions: a back end, made as the VM makes it (the plug-in, or that of the middle
// tier); memory for code, mapped twice; calls of code by its convention.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <sys/mman.h>

#include <gtest/gtest.h>

#include "jit/llvm/plugin.h"
#include "jit/middle/compiler.h"
#include "jit/middle/snippet_functions.h"

namespace keyhole::llvm_plugin {

struct Answer {
  u64 status, result, slot;  // from eax, rdx and rcx
};

// Calls `code` with the frame in rdi, the slot in r13, the Method in rdx and r14, and the thread in r15. Defined in
// call_by_convention.cpp.
extern "C" void call_by_convention(uptr code, void* frame, void* slot, void* method, void* thread, Answer* answer);
// Two functions in the assembly of code_test.cpp. The first returns status 7, r13 as the result, and r12 as the slot.
// The second returns normally: the result is twice the word at r13, and the slot is r13 + 8.
extern "C" void stub_for_tests();
extern "C" void callee_for_tests();

class HostForTests final : public Host {
 public:
  static constexpr usize capacity = 16_MiB;
  HostForTests() {
    const int file = memfd_create("code", 0);
    EXPECT_EQ(ftruncate(file, capacity), 0);
    executable = static_cast<char*>(mmap(nullptr, capacity, PROT_READ | PROT_EXEC, MAP_SHARED | MAP_32BIT, file, 0));
    writable = static_cast<char*>(mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    close(file);
    std::ifstream stream(KEYHOLE_SNIPPET_FILE, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    for (const char c : text) module.push_back(static_cast<std::byte>(c));
  }
  ~HostForTests() override {
    munmap(executable, capacity);
    munmap(writable, capacity);
  }
  Room allocate(usize bytes) override {
    if (is_full || used + bytes > capacity) return {};
    const usize begin = used;
    used += bytes;
    pieces[reinterpret_cast<uptr>(executable) + begin] = bytes;
    return {reinterpret_cast<uptr>(executable) + begin, writable + begin};
  }
  void release(uptr address, usize bytes) override {
    EXPECT_EQ(pieces[address], bytes);
    pieces.erase(address);
    if (pieces.empty()) used = 0;
  }
  Symbol resolve(std::string_view name) override {
    const auto found = symbols.find(name);
    return found == symbols.end() ? Symbol{} : found->second;
  }
  std::span<const std::byte> bitcode() override { return module; }

  std::map<std::string, Symbol, std::less<>> symbols;
  std::map<uptr, usize> pieces;
  std::vector<std::byte> module;
  bool is_full = false;

 private:
  char *executable, *writable;
  usize used = 0;
};

// Returns the plug-in's entry point. Without a plug-in, the process ends: no test would mean anything.
inline EntryPoint plugin() {
  static void* library = dlopen(KEYHOLE_PLUGIN, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "The plug-in cannot be opened: %s\n", dlerror());
    std::exit(1);
  }
  return reinterpret_cast<EntryPoint>(dlsym(library, entry_point_name));
}

// Returns whether the tests run with the back end of the middle tier instead of LLVM: KEYHOLE_BACK_END=middle.
inline bool is_middle() {
  const char* back_end = std::getenv("KEYHOLE_BACK_END");
  return back_end != nullptr && std::string_view(back_end) == "middle";
}

inline std::unique_ptr<Compiler> make_compiler(HostForTests& host, std::string* error) {
  if (!is_middle()) return std::unique_ptr<Compiler>(plugin()(KEYHOLE_BUILD, &host, error));
  for (const middle::SnippetFunction& snippet : middle::snippet_functions())
    host.symbols[std::string(snippet.name)] = {snippet.address};
  return middle::make_compiler(host);
}

class LlvmPlugin : public ::testing::Test {
 protected:
  LlvmPlugin() {
    std::string error;
    compiler = make_compiler(host, &error);
    EXPECT_EQ(error, "");
    b.go_to(b.new_block());
    slot = b.parameter(low::Parameter::Slot);
    zero = b.constant(low::Type::I32, 0);
  }
  void SetUp() override { ASSERT_NE(compiler, nullptr); }

  low::NodeId argument(low::Type type, u32 index) {  // the words at slot
    return b.load(type, b.address(slot, low::no_node, 1, 8 * index), low::Alias::JavaFrame);
  }
  void returns(low::NodeId result) { b.ret(zero, result, slot); }
  Result compile(Options options = {}) {
    Result result = compiler->compile(function, options);
    EXPECT_EQ(result.error, "") << low::print(function);
    return result;
  }
  Answer call(uptr entry, std::vector<u64> words, void* frame = nullptr, void* method = nullptr,
              void* thread = nullptr) {
    Answer answer{};
    if (entry != 0) call_by_convention(entry, frame, words.data(), method, thread, &answer);
    return answer;
  }

  HostForTests host;
  std::unique_ptr<Compiler> compiler;
  low::Function function;
  low::Builder b{function};
  low::NodeId slot, zero;
};

}  // namespace keyhole::llvm_plugin
