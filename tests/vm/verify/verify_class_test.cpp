// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests classes that the verifier accepts or rejects, with its messages. The texts are those of OpenJDK 17: with
// KEYHOLE_DUMP_CLASSES=dir in the environment each class is written there, to be run by a java.
//
// These classes refer only to themselves and to java/lang/Object, so no class is ever loaded: no VM is needed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "tests/support/class_builder.h"
#include "vm/verify/verifier.h"

namespace keyhole {
namespace {

using testing::ClassBuilder;

class VerifyClassTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { names::initialize(); }

  std::string verify(const ClassBuilder& builder) {
    if (const char* folder = std::getenv("KEYHOLE_DUMP_CLASSES")) {
      std::vector<u8> bytes = builder.bytes();
      FILE* file = std::fopen(fmt::format("{}/{}.class", folder, builder.name()).c_str(), "wb");
      std::fwrite(bytes.data(), 1, bytes.size(), file);
      std::fclose(file);
    }
    return verify::verify_class(&thread_, builder.loose().klass).text;
  }
  // Verifies a class with one static method f, named like the test.
  std::string verify(std::string_view descriptor, std::string_view assembly, u16 version = 52,
                     u32 flags = access::Static, std::string_view method = "f") {
    ClassBuilder builder(::testing::UnitTest::GetInstance()->current_test_info()->name(), "java/lang/Object", version);
    builder.method(flags, method, descriptor, assembly);
    return verify(builder);
  }
  // Returns "first line | @bci: mnemonic | reason" of a message. The messages for old class files have only one line.
  static std::string summary(const std::string& text) {
    usize location = text.find(" @"), reason = text.find("Reason:\n    ");
    if (reason == std::string::npos) return text;
    auto line = [&](usize at) { return text.substr(at, text.find('\n', at) - at); };
    return line(0) + " |" + line(location) + " | " + line(reason + 12);
  }

