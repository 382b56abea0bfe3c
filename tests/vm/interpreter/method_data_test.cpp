// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests profiles: counts of the interpreter's profiling table, saturation, rows of classes, threads that race.
#include "vm/interpreter/method_data.h"

#include <gtest/gtest.h>

#include <thread>

#include "runtime/threads/threads.h"
#include "tests/support/class_builder.h"
#include "vm/interpreter/compiler.h"
#include "vm/interpreter/decoder.h"
#include "vm/interpreter/interpreter.h"
#include "vm/link/java_call.h"
#include "vm/link/loading/loader_data.h"

namespace keyhole {
namespace {

using testing::ClassBuilder;

class Profiles : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (names::java_lang_Object == nullptr) names::initialize();
    thread_ = threads::current_or_null();
    if (thread_ == nullptr) thread_ = threads::attach_current(false, false, 0);
    loader_ = new LoaderData();
    interpreter::fill_counting_table();
    interpreter::fill_profiling_table();
    previous_table_ = thread_->dispatch;
    thread_->dispatch = interpreter::profiling_table;
  }
  static void TearDownTestSuite() { thread_->dispatch = previous_table_; }

  Method* make(const char* descriptor, const char* assembly) {
    ClassBuilder builder(fmt::format("Profiled{}", ++count_));
    builder.method(access::Static, "run", descriptor, assembly);
    testing::LooseClass loose = builder.loose();
    loose.enter(loader_);
    Method* method = loose.method("run");
    method->entry.store(interpreter::first_entry(method), std::memory_order_release);
    interpreter::prepare_bytecode(method);
    return method;
  }
  i32 call(Method* method, i32 argument) {
    Slot slot = static_cast<u32>(argument);
    return static_cast<i32>(call_java(thread_, method, std::span<const Slot>(&slot, 1)));
  }
  static u32 instruction_at(const Method* method, u32 bci) {
    const MethodCode* body = method->body.load();
    return static_cast<u32>(body->instruction_at(bci) - body->instructions());
  }
  static const BranchProfile& branch(const Method* method, u32 bci) {
    return *method->data.load()->at<BranchProfile>(instruction_at(method, bci));
  }
  // A TypeProfile outside any method.
  struct Types {
    TypeProfile* operator->() { return reinterpret_cast<TypeProfile*>(words); }
    alignas(8) u64 words[2 + 2 * 8] = {};
  };

  static inline JavaThread* thread_ = nullptr;
  static inline const void* previous_table_ = nullptr;
  static inline LoaderData* loader_ = nullptr;
  static inline int count_ = 0;
};

constexpr const char* one_of_four = R"(
  iload_0
  iconst_3
  iand
  ifeq multiple
  iconst_1
  ireturn
multiple:
  iconst_2
  ireturn
)";

constexpr const char* summing_loop = R"(
  iconst_0
  istore_1
head:
  iload_1
  iload_0
  if_icmpge done
  iinc 1 1
  goto head
done:
  iload_1
  ireturn
)";

TEST_F(Profiles, AMethodWithoutAProfileOnlyRuns) {
  Method* method = make("(I)I", one_of_four);
  EXPECT_EQ(call(method, 4), 2);
  EXPECT_EQ(method->data.load(), nullptr);
}

TEST_F(Profiles, ABranchTakenOnceInFour) {
  Method* method = make("(I)I", one_of_four);
  interpreter::make_method_data(method);
  for (i32 i = 0; i < 100; ++i) EXPECT_EQ(call(method, i), i % 4 == 0 ? 2 : 1);
  EXPECT_EQ(branch(method, 3).taken.read(), 25u);
  EXPECT_EQ(branch(method, 3).not_taken.read(), 75u);
}

TEST_F(Profiles, SuperinstructionsAreTakenApart) {
  Method* method = make("(I)I", summing_loop);  // load_load_if_icmpge, iinc_goto_back
  interpreter::make_method_data(method);
  EXPECT_EQ(call(method, 10), 10);
  EXPECT_EQ(call(method, 0), 0);
  EXPECT_EQ(branch(method, 4).taken.read(), 2u);
  EXPECT_EQ(branch(method, 4).not_taken.read(), 10u);
  EXPECT_EQ(method->data.load()->at<JumpProfile>(instruction_at(method, 10))->taken.read(), 10u);
}

