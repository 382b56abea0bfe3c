// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Shared by the tests of jit/baseline: hand-made methods, without a booted VM, and the parts of a compilation, with the
// emitted instructions as text.
#pragma once

#include <gtest/gtest.h>

#include "jit/baseline/baseline.h"
#include "jit/baseline/compilation.h"
#include "jit/code/code_cache.h"
#include "runtime/base/flags.h"
#include "runtime/threads/threads.h"
#include "tests/support/class_builder.h"
#include "vm/interpreter/compiler.h"
#include "vm/interpreter/decoder.h"
#include "vm/interpreter/entries.h"
#include "vm/interpreter/interpreter.h"
#include "vm/link/java_call.h"
#include "vm/link/loading/loader_data.h"

namespace keyhole::testing {

class CompilerTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (thread_ != nullptr) return;
    names::initialize();
    flags::TieredStopAtLevel = 1;
    ASSERT_EQ(baseline::initialize(), "");
    interpreter::fill_counting_table();
    thread_ = threads::attach_current(false, false, 0);
    loader_ = new LoaderData();
  }

  // Makes a static method. Static calls in its code call `callee`, or the method itself if `callee` is null.
  static Method* make(const char* descriptor, const char* assembly, Method* callee = nullptr) {
    using interpreter::Operation;
    ClassBuilder builder(fmt::format("Loose{}", ++count_));
    builder.method(access::Static, "run", descriptor, assembly);
    LooseClass loose = builder.loose();
    loose.enter(loader_);
    Method* method = loose.method("run");
    method->entry.store(interpreter::first_entry(method), std::memory_order_release);
    method->entry_from_code.store(interpreter::first_entry_from_code(), std::memory_order_release);
    if (callee == nullptr) callee = method;
    MethodCode* code = interpreter::prepare_bytecode(method);
    for (u32 i = 0; i < code->instruction_count; ++i) {
      u64 word = interpreter::load_instruction(&code->instructions()[i]);
      if (interpreter::operation_of(word) != Operation::invokestatic_unresolved) continue;
      i32 distance = interpreter::metadata_distance(callee);
      interpreter::publish_instruction(
          &code->instructions()[i],
          interpreter::make_instruction(Operation::invokestatic, callee->argument_slots, distance));
    }
    return method;
  }
  static bool is_compiled(const Method* method) {
    return code_cache::contains(reinterpret_cast<uptr>(method->entry.load()));
  }
  static Method* compiled(const char* descriptor, const char* assembly, Method* callee = nullptr) {
    Method* method = make(descriptor, assembly, callee);
    EXPECT_EQ(interpreter::compiler()->compile(thread_, method, false), interpreter::Compiler::Outcome::Installed);
    EXPECT_TRUE(is_compiled(method));
    return method;
  }
  static u64 call(Method* method, std::initializer_list<Slot> arguments = {}) {
    return call_java(thread_, method, std::span<const Slot>(arguments.begin(), arguments.size()));
  }
  static i32 run_int(const char* descriptor, const char* assembly, std::initializer_list<Slot> arguments = {}) {
    return static_cast<i32>(call(compiled(descriptor, assembly), arguments));
  }

  static inline JavaThread* thread_ = nullptr;
  static inline LoaderData* loader_ = nullptr;
  static inline int count_ = 0;
};

// Makes the parts of a compilation of `method`, before any instruction is emitted.
class Parts {
  struct Buffer {
    Buffer() {
      holder.init(asmjit::Environment::host(), 0x1000'0000);
      holder.setLogger(&logger);
    }
    asmjit::StringLogger logger;
    asmjit::CodeHolder holder;
  };
  Buffer buffer_;

 public:
  explicit Parts(Method* method) : all(method, interpreter::prepare_bytecode(method), stubs_, buffer_.holder) {
    all.locals.choose(*all.instructions);
    all.locals.find_dirty_at_starts(*all.instructions, all.blocks);
    emitted();
  }

  // Returns the instructions emitted since the previous call, each followed by a semicolon, without comments.
  std::string emitted() {
    std::string text;
    std::string_view rest(buffer_.logger.data(), buffer_.logger.dataSize());
    while (!rest.empty()) {
      usize end = rest.find('\n');
      std::string_view line = rest.substr(0, end);
      rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
      line = line.substr(0, line.find(';'));
      while (!line.empty() && line.back() == ' ') line.remove_suffix(1);
      if (!line.empty()) text += std::string(line) + "; ";
    }
    buffer_.logger.clear();
    if (!text.empty()) text.pop_back();
    return text;
  }

 private:
  inline static Stubs stubs_{};

 public:
  baseline::Compilation all;
};

}  // namespace keyhole::testing
