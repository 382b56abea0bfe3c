// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests guard hoisting: the guards that move and those that stay, and the execution with each deopt point taken.
#include "gc/barrier.h"
#include "gc/heap/heap.h"
#include "jit/graph/pipeline.h"
#include "tests/jit/graph/graph_fixture.h"
#include "vm/link/linker.h"

namespace keyhole {
namespace {

using graph::Op;
using testing::vm_thread;

class GuardHoistingTest : public testing::GraphTest {
 protected:
  // Makes a method that sums up array[index] while `condition` holds for the counter and the limit (local 2).
  static Method* summing(const char* descriptor, const char* begin, std::string index, std::string step,
                         const char* counter, const char* condition) {
    return make(descriptor, fmt::format(R"(
      .locals 5
      {}
      iconst_0
      istore 4
      goto test
  body:
      iload 4
      aload_0
      {}
      iaload
      iadd
      istore 4
      {}
  test:
      {}
      iload_2
      {} body
      iload 4
      ireturn
  )",
                                        begin, index, step, counter, condition));
  }
  // Makes a method that sums up array[i + offset], for i from `first` by `step`, while `condition` holds for i and the
  // limit.
  static Method* sum(const char* condition, i32 step, i32 offset) {
    return summing("([III)I", "iload_1\nistore_3", fmt::format("iload_3\nbipush {}\niadd", offset),
                   fmt::format("iinc 3 {}", step), "iload_3", condition);
  }
  static std::unique_ptr<graph::Graph> optimised(Method* method, bool has_failed = false) {
    graph::BuildOptions options;
    options.inlines = true;
    options.has_failed = [has_failed](const Method*, u32, graph::DeoptReason reason) {
      return has_failed && reason == graph::DeoptReason::Hoisted;
    };
    graph::Built built = graph::build(method, options);
    EXPECT_EQ(built.refusal, "");
    EXPECT_EQ(graph::verify(*built.graph), "") << graph::print(*built.graph);
    graph::optimise(*built.graph);
    EXPECT_EQ(graph::verify(*built.graph), "") << graph::print(*built.graph);
    return std::move(built.graph);
  }
  static u32 guards_with(const graph::Graph& graph, graph::DeoptReason reason) {
    u32 found = 0;
    for (const graph::Block* block : graph.blocks) {
      for (const graph::Node* node : block->nodes) found += node->op == Op::guard && node->reason == reason ? 1 : 0;
    }
    return found;
  }
  static Slot array_of(i32 length) {
    Object* array = heap::allocate_array(vm_thread(), primitive_array_klass(BasicType::Int), length);
    for (i32 i = 0; i < length; ++i) array->set<i32>(Object::element_offset(2, static_cast<u32>(i)), 7 * i + 1);
    return slot_of(array);
  }
};

TEST_F(GuardHoistingTest, IndicesThatCountAreComparedOnce) {
  struct Case {
    const char* condition;
    i32 step, offset;
  };
  for (auto [condition, step, offset] : {Case{"if_icmplt", 1, 0},
                                         {"if_icmple", 1, 0},
                                         {"if_icmplt", 1, 3},
                                         {"if_icmplt", 1, -3},
                                         {"if_icmpgt", -1, 0},
                                         {"if_icmpge", -1, 0},
                                         {"if_icmpge", -1, 2},
                                         {"if_icmpgt", -1, -2},
                                         {"if_icmplt", 3, 0},
                                         {"if_icmple", 7, 2},
                                         {"if_icmplt", 100, -1}}) {
    Method* method = sum(condition, step, offset);
    std::vector<Slot> warm{array_of(10), slot_of(i32{5}), slot_of(i32{5})};
    interpret(method, warm);
    auto graph = optimised(method);
    EXPECT_EQ(guards_with(*graph, graph::DeoptReason::Range), 0u) << graph::print(*graph);
    EXPECT_EQ(guards_with(*graph, graph::DeoptReason::Null), 0u) << graph::print(*graph);
    EXPECT_GT(guards_with(*graph, graph::DeoptReason::Hoisted), 1u);
    EXPECT_EQ(find(*graph, Op::loop_entry), nullptr);
    constexpr i32 edges[] = {std::numeric_limits<i32>::min(), -4, -3, -1, 0, 1, 3, 4, 9, 10, 11,
                             std::numeric_limits<i32>::max()};
    for (i32 first : edges) {
      for (i32 limit : edges) {
        for (i32 length : {0, 1, 10}) {
          std::vector<Slot> arguments{array_of(length), slot_of(first), slot_of(limit)};
          EXPECT_EQ(execute(*graph, arguments), interpret(method, arguments))
              << condition << " " << first << " " << limit << " of " << length;
        }
      }
    }
    std::vector<Slot> arguments{0, slot_of(i32{1}), slot_of(i32{3})};
    EXPECT_EQ(execute(*graph, arguments), interpret(method, arguments));
  }
}

// The loops read array[row * columns + i], array[i * columns + row] and array[i - row]. The stride is an argument.
TEST_F(GuardHoistingTest, IndicesThatAreLinearInACounterAreComparedOnce) {
  const char* indices[] = {"iload 4\niload 5\nimul\niload 6\niadd", "iload 6\niload 5\nimul\niload 4\niadd",
                           "iload 6\niload 4\nisub", "iload 6"};
  for (const char* index : indices) {
    for (const char* leaves : {"if_icmpge", "if_icmpgt"}) {
      Method* method = make("([IIIIII)I", fmt::format(R"(
      .locals 8
      iload_1
      istore 6
      iconst_0
      istore 7
  next:
      iload 6
      iload_2
      {} done
      iload 7
      aload_0
      {}
      iaload
      iadd
      istore 7
      iload 6
      iload_3
      iadd
      istore 6
      goto next
  done:
      iload 7
      ireturn
  )",
                                                      leaves, index));
      auto arguments = [](i32 length, i32 first, i32 limit, i32 stride, i32 row, i32 columns) {
        return std::vector<Slot>{array_of(length), slot_of(first), slot_of(limit),
                                 slot_of(stride),  slot_of(row),   slot_of(columns)};
      };
      interpret(method, arguments(60, 0, 4, 1, 0, 6));
      auto graph = optimised(method);
      EXPECT_EQ(guards_with(*graph, graph::DeoptReason::Range), 0u) << graph::print(*graph);
      constexpr i32 most = std::numeric_limits<i32>::max(), least = std::numeric_limits<i32>::min();
      struct Case {
        i32 first, limit, stride, row, columns;
      };
      for (Case each : {Case{0, 4, 1, 0, 6},
                        {0, 4, 1, 3, 6},
                        {2, 9, 3, 1, 5},
                        {5, 5, 1, 9, 9},
                        {7, 3, 1, 100, 100},
                        {0, 8, 2, -1, 6},
                        {0, 4, 0x4000'0000, 0, 1},
                        {0, most, most, 0, 1},
                        {least, least, 1, 0, 1},
                        {0, 3, 1, 0x1000'0000, 16},
                        {0, 3, 1, 0x4000'0000, 4},
                        {most - 2, most - 1, 1, 0, 0},
                        {10, 14, 1, 7, 1},
                        {0, 12, 5, most, -1},
                        {0, 4, -1, 0, 6},
                        {1, 60, 4, 0, 1}}) {
        std::vector<Slot> values = arguments(60, each.first, each.limit, each.stride, each.row, each.columns);
        EXPECT_EQ(execute(*graph, values), interpret(method, values))
            << index << " " << leaves << " " << each.first << " " << each.limit << " " << each.stride << " "
            << each.row;
      }
      std::vector<Slot> usual = arguments(60, 0, 4, 1, 1, 6);
      expect_same_from_each_exit(*graph, usual, interpret(method, usual));
    }
  }
}

// The loop reads array[second], and `second` advances beside the counter in steps of its own.
TEST_F(GuardHoistingTest, IndicesThatAdvanceBesideACounterAreComparedOnce) {
  for (i32 step : {1, -1, 2, -3, 100}) {
    for (bool goes_up : {true, false}) {
      for (bool includes_limit : {false, true}) {
        const char* stays = goes_up          ? includes_limit ? "if_icmple" : "if_icmplt"
                            : includes_limit ? "if_icmpge"
                                             : "if_icmpgt";
        std::string steps = fmt::format("iinc 3 {}\niinc 1 {}", step, goes_up ? 1 : -1);
        Method* method = summing("([IIII)I", "", "iload_3", steps, "iload_1", stays);
        auto arguments = [](i32 length, i32 first, i32 limit, i32 second) {
          return std::vector<Slot>{array_of(length), slot_of(first), slot_of(limit), slot_of(second)};
        };
        std::vector<Slot> usual = arguments(400, 5, goes_up ? 7 : 3, 200);
        interpret(method, usual);
        auto graph = optimised(method);
        EXPECT_EQ(guards_with(*graph, graph::DeoptReason::Range), 0u) << graph::print(*graph);
        constexpr i32 most = std::numeric_limits<i32>::max(), least = std::numeric_limits<i32>::min();
        for (i32 first : {least, -1, 0, 3, most}) {
          for (i32 iterations : {-1, 0, 1, 2, 3}) {
            u32 distance = static_cast<u32>(goes_up ? iterations : -iterations);
            i32 limit = static_cast<i32>(static_cast<u32>(first) + distance);
            for (i32 second : {least, -1, 0, 1, 2, 3, 199, 397, 398, 399, 400, most}) {
              std::vector<Slot> values = arguments(400, first, limit, second);
              EXPECT_EQ(execute(*graph, values), interpret(method, values))
                  << stays << " " << step << ": " << first << " " << limit << " " << second;
            }
          }
        }
        expect_same_from_each_exit(*graph, usual, interpret(method, usual));
      }
    }
  }
}

// The condition of a branch to an uncommon trap is hoisted like that of a guard.
TEST_F(GuardHoistingTest, ConditionsOfBranchesToUncommonTrapsAreCheckedOnce) {
  for (const char* leaves : {"if_icmplt", "if_icmple", "if_icmpgt", "if_icmpge", "if_icmpeq"}) {
    for (i32 step : {1, -2}) {
      for (bool is_first : {true, false}) {  // which operand is loop-invariant
        Method* method = make(
            "(IIIII)I", fmt::format(R"(
      .locals 5
  next:
      iload_0
      iload_1
      if_icmpge done
      {}
      {} away
      iinc 2 {}
      iinc 0 1
      goto next
  done:
      iload_2
      ireturn
  away:
      getstatic self.si I
      iload_2
      iadd
      ireturn
  )",
                                    is_first ? "iload_3\niload_2\niload 4\niadd" : "iload_2\niload 4\niadd\niload_3",
                                    leaves, step));
        auto arguments = [](i32 first, i32 limit, i32 second, i32 bound, i32 offset) {
          return std::vector<Slot>{slot_of(first), slot_of(limit), slot_of(second), slot_of(bound), slot_of(offset)};
        };
        bool is_less = leaves[7] == 'l';
        i32 far = is_less == is_first ? 1000 : -1000;
        if (leaves[7] == 'e') far = step > 0 ? 1000 : -1000;  // the counter stops earlier
        std::vector<Slot> usual = arguments(3, 6, 10, far, 2);
        interpret(method, usual);
        auto graph = optimised(method);
        const graph::Node* exit = find(*graph, Op::uncommon_trap);
        EXPECT_EQ(exit, nullptr) << graph::print(*graph);
        constexpr i32 most = std::numeric_limits<i32>::max(), least = std::numeric_limits<i32>::min();
        for (i32 iterations : {0, 1, 2, 3}) {
          for (i32 second : {least, least + 2, -3, 0, 3, most - 2, most}) {
            for (i32 bound : {least, least + 1, -4, -1, 0, 4, most - 1, most}) {
              for (i32 offset : {least, -1, 0, 1, most}) {
                std::vector<Slot> values = arguments(7, 7 + iterations, second, bound, offset);
                ASSERT_EQ(execute(*graph, values), interpret(method, values))
                    << leaves << " " << step << ": " << iterations << " " << second << " " << bound << " " << offset;
              }
            }
          }
        }
        expect_same_from_each_exit(*graph, usual, interpret(method, usual));
      }
    }
  }
}

// for (i = 0; i < limit; i++) sum += array[i], where the loop computes the limit by a division.
TEST_F(GuardHoistingTest, LimitsThatAreQuotientsAreComparedOnce) {
  const char* limits[] = {"aload_0\narraylength\niconst_2\nidiv",
                          "aload_0\narraylength\niconst_m1\nidiv",
                          "aload_0\narraylength\nbipush 7\nirem",
                          "aload_0\narraylength\niload_1\nidiv",
                          "aload_0\narraylength\niload_1\nirem",
                          "aload_0\narraylength\ni2l\niconst_3\ni2l\nldiv\nl2i",
                          "aload_0\narraylength\ni2l\niload_1\ni2l\nldiv\nl2i",
                          "iload_2\ni2l\niload_1\ni2l\nlrem\nl2i",
                          "iload_2\niload_1\nidiv"};
  for (const char* limit : limits) {
    Method* method = make("([III)I", fmt::format(R"(
      .locals 5
      iconst_0
      istore_3
      iconst_0
      istore 4
      goto test
  body:
      iload 4
      aload_0
      iload_3
      iaload
      iadd
      istore 4
      iinc 3 1
  test:
      iload_3
      {}
      if_icmplt body
      iload 4
      ireturn
  )",
                                                 limit));
    std::vector<Slot> warm{array_of(20), slot_of(i32{3}), slot_of(i32{11})};
    interpret(method, warm);
    auto graph = optimised(method);
    EXPECT_EQ(guards_with(*graph, graph::DeoptReason::Range), 0u) << limit << "\n" << graph::print(*graph);
    EXPECT_EQ(guards_with(*graph, graph::DeoptReason::ZeroDivisor), 0u) << limit << "\n" << graph::print(*graph);
    constexpr i32 edges[] = {std::numeric_limits<i32>::min(), -3, -1, 0, 1, 2, 3, 11, 21,
                             std::numeric_limits<i32>::max()};
    for (i32 divisor : edges) {
      for (i32 dividend : edges) {
        for (i32 length : {0, 1, 20}) {
          std::vector<Slot> arguments{array_of(length), slot_of(divisor), slot_of(dividend)};
          EXPECT_EQ(execute(*graph, arguments), interpret(method, arguments))
              << limit << " by " << divisor << " of " << dividend << ", length " << length;
        }
      }
    }
  }
}

TEST_F(GuardHoistingTest, AFailedGuardStaysInTheLoop) {
  Method* method = sum("if_icmplt", 1, 0);
  std::vector<Slot> arguments{array_of(10), slot_of(i32{2}), slot_of(i32{8})};
  interpret(method, arguments);
  auto graph = optimised(method, /*has_failed=*/true);
  EXPECT_EQ(guards_with(*graph, graph::DeoptReason::Hoisted), 0u);
  EXPECT_EQ(guards_with(*graph, graph::DeoptReason::Range), 1u);
  expect_same_from_each_exit(*graph, arguments, interpret(method, arguments));
}

// The load of a row of an array of arrays moves out of the loop, unless the loop stores to such an array.
TEST_F(GuardHoistingTest, LoadsMoveUnlessTheLoopWritesThem) {
  for (bool writes : {false, true}) {
    Method* method =
        make("([[II)I", fmt::format(R"(
      .locals 4
      iconst_0
      istore_2
      iconst_0
      istore_3
  next:
      iload_3
      aload_0
      iload_1
      aaload
      iload_2
      iaload
      iadd
      istore_3
      {}
      iinc 2 1
      iload_2
      iconst_5
      if_icmplt next
      iload_3
      ireturn
  )",
                                    writes ? "aload_0\niload_1\naload_0\niconst_0\naaload\naastore" : "nop"));
    Klass* rows_class = array_klass_of(vm_thread(), primitive_array_klass(BasicType::Int));
    Object* rows = heap::allocate_array(vm_thread(), rows_class, 2);
    barrier::store_element(rows, 0, object_of(array_of(5)));
    barrier::store_element(rows, 1, object_of(array_of(6)));
    std::vector<Slot> arguments{slot_of(rows), slot_of(i32{1})};
    interpret(method, arguments);
    auto graph = optimised(method);
    bool is_in_loop = false;
    for (const graph::Block* block : graph->blocks) {
      for (const graph::Node* node : block->nodes) {
        bool is_row = node->op == Op::load_element && node->type == graph::Type::Reference;
        is_in_loop |=
            is_row && std::ranges::any_of(block->predecessors, [&](auto* from) { return from->id >= block->id; });
      }
    }
    EXPECT_EQ(is_in_loop, writes) << graph::print(*graph);
    expect_same_from_each_exit(*graph, arguments, interpret(method, arguments));
    arguments[1] = slot_of(i32{2});
    EXPECT_EQ(execute(*graph, arguments), interpret(method, arguments));
  }
}

}  // namespace
}  // namespace keyhole
