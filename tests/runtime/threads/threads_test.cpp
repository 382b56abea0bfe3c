// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests threads, safepoints, handshakes, handles, sleeping and parking with real OS threads.
#include "runtime/threads/threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "runtime/base/flags.h"
#include "runtime/threads/asynchronous.h"
#include "runtime/threads/blocking.h"
#include "runtime/threads/handles.h"
#include "runtime/threads/handshake.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/stacks.h"
#include "runtime/threads/thread_state.h"

namespace keyhole {
namespace {

class ThreadsTest : public testing::Test {
 protected:
  void SetUp() override { self = threads::attach_current(false, false, 0); }
  void TearDown() override {
    threads::wait_until_last_non_daemon(self);
    threads::detach(self);
  }
  // Waits until threads have increased the counter to the value. Like a blocked Java thread, the test lets safepoints
  // happen while it waits.
  void wait_for(std::atomic<int>& counter, int value) {
    while (counter.load() < value) {
      BlockedScope blocked(self);
      sched_yield();
    }
  }
  JavaThread* self = nullptr;
};

std::atomic<int> finished;
std::atomic<bool> stop;

TEST_F(ThreadsTest, AttachedThreadIsManagedAndHasStacks) {
  EXPECT_EQ(threads::current_or_null(), self);
  EXPECT_EQ(self->state.load(), ThreadState::InVM);
  EXPECT_GT(self->id, 2u);
  EXPECT_LT(self->stack.java_base, self->stack.java_limit);
  EXPECT_LT(self->stack.java_limit, self->stack.java_end);
  *self->stack.java_base = 1;
  self->stack.java_end[-1] = 2;
  self->lock_records[0].object = nullptr;
  self->lock_records[self->lock_record_capacity - 1].object = nullptr;
  EXPECT_LT(reinterpret_cast<uptr>(self->lock_records), u64{1} << 42);
  EXPECT_EQ(threads::count_non_daemon(), 1u);
  // Takes the address of the native frame, not of a local, because AddressSanitizer keeps locals outside of the stack.
  EXPECT_LT(self->stack.native_limit, __builtin_frame_address(0));
}

TEST_F(ThreadsTest, StackSizeFlagIsInKiB) {
  flags::ThreadStackSize = 2048;
  usize bytes = stacks::java_stack_bytes(0);
  flags::ThreadStackSize = 0;
  EXPECT_EQ(bytes, stacks::java_stack_bytes(2_MiB));
}

std::atomic<u64> mutator_steps;

TEST_F(ThreadsTest, SuspendedThreadStandsStillUntilItIsResumed) {
  stop = false;
  mutator_steps = 0;
  JavaThread* worker = threads::start(0, false, false, nullptr, nullptr, [](JavaThread* thread) {
    while (!stop.load()) {
      mutator_steps.fetch_add(1);
      safepoint::poll(thread);
      asynchronous::answer(thread);
    }
  });
  ASSERT_NE(worker, nullptr);
  for (int i = 0; i < 100; ++i) {
    for (u64 before = mutator_steps.load(); mutator_steps.load() == before;) {
      BlockedScope blocked(self);
      sched_yield();
    }
    auto suspend = [&]() WORLD_STOPPED { asynchronous::request_suspension(worker); };
    safepoint::run(self, "Suspend", suspend);
    u64 stood = mutator_steps.load();
    for (int k = 0; k < 20; ++k) {
      safepoint::poll(self);
      sched_yield();
    }
    EXPECT_EQ(mutator_steps.load(), stood);
    auto resume = [&]() WORLD_STOPPED { asynchronous::request_resumption(worker); };
    safepoint::run(self, "Resume", resume);
  }
  stop = true;
  threads::wait_until_last_non_daemon(self);
}

std::atomic<u64> slow_entries;

// The threads read only their stack limit, as the entry of a method does, and must still stop at safepoints.
TEST_F(ThreadsTest, ThreadsThatOnlyEnterMethodsAreMetThroughTheirStackLimit) {
  stop = false;
  slow_entries = 0;
  for (int i = 0; i < 2; ++i) {
    threads::start(0, false, false, nullptr, nullptr, [](JavaThread* thread) {
      while (!stop.load()) {
        if (thread->entry_limit.load(std::memory_order_relaxed) == thread->stack.java_limit) continue;
        slow_entries.fetch_add(1);
        safepoint::poll_slow(thread);
        asynchronous::answer(thread);
      }
    });
  }
  auto nothing = [] {};
  while (slow_entries.load() < 500) {  // if a safepoint or a handshake does not end, the test hangs
    safepoint::run(self, "Stop", nothing);
    handshake::run_all(self, "Meet", [](JavaThread*, void*) {}, nullptr);
  }
  stop = true;
  threads::wait_until_last_non_daemon(self);
}

TEST_F(ThreadsTest, EntriesAreSlowUntilTheRequestIsAnswered) {
  EXPECT_EQ(self->entry_limit.load(), self->stack.java_limit);
  auto request = [&]() WORLD_STOPPED { asynchronous::request_suspension(self); };
  safepoint::run(self, "Suspend", request);
  EXPECT_EQ(self->entry_limit.load(), nullptr);
  safepoint::poll_slow(self);  // poll_slow does not react to suspension requests
  EXPECT_EQ(self->entry_limit.load(), nullptr);
  auto resume = [&]() WORLD_STOPPED { asynchronous::request_resumption(self); };
  safepoint::run(self, "Resume", resume);
  safepoint::poll_slow(self);
  EXPECT_EQ(self->entry_limit.load(), self->stack.java_limit);
}

TEST_F(ThreadsTest, EntriesThatNobodyAsksForMoreThanASampleArePassed) {
  EXPECT_FALSE(safepoint::pass_entry(self)) << "there was no room";
  safepoint::request_sample(self);
  EXPECT_EQ(self->entry_limit.load(), nullptr);
  EXPECT_TRUE(safepoint::is_sample_requested(self));
  EXPECT_TRUE(safepoint::pass_entry(self));
  EXPECT_FALSE(safepoint::is_sample_requested(self));
  EXPECT_EQ(self->entry_limit.load(), self->stack.java_limit);
  auto request = [&]() WORLD_STOPPED { asynchronous::request_suspension(self); };
  safepoint::run(self, "Suspend", request);
  EXPECT_FALSE(safepoint::pass_entry(self));
  EXPECT_EQ(self->entry_limit.load(), nullptr);
  auto resume = [&]() WORLD_STOPPED { asynchronous::request_resumption(self); };
  safepoint::run(self, "Resume", resume);
  EXPECT_TRUE(safepoint::pass_entry(self)) << "null without a bit";
  EXPECT_EQ(self->entry_limit.load(), self->stack.java_limit);
}

TEST_F(ThreadsTest, ExecutionSamplesAreRequestedApartFromOtherSamples) {
  safepoint::request_execution_sample(self);
  EXPECT_EQ(self->entry_limit.load(), nullptr);
  EXPECT_FALSE(safepoint::is_sample_requested(self));
  EXPECT_FALSE(safepoint::pass_entry(self)) << "the new frame has to poll";
  safepoint::poll_slow(self);  // poll_slow does not take samples
  EXPECT_EQ(self->entry_limit.load(), nullptr);
  safepoint::request_sample(self);
  EXPECT_TRUE(safepoint::take_execution_sample_request(self));
  EXPECT_FALSE(safepoint::take_execution_sample_request(self));
  EXPECT_TRUE(safepoint::is_sample_requested(self));
  EXPECT_TRUE(safepoint::pass_entry(self));
  EXPECT_EQ(self->entry_limit.load(), self->stack.java_limit);
}

TEST_F(ThreadsTest, AsynchronousExceptionBecomesPendingOnce) {
  alignas(16) static char storage[64];
  Object* exception = reinterpret_cast<Object*>(storage);
  auto request = [&]() WORLD_STOPPED { asynchronous::request_exception(self, exception); };
  EXPECT_FALSE(asynchronous::answer(self));
  safepoint::run(self, "Stop", request);
  EXPECT_EQ(self->pending_exception, nullptr);
  EXPECT_TRUE(asynchronous::answer(self));
  EXPECT_EQ(self->pending_exception, exception);
  EXPECT_FALSE(asynchronous::is_requested(self));
  EXPECT_FALSE(asynchronous::answer(self));
  self->pending_exception = nullptr;
}

TEST_F(ThreadsTest, StackSizeFollowsTheRequest) {
  EXPECT_EQ(stacks::java_stack_bytes(0), stacks::java_stack_bytes(stacks::default_bytes));
  EXPECT_GE(stacks::java_stack_bytes(16_MiB), 32_MiB);
  EXPECT_GE(stacks::java_stack_bytes(1), stacks::minimum_requested_bytes);
  EXPECT_EQ(stacks::native_stack_bytes(64_KiB), stacks::minimum_native_stack_bytes);
  EXPECT_EQ(stacks::native_stack_bytes(4_MiB), 32_MiB);
  EXPECT_EQ(stacks::native_stack_bytes(64_MiB), stacks::ample_native_stack_bytes);
  EXPECT_EQ(stacks::native_stack_bytes(4_GiB), 2_GiB);
}

TEST_F(ThreadsTest, PrepareRunsBeforeTheBody) {
  finished = 0;
  static std::atomic<int> prepared;
  prepared = 0;
  threads::start(
      0, false, false,
      [](JavaThread* thread, void* context) {
        static_cast<std::atomic<int>*>(context)->store(static_cast<int>(thread->id));
      },
      &prepared,
      [](JavaThread* thread) {
        EXPECT_EQ(prepared.load(), static_cast<int>(thread->id));
        EXPECT_EQ(thread->state.load(), ThreadState::InVM);
        ++finished;
      });
  wait_for(finished, 1);
}

TEST_F(ThreadsTest, RefusedStackIsReportedAndLeavesNothingBehind) {
  u32 before = threads::count();
  bool prepared = false;
  JavaThread* thread = threads::start(
      u64{1} << 45, false, false, [](JavaThread*, void* flag) { *static_cast<bool*>(flag) = true; }, &prepared,
      [](JavaThread*) {});
  EXPECT_EQ(thread, nullptr);
  EXPECT_FALSE(prepared);
  EXPECT_EQ(threads::count(), before);
  EXPECT_EQ(threads::count_non_daemon(), 1u);
}

TEST_F(ThreadsTest, DaemonsDoNotHoldTheEndUp) {
  finished = 0;
  stop = false;
  threads::start(0, true, false, nullptr, nullptr, [](JavaThread* thread) {
    while (!stop) {
      BlockedScope blocked(thread);
      sched_yield();
    }
    ++finished;
  });
  threads::wait_until_last_non_daemon(self);  // returns at once
  stop = true;
  wait_for(finished, 1);
}

TEST_F(ThreadsTest, ManyShortThreadsReuseTheirStructures) {
  finished = 0;
  std::vector<JavaThread*> seen;
  for (int i = 0; i < 4000; ++i) {
    JavaThread* thread = threads::start(0, false, false, nullptr, nullptr, [](JavaThread*) { ++finished; });
    ASSERT_NE(thread, nullptr);
    if (std::find(seen.begin(), seen.end(), thread) == seen.end()) seen.push_back(thread);
    if (i % 16 == 15) wait_for(finished, i + 1);
  }
  wait_for(finished, 4000);
  EXPECT_LT(seen.size(), 2400u);
}

// Each mutator writes two cells that are equal whenever it polls. The safepoint operation checks that no mutator is
// between its two writes.
struct Cells {
  u64 a = 0, b = 0;
  char padding[48];
};
Cells cells[4];

TEST_F(ThreadsTest, SafepointStopsMutatorsAtPolls) {
  finished = 0;
  stop = false;
  static std::atomic<int> next_index;
  next_index = 0;
  for (int i = 0; i < 4; ++i) {
    threads::start(0, false, false, nullptr, nullptr, [](JavaThread* thread) {
      Cells& mine = cells[next_index++];
      u32 turns = 0;
      while (!stop) {
        ++mine.a;
        ++mine.b;
        safepoint::poll(thread);
        if (++turns % 64 == 0) {
          NativeScope native(thread);
          sched_yield();
        }
      }
      ++finished;
    });
  }
  int bad = 0;
  for (int i = 0; i < 300; ++i) {
    auto check = [&] {
      EXPECT_TRUE(safepoint::in_progress());
      for (Cells& c : cells) bad += c.a != c.b;
      threads::for_each([](JavaThread* thread) { thread->result = 1; });
    };
    safepoint::run(self, "Test", check);
  }
  EXPECT_FALSE(safepoint::in_progress());
  EXPECT_EQ(bad, 0);
  stop = true;
  wait_for(finished, 4);
}

TEST_F(ThreadsTest, SafepointsFromManyThreadsTakeTurns) {
  finished = 0;
  static u64 turns;  // not atomic, because the variable changes only while the world is stopped
  turns = 0;
  for (int i = 0; i < 4; ++i) {
    threads::start(0, false, false, nullptr, nullptr, [](JavaThread* thread) {
      for (int k = 0; k < 200; ++k) {
        auto bump = [] { ++turns; };
        safepoint::run(thread, "Turn", bump);
      }
      ++finished;
    });
  }
  wait_for(finished, 4);
  EXPECT_EQ(turns, 800u);
}

TEST_F(ThreadsTest, SafepointsUnderThreadChurn) {
  finished = 0;
  int started = 0;
  for (int round = 0; round < 60; ++round) {
    for (int i = 0; i < 5; ++i) {
      // Small stacks, so that hundreds of threads that nobody has joined yet fit into AddressSanitizer's address space.
      started += threads::start(64_KiB, false, false, nullptr, nullptr, [](JavaThread* thread) {
                   for (int k = 0; k < 20; ++k) safepoint::poll(thread);
                   ++finished;
                 }) != nullptr;
    }
    auto nothing = [] {};
    safepoint::run(self, "Churn", nothing);
  }
  EXPECT_EQ(started, 300);
  wait_for(finished, started);
}

TEST_F(ThreadsTest, HandshakeMeetsEveryThreadOnce) {
  finished = 0;
  stop = false;
  for (int i = 0; i < 4; ++i) {
    threads::start(0, false, false, nullptr, nullptr, [](JavaThread* thread) {
      u32 turns = 0;
      while (!stop) {
        safepoint::poll(thread);
        if (++turns % 32 == 0) {
          BlockedScope blocked(thread);
          sched_yield();
        }
      }
      ++finished;
    });
  }
  for (int i = 1; i <= 300; ++i) {
    struct Context {
      std::atomic<int> met{0};
    } context;
    handshake::run_all(
        self, "Test",
        [](JavaThread* target, void* c) {
          ++target->result;
          ++static_cast<Context*>(c)->met;
        },
        &context);
    EXPECT_EQ(context.met.load(), 5);
  }
  EXPECT_EQ(self->result, 300u);
  stop = true;
  wait_for(finished, 4);
}

TEST_F(ThreadsTest, HandshakesAndSafepointsTogether) {
  finished = 0;
  for (int i = 0; i < 4; ++i) {
    threads::start(0, false, false, nullptr, nullptr, [](JavaThread* thread) {
      for (int k = 0; k < 100; ++k) {
        auto nothing = [] {};
        if ((k + thread->id) % 2 == 0) safepoint::run(thread, "Mixed", nothing);
        else handshake::run_all(thread, "Mixed", [](JavaThread* target, void*) { ++target->result; }, nullptr);
        safepoint::poll(thread);
      }
      ++finished;
    });
  }
  wait_for(finished, 4);
}

TEST_F(ThreadsTest, HandlesSurviveScopesAndBlocks) {
  auto fake = [](uptr i) { return reinterpret_cast<Object*>(i * 8); };
  HandleScope outer(self);
  Handle kept = outer.make(fake(1));
  {
    HandleScope inner(self);
    std::vector<Handle> many;
    for (uptr i = 2; i < 200; ++i) many.push_back(inner.make(fake(i)));
    int visited = 0;
    visit_handles(self, [&](Object** slot) {
      ++visited;
      *slot = reinterpret_cast<Object*>(reinterpret_cast<uptr>(*slot) + 8);  // moves the object, as a collector does
    });
    EXPECT_EQ(visited, 199);
    for (uptr i = 2; i < 200; ++i) EXPECT_EQ(many[i - 2].get(), fake(i + 1));
  }
  EXPECT_EQ(kept.get(), fake(2));
  int visited = 0;
  visit_handles(self, [&](Object**) { ++visited; });
  EXPECT_EQ(visited, 1);
}

TEST_F(ThreadsTest, GlobalHandlesAreReused) {
  auto fake = [](uptr i) { return reinterpret_cast<Object*>(i * 8); };
  std::vector<Handle> made;
  for (uptr i = 1; i <= 1000; ++i) made.push_back(GlobalHandles::make(fake(i)));
  for (uptr i = 0; i < 1000; i += 2) GlobalHandles::release(made[i]);
  int visited = 0;
  auto count = [&] { visit_global_handles([&](Object**) { ++visited; }); };
  safepoint::run(self, "Count", count);
  EXPECT_EQ(visited, 500);
  Handle again = GlobalHandles::make(fake(7));
  EXPECT_EQ(again.get(), fake(7));
  GlobalHandles::release(again);
  for (uptr i = 1; i < 1000; i += 2) GlobalHandles::release(made[i]);
  visited = 0;
  safepoint::run(self, "Count", count);
  EXPECT_EQ(visited, 0);
}

TEST_F(ThreadsTest, SleepLastsAndIsInterrupted) {
  i64 begin = hardware::now_nanoseconds();
  EXPECT_FALSE(threads::sleep(self, 10'000'000));
  EXPECT_GE(hardware::now_nanoseconds() - begin, 10'000'000);
  EXPECT_EQ(self->status.load(), JavaThreadStatus::Runnable);

  threads::interrupt(self);
  EXPECT_TRUE(threads::sleep(self, 10'000'000'000));
  EXPECT_FALSE(threads::is_interrupted(self, false));

  finished = 0;
  static JavaThread* target;
  target = self;
  threads::start(0, false, false, nullptr, nullptr, [](JavaThread* thread) {
    while (target->status.load() != JavaThreadStatus::Sleeping) {
      BlockedScope blocked(thread);
      sched_yield();
    }
    threads::interrupt(target);
    ++finished;
  });
  EXPECT_TRUE(threads::sleep(self, 60'000'000'000));
  wait_for(finished, 1);
}

TEST_F(ThreadsTest, ParkEndsByPermitInterruptionAndDeadline) {
  threads::unpark(self);
  threads::park(self, false, 0);  // permit

  threads::interrupt(self);
  threads::park(self, false, 0);  // the permit that interrupt left
  threads::park(self, false, 0);  // returns at once, because the interrupted flag is still set
  EXPECT_TRUE(threads::is_interrupted(self, true));
  i64 begin = hardware::now_nanoseconds();
  while (hardware::now_nanoseconds() - begin < 5'000'000) threads::park(self, false, 5'000'000);
  threads::park(self, false, -1);
  threads::park(self, true, 1);  // a deadline in 1970
}

}  // namespace
}  // namespace keyhole
