// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The detector of data races without a VM: accesses and synchronisation of made-up threads, in a given order.
#include "runtime/threads/races/races.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "runtime/threads/continuations/continuation.h"

namespace keyhole::races {
namespace {

std::vector<Race> reported;

class RacesTest : public ::testing::Test {
 protected:
  RacesTest() {
    reported.clear();
    hooks = {.report = [](JavaThread*, const Race& race) { reported.push_back(race); }};
    for (JavaThread* each : {&one, &other, &third}) each->id = next_id++;
  }
  ~RacesTest() override {
    for (JavaThread* each : {&one, &other, &third}) thread_ends(each);
    hooks = {};
  }

  // The detector only compares addresses, so objects need no memory.
  static const Object* make_object() { return reinterpret_cast<const Object*>(next_object += 64); }
  // Each access is at a place of its own, because a pair of places is reported once.
  u32 read(JavaThread& thread, const Object* object, u64 offset = 16) {
    return tell(thread, object, offset, false, false);
  }
  u32 write(JavaThread& thread, const Object* object, u64 offset = 16) {
    return tell(thread, object, offset, true, false);
  }
  static u32 tell(JavaThread& thread, const Object* object, u64 offset, bool writes, bool is_final) {
    access(&thread, {object, offset, ++place, writes, is_final});
    return place;
  }
  static void expect_race(u32 earlier, u32 later) {
    ASSERT_EQ(reported.size(), 1u);
    EXPECT_EQ(reported[0].earlier.place, earlier);
    EXPECT_EQ(reported[0].later.place, later);
  }

  JavaThread one, other, third;
  static inline u32 place = 0;
  static inline u64 next_id = 1'000'000;
  static inline uptr next_object = 0x10'0000;
};

TEST_F(RacesTest, TwoWrites) {
  const Object* object = make_object();
  u32 first = write(one, object), second = write(other, object);
  expect_race(first, second);
  EXPECT_EQ(reported[0].earlier.thread, static_cast<u32>(one.id));
  EXPECT_EQ(reported[0].later.thread, static_cast<u32>(other.id));
  EXPECT_TRUE(reported[0].earlier.writes && reported[0].later.writes);
}

TEST_F(RacesTest, WriteThenRead) {
  const Object* object = make_object();
  u32 first = write(one, object), second = read(other, object);
  expect_race(first, second);
  EXPECT_FALSE(reported[0].later.writes);
}

TEST_F(RacesTest, OtherVariablesAndReadsDoNotConflict) {
  const Object* object = make_object();
  write(one, object, 16);
  write(other, object, 20);
  write(other, make_object(), 16);
  read(one, object, 24);
  read(other, object, 24);
  EXPECT_TRUE(reported.empty());
}

TEST_F(RacesTest, ReleaseAndAcquireOrder) {
  const Object *object = make_object(), *lock = make_object();
  write(one, object);
  release(&one, lock, of_monitor);
  acquire(&other, lock, of_monitor);
  read(other, object);
  write(other, object);
  EXPECT_TRUE(reported.empty());
}

TEST_F(RacesTest, AWriteAfterTheReleaseIsNotOrdered) {
  const Object *object = make_object(), *lock = make_object();
  release(&one, lock, of_monitor);
  u32 late = write(one, object);
  acquire(&other, lock, of_monitor);
  expect_race(late, (write(other, object), place));
}

// The detector sees a volatile read before the read loads the value (races.h D2). A volatile write may come in between,
// and the read may see that write. So the reader acquires all releases that come before its next operation.
TEST_F(RacesTest, AVolatileReadAcquiresLater) {
  const Object *object = make_object(), *flag = make_object();
  acquire_later(&other, flag, 16);
  write(one, object);
  release(&one, flag, 16);
  read(other, object);
  EXPECT_TRUE(reported.empty());
}

TEST_F(RacesTest, OrderIsTransitive) {
  const Object *object = make_object(), *lock = make_object(), *flag = make_object();
  write(one, object);
  release(&one, lock, of_monitor);
  acquire(&other, lock, of_monitor);
  update(&other, flag, 16);
  acquire_later(&third, flag, 16);
  write(third, object);
  EXPECT_TRUE(reported.empty());
}

// Two readers without an order make a list of reads. A writer must be ordered after both.
TEST_F(RacesTest, AWriteAfterSharedReads) {
  const Object *object = make_object(), *lock = make_object();
  read(one, object);
  u32 unordered = read(other, object);
  release(&one, lock, of_monitor);
  acquire(&third, lock, of_monitor);
  expect_race(unordered, (write(third, object), place));
}

TEST_F(RacesTest, APairOfPlacesIsReportedOnce) {
  const Object* object = make_object();
  for (int i = 0; i < 3; ++i) {
    for (JavaThread* each : {&one, &other}) {
      u32 own = each == &one ? 4'000'000 : 4'000'001;
      access(each, {object, 16, own, true});
    }
  }
  EXPECT_EQ(reported.size(), 1u);
}

TEST_F(RacesTest, FinalFieldsOrderWhatTheyLeadTo) {
  const Object *object = make_object(), *content = make_object();
  tell(one, object, 16, true, true);
  write(one, content);
  leave_constructor(&one);
  tell(other, object, 16, false, true);
  read(other, content);
  EXPECT_TRUE(reported.empty());
}

TEST_F(RacesTest, OptimisticReadsAreNotChecked) {
  const Object* object = make_object();
  begin_optimistic_read(&one);
  read(one, object);
  end_optimistic_read(&one);
  write(other, object);
  EXPECT_TRUE(reported.empty());
}

TEST_F(RacesTest, ShadowsFollowTheirObjects) {
  const Object *moves = make_object(), *dies = make_object();
  struct Move {
    const Object *from, *to, *dead;
  } move{moves, make_object(), dies};
  u32 first = write(one, moves);
  write(one, dies);
  update_objects(
      [](Object* object, void* context) -> Object* {
        const Move& known = *static_cast<const Move*>(context);
        return const_cast<Object*>(object == known.from ? known.to : object == known.dead ? nullptr : object);
      },
      &move);
  write(other, dies);   // another object at the old address
  write(other, moves);  // here as well
  EXPECT_TRUE(reported.empty());
  expect_race(first, (write(other, move.to), place));
}

// D3: a carrier passes no order from one virtual thread to another. Only a thread that learns of a virtual thread's end
// is ordered after that virtual thread.
TEST_F(RacesTest, CarriersPassNoOrderOn) {
  hooks.meet = [](const JavaThread* thread) { return thread->daemon; };
  hooks.caller = [](const JavaThread*) { return Caller::scheduler; };
  third.daemon = true;
  const Object *queue = make_object(), *object = make_object();
  u32 first = write(one, object);
  release(&one, queue, 16);
  update(&third, queue, 16);
  update(&third, queue, 20);
  acquire(&other, queue, 20);
  expect_race(first, (write(other, object), place));
}

// D5: vector clocks do not grow with the number of threads that have ended.
TEST_F(RacesTest, SlotsAreReused) {
  const Object *object = make_object(), *lock = make_object();
  for (int i = 0; i < 2000; ++i) {
    auto thread = std::make_unique<JavaThread>();
    thread->id = next_id++;
    acquire(thread.get(), lock, of_monitor);
    write(*thread, object);
    release(thread.get(), lock, of_monitor);
    thread_ends(thread.get());
  }
  EXPECT_TRUE(reported.empty());
  u32 last = write(one, object);
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_EQ(reported[0].later.place, last);
  EXPECT_EQ(reported[0].earlier.thread, static_cast<u32>(next_id - 1));
}

}  // namespace
}  // namespace keyhole::races
