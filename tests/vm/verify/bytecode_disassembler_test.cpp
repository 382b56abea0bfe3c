// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the disassembly of one instruction of each operand format.
#include "vm/bytecode_disassembler.h"

#include <gtest/gtest.h>

#include "tests/support/class_builder.h"

namespace keyhole {
namespace {

TEST(BytecodeDisassembler, ShowsEachOperandFormat) {
  names::initialize();
  testing::ClassBuilder builder("Test");
  builder.method(access::Static, "test", "()V", R"(
      .locals 300
    top:
      bipush -3
      sipush 300
      istore 7
      wide iinc 299 1000
      iinc 1 -1
      ldc "text"
      ldc2_w 5L
      getfield Test.x I
      invokeinterface A.f (I)V
      multianewarray [[I 2
      newarray long
      tableswitch 5 top next default top
    next:
      lookupswitch 7:top default next
      goto_w top
      .byte 0xFE
      .catch any top next next
  )");
  std::string text = disassemble(builder.loose().method("test"));
  for (const char* line :
       {"    0: bipush -3\n", "    2: sipush 300\n", "istore 7\n", "wide iinc 299 1000\n", "iinc 1 -1\n", " \"text\"\n",
        " long 5\n", " Test.x I\n", " A.f(I)V\n", " [[I 2\n", "newarray long\n",
        "tableswitch 5:0 6:", "lookupswitch 7:0 default:", "goto_w 0\n", "<illegal 0xfe>\n", " any\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << "not in\n" << text;
  }
}

}  // namespace
}  // namespace keyhole
