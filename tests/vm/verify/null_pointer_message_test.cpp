// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests helpful NullPointerException messages: the action that failed, and the expression that was null.
#include "vm/verify/null_pointer_message.h"

#include <gtest/gtest.h>

#include "tests/support/class_builder.h"

namespace keyhole {
namespace {

using testing::ClassBuilder;

class NullPointerMessageTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { names::initialize(); }

  // Returns the message for the instruction at `bci`.
  std::string message(std::string_view descriptor, std::string_view assembly, u32 bci, u32 flags = access::Static) {
    ClassBuilder builder("Test", "java/lang/Object", 49);
    builder.method(flags, "test", descriptor, assembly);
    return null_pointer_message(builder.loose().method("test"), bci);
  }
};

TEST_F(NullPointerMessageTest, LocalsAndParameters) {
  EXPECT_EQ(message("()I", "aconst_null\nastore_1\naload_1\ninvokevirtual java/lang/String.length ()I\nireturn\n", 3),
            "Cannot invoke \"String.length()\" because \"<local1>\" is null");
  EXPECT_EQ(message("(JLjava/lang/String;)I", "aload_2\ninvokevirtual java/lang/String.length ()I\nireturn\n", 1),
            "Cannot invoke \"String.length()\" because \"<parameter2>\" is null");
  EXPECT_EQ(message("(Ljava/lang/String;)I", "aload_1\ninvokevirtual java/lang/String.length ()I\nireturn\n", 1, 0),
            "Cannot invoke \"String.length()\" because \"<parameter1>\" is null");
  // After an assignment to a parameter, the message calls it a local.
  EXPECT_EQ(message("(Ljava/lang/String;)I",
                    "aconst_null\nastore_0\naload_0\ninvokevirtual java/lang/String.length ()I\nireturn\n", 3),
            "Cannot invoke \"String.length()\" because \"<local0>\" is null");
}

TEST_F(NullPointerMessageTest, NamesFromTheLocalVariableTable) {
  EXPECT_EQ(message("(Ljava/lang/String;)I",
                    "from: aload_0\ninvokevirtual java/lang/String.length ()I\nireturn\n.local 0 text "
                    "Ljava/lang/String; from end\n",
                    1),
            "Cannot invoke \"String.length()\" because \"text\" is null");
}

TEST_F(NullPointerMessageTest, Fields) {
  EXPECT_EQ(message("()I", "aload_0\ngetfield Test.next LTest;\ngetfield Test.value I\nireturn\n", 4, 0),
            "Cannot read field \"value\" because \"this.next\" is null");
  EXPECT_EQ(message("()V", "getstatic Test.head LTest;\nlconst_0\nputfield Test.value J\nreturn\n", 4),
            "Cannot assign field \"value\" because \"Test.head\" is null");
  EXPECT_EQ(
      message(
          "()I",
          "aload_0\ngetfield Test.a LTest;\ngetfield Test.b LTest;\ngetfield Test.c LTest;\ngetfield Test.d LTest;\n"
          "getfield Test.e LTest;\ngetfield Test.f I\nireturn\n",
          16, 0),
      "Cannot read field \"f\" because \"a.b.c.d.e\" is null");  // five deep
}

TEST_F(NullPointerMessageTest, ReturnValues) {
  EXPECT_EQ(message("()V",
                    "invokestatic Test.make ()Ljava/lang/Object;\ncheckcast java/lang/String\ninvokevirtual "
                    "java/lang/String.trim ()Ljava/lang/String;\npop\nreturn\n",
                    6),
            "Cannot invoke \"String.trim()\" because the return value of \"Test.make()\" is null");
  EXPECT_EQ(message("()V",
                    "aconst_null\naconst_null\naconst_null\ninvokestatic a/B.make "
                    "(Ljava/lang/String;[I[[Lx/Y;)La/B;\ngetfield a/B.x I\npop\nreturn\n",
                    6),
            "Cannot read field \"x\" because the return value of \"a.B.make(String, int[], x.Y[][])\" is null");
}

TEST_F(NullPointerMessageTest, Arrays) {
  EXPECT_EQ(message("([[II)I", "aload_0\niload_1\naaload\niconst_2\niaload\nireturn\n", 4),
            "Cannot load from int array because \"<parameter1>[<parameter2>]\" is null");
  EXPECT_EQ(message("([Ljava/lang/Object;)V", "aload_0\niconst_0\naconst_null\naastore\nreturn\n", 3),
            "Cannot store to object array because \"<parameter1>\" is null");
  EXPECT_EQ(message("([D)V", "aload_0\niconst_0\ndconst_0\ndastore\nreturn\n", 3),
            "Cannot store to double array because \"<parameter1>\" is null");
  EXPECT_EQ(message("([B)V", "aload_0\nsipush 300\nbaload\npop\nreturn\n", 4),
            "Cannot load from byte/boolean array because \"<parameter1>\" is null");
  EXPECT_EQ(message("([[I)I", "aload_0\nsipush 300\naaload\narraylength\nireturn\n", 5),
            "Cannot read the array length because \"<parameter1>[300]\" is null");
  EXPECT_EQ(
      message("([[I)I", "aload_0\naload_0\niconst_0\naaload\niconst_1\niaload\naaload\narraylength\nireturn\n", 7),
      "Cannot read the array length because \"<parameter1>[<parameter1>[0][1]]\" is null");
  EXPECT_EQ(message("([[I)I", "aload_0\ninvokestatic Test.index ()I\naaload\narraylength\nireturn\n", 5),
            "Cannot read the array length because \"<parameter1>[Test.index()]\" is null");
}

TEST_F(NullPointerMessageTest, ThrowAndSynchronized) {
  EXPECT_EQ(message("()V", "aconst_null\nathrow\n", 1), "Cannot throw exception because \"null\" is null");
  EXPECT_EQ(message("(Ljava/lang/Object;)V", "aload_0\ndup\nastore_1\nmonitorenter\nreturn\n", 3),
            "Cannot enter synchronized block because \"<parameter1>\" is null");
}

TEST_F(NullPointerMessageTest, UnknownOriginSaysOnlyWhatWasTried) {
  EXPECT_EQ(message("(ILTest;LTest;)I", R"(
      iload_0                  ; 0
      ifeq other               ; 1
      aload_1                  ; 4
      goto join                ; 5
    other:
      aload_2                  ; 8
    join:
      getfield Test.value I    ; 9
      ireturn
  )",
                    9),
            "Cannot read field \"value\"");
}

TEST_F(NullPointerMessageTest, NothingForExceptionsMadeWithNew) {
  EXPECT_EQ(
      message(
          "()V",
          "new java/lang/NullPointerException\ndup\ninvokespecial java/lang/NullPointerException.<init> ()V\nathrow\n",
          4),
      "");
  EXPECT_EQ(message("()V", "invokestatic Test.g ()V\nreturn\n", 0), "");
}

}  // namespace
}  // namespace keyhole