  JavaThread thread_;
};

TEST_F(VerifyClassTest, AcceptsLoopWithMaps) {
  EXPECT_EQ(verify("(I)I", R"(
      .stack 2
      .locals 2
      iconst_0
      istore_1
    head:
      .frame {int int} {}
      iload_0
      ifle done
      iload_1
      iload_0
      iadd
      istore_1
      iinc 0 -1
      goto head
    done:
      .frame {int int} {}
      iload_1
      ireturn
  )"),
            "");
}

TEST_F(VerifyClassTest, WrongOperand) {
  EXPECT_EQ(verify("(Ljava/lang/Object;J)I", R"(
      .stack 3
      .locals 4
      iconst_1
      aload_0
      iadd
      ireturn
  )"),
            R"(Bad type on operand stack
Exception Details:
  Location:
    WrongOperand.f(Ljava/lang/Object;J)I @2: iadd
  Reason:
    Type 'java/lang/Object' (current frame, stack[1]) is not assignable to integer
  Current Frame:
    bci: @2
    flags: { }
    locals: { 'java/lang/Object', long, long_2nd }
    stack: { integer, 'java/lang/Object' }
  Bytecode:
    0000000: 042a 60ac                              
)");
}

TEST_F(VerifyClassTest, WrongLocal) {
  EXPECT_EQ(summary(verify("()I", ".stack 1\n.locals 1\niload_0\nireturn\n")),
            "Bad local variable type | @0: iload_0 | Type top (current frame, locals[0]) is not assignable to integer");
}
TEST_F(VerifyClassTest, NoSuchLocal) {
  EXPECT_EQ(summary(verify("()I", ".stack 1\n.locals 1\niload_3\nireturn\n")),
            "Local variable table overflow | @0: iload_3 | Local index 3 is invalid");
}
TEST_F(VerifyClassTest, Underflow) {
  EXPECT_EQ(summary(verify("()V", ".stack 1\n.locals 1\npop\nreturn\n")),
            "Operand stack underflow | @0: pop | Attempt to pop empty stack.");
}
TEST_F(VerifyClassTest, Overflow) {
  EXPECT_EQ(summary(verify("()V", ".stack 1\n.locals 1\niconst_0\niconst_1\nreturn\n")),
            "Operand stack overflow | @1: iconst_1 | Exceeded max stack size.");
}
TEST_F(VerifyClassTest, FallsOff) {
  EXPECT_EQ(summary(verify("()V", ".stack 1\n.locals 1\niconst_0\npop\n")),
            "Control flow falls through code end | @2: <invalid> | Error exists in the bytecode");
}
TEST_F(VerifyClassTest, MissingMap) {
  EXPECT_EQ(summary(verify("()V", ".stack 1\n.locals 1\niconst_0\nifeq there\nthere: return\n")),
            "Expecting a stackmap frame at branch target 4 | @1: ifeq | Expected stackmap frame at this location.");
}
TEST_F(VerifyClassTest, MissingMapAfterGoto) {
  EXPECT_EQ(summary(verify("()V", ".stack 1\n.locals 1\nthere: .frame {} {}\ngoto there\nreturn\n")),
            "Expecting a stack map frame | @3: return | Error exists in the bytecode");
}
TEST_F(VerifyClassTest, StackDepthDiffers) {
  EXPECT_EQ(summary(verify("()V",
                           ".stack 2\n.locals 1\niconst_0\niconst_0\nifeq there\npop\nthere:\n.frame {} {}\nreturn\n")),
            "Inconsistent stackmap frames at branch target 6 | @2: ifeq | Current frame's stack size doesn't match "
            "stackmap.");
}
TEST_F(VerifyClassTest, LocalDiffers) {
  EXPECT_EQ(
      summary(verify(
          "(I)V",
          ".stack 2\n.locals 2\niconst_0\nistore_1\niconst_0\nifeq there\nthere:\n.frame {int float} {}\nreturn\n")),
      "Inconsistent stackmap frames at branch target 6 | @6: return | Type integer (current frame, locals[1]) is not "
      "assignable to float (stack map, locals[1])");
}
TEST_F(VerifyClassTest, OperandDiffers) {
  EXPECT_EQ(
      summary(verify("(I)V",
                     ".stack 2\n.locals 2\nfconst_0\niconst_0\nifeq there\nthere:\n.frame {int} {int}\npop\nreturn\n")),
      "Inconsistent stackmap frames at branch target 5 | @5: pop | Type float (current frame, stack[0]) is not "
      "assignable to integer (stack map, stack[0])");
}
TEST_F(VerifyClassTest, FallsIntoOtherMap) {
  EXPECT_EQ(summary(verify("(I)V", ".stack 2\n.locals 2\niconst_0\n.frame {float} {int}\npop\nreturn\n")),
            "Instruction type does not match stack map | @1: pop | Type integer (current frame, locals[0]) is not "
            "assignable to float (stack map, locals[0])");
}
TEST_F(VerifyClassTest, BranchIntoInstruction) {
  EXPECT_EQ(summary(verify("()V", ".stack 1\n.locals 1\n.byte 0xA7 0x00 0x01\nreturn\n")),
            "Expecting a stackmap frame at branch target 1 | @0: goto | Expected stackmap frame at this location.");
}
TEST_F(VerifyClassTest, WrongReturn) {
  EXPECT_EQ(summary(verify("()Ljava/lang/Object;", ".stack 1\n.locals 1\niconst_0\nireturn\n")),
            "Bad return type | @1: ireturn | Type integer (current frame, stack[0]) is not assignable to "
            "'java/lang/Object' (from method signature)");
}
TEST_F(VerifyClassTest, MissingReturnValue) {
  EXPECT_EQ(summary(verify("()I", ".stack 1\n.locals 1\nreturn\n")),
            "Method expects a return value | @0: return | Error exists in the bytecode");
}
TEST_F(VerifyClassTest, UnwantedReturnValue) {
  EXPECT_EQ(summary(verify("()V", ".stack 1\n.locals 1\niconst_0\nireturn\n")),
            "Method does not expect a return value | @1: ireturn | Type integer (current frame, stack[0]) is not "
            "assignable to top (from method signature)");
}
TEST_F(VerifyClassTest, SuperNotCalled) {
  EXPECT_EQ(summary(verify("()V", ".stack 1\n.locals 1\nreturn\n", 52, access::Public, "<init>")),
            "Constructor must call super() or this() before return | @0: return | Error exists in the bytecode");
}
TEST_F(VerifyClassTest, UninitializedUsed) {
  EXPECT_EQ(summary(verify("()V", ".stack 2\n.locals 1\nnew A\ninvokevirtual UninitializedUsed.g ()V\nreturn\n")),
            "Bad type on operand stack | @3: invokevirtual | Type uninitialized 0 (current frame, stack[0]) is not "
            "assignable to 'UninitializedUsed'");
}
TEST_F(VerifyClassTest, WrongConstructor) {
  EXPECT_EQ(summary(verify("()V", ".stack 2\n.locals 1\nnew A\ninvokespecial B.<init> ()V\nreturn\n")),
            "Call to wrong <init> method | @3: invokespecial | Type 'A' (constant pool 8) is not assignable to 'B' "
            "(constant pool 13)");
}
TEST_F(VerifyClassTest, SplitLong) {
  EXPECT_EQ(summary(verify("(J)V", ".stack 4\n.locals 2\nlload_0\npop\npop\nreturn\n")),
            "Bad type on operand stack | @1: pop | Type long_2nd (current frame, stack[1]) is not assignable to "
            "category1 type");
}
TEST_F(VerifyClassTest, SplitLongByDup) {
  EXPECT_EQ(summary(verify("(J)V", ".stack 4\n.locals 2\niconst_0\nlload_0\ndup2_x1\npop2\npop2\npop2\nreturn\n")),
            "Operand stack overflow | @2: dup2_x1 | Exceeded max stack size.");
}
TEST_F(VerifyClassTest, HalfOfLong) {
  EXPECT_EQ(summary(verify("(J)J", ".stack 4\n.locals 2\niconst_0\nistore_1\nlload_0\nlreturn\n")),
            "Bad local variable type | @2: lload_0 | Type top (current frame, locals[0]) is not assignable to long");
}
TEST_F(VerifyClassTest, WrongConstant) {
  EXPECT_EQ(summary(verify("()V", ".stack 4\n.locals 2\nldc index 4\npop\nreturn\n")), "");
}
TEST_F(VerifyClassTest, NoConstant) {
  EXPECT_EQ(summary(verify("()V", ".stack 4\n.locals 2\nldc index 200\npop\nreturn\n")),
            "Illegal constant pool index 200 in class NoConstant | @0: ldc | Constant pool index 200 is invalid");
}
TEST_F(VerifyClassTest, NoSubroutines) {
  EXPECT_EQ(summary(verify("()V", ".stack 4\n.locals 2\njsr there\nreturn\nthere: .frame {} {}\nreturn\n")),
            "Bad instruction: a8 | @0: jsr | Error exists in the bytecode");
}
TEST_F(VerifyClassTest, WrongArray) {
  EXPECT_EQ(summary(verify("([J)V", ".stack 4\n.locals 2\naload_0\niconst_0\niaload\npop\nreturn\n")),
            "Bad type on operand stack in iaload | @2: iaload | Type '[J' (current frame, stack[0]) is not assignable "
            "to '[I'");
}
TEST_F(VerifyClassTest, WrongByteArray) {
  EXPECT_EQ(summary(verify("([J)V", ".stack 4\n.locals 2\naload_0\niconst_0\nbaload\npop\nreturn\n")),
            "Bad type on operand stack in baload | @2: baload | Invalid type: '[J' (current frame, stack[0])");
}
TEST_F(VerifyClassTest, WrongReferenceArray) {
  EXPECT_EQ(summary(verify("([J)V", ".stack 4\n.locals 2\naload_0\niconst_0\naaload\npop\nreturn\n")),
            "Bad type on operand stack in aaload | @2: aaload | Type '[J' (current frame, stack[0]) is not assignable "
            "to reference type");
}
TEST_F(VerifyClassTest, LengthOfObject) {
  EXPECT_EQ(summary(verify("(Ljava/lang/Object;)V", ".stack 4\n.locals 2\naload_0\narraylength\npop\nreturn\n")),
            "Bad type on operand stack in arraylength | @1: arraylength | Invalid type: 'java/lang/Object' (current "
            "frame, stack[0])");
}
TEST_F(VerifyClassTest, WrongField) {
  EXPECT_EQ(summary(verify("(I)V", ".stack 4\n.locals 2\niload_0\ngetfield WrongField.x I\npop\nreturn\n")),
            "Bad type on operand stack | @1: getfield | Type integer (current frame, stack[0]) is not assignable to "
            "'WrongField'");
}
TEST_F(VerifyClassTest, WrongFieldValue) {
  EXPECT_EQ(
      summary(verify("(LWrongFieldValue;)V",
                     ".stack 4\n.locals 2\naload_0\nfconst_0\nputfield WrongFieldValue.x I\nreturn\n")),
      "Bad type on operand stack | @2: putfield | Type float (current frame, stack[1]) is not assignable to integer");
}
TEST_F(VerifyClassTest, WrongArgument) {
  EXPECT_EQ(
      summary(verify("()V", ".stack 4\n.locals 2\niconst_0\nlconst_0\ninvokestatic WrongArgument.g (FJ)V\nreturn\n")),
      "Bad type on operand stack | @2: invokestatic | Type integer (current frame, stack[0]) is not assignable to "
      "float");
}
TEST_F(VerifyClassTest, InitializerByName) {
  EXPECT_EQ(summary(verify("()V", ".stack 4\n.locals 2\ninvokestatic A.<clinit> ()V\nreturn\n")),
            "Illegal call to internal method | @0: invokestatic | Error exists in the bytecode");
}
TEST_F(VerifyClassTest, HandlerLocals) {
  EXPECT_EQ(summary(verify("()V", R"(
      .stack 1
      .locals 1
      iconst_0
      istore_0
    from:
      aconst_null
      astore_0
    to:
      return
    handler:
      .frame {int} {java/lang/Throwable}
      pop
      return
      .catch any from handler handler
  )")),
            "Stack map does not match the one at exception handler 5 | @5: pop | Type null (current frame, locals[0]) "
            "is not assignable to integer (stack map, locals[0])");
}
TEST_F(VerifyClassTest, UninitializedThisInMap) {
  EXPECT_EQ(summary(verify("(I)V", R"(
      .stack 2
      .locals 2
      iload_1
      ifeq there
      aload_0
      invokespecial java/lang/Object.<init> ()V
    there:
      .frame {this int} {}
      return
  )",
                           52, access::Public, "<init>")),
            "Instruction type does not match stack map | @8: return | Type 'UninitializedThisInMap' (current frame, "
            "locals[0]) is not assignable to uninitializedThis (stack map, locals[0])");
}
TEST_F(VerifyClassTest, FlagsDiffer) {
  EXPECT_EQ(summary(verify("(I)V", R"(
      .stack 2
      .locals 2
      iload_1
      ifeq there
      aload_0
      invokespecial java/lang/Object.<init> ()V
    there:
      .frame {top int} {}
      return
  )",
                           52, access::Public, "<init>")),
            "Inconsistent stackmap frames at branch target 8 | @8: return | Current frame's flags are not assignable "
            "to stack map frame's.");
}
TEST_F(VerifyClassTest, WideIllegal) {
  EXPECT_EQ(summary(verify("()V", ".stack 4\n.locals 2\n.byte 0xC4 0x00 0x00 0x00\nreturn\n")),
            "Bad instruction | @0: wide | Error exists in the bytecode");
}
TEST_F(VerifyClassTest, MapInsideInstruction) {
  EXPECT_EQ(summary(verify("()V", ".stack 4\n.locals 2\n.byte 0x11 0x00\n.frame {} {}\n.byte 0x00\npop\nreturn\n")),
            "StackMapTable error: bad offset | @0: sipush | Invalid stackmap specification.");
}
TEST_F(VerifyClassTest, MultiDimensions) {
  EXPECT_EQ(summary(verify("()V", ".stack 4\n.locals 2\niconst_0\niconst_0\nmultianewarray [I 2\npop\nreturn\n")),
            "Illegal dimension in multianewarray instruction: 2 | @2: multianewarray | Error exists in the bytecode");
}
TEST_F(VerifyClassTest, SwitchUnsorted) {
  EXPECT_EQ(
      summary(verify(
          "()V",
          ".stack 4\n.locals 2\niconst_0\nlookupswitch 5:there 1:there default there\nthere: .frame {} {}\nreturn\n")),
      "Bad lookupswitch instruction | @1: lookupswitch | Error exists in the bytecode");
}
TEST_F(VerifyClassTest, SwitchWithOneKeyTwice) {
  EXPECT_EQ(
      summary(verify(
          "()V",
          ".stack 4\n.locals 2\niconst_0\nlookupswitch 5:there 5:there default there\nthere: .frame {} {}\nreturn\n")),
      "Bad lookupswitch instruction | @1: lookupswitch | Error exists in the bytecode");
}
TEST_F(VerifyClassTest, InterfaceCount) {
  EXPECT_EQ(summary(verify("()V", ".stack 4\n.locals 2\naconst_null\n.byte 0xB9 0x00 0x01 0x01 0x00\npop\nreturn\n")),
            "Illegal type at constant pool entry 1 in class InterfaceCount | @1: invokeinterface | Constant pool index "
            "1 is invalid");
}

