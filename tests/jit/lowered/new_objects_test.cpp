// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests stores of references into new objects: without a card mark (B5 of gc/barrier.h), and without a check if the
// class is known.
#include "tests/jit/graph/new_objects.h"
#include "tests/jit/lowered/lowered_fixture.h"

namespace keyhole {
namespace {

using graph::Op;

class LoweredNewObjectsTest : public testing::NewObjectsTest<testing::LoweredTest> {
 protected:
  struct Stores {
    u32 without_mark, marked;
    bool operator==(const Stores&) const = default;
  };
  // Counts the stores in the method's code, after comparing the code's results with those of the interpreter.
  static Stores stores_of(std::string_view text) {
    Method* method = make_new("(II)I", text);
    for (std::vector<Slot> arguments : arguments_for_all())
      interpret(method, arguments);  // all instructions are resolved
    auto graph = optimised(method);
    EXPECT_EQ(count(*graph, Op::can_store) + count(*graph, Op::is_castable), 0u) << graph::print(*graph);
    uptr code = compile(*graph);
    for (std::vector<Slot> arguments : arguments_for_all())
      EXPECT_EQ(call(code, method, arguments), interpret(method, arguments)) << graph::print(*graph);
    std::string lowered = low::print(graph::lower(*graph).function);
    return {count_of(lowered, "snippet_initialize_reference"), count_of(lowered, "snippet_store_reference")};
  }

 private:
  static u32 count_of(std::string_view text, std::string_view word) {
    u32 found = 0;
    for (usize at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++found;
    return found;
  }
};

// The mirror is old.
TEST_F(LoweredNewObjectsTest, AreStoredIntoWithoutAMark) {
  EXPECT_EQ(stores_of(R"(
      .locals 3
      make
      astore_2
      aload_2
      getstatic self.seen Lself;
      putfield self.next Lself;
      aload_2
      putstatic self.seen Lself;
      iload_0
      ireturn
  )"),
            (Stores{1, 1}));
}

TEST_F(LoweredNewObjectsTest, AreMarkedBehindACall) {
  EXPECT_EQ(stores_of(R"(
      .locals 3
      make
      astore_2
      aload_2
      putstatic self.seen Lself;
      invokestatic java/lang/System.nanoTime ()J
      pop2
      aload_2
      aload_2
      putfield self.next Lself;
      iload_0
      ireturn
  )"),
            (Stores{0, 2}));
}

TEST_F(LoweredNewObjectsTest, AreMarkedInAnotherBlock) {
  EXPECT_EQ(stores_of(R"(
      .locals 3
      make
      astore_2
      aload_2
      putstatic self.seen Lself;
      iload_1
      ifeq done
      aload_2
      aload_2
      putfield self.next Lself;
    done:
      iload_0
      ireturn
  )"),
            (Stores{0, 2}));
}

TEST_F(LoweredNewObjectsTest, AreSmallArraysOfConstantLength) {
  for (auto [length, expected] : {std::pair{"bipush 64", Stores{1, 1}}, std::pair{"bipush 65", Stores{0, 2}},
                                  std::pair{"iload_0\niconst_5\niand\niconst_1\nior", Stores{0, 2}}}) {
    EXPECT_EQ(stores_of(".locals 3\n" + std::string(length) + R"(
      anewarray self
      astore_2
      aload_2
      iconst_0
      make
      dup
      putstatic self.seen Lself;
      aastore
      aload_2
      iconst_0
      aaload
      getstatic self.seen Lself;
      if_acmpne wrong
      aload_2
      invokestatic java/lang/System.identityHashCode (Ljava/lang/Object;)I
      pop
      iload_0
      ireturn
    wrong:
      iconst_m1
      ireturn
    )"),
              expected)
        << length;
  }
}

}  // namespace
}  // namespace keyhole
