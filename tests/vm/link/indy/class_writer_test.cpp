// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests class files in memory: their bytes, and the operand depth they declare.
#include "vm/link/indy/class_writer.h"
#include "vm/metadata/method.h"

#include <gtest/gtest.h>

namespace keyhole::indy {
namespace {

u32 half_at(const std::vector<u8>& bytes, usize position) { return u32{bytes[position]} << 8 | bytes[position + 1]; }

// Returns the position after the constant pool, where the access flags are.
usize end_of_pool(const std::vector<u8>& bytes) {
  usize position = 10;
  for (u32 index = 1; index < half_at(bytes, 8); ++index) {
    switch (bytes[position]) {
      case 1: position += 3 + half_at(bytes, position + 1); break;
      case 7:
      case 8: position += 3; break;
      case 5:
      case 6:
        position += 9;
        ++index;
        break;
      default: position += 5; break;
    }
  }
  return position;
}

// max_stack, max_locals and code length of the only method.
struct CodeHeader {
  u32 max_stack, max_locals, code_length;
};
CodeHeader code_of_single_method(const std::vector<u8>& bytes) {
  usize position = end_of_pool(bytes) + 6;
  position += 2 + 2 * half_at(bytes, position);  // interfaces
  EXPECT_EQ(half_at(bytes, position), 0u);       // fields
  position += 2;
  EXPECT_EQ(half_at(bytes, position), 1u);  // methods
  position += 2 + 8 + 6;
  return {half_at(bytes, position), half_at(bytes, position + 2), half_at(bytes, position + 6)};
}

TEST(ClassWriter, EqualConstantsAreSharedAndLongsTakeTwoEntries) {
  ClassWriter writer(access::Final, "A", "java/lang/Object");
  EXPECT_EQ(writer.class_index("java/lang/Object"), writer.class_index("java/lang/Object"));
  EXPECT_EQ(writer.utf8("x"), writer.utf8("x"));
  u16 first = writer.long_index(1);
  EXPECT_EQ(writer.long_index(1), first);
  EXPECT_EQ(writer.long_index(2), first + 2);
  EXPECT_NE(writer.integer_index(1), writer.long_index(1));
}

TEST(ClassWriter, HeaderNamesThisSuperAndInterfaces) {
  ClassWriter writer(access::Final | access::Super, "p/A", "p/B", {"p/I", "p/J"});
  std::vector<u8> bytes = writer.finish();
  EXPECT_EQ(half_at(bytes, 0), 0xCAFEu);
  usize position = end_of_pool(bytes);
  EXPECT_EQ(half_at(bytes, position), access::Final | access::Super);
  EXPECT_EQ(half_at(bytes, position + 2), writer.class_index("p/A"));
  EXPECT_EQ(half_at(bytes, position + 4), writer.class_index("p/B"));
  EXPECT_EQ(half_at(bytes, position + 6), 2u);
  EXPECT_EQ(half_at(bytes, position + 10), writer.class_index("p/J"));
}

TEST(CodeWriter, DepthCountsLongsTwice) {
  ClassWriter writer(0, "A", "java/lang/Object");
  CodeWriter code = writer.method(access::Static, "f", "(JI)J");
  code.load(BasicType::Long, 0);
  code.load(BasicType::Int, 2);
  code.op(opcode::i2l);
  code.op(opcode::ladd);
  code.return_value(BasicType::Long);
  code.end();
  CodeHeader header = code_of_single_method(writer.finish());
  EXPECT_EQ(header.max_stack, 4u);
  EXPECT_EQ(header.max_locals, 3u);
  EXPECT_EQ(header.code_length, 7u);
}

TEST(CodeWriter, DepthAfterAReturnIsThatOfTheJump) {
  ClassWriter writer(0, "A", "java/lang/Object");
  CodeWriter code = writer.method(access::Static, "f", "(Ljava/lang/Object;)I");
  Label is_null;
  code.integer(7);
  code.load(BasicType::Reference, 0);
  code.jump(opcode::ifnull, is_null);
  code.op(opcode::pop);
  code.integer(1000);
  code.return_value(BasicType::Int);
  code.bind(is_null);
  code.integer(1);
  code.op(opcode::iadd);
  code.return_value(BasicType::Int);
  code.end();
  EXPECT_EQ(code_of_single_method(writer.finish()).max_stack, 2u);
}

TEST(CodeWriter, CallsPopArgumentsAndPushTheResult) {
  ClassWriter writer(0, "A", "java/lang/Object");
  CodeWriter code = writer.method(access::Static, "f", "()V");
  code.long_value(1);
  code.integer(-1);
  code.invoke(opcode::invokestatic, "A", "g", "(JI)D");
  code.op(opcode::pop2);
  code.return_value(BasicType::Void);
  code.end();
  EXPECT_EQ(code_of_single_method(writer.finish()).max_stack, 3u);
}

TEST(Descriptors, Wrappers) {
  EXPECT_EQ(wrapper_of("C"), "java/lang/Character");
  EXPECT_TRUE(wrapper_of("[C").empty());
  EXPECT_EQ(class_name_of("Ljava/lang/String;"), "java/lang/String");
  EXPECT_EQ(class_name_of("[I"), "[I");
}

}  // namespace
}  // namespace keyhole::indy