TEST_F(VerifyClassTest, OldWrongOperand) {
  EXPECT_EQ(summary(verify("()V", ".stack 4\n.locals 2\naconst_null\niconst_1\niadd\npop\nreturn\n", 48)),
            "(class: OldWrongOperand, method: f signature: ()V) Expecting to find integer on stack");
}
TEST_F(VerifyClassTest, OldHeights) {
  EXPECT_EQ(summary(verify("()V", ".stack 4\n.locals 2\niconst_0\nifeq there\niconst_0\nthere: return\n", 48)),
            "(class: OldHeights, method: f signature: ()V) Inconsistent stack height 1 != 0");
}
TEST_F(VerifyClassTest, OldRegister) {
  EXPECT_EQ(summary(verify("()V", ".stack 4\n.locals 2\niload_1\nreturn\n", 48)),
            "(class: OldRegister, method: f signature: ()V) Accessing value from uninitialized register 1");
}
TEST_F(VerifyClassTest, OldRegisterType) {
  EXPECT_EQ(summary(verify("(Ljava/lang/Object;)V", ".stack 4\n.locals 2\niload_0\nreturn\n", 48)),
            "(class: OldRegisterType, method: f signature: (Ljava/lang/Object;)V) Register 0 contains wrong type");
}
TEST_F(VerifyClassTest, OldRegisterPair) {
  EXPECT_EQ(summary(verify("(Ljava/lang/Object;)V", ".stack 4\n.locals 2\nlload_0\nreturn\n", 48)),
            "(class: OldRegisterPair, method: f signature: (Ljava/lang/Object;)V) Accessing value from uninitialized "
            "register pair 0/1");
}
TEST_F(VerifyClassTest, OldUnderflow) {
  EXPECT_EQ(summary(verify("()V", ".stack 4\n.locals 2\npop\nreturn\n", 48)),
            "(class: OldUnderflow, method: f signature: ()V) Unable to pop operand off an empty stack");
}
TEST_F(VerifyClassTest, OldOverflow) {
  EXPECT_EQ(summary(verify("()V", ".stack 1\n.locals 2\naconst_null\naconst_null\nreturn\n", 48)),
            "(class: OldOverflow, method: f signature: ()V) Stack size too large");
}
TEST_F(VerifyClassTest, OldFallsOff) {
  EXPECT_EQ(summary(verify("()V", ".stack 1\n.locals 2\nnop\n", 48)),
            "(class: OldFallsOff, method: f signature: ()V) Falling off the end of the code");
}
TEST_F(VerifyClassTest, OldReturn) {
  EXPECT_EQ(summary(verify("()I", ".stack 1\n.locals 2\nreturn\n", 48)),
            "(class: OldReturn, method: f signature: ()I) Wrong return type in function");
}
TEST_F(VerifyClassTest, OldReturnType) {
  EXPECT_EQ(summary(verify("()Ljava/lang/Object;", ".stack 1\n.locals 2\niconst_0\nireturn\n", 48)),
            "(class: OldReturnType, method: f signature: ()Ljava/lang/Object;) Wrong return type in function");
}
TEST_F(VerifyClassTest, OldTarget) {
  EXPECT_EQ(summary(verify("()V", ".stack 1\n.locals 2\n.byte 0xA7 0x00 0x01\nreturn\n", 48)),
            "(class: OldTarget, method: f signature: ()V) Illegal target of jump or branch");
}
TEST_F(VerifyClassTest, OldArray) {
  EXPECT_EQ(summary(verify("()V", ".stack 4\n.locals 2\niconst_0\niconst_0\niaload\nreturn\n", 48)),
            "(class: OldArray, method: f signature: ()V) Expecting to find array of ints on stack");
}
TEST_F(VerifyClassTest, OldSuper) {
  EXPECT_EQ(summary(verify("()V", ".stack 4\n.locals 2\nreturn\n", 48, access::Public, "<init>")),
            "(class: OldSuper, method: <init> signature: ()V) Constructor must call super() or this()");
}
TEST_F(VerifyClassTest, OldLocal) {
  EXPECT_EQ(summary(verify("()V", ".stack 4\n.locals 2\nnop\nlload_1\nreturn\n", 48)),
            "(class: OldLocal, method: f signature: ()V) Illegal local variable number");
}
TEST_F(VerifyClassTest, OldConstant) {
  EXPECT_EQ(summary(verify("()V", ".stack 4\n.locals 2\nldc index 4\npop\nreturn\n", 48)),
            "(class: OldConstant, method: f signature: ()V) Illegal type in constant pool");
}
TEST_F(VerifyClassTest, OldUninitialized) {
  EXPECT_EQ(summary(verify("()V", ".stack 4\n.locals 2\nnew A\ninvokevirtual OldUninitialized.g ()V\nreturn\n", 48)),
            "(class: OldUninitialized, method: f signature: ()V) Expecting to find object/array on stack");
}
TEST_F(VerifyClassTest, OldArgument) {
  EXPECT_EQ(summary(verify("()V", ".stack 4\n.locals 2\niconst_0\ninvokestatic OldArgument.g (F)V\nreturn\n", 48)),
            "(class: OldArgument, method: f signature: ()V) Expecting to find float on stack");
}
TEST_F(VerifyClassTest, OldFieldValue) {
  EXPECT_EQ(summary(verify("()V", ".stack 4\n.locals 2\nfconst_0\nputstatic OldFieldValue.x I\nreturn\n", 48)),
            "(class: OldFieldValue, method: f signature: ()V) Expecting to find integer on stack");
}
TEST_F(VerifyClassTest, OldSplit) {
  EXPECT_EQ(summary(verify("()V", ".stack 4\n.locals 2\nlconst_0\npop\npop\nreturn\n", 48)),
            "(class: OldSplit, method: f signature: ()V) Attempt to split long or double on the stack");
}
TEST_F(VerifyClassTest, OldReturnAddress) {
  EXPECT_EQ(summary(verify("()V", ".stack 4\n.locals 2\njsr there\nthere: aload_0\nreturn\n", 48)),
            "(class: OldReturnAddress, method: f signature: ()V) Accessing value from uninitialized register 0");
}
TEST_F(VerifyClassTest, OldThrow) {
  EXPECT_EQ(summary(verify("()V", ".stack 4\n.locals 2\niconst_0\nathrow\n", 48)),
            "(class: OldThrow, method: f signature: ()V) Expecting to find object on stack");
}
TEST_F(VerifyClassTest, OldInit) {
  EXPECT_EQ(summary(verify("()V", ".stack 4\n.locals 2\naconst_null\ninvokespecial A.<init> ()V\nreturn\n", 48)),
            "(class: OldInit, method: f signature: ()V) Expecting to find unitialized object on stack");
}
TEST_F(VerifyClassTest, FailsOverAtFifty) {
  EXPECT_EQ(summary(verify("()V", ".stack 1\n.locals 1\niconst_0\nifeq there\nthere: return\n", 50)), "");
}

}  // namespace
}  // namespace keyhole