TEST_F(Profiles, LoopsAreEnteredAsOftenAsLeft) {
  Method* method = make("(I)I", summing_loop);
  interpreter::make_method_data(method);
  for (i32 n : {3, 5, 10}) call(method, n);
  std::vector<interpreter::LoopProfile> loops = interpreter::loops_of(*method->data.load());
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_EQ(loops[0].header, instruction_at(method, 2));
  EXPECT_EQ(loops[0].entered, 3u);
  EXPECT_EQ(loops[0].back_edges, 18u);
  EXPECT_DOUBLE_EQ(loops[0].trips(), 6.0);
}

TEST_F(Profiles, AConditionalBackwardBranch) {
  Method* method = make("(I)I", R"(
  again:
    iinc 0 -1
    iload_0
    ifgt again
    iload_0
    ireturn
  )");
  interpreter::make_method_data(method);
  EXPECT_EQ(call(method, 5), 0);
  EXPECT_EQ(branch(method, 4).taken.read(), 4u);
  EXPECT_EQ(branch(method, 4).not_taken.read(), 1u);
}

TEST_F(Profiles, CasesOfBothSwitches) {
  Method* method = make("(I)I", R"(
    iload_0
    tableswitch 3 a b c default d
  a:
    iconst_1
    ireturn
  b:
    iconst_2
    ireturn
  c:
    iconst_3
    ireturn
  d:
    iload_0
    lookupswitch -7:a 100:b default c
  )");
  interpreter::make_method_data(method);
  for (i32 key : {3, 3, 5, 100, -7, -7, -7, 8}) call(method, key);
  const MethodData* data = method->data.load();
  auto counts = [&](u32 instruction) {
    const SwitchProfile* profile = data->at<SwitchProfile>(instruction);
    std::vector<u32> found;
    for (u32 i = 0; i <= profile->count; ++i) found.push_back(profile->targets[i].read());
    return found;
  };
  EXPECT_EQ(counts(1), (std::vector<u32>{2, 0, 1, 5}));
  EXPECT_EQ(counts(9), (std::vector<u32>{3, 1, 1}));
}

