// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests continuations with real OS threads: mounting, unmounting, sleeping unmounted, pinning, and stack segments.
#include "runtime/threads/continuations/continuation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "runtime/base/page.h"
#include "runtime/threads/continuations/deferred_unpark_policy.h"
#include "runtime/threads/continuations/stack_segment.h"
#include "runtime/threads/java_world.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/thread_state.h"
#include "runtime/threads/threads.h"

namespace keyhole {
namespace {

using continuations::Outcome;
using continuations::Pinned;

// Results that bodies of continuations store for the tests. A body is a plain function without captured variables, so
// it cannot store its results in a local of the test.
JavaThread* seen_current;
const void* seen_local;
int steps;
std::atomic<int> announced;

class ContinuationTest : public testing::Test {
 protected:
  void SetUp() override {
    self = threads::attach_current(false, false, 0);
    seen_current = nullptr;
    steps = 0;
    announced = 0;
  }
  void TearDown() override {
    threads::wait_until_last_non_daemon(self);
    threads::detach(self);
  }
  JavaThread* make(void (*body)(JavaThread*), bool is_virtual_thread = false) {
    JavaThread* made = continuations::make(self, is_virtual_thread, body);
    EXPECT_NE(made, nullptr);
    return made;
  }
  static bool announce(void*) { return ++announced != 0; }
  static Outcome run(JavaThread* mounter, JavaThread* continuation, bool (*tell)(void*) = announce) {
    return continuations::run(mounter, continuation, tell, continuation);
  }
  JavaThread* self = nullptr;
};

uptr page_of(const void* address) { return reinterpret_cast<uptr>(address) / page_bytes; }

bool lies_in(const StackSegment& segment, const void* address) {
  return address >= segment.native_stack() && address < segment.native_stack() + StackSegment::native_stack_bytes();
}

[[gnu::noinline]] void note_where(JavaThread*) {
  seen_current = threads::current_or_null();
  seen_local = __builtin_frame_address(0);
  ++steps;
}

TEST_F(ContinuationTest, BodyRunsAsAnotherThreadOnAStackOfItsOwn) {
  JavaThread* made = make(note_where);
  StackSegment segment = made->continuation->segment;
  EXPECT_EQ(made->carrier, nullptr);
  EXPECT_EQ(made->state.load(), ThreadState::Blocked);
  EXPECT_EQ(run(self, made), Outcome::Ended);
  EXPECT_EQ(seen_current, made);
  EXPECT_TRUE(lies_in(segment, seen_local));
  EXPECT_EQ(threads::current_or_null(), self);
  EXPECT_EQ(self->carrier->current.load(), self);
  EXPECT_EQ(self->state.load(), ThreadState::InVM);
}

void yield_thrice(JavaThread* thread) {
  for (int i = 0; i < 3; ++i) {
    steps = i + 1;
    EXPECT_EQ(continuations::yield(thread), Pinned::No);
    EXPECT_EQ(thread->state.load(), ThreadState::InVM);
  }
  steps = 4;
}

TEST_F(ContinuationTest, GoesOnWhereItHasYielded) {
  JavaThread* made = make(yield_thrice);
  for (int i = 1; i <= 3; ++i) {
    EXPECT_EQ(run(self, made), Outcome::Yielded);
    EXPECT_EQ(steps, i);
    EXPECT_EQ(made->carrier, nullptr);
  }
  EXPECT_EQ(run(self, made), Outcome::Ended);
  EXPECT_EQ(steps, 4);
}

std::atomic<JavaThread*> handed_over;
Carrier* first_carrier;

void migrate(JavaThread* thread) {
  first_carrier = thread->carrier;
  EXPECT_EQ(continuations::yield(thread), Pinned::No);
  EXPECT_NE(thread->carrier, first_carrier);
  EXPECT_EQ(threads::current_or_null(), thread);
  ++steps;
}

TEST_F(ContinuationTest, AnotherPlatformThreadMountsIt) {
  JavaThread* made = make(migrate);
  EXPECT_EQ(run(self, made), Outcome::Yielded);
  handed_over = made;
  threads::start(0, false, false, nullptr, nullptr,
                 [](JavaThread* thread) { EXPECT_EQ(run(thread, handed_over.load()), Outcome::Ended); });
  threads::wait_until_last_non_daemon(self);
  EXPECT_EQ(steps, 1);
}

void yield_pinned(JavaThread* thread) {
  ++thread->continuation->pins;
  EXPECT_EQ(continuations::yield(thread), Pinned::CriticalSection);
  EXPECT_NE(thread->carrier, nullptr);
  --thread->continuation->pins;
  continuations::held_locks_pin = true;
  thread->lock_record_top = 1;
  EXPECT_EQ(continuations::yield(thread), Pinned::Monitor);
  thread->lock_record_top = 0;
  ++steps;
  EXPECT_EQ(continuations::yield(thread), Pinned::No);
  continuations::held_locks_pin = false;
}

TEST_F(ContinuationTest, PinnedStaysMountedAndSaysWhy) {
  EXPECT_EQ(continuations::why_pinned(self), Pinned::No);
  JavaThread* made = make(yield_pinned);
  EXPECT_EQ(run(self, made), Outcome::Yielded);
  EXPECT_EQ(steps, 1);
  EXPECT_EQ(run(self, made), Outcome::Ended);
}

void use_buffer(JavaThread* thread) {
  EXPECT_EQ(thread->tlab_top, reinterpret_cast<char*>(16));
  thread->tlab_top = reinterpret_cast<char*>(32);
  thread->allocated_bytes += 16;
  EXPECT_EQ(continuations::yield(thread), Pinned::No);
  EXPECT_EQ(thread->tlab_top, reinterpret_cast<char*>(48));
}

TEST_F(ContinuationTest, AllocationBufferStaysWithTheCarrier) {
  JavaThread* made = make(use_buffer);
  self->tlab_top = reinterpret_cast<char*>(16);
  u64 before = self->allocated_bytes;
  EXPECT_EQ(run(self, made), Outcome::Yielded);
  EXPECT_EQ(self->tlab_top, reinterpret_cast<char*>(32));
  EXPECT_EQ(made->tlab_top, nullptr);
  EXPECT_EQ(self->allocated_bytes, before + 16) << "counts as the mounter's";
  self->tlab_top = reinterpret_cast<char*>(48);
  EXPECT_EQ(run(self, made), Outcome::Ended);
  self->tlab_top = nullptr;
}

alignas(16) char exception_storage[64];
Object* const exception = reinterpret_cast<Object*>(exception_storage);

TEST_F(ContinuationTest, ExceptionOutOfTheBodyIsTheMounters) {
  JavaThread* made = make([](JavaThread* thread) { thread->pending_exception = exception; });
  EXPECT_EQ(run(self, made), Outcome::Ended);
  EXPECT_EQ(self->pending_exception, exception);
  self->pending_exception = nullptr;
}

bool is_among(void (*for_each)(const std::function<void(JavaThread*)>&), JavaThread* wanted) {
  bool found = false;
  for_each([&](JavaThread* thread) { found |= thread == wanted; });
  return found;
}

TEST_F(ContinuationTest, ListsTellWhoHasRootsWhoSitsAndWhomJavaEnumerates) {
  JavaThread* made = make([](JavaThread* thread) {
    EXPECT_TRUE(is_among(threads::for_each_current, thread));
    EXPECT_FALSE(is_among(threads::for_each_current, thread->carrier->thread));
    EXPECT_EQ(continuations::yield(thread), Pinned::No);
  });
  EXPECT_EQ(run(self, made), Outcome::Yielded);
  EXPECT_TRUE(is_among(threads::for_each, made)) << "unmounted, it has roots";
  EXPECT_FALSE(is_among(threads::for_each_current, made));
  EXPECT_TRUE(is_among(threads::for_each_current, self));
  EXPECT_FALSE(is_among(threads::for_each_platform_thread, made));
  EXPECT_EQ(run(self, made), Outcome::Ended);
  EXPECT_FALSE(is_among(threads::for_each, made));
}

// --- sleeping --------------------------------------------------------------------------------------------------------

std::atomic<bool> told;

void sleep_until_told(JavaThread* thread) {
  while (!told.load()) {
    BlockedScope blocked(thread);
    JavaWorld::park(thread, forever);
  }
  ++steps;
}

TEST_F(ContinuationTest, SleeperIsUnmountedAndListedOnceByItsWakers) {
  told = false;
  JavaThread* made = make(sleep_until_told, true);
  EXPECT_EQ(run(self, made), Outcome::Asleep);
  EXPECT_EQ(announced.load(), 1);
  EXPECT_EQ(made->carrier, nullptr);
  EXPECT_EQ(made->continuation->sleep_nanoseconds.get(), forever);
  // If a sleeping thread is mounted although no thread has woken it, it sleeps again.
  EXPECT_EQ(run(self, made), Outcome::Asleep);
  told = true;
  for (int i = 0; i < 3; ++i) continuations::wake(made);
  std::vector<JavaThread*> taken;
  continuations::take_unblocked(
      self, [](JavaThread* thread, void* list) { static_cast<std::vector<JavaThread*>*>(list)->push_back(thread); },
      &taken);
  EXPECT_EQ(taken, std::vector<JavaThread*>{made});
  EXPECT_EQ(run(self, made), Outcome::Ended);
  EXPECT_EQ(steps, 1);
}

TEST_F(ContinuationTest, WokenAreTakenInTheOrderOfTheirWaking) {
  told = false;
  std::vector<JavaThread*> sleepers, taken;
  for (int i = 0; i < 5; ++i) {
    sleepers.push_back(make(sleep_until_told, true));
    EXPECT_EQ(run(self, sleepers.back()), Outcome::Asleep);
  }
  std::rotate(sleepers.begin(), sleepers.begin() + 2, sleepers.end());
  told = true;
  for (JavaThread* sleeper : sleepers) continuations::wake(sleeper);
  continuations::take_unblocked(
      self, [](JavaThread* thread, void* list) { static_cast<std::vector<JavaThread*>*>(list)->push_back(thread); },
      &taken);
  EXPECT_EQ(taken, sleepers);
  for (JavaThread* sleeper : sleepers) EXPECT_EQ(run(self, sleeper), Outcome::Ended);
}

TEST_F(ContinuationTest, PermitOfBeforeEndsTheSleepAtOnce) {
  told = false;
  JavaThread* made = make(
      [](JavaThread* thread) {
        continuations::wake(thread);
        BlockedScope blocked(thread);
        JavaWorld::park(thread, forever);
      },
      true);
  EXPECT_EQ(run(self, made), Outcome::Ended);
  EXPECT_EQ(announced.load(), 0);
}

// --- deferred unparks ------------------------------------------------------------------------------------------------

JavaThread* to_wake;
void wake_another(JavaThread*) { continuations::wake(to_wake); }
void wake_another_pinned(JavaThread* thread) {
  ++thread->continuation->pins;
  continuations::wake(to_wake);
  --thread->continuation->pins;
}
void note_taken(JavaThread* thread, void* list) { static_cast<std::vector<JavaThread*>*>(list)->push_back(thread); }

class DeferredUnparkTest : public ContinuationTest {
 protected:
  JavaThread* make_on_carriers(void (*body)(JavaThread*)) {
    JavaThread* made = make(body, true);
    made->continuation->is_on_carriers = true;
    return made;
  }
  // Wakes one sleeping thread after another, until the policy defers an unpark. Returns the thread of this unpark.
  JavaThread* wake_by_deferred_unpark() {
    for (int i = 0; i < 200; ++i) {
      told = false;
      JavaThread* sleeper = to_wake = make_on_carriers(sleep_until_told);
      EXPECT_EQ(run(self, sleeper), Outcome::Asleep);
      told = true;
      EXPECT_EQ(run(self, make_on_carriers(wake_another)), Outcome::Ended);
      if (continuations::has_deferred_unparks()) return sleeper;
      take_unblocked(sleeper);
      EXPECT_EQ(run(self, sleeper), Outcome::Ended);
    }
    ADD_FAILURE() << "no unpark is deferred";
    return nullptr;
  }
  void take_unblocked(JavaThread* expected) {
    std::vector<JavaThread*> taken;
    while (taken.empty()) continuations::take_unblocked(self, note_taken, &taken);  // ended ones are not visited
    EXPECT_EQ(taken, std::vector<JavaThread*>{expected});
  }
};

TEST_F(DeferredUnparkTest, CarrierRunsIt) {
  JavaThread* sleeper = wake_by_deferred_unpark();
  std::vector<JavaThread*> taken;
  continuations::run_deferred_unparks(note_taken, &taken);
  EXPECT_EQ(taken, std::vector<JavaThread*>{sleeper});
  EXPECT_FALSE(continuations::has_deferred_unparks());
  EXPECT_EQ(run(self, sleeper), Outcome::Ended);
}

TEST_F(DeferredUnparkTest, UnblockerRunsItWhenNoCarrierComes) {
  JavaThread* sleeper = wake_by_deferred_unpark();
  take_unblocked(sleeper);
  EXPECT_FALSE(continuations::has_deferred_unparks());
  EXPECT_EQ(run(self, sleeper), Outcome::Ended);
}

TEST_F(DeferredUnparkTest, OnlyOfWhoCanUnmountAndIsOnCarriers) {
  auto wake_by = [this](bool sleeper_is_on_carriers, JavaThread* waker) {
    told = false;
    JavaThread* sleeper = to_wake = make_on_carriers(sleep_until_told);
    sleeper->continuation->is_on_carriers = sleeper_is_on_carriers;
    EXPECT_EQ(run(self, sleeper), Outcome::Asleep);
    told = true;
    if (waker != nullptr) EXPECT_EQ(run(self, waker), Outcome::Ended);
    else continuations::wake(sleeper);
    EXPECT_FALSE(continuations::has_deferred_unparks());
    take_unblocked(sleeper);
    EXPECT_EQ(run(self, sleeper), Outcome::Ended);
  };
  wake_by(true, nullptr);
  wake_by(true, make_on_carriers(wake_another_pinned));
  wake_by(false, make_on_carriers(wake_another));
  wake_by(true, make(wake_another, true));
}

TEST(DeferredUnparkPolicyTest, LateUnparksAreRareAndTriedAgain) {
  DeferredUnparkPolicyOf<HardwareWorld> policy;
  EXPECT_TRUE(policy.defers());
  int deferred = 0;
  for (int i = 0; i < 1000; ++i) {
    if (!policy.defers()) continue;
    ++deferred;
    policy.count_late();
  }
  EXPECT_GT(deferred, 10);
  EXPECT_LT(deferred, 1000 / policy.cost_of_late_ones + 2);
  // Now they are in time.
  for (int i = 0; i < policy.cost_of_late_ones; ++i) (void)policy.defers();
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(policy.defers());
    policy.count_run(1);
  }
  // A single late unpark among many does not make the policy stop deferring unparks.
  policy.count_late();
  EXPECT_TRUE(policy.defers());
}

// A thread that ended after it was listed for the unblocker is not reported, and its structure is reused.
TEST_F(ContinuationTest, ListedOneThatHasEndedIsTakenWithoutAVisit) {
  told = false;
  JavaThread* ended = make(sleep_until_told, true);
  JavaThread* other = make(sleep_until_told, true);
  EXPECT_EQ(run(self, ended), Outcome::Asleep);
  EXPECT_EQ(run(self, other), Outcome::Asleep);
  told = true;
  continuations::wake(ended);
  continuations::wake(other);
  EXPECT_EQ(run(self, ended), Outcome::Ended);
  std::vector<JavaThread*> taken;
  continuations::take_unblocked(
      self, [](JavaThread* thread, void* list) { static_cast<std::vector<JavaThread*>*>(list)->push_back(thread); },
      &taken);
  EXPECT_EQ(taken, std::vector<JavaThread*>{other});
  EXPECT_EQ(run(self, other), Outcome::Ended);
}

// The unblocker's list has a sleeping thread that a timer has mounted again. This thread ends while the unblocker
// examines it.
TEST_F(ContinuationTest, OneMayEndWhileTheUnblockerLooksAtIt) {
  constexpr int rounds = 500;
  static std::atomic<bool> is_over;
  is_over = false;
  threads::start(0, false, false, nullptr, nullptr, [](JavaThread* unblocker) {
    while (!is_over) {
      continuations::take_unblocked(
          unblocker, [](JavaThread* thread, void*) { EXPECT_EQ(continuations::thread_object_of(thread), nullptr); },
          nullptr);
    }
  });
  for (int i = 0; i < rounds; ++i) {
    told = false;
    JavaThread* made = make(sleep_until_told, true);
    EXPECT_EQ(run(self, made), Outcome::Asleep);
    told = true;
    if (i == rounds - 1) is_over = true;
    continuations::wake(made);
    if (i == rounds - 1) threads::wait_until_last_non_daemon(self);  // it has been taken
    EXPECT_EQ(run(self, made), Outcome::Ended);
  }
  EXPECT_EQ(steps, rounds);
}

// The VM cannot inform Java of a virtual thread's sleep. So the virtual thread sleeps on its carrier's OS thread until
// another thread wakes it.
TEST_F(ContinuationTest, UnannouncedSleeperStaysOnItsOSThread) {
  told = false;
  JavaThread* made = make(sleep_until_told, true);
  handed_over = made;
  auto refuse = [](void*) {
    if (++announced == 1) {
      threads::start(0, false, false, nullptr, nullptr, [](JavaThread*) {
        told = true;
        continuations::wake(handed_over.load());
      });
    }
    return false;
  };
  EXPECT_EQ(run(self, made, refuse), Outcome::Ended);
  EXPECT_GE(announced.load(), 1);
  EXPECT_EQ(steps, 1);
}

TEST_F(ContinuationTest, PinnedOneAndOneThatIsNoVirtualThreadSleepInPlace) {
  for (bool is_virtual : {true, false}) {
    told = false;
    JavaThread* made = make(
        [](JavaThread* thread) {
          handed_over = thread;
          if (thread->continuation->is_virtual_thread) ++thread->continuation->pins;
          threads::start(0, false, false, nullptr, nullptr, [](JavaThread*) {
            told = true;
            continuations::wake(handed_over.load());
          });
          sleep_until_told(thread);
          thread->continuation->pins = 0;
        },
        is_virtual);
    EXPECT_EQ(run(self, made), Outcome::Ended);
    threads::wait_until_last_non_daemon(self);
  }
  EXPECT_EQ(announced.load(), 0);
  EXPECT_EQ(steps, 2);
}

// --- stack segments --------------------------------------------------------------------------------------------------

TEST_F(ContinuationTest, SlotHoldsNativeStackRecordsAndJavaStack) {
  JavaThread* made = make([](JavaThread* thread) {
    StackSegment segment = thread->continuation->segment;
    const ThreadStack& stack = thread->stack;
    EXPECT_TRUE(lies_in(segment, __builtin_frame_address(0)));
    EXPECT_LT(segment.native_stack(), stack.native_limit);
    EXPECT_LT(stack.native_limit, segment.native_stack() + StackSegment::native_stack_bytes());
    EXPECT_LT(static_cast<void*>(thread->lock_records + thread->lock_record_capacity),
              static_cast<void*>(segment.native_stack()));
    EXPECT_GE(reinterpret_cast<char*>(stack.java_base), segment.native_stack() + StackSegment::native_stack_bytes());
    EXPECT_LT(stack.java_base, stack.java_limit);
    EXPECT_LT(stack.java_limit, stack.java_end);
    EXPECT_LT(reinterpret_cast<uptr>(segment.memory), u64{1} << 42) << "headers point at lock records";
    EXPECT_EQ(page_of(stack.java_base), page_of(segment.native_stack() + StackSegment::native_stack_bytes()))
        << "a shallow thread touches one page";
    *stack.java_base = 1;
    stack.java_end[-1] = 2;
    thread->lock_records[thread->lock_record_capacity - 1].object = nullptr;
    ++steps;
  });
  EXPECT_EQ(run(self, made), Outcome::Ended);
  EXPECT_EQ(steps, 1);
}

TEST_F(ContinuationTest, AVirtualThreadGetsItsSlotWhenItIsMountedFirst) {
  JavaThread* made = make(yield_thrice, true);
  EXPECT_EQ(made->continuation->segment.memory, nullptr);
  EXPECT_EQ(run(self, made), Outcome::Yielded);
  char* memory = made->continuation->segment.memory;
  EXPECT_NE(memory, nullptr);
  while (run(self, made) == Outcome::Yielded) EXPECT_EQ(made->continuation->segment.memory, memory);
}

TEST_F(ContinuationTest, SlotsAreTakenAgain) {
  auto run_hundred = [this]() {  // more than one mapping
    std::vector<JavaThread*> all;
    for (int i = 0; i < 100; ++i) all.push_back(make(note_where));
    std::vector<char*> memory;
    for (JavaThread* made : all) {
      memory.push_back(made->continuation->segment.memory);
      EXPECT_EQ(run(self, made), Outcome::Ended);
    }
    std::sort(memory.begin(), memory.end());
    return memory;
  };
  std::vector<char*> memory = run_hundred();
  EXPECT_EQ(run_hundred(), memory);
  EXPECT_EQ(std::unique(memory.begin(), memory.end()), memory.end());
}

TEST_F(ContinuationTest, EndedOnesGiveTheirSlotsBack) {
  std::vector<char*> used;
  for (int i = 0; i < 1000; ++i) {
    JavaThread* made = make(note_where);
    used.push_back(made->continuation->segment.memory);
    EXPECT_EQ(run(self, made), Outcome::Ended);
  }
  EXPECT_EQ(steps, 1000);
  EXPECT_EQ(std::count(used.begin(), used.end(), used[0]), 1000);
}

// --- reuse of structures (thread_structures.h) -----------------------------------------------------------------------

TEST_F(ContinuationTest, PrivateLivesFollowEachOtherInOneStructure) {
  JavaThread* made = make(yield_thrice);
  u64 id = made->id;
  while (run(self, made) == Outcome::Yielded) {
  }
  JavaThread* next = make(note_where);
  EXPECT_EQ(next, made);
  EXPECT_NE(next->id, id);
  EXPECT_EQ(next->handles->used, 0u);
  EXPECT_EQ(next->thread_object, nullptr);
  EXPECT_FALSE(next->continuation->has_ended);
  EXPECT_EQ(run(self, next), Outcome::Ended);
  EXPECT_EQ(seen_current, next);
  EXPECT_EQ(steps, 5);
}

void block(JavaThread* thread) {
  BlockedScope blocked(thread);
  ++steps;
}

TEST_F(ContinuationTest, WhoHasSleptMayBeKnownToOthers) {
  JavaThread* made = make(block);
  EXPECT_EQ(run(self, made), Outcome::Ended);
  for (int i = 0; i < 40; ++i) {
    JavaThread* next = make(note_where);
    EXPECT_NE(next, made);
    EXPECT_EQ(run(self, next), Outcome::Ended);
  }
}

TEST_F(ContinuationTest, WhoWasLookedUpMayBeKnownUntilAllHavePolled) {
  JavaThread* made = make(note_where);
  std::atomic<i64> field{reinterpret_cast<i64>(made)};
  EXPECT_EQ(threads::look_up(field), field.load());
  EXPECT_EQ(run(self, made), Outcome::Ended);
  JavaThread* next = make(note_where);
  EXPECT_NE(next, made);
  EXPECT_EQ(run(self, next), Outcome::Ended);
  auto nothing = [] {};
  safepoint::run(self, "Test", nothing);
  next = make(note_where);
  EXPECT_EQ(run(self, next), Outcome::Ended);
  EXPECT_EQ(make(note_where), next);
}

}  // namespace
}  // namespace keyhole
