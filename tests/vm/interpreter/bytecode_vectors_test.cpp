// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the vectors of bytecode_vectors.h in a whole VM, and checks that they leave no instruction out.
//
// With KEYHOLE_DUMP_CLASSES=dir the class and a list of (method, arguments, expectation) are written there, for a java to confirm.
#include "tests/vm/interpreter/bytecode_vectors.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "tests/support/class_builder.h"
#include "vm/bytecodes.h"
#include "vm/launcher/vm.h"
#include "vm/link/exceptions.h"
#include "vm/link/java_call.h"
#include "vm/link/linker.h"

namespace keyhole {
namespace {

using testing::ClassBuilder;
using testing::Value;
using testing::Vector;

constexpr const char* class_name = "BytecodeVectors";

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (usize at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) text.replace(at, from.size(), to);
  return text;
}

// In the language of the assembler.
std::string assembly_of(const Vector& vector) {
  std::string text = replaced(vector.code, "|", "\n");
  text = replaced(text, "self.", std::string(class_name) + ".");
  text = replaced(text, "new self\n", std::string("new ") + class_name + "\n");
  return replaced(text, "checkcast self\n", std::string("checkcast ") + class_name + "\n");
}

// Version 49: verified by inference, so that no vector needs stack maps and jsr is allowed.
ClassBuilder build_vectors() {
  ClassBuilder builder(class_name, "java/lang/Object", 49);
  // What `ldc` names must be among the first 255 constants: all of them come first.
  std::string constants;
  for (const Vector& vector : testing::bytecode_vectors()) {
    std::string code = assembly_of(vector);
    for (usize at = code.find("ldc "); at != std::string::npos; at = code.find("ldc ", at + 1)) {
      usize end = code.find('\n', at);
      constants += code.substr(at, end - at) + "\npop\n";
    }
  }
  builder.method(access::Static, "constants", "()V", constants + "return\n");
  builder.default_constructor();
  for (const char* field : {"zZ", "bB", "sS", "cC", "iI", "lJ", "fF", "dD"}) {
    std::string name(1, field[0]), descriptor(1, field[1]);
    builder.field(access::Public, name, descriptor).field(access::Public | access::Static, "s" + name, descriptor);
  }
  builder.field(access::Public, "a", "Ljava/lang/Object;").field(access::Public | access::Static, "sa", "Ljava/lang/Object;");
  builder.method(access::Static, "add", "(IJ)J", "iload_0\ni2l\nlload_1\nladd\nlreturn\n");
  builder.method(access::Static, "factorial", "(I)I", R"(
      iload_0
      iconst_1
      if_icmpgt more
      iconst_1
      ireturn
    more:
      iload_0
      iload_0
      iconst_1
      isub
      invokestatic BytecodeVectors.factorial (I)I
      imul
      ireturn
  )");
  builder.method(access::Public, "hashCode", "()I", "bipush 42\nireturn\n");
  builder.method(access::Private, "secret", "()I", "bipush 43\nireturn\n");
  builder.method(access::Public, "callsPrivate", "()I", "aload_0\ninvokespecial BytecodeVectors.secret ()I\nireturn\n");
  u32 number = 0;
  for (const Vector& vector : testing::bytecode_vectors()) {
    builder.method(access::Public | access::Static, "v" + std::to_string(number++), vector.descriptor, assembly_of(vector));
  }
  return builder;
}

// invokedynamic needs version 51: a call site whose bootstrap concatenates.
ClassBuilder build_dynamic() {
  ClassBuilder builder("BytecodeVectorsDynamic", "java/lang/Object", 53);
  u16 recipe = builder.string_constant("\1 and \1");
  builder.bootstrap("java/lang/invoke/StringConcatFactory", "makeConcatWithConstants",
                    "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/String;[Ljava/lang/Object;)"
                    "Ljava/lang/invoke/CallSite;", {recipe});
  builder.method(access::Public | access::Static, "length", "(IJ)I", R"(
      iload_0
      lload_1
      invokedynamic 0 makeConcatWithConstants (IJ)Ljava/lang/String;
      invokevirtual java/lang/String.length ()I
      ireturn
  )");
  return builder;
}

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
    for (const Value& argument : vector.arguments) list += fmt::format("{}{} ", argument.kind, static_cast<i64>(argument.bits));
    if (vector.expected.kind == 'T') list += fmt::format("T{}\n", replaced(vector.expected.exception, "/", "."));
    else list += fmt::format("{}{}\n", vector.expected.kind, static_cast<i64>(vector.expected.bits));
  }
  write("vectors.txt", list.data(), list.size());
}

class BytecodeVectorsTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    thread_ = start_vm({});
    ASSERT_NE(thread_, nullptr);
    // The VM's service threads are still waiting when the process ends: no static destructor may run under them.
    std::atexit([] {
      std::fflush(nullptr);
      _exit(::testing::UnitTest::GetInstance()->Passed() ? 0 : 1);
    });
    klass_ = define(build_vectors());
  }

  static InstanceKlass* define(const ClassBuilder& builder) {
    std::vector<u8>* bytes = new std::vector<u8>(builder.bytes());   // class files stay where they are
    InstanceKlass* klass = define_class(thread_, Symbol::intern(builder.name()), *bytes, boot_loader());
    if (klass == nullptr || !initialize_class(thread_, klass)) ADD_FAILURE() << builder.name() << ": " << exception_text();
    return klass;
  }

  // Takes the pending exception.
  static std::string exception_text() {
    if (!has_exception(thread_)) return "no exception";
    return take_exception(thread_)->klass()->name->string();
  }

  static void run(const Vector& vector, u32 number) {
    Method* method = klass_->find_declared_method(Symbol::intern("v" + std::to_string(number)), Symbol::intern(vector.descriptor));
    ASSERT_NE(method, nullptr);
    std::vector<Slot> slots;
    for (const Value& argument : vector.arguments) {
      if (argument.kind == 'J' || argument.kind == 'D') slots.push_back(0xDEAD);   // the lower slot is never read
      slots.push_back(argument.bits);
    }
    u64 result = call_java(thread_, method, slots);
    if (vector.expected.kind == 'T') {
      EXPECT_EQ(exception_text(), vector.expected.exception);
      return;
    }
    ASSERT_FALSE(has_exception(thread_)) << exception_text();
    switch (vector.expected.kind) {
      case 'I': EXPECT_EQ(static_cast<i32>(result), static_cast<i32>(vector.expected.bits)); break;
      case 'F': {
        f32 expected = __builtin_bit_cast(f32, static_cast<u32>(vector.expected.bits)), actual = __builtin_bit_cast(f32, static_cast<u32>(result));
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
      for (u32 bci = 0; bci < method->code_length; bci += bytecode::length_at(method->code, bci, method->code_length)) seen.insert(method->code[bci]);
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
  for (int round = 0; round < 2; ++round) {   // plain, then quickened
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
    EXPECT_EQ(static_cast<i32>(call_java(thread_, method, arguments)), 11);   // "12 and 3456"
    ASSERT_FALSE(has_exception(thread_)) << exception_text();
  }
}

}  // namespace
}  // namespace keyhole
