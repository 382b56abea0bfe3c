// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests which slots hold live references at an instruction, with one small method for each rule.
#include "vm/verify/frame_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/class_builder.h"
#include "vm/verify/frame_map_builder.h"

namespace keyhole {
namespace {

using testing::ClassBuilder;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class FrameMapTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { names::initialize(); }

  Method* make(std::string_view descriptor, std::string_view assembly, u32 flags = access::Static, u16 version = 49) {
    ClassBuilder builder("Test", "java/lang/Object", version);
    builder.method(flags, "test", descriptor, assembly);
    return builder.loose().method("test");
  }
  static std::vector<u32> live(Method* method, u32 bci, bool in_call = false, const Slot* locals = nullptr) {
    std::vector<u32> slots;
    for_each_live_reference(
        method, bci, in_call, [](u32 slot, void* context) { static_cast<std::vector<u32>*>(context)->push_back(slot); },
        &slots, locals);
    return slots;
  }
};

TEST_F(FrameMapTest, ArgumentsAreReferencesAsLongAsTheyAreRead) {
  Method* method = make("(Ljava/lang/Object;ILjava/lang/Object;)V", R"(
      .stack 1
      .locals 3
      invokestatic A.first ()V      ; 0
      aload_2                       ; 3
      invokestatic A.second (Ljava/lang/Object;)V   ; 4
      return                        ; 7
  )");
  EXPECT_THAT(live(method, 0), ElementsAre(2));   // local 0 is never read
  EXPECT_THAT(live(method, 4), ElementsAre(3));   // only slot 3, the operand, is live; local 2 is dead
  EXPECT_THAT(live(method, 4, true), IsEmpty());  // during the call, its argument belongs to the callee
  EXPECT_THAT(live(method, 7), IsEmpty());
}

TEST_F(FrameMapTest, ReceiverIsLocalZero) {
  Method* method = make("(J)V", R"(
      invokestatic A.poll ()V
      aload_0
      invokevirtual Test.use ()V
      return
  )",
                        0);
  EXPECT_THAT(live(method, 0), ElementsAre(0));
  EXPECT_THAT(live(method, 4), ElementsAre(u32{method->max_locals}));
  EXPECT_THAT(live(method, 4, true), IsEmpty());
}

TEST_F(FrameMapTest, ASynchronizedMethodKeepsItsReceiver) {
  for (u32 flags : {u32{0}, u32{access::Synchronized}, u32{access::Synchronized} | u32{access::Static}}) {
    Method* method = make("(Ljava/lang/Object;)V", R"(
        .locals 2
        invokestatic A.poll ()V
        return
    )",
                          flags);
    if (flags == access::Synchronized) EXPECT_THAT(live(method, 0), ElementsAre(0));
    else EXPECT_THAT(live(method, 0), IsEmpty());
  }
}

TEST_F(FrameMapTest, LongAndDoubleTakeTwoSlotsAndAreNoReferences) {
  Method* method = make("(JLjava/lang/Object;D)V", R"(
      .stack 6
      .locals 5
      lload_0
      aload_2
      dload_3
      invokestatic A.use (JLjava/lang/Object;D)V
      return
  )");
  EXPECT_THAT(live(method, 3), ElementsAre(5 + 2));
  EXPECT_EQ(operand_depth(method, 3), 5u);
  EXPECT_THAT(live(method, 3, true), IsEmpty());
}

TEST_F(FrameMapTest, SlotWithDifferentTypesIsDeadWherePathsMeet) {
  Method* method = make("(I)Ljava/lang/Object;", R"(
      .locals 3
      iload_0                 ; 0
      ifeq other              ; 1
      iconst_1                ; 4
      istore_1                ; 5
      aconst_null             ; 6
      astore_2                ; 7
      goto meet               ; 8
    other:
      aconst_null             ; 11
      dup                     ; 12
      astore_1                ; 13
      astore_2                ; 14
    meet:
      invokestatic A.poll ()V ; 15
      aload_2
      areturn
  )");
  EXPECT_THAT(live(method, 15), ElementsAre(2));
}

