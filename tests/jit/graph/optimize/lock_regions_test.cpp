// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests locked regions: recognition, elimination, coarsening, and the levels in frame states.
#include "jit/graph/optimize/lock_regions.h"

#include "jit/graph/pipeline.h"
#include "runtime/base/flags.h"
#include "tests/jit/graph/graph_fixture.h"

namespace keyhole {
namespace {

using graph::Op;
using testing::Outcome;

class LockRegionsTest : public testing::GraphTest {
 protected:
  void TearDown() override {
    flags::EliminateNestedLocks = true;
    flags::EliminateLocks = true;
  }

  // Makes a method with an int argument in local 0 and shared objects in locals 1 and 2. Returns its graph after the
  // phases. Before that, executes the graph once for each deopt point, deoptimizes there, and compares the outcome with
  // the interpreter's.
  static std::unique_ptr<graph::Graph> optimised(std::string_view assembly) {
    std::string text = ".locals 4\n";
    for (const char* local : {"astore_1\n", "astore_2\n"})
      text += std::string("new self\ndup\ninvokespecial self.<init> ()V\ndup\nputstatic self.seen Lself;\n") + local;
    text += assembly;
    Method* method = make("(I)I", text);
    std::vector<Slot> arguments{slot_of(i32{7})};
    Outcome expected = interpret(method, arguments);
    EXPECT_EQ(expected.exception, "");
    graph::BuildOptions options;
    options.inlines = true;  // inlines at least the constructor
    graph::Built built = graph::build(method, options);
    EXPECT_EQ(built.refusal, "");
    EXPECT_TRUE(graph::LockRegions(*built.graph).are_known());
    graph::optimise(*built.graph);
    EXPECT_EQ(graph::verify(*built.graph), "") << graph::print(*built.graph);
    EXPECT_TRUE(graph::LockRegions(*built.graph).are_known()) << graph::print(*built.graph);
    if (can_execute(*built.graph)) expect_same_from_each_exit(*built.graph, arguments, expected);
    return std::move(built.graph);
  }
  static u32 count(const graph::Graph& graph, Op op) {
    u32 found = 0;
    for (const graph::Block* block : graph.blocks) {
      for (const graph::Node* node : block->nodes) found += node->op == op ? 1 : 0;
    }
    return found;
  }
  static u32 enters(std::string_view assembly) {
    auto graph = optimised(assembly);
    EXPECT_EQ(count(*graph, Op::monitor_enter), count(*graph, Op::monitor_exit)) << graph::print(*graph);
    return count(*graph, Op::monitor_enter);
  }
  // Enters and exits.
  struct Unrecorded {
    u32 without = 0, with = 0;
    friend bool operator==(const Unrecorded&, const Unrecorded&) = default;
    friend std::ostream& operator<<(std::ostream& out, const Unrecorded& found) {
      return out << found.without << " without, " << found.with << " with a record";
    }
  };
  static Unrecorded unrecorded(const graph::Graph& graph) {
    Unrecorded found;
    for (const graph::Block* block : graph.blocks) {
      for (const graph::Node* node : block->nodes) {
        if (node->op != Op::monitor_enter && node->op != Op::monitor_exit) continue;
        ++(node->has_no_record ? found.without : found.with);
      }
    }
    return found;
  }
  static Unrecorded unrecorded(std::string_view assembly) { return unrecorded(*optimised(assembly)); }
  // Counts the locks in the frame state of a node: the levels of all objects, the eliminated levels among them, and the
  // coarsened lock, if there is one.
  struct Levels {
    u32 all = 0, eliminated = 0, coarsened_lock = 0;
    friend bool operator==(const Levels&, const Levels&) = default;
    friend std::ostream& operator<<(std::ostream& out, const Levels& levels) {
      return out << levels.all << " " << levels.eliminated << " " << levels.coarsened_lock;
    }
  };
  static std::vector<Levels> levels(const graph::Graph& graph, Op op) {
    std::vector<Levels> found;
    for (const graph::Block* block : graph.blocks) {
      for (const graph::Node* node : block->nodes) {
        if (node->op != op) continue;
        Levels& levels = found.emplace_back();
        if (node->state->coarsened_lock != nullptr) ++levels.coarsened_lock;
        for (const graph::HeldLock* lock = node->state->locks; lock != nullptr; lock = lock->outer) {
          ++levels.all;
          if (lock->is_eliminated) ++levels.eliminated;
        }
      }
    }
    return found;
  }
  // A division, which may deoptimize, and a store of its result, so that it is not dead code. Local 0 is 7 before and
  // after this code: 7 / 7 + 6.
  static inline const std::string divide = "iload_0\niload_0\nidiv\nistore_0\niinc 0 6\n";
  static inline const std::string first = "aload_1\nmonitorenter\n", first_end = "aload_1\nmonitorexit\n",
                                  second = "aload_2\nmonitorenter\n", second_end = "aload_2\nmonitorexit\n",
                                  end = "iload_0\nireturn\n", use = "aload_1\niload_0\nputfield self.i I\n";
};

// --- nested ----------------------------------------------------------------------------------------------------------

TEST_F(LockRegionsTest, AHeldMonitorIsNotEnteredAgain) {
  auto graph = optimised(first + first + use + divide + first_end + divide + first_end + end);
  EXPECT_EQ(count(*graph, Op::monitor_enter), 1u) << graph::print(*graph);
  EXPECT_EQ(count(*graph, Op::monitor_exit), 1u) << graph::print(*graph);
  EXPECT_EQ(graph->eliminated_levels, 1u);
  // The two divisions keep their guards, because the phases do not find out that the second divisor, 7 / 7 + 6, is not
  // zero.
  auto guards = levels(*graph, Op::guard);
  ASSERT_EQ(guards.size(), 2u) << graph::print(*graph);
  EXPECT_EQ(guards[0], (Levels{2, 1, 0}));
  EXPECT_EQ(guards[1], (Levels{1, 0, 0}));
}

TEST_F(LockRegionsTest, ThreeLevelsAreOne) {
  std::string body = first + first + first + divide + first_end + first_end + first_end;
  auto graph = optimised(body + end);
  EXPECT_EQ(count(*graph, Op::monitor_enter), 1u) << graph::print(*graph);
  EXPECT_EQ(levels(*graph, Op::guard), (std::vector<Levels>{{3, 2, 0}}));
}

TEST_F(LockRegionsTest, AnotherMonitorBetweenTheTwoLevels) {
  EXPECT_EQ(enters(first + second + first + divide + first_end + second_end + first_end + end), 2u);
}

TEST_F(LockRegionsTest, AnotherMonitorInTheInnerLevelKeepsItsRecordInPlace) {
  EXPECT_EQ(enters(first + first + second + divide + second_end + first_end + first_end + end), 3u);
}

TEST_F(LockRegionsTest, ACallInTheInnerLevel) {
  std::string call = "invokestatic java/lang/System.nanoTime ()J\npop2\n";
  auto graph = optimised(first + first + call + first_end + first_end + end);
  EXPECT_EQ(count(*graph, Op::monitor_enter), 1u);
  EXPECT_EQ(levels(*graph, Op::call), (std::vector<Levels>{{2, 1, 0}}));
}

// A phase copies the call's frame state to put a box into it. The level must stay eliminated in the copy.
TEST_F(LockRegionsTest, ALevelStaysEliminatedWhereACallNeedsABox) {
  std::string box = "iload_0\ninvokestatic java/lang/Integer.valueOf (I)Ljava/lang/Integer;\nastore_3\n";
  std::string call = "invokestatic java/lang/System.nanoTime ()J\npop2\n";
  std::string unbox = "aload_3\ninvokevirtual java/lang/Integer.intValue ()I\npop\n";
  auto graph = optimised(first + box + first + call + unbox + first_end + first_end + end);
  EXPECT_EQ(count(*graph, Op::box), 1u) << graph::print(*graph);
  EXPECT_EQ(levels(*graph, Op::call), (std::vector<Levels>{{2, 1, 0}})) << graph::print(*graph);
}

TEST_F(LockRegionsTest, NestedOnesStayWithoutTheFlag) {
  flags::EliminateNestedLocks = false;
  EXPECT_EQ(enters(first + first + divide + first_end + first_end + end), 2u);
}

// --- neighbours ------------------------------------------------------------------------------------------------------

TEST_F(LockRegionsTest, NeighboursAreOne) {
  auto graph = optimised(first + use + first_end + divide + first + divide + first_end + end);
  EXPECT_EQ(count(*graph, Op::monitor_enter), 1u) << graph::print(*graph);
  EXPECT_EQ(count(*graph, Op::monitor_exit), 1u) << graph::print(*graph);
  auto guards = levels(*graph, Op::guard);
  ASSERT_EQ(guards.size(), 2u) << graph::print(*graph);
  EXPECT_EQ(guards[0], (Levels{0, 0, 1}));
  EXPECT_EQ(guards[1], (Levels{1, 0, 0}));
  EXPECT_NE(graph::print(*graph).find(" coarsened n"), std::string::npos);
}

TEST_F(LockRegionsTest, OtherObjectsAreNot) {
  EXPECT_EQ(enters(first + first_end + divide + second + second_end + end), 2u);
  EXPECT_EQ(enters(first + first_end + second + second_end + first + first_end + end), 3u);
}

TEST_F(LockRegionsTest, NeighboursInARegionOfAnother) {
  EXPECT_EQ(enters(second + first + first_end + divide + first + first_end + second_end + end), 2u);
}

TEST_F(LockRegionsTest, PathsMergeBeforeTheEnter) {
  std::string branch = "iload_0\niconst_3\nif_icmpgt A\n" + first + "iinc 0 1\n" + first_end + "goto B\nA: " + first +
                       "iinc 0 2\n" + first_end + "B: " + divide + first + use + first_end + end;
  auto graph = optimised(branch);
  EXPECT_EQ(count(*graph, Op::monitor_enter), 2u) << "one on each way\n" << graph::print(*graph);
  EXPECT_EQ(count(*graph, Op::monitor_exit), 1u);
  EXPECT_EQ(levels(*graph, Op::guard), (std::vector<Levels>{{0, 0, 1}}));
}

TEST_F(LockRegionsTest, APathThatGoesElsewhereKeepsItsExit) {
  std::string way =
      first + first_end + "iload_0\niconst_3\nif_icmplt A\n" + divide + first + use + first_end + "A: " + end;
  EXPECT_EQ(enters(way), 2u);
  std::string other_entry =
      "iload_0\niconst_3\nif_icmplt A\n" + first + first_end + "A: " + first + use + first_end + end;
  EXPECT_EQ(enters(other_entry), 2u);
}

// The code at label `A` has not been executed, so it is an uncommon trap. Paths with and without a coarsened lock may
// not share one trap.
TEST_F(LockRegionsTest, AnUncommonTrapBelongsToOneOfTheTwo) {
  std::string to_a = "iload_0\niconst_3\nif_icmplt A\n", other = "iload_0\niconst_4\nif_icmplt A\n";
  std::string a = "A: new java/lang/Exception\npop\n" + end;
  EXPECT_EQ(enters(first + first_end + to_a + first + use + first_end + end + a), 1u);
  EXPECT_EQ(enters(other + first + first_end + to_a + first + use + first_end + end + a), 2u);
}

TEST_F(LockRegionsTest, NothingThatTakesLongStandsBetween) {
  std::string call = "invokestatic java/lang/System.nanoTime ()J\npop2\n";
  EXPECT_EQ(enters(first + first_end + call + first + first_end + end), 2u);
  std::string loop = "A: iinc 0 -1\niload_0\nifgt A\n";
  EXPECT_EQ(enters(first + first_end + loop + first + first_end + end), 2u);
  std::string many;
  for (int i = 0; i < 40; ++i) many += divide;
  EXPECT_EQ(enters(first + first_end + many + first + first_end + end), 2u);
}

TEST_F(LockRegionsTest, IterationsAreNotJoined) {
  EXPECT_EQ(enters("A: " + first + "iinc 0 -1\n" + first_end + "iload_0\nifgt A\n" + end), 1u);
  EXPECT_EQ(enters("A: " + first + "iinc 0 -1\n" + first_end + first + use + first_end + "iload_0\nifgt A\n" + end),
            1u);
}

TEST_F(LockRegionsTest, OthersGetTheirTurn) {
  std::string ten;
  for (int i = 0; i < 10; ++i) ten += first + divide + first_end;
  EXPECT_EQ(enters(ten + end), 2u) << "of eight, and of two";
}

TEST_F(LockRegionsTest, NeighboursStayWithoutTheFlag) {
  flags::EliminateLocks = false;
  EXPECT_EQ(enters(first + first_end + divide + first + first_end + end), 2u);
}

// --- records ---------------------------------------------------------------------------------------------------------

TEST_F(LockRegionsTest, WithoutACallThereIsNoRecord) {
  EXPECT_EQ(unrecorded(first + use + divide + first_end + end), (Unrecorded{2, 0}));
  EXPECT_EQ(unrecorded(first + "invokestatic java/lang/System.nanoTime ()J\npop2\n" + first_end + end),
            (Unrecorded{0, 2}));
  EXPECT_EQ(
      unrecorded(first + first_end + "invokestatic java/lang/System.nanoTime ()J\npop2\n" + second + second_end + end),
      (Unrecorded{4, 0}));
}

TEST_F(LockRegionsTest, TheOuterOfTwoHasARecord) {
  EXPECT_EQ(unrecorded(first + divide + second + divide + second_end + first_end + end), (Unrecorded{2, 2}));
}

TEST_F(LockRegionsTest, AnEliminatedLevelIsOnTopOfTheRecordThatIsAdded) {
  auto graph = optimised(first + first + divide + first_end + divide + first_end + end);
  EXPECT_EQ(unrecorded(*graph), (Unrecorded{2, 0})) << graph::print(*graph);
}

TEST_F(LockRegionsTest, CoarsenedRegionsHaveARecord) {
  EXPECT_EQ(unrecorded(first + use + first_end + divide + first + use + first_end + end), (Unrecorded{0, 2}));
}

// --- all -------------------------------------------------------------------------------------------------------------

TEST_F(LockRegionsTest, TheRegionsOfAllMethodsAreKnown) {
  u32 with_monitors = 0;
  for_each_started_method([&](Method* method) {
    graph::BuildOptions options;
    options.inlines = true;
    graph::Built made = graph::build(method, options);
    if (made.graph == nullptr) return;
    ASSERT_TRUE(graph::LockRegions(*made.graph).are_known()) << method->external_name() << "\n" << print(*made.graph);
    if (find(*made.graph, Op::monitor_enter) == nullptr) return;
    ++with_monitors;
    graph::optimise(*made.graph);
    ASSERT_EQ(graph::verify(*made.graph), "") << method->external_name();
    ASSERT_TRUE(graph::LockRegions(*made.graph).are_known()) << method->external_name() << "\n" << print(*made.graph);
  });
  EXPECT_GT(with_monitors, 20u);
}

}  // namespace
}  // namespace keyhole
