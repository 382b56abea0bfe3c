// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Methods that allocate objects which do not escape, for tests of graphs and of machine code. `make` in their text is a
// new object of the method's class. Arguments are two ints; if the second is 0, a division deoptimizes most of them.
#pragma once

#include "tests/jit/graph/boxing_fixture.h"

namespace keyhole::testing {

template <typename Fixture> class NewObjectsTest : public BoxingTest<Fixture> {
 protected:
  static Method* make_new(const char* descriptor, std::string_view text) {
    std::string code = replaced(std::string(text), "make", "new self\ndup\ninvokespecial self.<init> ()V");
    return Fixture::make(descriptor, code);
  }
  static std::vector<std::vector<Slot>> arguments_for_all() {
    std::vector<std::vector<Slot>> all;
    for (auto [first, second] : {std::pair{300, 7}, std::pair{-3, 1}, std::pair{5, 0}})
      all.push_back({slot_of(i32{first}), slot_of(i32{second})});
    return all;
  }
  static u32 count(const graph::Graph& graph, graph::Op op) {
    u32 found = 0;
    for (const graph::Block* block : graph.blocks) {
      for (const graph::Node* node : block->nodes) found += node->op == op ? 1 : 0;
    }
    return found;
  }

  // int, byte, double, reference.
  static constexpr const char* fields_of_all_types = R"(
      .locals 3
      make
      astore_2
      aload_2
      iload_0
      putfield self.i I
      aload_2
      iload_0
      putfield self.b B
      aload_2
      iload_1
      i2d
      putfield self.d D
      bipush 100
      iload_1
      idiv
      aload_2
      getfield self.i I
      iadd
      aload_2
      getfield self.b B
      iadd
      i2l
      aload_2
      getfield self.d D
      d2l
      ladd
      aload_2
      getfield self.next Lself;
      ifnonnull wrong
      lreturn
    wrong:
      pop2
      lconst_0
      lreturn
  )";
  static constexpr const char* cycle = R"(
      .locals 4
      make
      astore_2
      make
      astore_3
      aload_2
      aload_3
      putfield self.next Lself;
      aload_3
      aload_2
      putfield self.next Lself;
      aload_3
      iload_0
      putfield self.i I
      bipush 100
      iload_1
      idiv
      aload_2
      getfield self.next Lself;
      getfield self.next Lself;
      aload_2
      if_acmpne differ
      aload_2
      getfield self.next Lself;
      getfield self.i I
      iadd
      ireturn
    differ:
      pop
      iconst_m1
      ireturn
  )";
  static constexpr const char* merge = R"(
      .locals 3
      make
      astore_2
      iload_0
      ifle other
      aload_2
      iload_0
      putfield self.i I
      goto behind
    other:
      aload_2
      iload_1
      putfield self.b B
    behind:
      bipush 100
      iload_1
      idiv
      aload_2
      getfield self.i I
      iadd
      aload_2
      getfield self.b B
      isub
      ireturn
  )";
  static constexpr const char* loop = R"(
      .locals 3
      make
      astore_2
    next:
      aload_2
      getfield self.i I
      iload_1
      if_icmpge behind
      aload_2
      aload_2
      getfield self.i I
      iconst_1
      iadd
      putfield self.i I
      goto next
    behind:
      bipush 100
      iload_1
      idiv
      aload_2
      getfield self.i I
      iadd
      ireturn
  )";
  static constexpr const char* one_in_each_iteration = R"(
      .locals 5
      iconst_0
      istore_3
    next:
      make
      astore_2
      aload_2
      iload_3
      putfield self.i I
      bipush 100
      iload_1
      iload_3
      iconst_1
      iand
      iadd
      idiv
      aload_2
      getfield self.i I
      iadd
      istore_3
      iload_3
      sipush 1000
      if_icmplt next
      iload_3
      ireturn
  )";
  static constexpr const char* arrays = R"(
      .locals 5
      iconst_3
      newarray byte
      astore_2
      iconst_2
      anewarray java/lang/Object
      astore_3
      iconst_2
      newarray double
      astore 4
      aload_2
      iconst_1
      iload_0
      bastore
      aload_3
      iconst_1
      aload_2
      aastore
      aload 4
      iconst_0
      iload_1
      i2d
      dastore
      bipush 100
      iload_1
      idiv
      aload_2
      iconst_1
      baload
      iadd
      aload_3
      iconst_1
      aaload
      aload_2
      if_acmpne differ
      aload_3
      arraylength
      iadd
      aload_3
      iconst_0
      aaload
      ifnonnull differ
      aload 4
      iconst_0
      daload
      d2i
      iadd
      ireturn
    differ:
      pop
      iconst_m1
      ireturn
  )";
  // The new object is locked twice, and both levels are held at the division, which may throw.
  static constexpr const char* locked = R"(
      .locals 4
      make
      astore_2
      aload_2
      monitorenter
      aload_2
      iload_0
      putfield self.i I
      aload_2
      monitorenter
      bipush 100
      iload_1
      idiv
      aload_2
      getfield self.i I
      iadd
      istore_3
      aload_2
      monitorexit
      aload_2
      monitorexit
      iload_3
      ireturn
  )";
  // The new object is locked inside the monitor of a shared object.
  static constexpr const char* locked_inside = R"(
      .locals 4
      make
      astore_2
      ldc "everybody's"
      monitorenter
      aload_2
      monitorenter
      bipush 100
      iload_1
      idiv
      istore_3
      aload_2
      monitorexit
      ldc "everybody's"
      monitorexit
      iload_3
      ireturn
  )";
  // The new object is live across three calls, and at a division that may throw. The new object's field refers to a
  // shared object. On the operand stack, another operand lies below the new object.
  static constexpr const char* across_calls = R"(
      .locals 4
      make
      dup
      putstatic self.seen Lself;
      astore_3
      aload_3
      iload_0
      putfield self.i I
      make
      astore_2
      aload_2
      aload_3
      putfield self.next Lself;
      aload_2
      iload_1
      putfield self.b B
      aload_2
      iload_0
      i2d
      putfield self.d D
      bipush 100
      iload_0
      invokestatic java/lang/Integer.toString (I)Ljava/lang/String;
      aload_2
      iload_0
      putfield self.i I
      invokevirtual java/lang/String.intern ()Ljava/lang/String;
      invokevirtual java/lang/String.hashCode ()I
      invokestatic java/lang/System.nanoTime ()J
      pop2
      iadd
      aload_2
      getfield self.next Lself;
      getfield self.i I
      iadd
      aload_2
      getfield self.i I
      iadd
      aload_2
      getfield self.b B
      iadd
      aload_2
      getfield self.d D
      d2i
      iadd
      iload_1
      idiv
      ireturn
  )";
  static constexpr const char* box_in_array = R"(
      .locals 3
      iconst_1
      anewarray java/lang/Object
      astore_2
      aload_2
      iconst_0
      iload_0
      invokestatic java/lang/Integer.valueOf (I)Ljava/lang/Integer;
      aastore
      bipush 100
      iload_1
      idiv
      aload_2
      iconst_0
      aaload
      checkcast java/lang/Integer
      invokevirtual java/lang/Integer.intValue ()I
      iadd
      ireturn
  )";
};

}  // namespace keyhole::testing