TEST_F(FrameMapTest, LoopCarriesWhatTheNextRoundReads) {
  Method* method = make("(Ljava/lang/Object;I)V", R"(
      .locals 3
      aload_0                 ; 0
      astore_2                ; 1
    head:
      iinc 1 -1               ; 2
      aload_2                 ; 5
      invokestatic A.next (Ljava/lang/Object;)Ljava/lang/Object;   ; 6
      astore_2                ; 9
      iload_1                 ; 10
      ifgt head               ; 11
      return                  ; 14
  )");
  EXPECT_THAT(live(method, 11), ElementsAre(2));
  EXPECT_THAT(live(method, 2), ElementsAre(2));
  EXPECT_THAT(live(method, 6, true), IsEmpty());  // the local is overwritten before it is read again
  EXPECT_THAT(live(method, 14), IsEmpty());
}

TEST_F(FrameMapTest, HandlerKeepsItsLocalsAliveThroughoutTheRange) {
  Method* method = make("(Ljava/lang/Object;)Ljava/lang/Object;", R"(
      .locals 2
    from:
      invokestatic A.first ()V    ; 0
    to:
      invokestatic A.second ()V   ; 3
      aconst_null
      areturn
    handler:
      pop                         ; 8
      aload_0
      areturn
      .catch any from to handler
  )");
  EXPECT_THAT(live(method, 0), ElementsAre(0));
  EXPECT_THAT(live(method, 3), IsEmpty());
  EXPECT_THAT(live(method, 8), ElementsAre(0, 2));  // slot 0 is local 0, and slot 2 is the exception
  EXPECT_EQ(operand_depth(method, 8), 1u);
}

TEST_F(FrameMapTest, HandlerSeesEachStateOfALocalInTheRange) {
  // Local 1 is an int before astore_1 and a reference after it, so the handler that covers both states cannot use it.
  Method* method = make("()Ljava/lang/Object;", R"(
      .locals 2
      iconst_0                    ; 0
      istore_1                    ; 1
    from:
      invokestatic A.first ()Ljava/lang/Object;   ; 2
      astore_1                    ; 5
      invokestatic A.second ()V   ; 6
    to:
      aload_1                     ; 9
      areturn
    handler:
      invokestatic A.third ()V    ; 11
      areturn
      .catch any from to handler
  )");
  EXPECT_THAT(live(method, 6), ElementsAre(1));
  EXPECT_THAT(live(method, 11), ElementsAre(2));
}

TEST_F(FrameMapTest, UninitializedObjectIsAReference) {
  Method* method = make("()Ljava/lang/Object;", R"(
      .stack 3
      .locals 0
      new A                          ; 0
      dup                            ; 3
      invokestatic A.argument ()Ljava/lang/String;   ; 4
      invokespecial A.<init> (Ljava/lang/String;)V   ; 7
      areturn                        ; 10
  )");
  EXPECT_THAT(live(method, 4), ElementsAre(0, 1));
  EXPECT_THAT(live(method, 7), ElementsAre(0, 1, 2));
  EXPECT_THAT(live(method, 7, true), ElementsAre(0));
  EXPECT_THAT(live(method, 10), ElementsAre(0));
}

TEST_F(FrameMapTest, ShufflesMoveSlots) {
  Method* method = make("(Ljava/lang/Object;I)V", R"(
      .stack 5
      .locals 2
      aload_0
      iload_1
      dup_x1                      ; i a i
      invokestatic A.poll ()V     ; 3
      swap                        ; i i a
      invokestatic A.poll ()V     ; 7
      dup2_x1                     ; i a i i a
      invokestatic A.poll ()V     ; 11
      return
  )");
  EXPECT_THAT(live(method, 3), ElementsAre(2 + 1));
  EXPECT_THAT(live(method, 7), ElementsAre(2 + 2));
  EXPECT_THAT(live(method, 11), ElementsAre(2 + 1, 2 + 4));
}

TEST_F(FrameMapTest, WideInstructionsNameFarLocals) {
  Method* method = make("()Ljava/lang/Object;", R"(
      .stack 1
      .locals 300
      aconst_null                 ; 0
      astore 299                  ; 1: wide
      invokestatic A.poll ()V     ; 5
      aload 299                   ; 8
      areturn
  )");
  EXPECT_THAT(live(method, 5), ElementsAre(299));
}

TEST_F(FrameMapTest, LargeEqualMapsAreShared) {
  std::string text = ".stack 1\n.locals 100\naconst_null\nastore 99\n";
  for (int call = 0; call < 50; ++call) text += "invokestatic A.poll ()V\n";
  Method* method = make("()Ljava/lang/Object;", text + "aload 99\nareturn\n");
  EXPECT_THAT(live(method, 3), ElementsAre(99));
  const FrameMaps* maps = method->frame_maps.load();
  EXPECT_EQ(maps->word_count, 3 * maps->words_per_map);  // entry, polls, areturn
}

