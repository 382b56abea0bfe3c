// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests pinned locals: the selection of locals, and the points at which register and memory agree.
#include "tests/jit/baseline/compiler_fixture.h"

namespace keyhole::baseline {
namespace {

class Pinned : public testing::CompilerTest {};

// Local 0 is a bound, 1 and 2 are a double that is summed up, 3 is the counter, and 5 is not used in the loop.
constexpr const char* loop = R"(
    iconst_0
    istore 5
    dconst_0
    dstore_1
    iconst_0
    istore 3
  top:
    iload 3
    iload_0
    if_icmpge done
    dload_1
    dconst_1
    dadd
    dstore_1
    iinc 3 1
    goto top
  done:
    iload 5
    ireturn
)";

TEST_F(Pinned, LocalsOfLoopsHaveRegistersOfTheirKind) {
  testing::Parts parts(make("(I)I", loop));
  const PinnedLocals& locals = parts.all.locals;
  EXPECT_TRUE(locals.is_pinned_vector(2));  // of the two locals of a double, the second one contains the value
  EXPECT_TRUE(locals.is_pinned(3));
  EXPECT_FALSE(locals.is_pinned(5));
}

TEST_F(Pinned, WithoutALoopNothingIsPinned) {
  testing::Parts parts(make("(I)I", "iload_0\n iload_0\n iadd\n istore_1\n iload_1\n ireturn"));
  for (u32 local = 0; local < 2; ++local) EXPECT_FALSE(parts.all.locals.is_pinned(local));
}

TEST_F(Pinned, OnlyAStaleCopyIsLoaded) {
  testing::Parts parts(make("(I)I", loop));
  PinnedLocals& locals = parts.all.locals;
  locals.forget();
  locals.load(3);
  std::string loaded = parts.emitted();
  EXPECT_NE(loaded.find("dword ptr [r14+24];"), std::string::npos) << loaded;
  locals.load(3);
  EXPECT_EQ(parts.emitted(), "");
  EXPECT_TRUE(locals.is_good(3));
  EXPECT_FALSE(locals.is_good(0));
}

TEST_F(Pinned, ACopyIsWrittenBackOnceAfterAStore) {
  testing::Parts parts(make("(I)I", loop));
  PinnedLocals& locals = parts.all.locals;
  locals.forget();
  locals.set_written(3);
  EXPECT_NE(locals.dirty(), 0u);
  locals.write_back_all();
  std::string stored = parts.emitted();
  EXPECT_EQ(stored.find("mov qword ptr [r14+24], "), 0u) << stored;
  locals.write_back_all();
  EXPECT_EQ(parts.emitted(), "");
  EXPECT_TRUE(locals.is_good(3));
}

TEST_F(Pinned, ALoopKeepsDirtyWhatItStores) {
  Method* method = make("(I)I", loop);
  testing::Parts parts(method);
  PinnedLocals& locals = parts.all.locals;
  u32 backward = 0;
  for (u32 instruction = 0; instruction < parts.all.instructions->count(); ++instruction) {
    if (parts.all.instructions->operation(instruction) == Operation::goto_back) backward = instruction;
  }
  ASSERT_NE(backward, 0u);
  u32 top = parts.all.instructions->target_of(backward);
  locals.forget();
  locals.set_written(3);
  locals.write_back_for(parts.all.blocks[top]);
  EXPECT_EQ(parts.emitted(), "");
}

}  // namespace
}  // namespace keyhole::baseline