TEST_F(Profiles, CountersSaturateWhenReadAndNeverWrap) {
  Counter counter{};
  counter.value.store(0xFFFF'FFFE);
  counter.count();
  EXPECT_EQ(counter.read(), 0xFFFF'FFFFu);
  counter.count();
  counter.count();
  EXPECT_EQ(counter.read(), 0xFFFF'FFFFu);
  EXPECT_EQ(counter.value.load(), 0x1'0000'0001u);
}

TEST_F(Profiles, ClassesBeyondTheWidthAreOthers) {
  Types types;
  for (u32 klass : {11u, 12u, 11u, 13u, 14u, 11u, 12u, 13u}) types->count(klass);
  ASSERT_EQ(TypeProfile::width(), 2u);
  EXPECT_EQ(types->rows[0].klass_id.load(), 11u);
  EXPECT_EQ(types->rows[0].count.read(), 3u);
  EXPECT_EQ(types->rows[1].klass_id.load(), 12u);
  EXPECT_EQ(types->rows[1].count.read(), 2u);
  EXPECT_EQ(types->others.read(), 3u);
}

TEST_F(Profiles, WithoutRowsAllAreOthers) {
  flags::TypeProfileWidth = 0;
  Types types;
  types->count(11);
  types->count(12);
  flags::TypeProfileWidth = 2;
  EXPECT_EQ(types->others.read(), 2u);
}

TEST_F(Profiles, DeadClassesGiveTheirRowsBackAndNoClassHasTwo) {
  static Klass living{}, dead{};
  if (living.id == 0) {
    register_klass(&living);
    register_klass(&dead);
  }
  Method* method = make("(I)I", R"(
    aconst_null
    instanceof java/lang/String
    ireturn
  )");
  TypeProfile* types = interpreter::make_method_data(method)->at<TypeProfile>(1u);
  types->count(dead.id);
  types->count(living.id);
  types->count(living.id);
  interpreter::forget_dead_types(method, [](const Klass* klass) { return klass == &dead; });
  EXPECT_EQ(types->rows[0].klass_id.load(), 0u);
  EXPECT_EQ(types->rows[0].count.read(), 0u);
  types->count(living.id);  // the count goes to row 1, which has this class, not to the free row 0
  EXPECT_EQ(types->rows[0].klass_id.load(), 0u);
  EXPECT_EQ(types->rows[1].count.read(), 3u);
  types->count(dead.id);  // another class may have this id by now
  EXPECT_EQ(types->rows[0].klass_id.load(), dead.id);
  EXPECT_EQ(types->rows[0].count.read(), 1u);
}

TEST_F(Profiles, NullsOfTypeTests) {
  Method* method = make("(I)I", R"(
    aconst_null
    instanceof java/lang/String
    aconst_null
    checkcast java/lang/String
    pop
    ireturn
  )");
  const MethodData* data = interpreter::make_method_data(method);
  call(method, 0);
  call(method, 0);
  EXPECT_EQ(data->at<TypeProfile>(1u)->nulls.read(), 2u);
  EXPECT_EQ(data->at<TypeProfile>(3u)->nulls.read(), 2u);
}

TEST_F(Profiles, TrapsByKindAndTheFirstSitesByThemselves) {
  Method* method = make("(I)I", one_of_four);
  MethodData* data = interpreter::make_method_data(method);
  for (u32 instruction = 0; instruction < MethodData::trap_rows + 2; ++instruction)
    data->count_trap(instruction, Trap::range_check);
  data->count_trap(1, Trap::range_check);
  data->count_trap(1, Trap::null_check);
  EXPECT_EQ(data->traps[static_cast<u32>(Trap::range_check)].read(), MethodData::trap_rows + 3);
  EXPECT_EQ(data->traps[static_cast<u32>(Trap::null_check)].read(), 1u);
  EXPECT_EQ(data->traps_at(0, Trap::range_check), 1u);
  EXPECT_EQ(data->traps_at(1, Trap::range_check), 2u);
  EXPECT_EQ(data->traps_at(MethodData::trap_rows, Trap::range_check), 0u);
}

TEST_F(Profiles, TextHasBytecodeLinesAndCounts) {
  Method* method = make("(I)I", summing_loop);
  interpreter::make_method_data(method);
  call(method, 4);
  std::string text = interpreter::describe(*method->data.load());
  EXPECT_NE(text.find("loop: entered 1 times, 4 backward branches, 4.0 each\n           2: iload_1\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("           4: if_icmpge 13\n              taken 1, not taken 4\n"), std::string::npos) << text;
}

// Racing threads may lose increments of a count, but the profile must stay valid.
TEST_F(Profiles, ThreadsRaceForCountsAndRows) {
  Method* method = make("(I)I", one_of_four);
  MethodData* data = interpreter::make_method_data(method);
  Types types;
  constexpr u32 rounds = 20'000, thread_count = 4;
  std::vector<std::thread> threads;
  for (u32 t = 0; t < thread_count; ++t) {
    threads.emplace_back([&, t] {
      for (u32 i = 0; i < rounds; ++i) {
        data->at<BranchProfile>(3u)->count(i % 2 == 0);
        types->count(100 + (i + t) % 3);
        data->count_trap(i % 12, Trap::null_check);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  u64 all = u64{rounds} * thread_count;
  const BranchProfile& ways = *data->at<BranchProfile>(3u);
  EXPECT_GE(ways.taken.read(), rounds / 2);
  EXPECT_LE(u64{ways.taken.read()} + ways.not_taken.read(), all);
  u32 first = types->rows[0].klass_id.load(), second = types->rows[1].klass_id.load();
  EXPECT_TRUE(first >= 100 && first <= 102 && second >= 100 && second <= 102);
  EXPECT_NE(first, second);
  EXPECT_LE(u64{types->rows[0].count.read()} + types->rows[1].count.read() + types->others.read(), all);
  EXPECT_GT(types->others.read(), 0u);
}

}  // namespace
}  // namespace keyhole