TEST_F(FrameMapTest, UnusualPlacesAreAnsweredToo) {
  Method* method = make("(Ljava/lang/Object;)I", R"(
      iconst_1
      iconst_2
      iadd                        ; 2
      aload_0                     ; 3
      pop
      ireturn
  )");
  EXPECT_THAT(live(method, 3), ElementsAre(0));
  EXPECT_EQ(operand_depth(method, 2), 2u);
}

TEST_F(FrameMapTest, SubroutineKeepsCallersTypesApart) {
  // Code as javac 1.3 compiled try { ... } finally { poll(); }: local 1 is an int on one path, and the exception on the
  // other.
  Method* method = make("()I", R"(
      .stack 2
      .locals 3
    from:
      iconst_5                    ; 0
      istore_1                    ; 1
      jsr finally                 ; 2
      iload_1                     ; 5
      ireturn                     ; 6
    handler:
      astore_1                    ; 7
      jsr finally                 ; 8
      aload_1                     ; 11
      athrow                      ; 12
    finally:
      astore_2                    ; 13
      invokestatic A.poll ()V     ; 14
      ret 2                       ; 17
      .catch any from handler handler
  )",
                        access::Static, 45);
  Slot locals[3] = {};
  locals[2] = 5;  // the return address of the jsr at 2
  EXPECT_THAT(live(method, 14, false, locals), IsEmpty());
  locals[2] = 11;  // the return address of the jsr at 8
  EXPECT_THAT(live(method, 14, false, locals), ElementsAre(1));
  EXPECT_THAT(live(method, 12), ElementsAre(3));
  EXPECT_THAT(live(method, 6), IsEmpty());
}

TEST_F(FrameMapTest, NestedSubroutinesReturnToTheirCallers) {
  Method* method = make("(Ljava/lang/Object;)Ljava/lang/Object;", R"(
      .stack 2
      .locals 3
      jsr outer                   ; 0
      aload_0                     ; 3
      areturn
    outer:
      astore_1                    ; 5
      jsr inner                   ; 6
      ret 1                       ; 9
    inner:
      astore_2                    ; 11
      invokestatic A.poll ()V     ; 12
      ret 2                       ; 15
  )",
                        access::Static, 45);
  EXPECT_THAT(live(method, 12), ElementsAre(0));
  EXPECT_THAT(live(method, 4), ElementsAre(3));
}

TEST_F(FrameMapTest, SubroutineLeftByAnExceptionMayBeEnteredAgain) {
  Method* method = make("()V", R"(
      .stack 2
      .locals 2
    again:
      jsr sub                     ; 0
      return                      ; 3
    sub:
      astore_1                    ; 4
    from:
      invokestatic A.poll ()V     ; 5
    to:
      ret 1                       ; 8
    handler:
      pop                         ; 10
      goto again
      .catch any from to handler
  )",
                        access::Static, 45);
  EXPECT_THAT(live(method, 5), IsEmpty());
}

TEST_F(FrameMapTest, IllTypedCodeHasNoMaps) {
  auto fault = [&](const char* descriptor, const char* text) { return frame_maps_fault(make(descriptor, text)); };
  EXPECT_EQ(fault("()V", "iconst_0\nreturn"), "");
  EXPECT_EQ(fault("()V", "aconst_null\niconst_0\niadd\npop\nreturn"), "operand of the wrong type at bci 2 (iadd)");
  EXPECT_EQ(fault("()V", "pop\nreturn"), "operand stack underflow at bci 0 (pop)");
  EXPECT_EQ(fault("()V", ".stack 1\niconst_0\niconst_0\nreturn"), "operand stack overflow at bci 1 (iconst_0)");
  EXPECT_EQ(fault("()V", "iload_1\nreturn"), "local of the wrong type at bci 0 (iload_1)");
  EXPECT_EQ(fault("()V", "iconst_0"), "control falls off the end of the code at bci 0 (iconst_0)");
  EXPECT_EQ(fault("()V", "iconst_0\nifeq join\niconst_0\njoin: return"),
            "operand depths differ where paths meet at bci 5 (return)");
  EXPECT_EQ(fault("()V", ".byte 0xA7 0x00 0x01"), "malformed code at 0");
  EXPECT_EQ(fault("()V", "aconst_null\nastore_0\nret 0"),
            "not a return address of a running subroutine at bci 2 (ret)");
}

}  // namespace
}  // namespace keyhole
