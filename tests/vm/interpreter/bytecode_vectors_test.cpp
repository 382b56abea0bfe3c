// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the vectors of bytecode_vectors.h in a whole VM, and checks that they leave no instruction out.
//
// With KEYHOLE_DUMP_CLASSES=dir the class and a list of (method, arguments, expectation) are written there, for a java
// to confirm.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tests/vm/interpreter/vector_class.h"
#include "vm/bytecodes.h"
#include "vm/link/java_call.h"

namespace keyhole {
namespace {

using testing::build_dynamic;
using testing::build_vectors;
using testing::ClassBuilder;
using testing::define;
using testing::replaced;
using testing::Value;
using testing::Vector;

void dump(const ClassBuilder& builder) {
  const char* folder = std::getenv("KEYHOLE_DUMP_CLASSES");
  if (folder == nullptr) return;
  auto write = [&](const std::string& name, const void* bytes, usize length) {
    FILE* file = std::fopen((std::string(folder) + "/" + name).c_str(), "wb");
    std::fwrite(bytes, 1, length, file);
    std::fclose(file);
  };
  std::vector<u8> bytes = builder.bytes();
  write(builder.name() + ".class", bytes.data(), bytes.size());
  std::string list;
  u32 number = 0;
  for (const Vector& vector : testing::bytecode_vectors()) {
    list += fmt::format("v{} {} {} ", number++, vector.instruction, vector.arguments.size());
    for (const Value& argument : vector.arguments)
      list += fmt::format("{}{} ", argument.kind, static_cast<i64>(argument.bits));
    if (vector.expected.kind == 'T') list += fmt::format("T{}\n", replaced(vector.expected.exception, "/", "."));
    else list += fmt::format("{}{}\n", vector.expected.kind, static_cast<i64>(vector.expected.bits));
  }
  write("vectors.txt", list.data(), list.size());
}

class BytecodeVectorsTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    thread_ = testing::vm_thread();
    ASSERT_NE(thread_, nullptr);
    klass_ = testing::vector_class();
  }

  static std::string exception_text() { return testing::exception_text(thread_); }

  static void run(const Vector& vector, u32 number) {
    u64 result = testing::call_vector(klass_, vector, number);
    if (vector.expected.kind == 'T') {
      EXPECT_EQ(exception_text(), vector.expected.exception);
      return;
    }
    ASSERT_FALSE(has_exception(thread_)) << exception_text();
    switch (vector.expected.kind) {
      case 'I': EXPECT_EQ(static_cast<i32>(result), static_cast<i32>(vector.expected.bits)); break;
      case 'F': {
        f32 expected = __builtin_bit_cast(f32, static_cast<u32>(vector.expected.bits)),
            actual = __builtin_bit_cast(f32, static_cast<u32>(result));
        if (std::isnan(expected)) EXPECT_TRUE(std::isnan(actual)) << actual;
        else EXPECT_EQ(static_cast<u32>(result), static_cast<u32>(vector.expected.bits)) << actual;
        break;
      }
      case 'D': {
        f64 expected = __builtin_bit_cast(f64, vector.expected.bits), actual = __builtin_bit_cast(f64, result);
        if (std::isnan(expected)) EXPECT_TRUE(std::isnan(actual)) << actual;
        else EXPECT_EQ(result, vector.expected.bits) << actual;
        break;
      }
      case 'V': break;
      default: EXPECT_EQ(result, vector.expected.bits); break;
    }
  }

  static inline JavaThread* thread_ = nullptr;
  static inline InstanceKlass* klass_ = nullptr;
};

TEST(BytecodeVectorsTable, LeavesNoInstructionOut) {
  names::initialize();
  std::set<u8> seen;
  auto look_at = [&](const ClassBuilder& builder) {
    InstanceKlass* klass = builder.loose().klass;
    for (u32 index = 0; index < klass->method_count; ++index) {
      const Method* method = klass->methods[index];
      for (u32 bci = 0; bci < method->code_length; bci += bytecode::length_at(method->code, bci, method->code_length))
        seen.insert(method->code[bci]);
    }
  };
  ClassBuilder vectors = build_vectors();
  dump(vectors);
  look_at(vectors);
  look_at(build_dynamic());
  for (u32 opcode = 0; opcode < bytecode::opcode_count; ++opcode) {
    EXPECT_TRUE(seen.contains(static_cast<u8>(opcode))) << bytecode::row(static_cast<u8>(opcode)).mnemonic;
  }
}

TEST_F(BytecodeVectorsTest, EveryVectorGivesItsLiteralResult) {
  ASSERT_NE(klass_, nullptr);
  for (int round = 0; round < 2; ++round) {  // plain, then quickened
    u32 number = 0;
    for (const Vector& vector : testing::bytecode_vectors()) {
      SCOPED_TRACE(fmt::format("vector {} ({}): {}", number, vector.instruction, vector.code));
      run(vector, number++);
    }
  }
}

TEST_F(BytecodeVectorsTest, InvokedynamicLinksOnce) {
  InstanceKlass* klass = define(build_dynamic());
  ASSERT_NE(klass, nullptr);
  Method* method = klass->find_declared_method(Symbol::intern("length"), Symbol::intern("(IJ)I"));
  for (int round = 0; round < 2; ++round) {
    Slot arguments[] = {12, 0, 3456};
    EXPECT_EQ(static_cast<i32>(call_java(thread_, method, arguments)), 11);  // "12 and 3456"
    ASSERT_FALSE(has_exception(thread_)) << exception_text();
  }
}

}  // namespace
}  // namespace keyhole
