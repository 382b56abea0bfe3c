// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests locks of clean continuations. Parked owners and waiters keep their locks through collections that skip these
// continuations, while other locked objects move. Tested with every algorithm, and with tables so small that all
// objects collide.
#include <gmock/gmock.h>

#include "runtime/sync/algorithm.h"
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/continuations/continuation.h"
#include "runtime/threads/continuations/continuation_lists.h"
#include "runtime/threads/handles.h"
#include "tests/gc/generational_fixture.h"
#include "tests/support/locked_objects.h"

namespace keyhole::test {
namespace {

using continuations::Outcome;
using continuations::Pinned;
using sync::Status;

Object** kept_locked;  // the slot in which the continuation keeps its object
bool locks_end;

void lock(JavaThread* thread, Handle object) {
  with_fast_path([&]<typename Snippet>() { enter_level<Snippet>(thread, object); });
}
// Exits the level that the thread entered last.
Status unlock(JavaThread* thread, Handle object) {
  LockRecord* record = &thread->lock_records[thread->lock_record_top - 1];
  EXPECT_EQ(record->object, object.get());
  Status status = with_fast_path([&]<typename Snippet>() { return exit_level<Snippet>(thread, object, record); });
  --thread->lock_record_top;
  return status;
}

void hold_a_lock(JavaThread* self) {
  HandleScope scope(self);
  Handle object = scope.make(heap::allocate_instance(self, &Klasses::get().node));
  kept_locked = object.slot();
  lock(self, object);
  while (!locks_end) EXPECT_EQ(continuations::yield(self), Pinned::No);
  EXPECT_EQ(unlock(self, object), Status::Done);
}
void want_a_lock(JavaThread* self) {
  HandleScope scope(self);
  Handle object = scope.make(*kept_locked);
  lock(self, object);
  EXPECT_EQ(unlock(self, object), Status::Done);
}

class CleanLocksTest : public HeapTest, public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    const sync::Algorithm* row = sync::watchable(GetParam());
    if (row == nullptr || !sync::refusal_of_layout(*row).empty())
      GTEST_SKIP() << "it does not run on " << layout::name << " headers";
    flags::GCPlan = "generational";
    flags::MaxTenuringThreshold = 15;
    flags::HashChainsBuckets = 4;
    choose(GetParam());
    start(32_MiB);
    locks_end = false;
  }
  void TearDown() override {
    flags::HashChainsBuckets = 4096;
    if (thread == nullptr) return;
    EXPECT_EQ(thread->lock_record_top, 0u);
    collect({heap::Cause::SystemGC});
    collect({heap::Cause::SystemGC});  // deflates monitors that were idle since the first collection
    EXPECT_EQ(sync::in_use(), 0u);
    sync::thread_exits(thread);  // the attached thread drops its free queue elements, which only this algorithm can use
    choose("lightweight");
  }
  static void choose(const char* algorithm) {
    flags::LockingMode = algorithm;
    ASSERT_EQ(sync::initialize(), "");
  }
  void make(bool is_virtual_thread, void (*body)(JavaThread*)) {
    continuation = continuations::make(thread, is_virtual_thread, body);
  }
  Outcome run_it() {
    return continuations::run(thread, continuation, [](void*) { return true; }, nullptr);
  }

  // Locks new objects on the test's thread, and runs three collections, which skip the clean continuation. The first
  // one moves the objects.
  void move_locked_objects(u32 count) {
    HandleScope scope(thread);
    std::vector<Handle> objects;
    for (u32 i = 0; i < count; ++i) {
      objects.push_back(scope.make(node(i)));
      lock(thread, objects.back());
    }
    for (int i = 0; i < 3; ++i) {
      Object* before = objects[0].get();
      collect();
      if (i == 0) EXPECT_NE(objects[0].get(), before);
      EXPECT_TRUE(threads::is_clean(continuation));
      for (Handle object : objects) EXPECT_TRUE(sync::holds_lock(thread, object.get()));
    }
    for (; !objects.empty(); objects.pop_back()) EXPECT_EQ(unlock(thread, objects.back()), Status::Done);
  }

  JavaThread* continuation = nullptr;
};

TEST_P(CleanLocksTest, WhatItHoldsStaysItsOwn) {
  make(false, hold_a_lock);
  EXPECT_EQ(run_it(), Outcome::Yielded);
  collect({heap::Cause::SystemGC});
  ASSERT_TRUE(threads::is_clean(continuation));
  for (u32 count : {1u, 3u, 40u}) {
    move_locked_objects(count);
    EXPECT_EQ(sync::owner(*kept_locked), continuation);
    EXPECT_FALSE(sync::holds_lock(thread, *kept_locked));
  }
  locks_end = true;
  EXPECT_EQ(run_it(), Outcome::Ended);
}

TEST_P(CleanLocksTest, WhatItQueuesForIsHandedToIt) {
  HandleScope scope(thread);
  Handle object = scope.make(node(1));
  kept_locked = object.slot();
  lock(thread, object);
  make(true, want_a_lock);
  EXPECT_EQ(run_it(), Outcome::Asleep);
  collect({heap::Cause::SystemGC});
  ASSERT_TRUE(threads::is_clean(continuation));
  for (u32 count : {1u, 3u, 40u}) move_locked_objects(count);
  EXPECT_EQ(unlock(thread, object), Status::Done);
  u32 unblocked = 0;
  continuations::take_unblocked(thread, [](JavaThread*, void* count) { ++*static_cast<u32*>(count); }, &unblocked);
  EXPECT_EQ(unblocked, 1u);
  EXPECT_EQ(run_it(), Outcome::Ended);
}

INSTANTIATE_TEST_SUITE_P(Algorithms, CleanLocksTest,
                         testing::Values("monitor", "legacy", "lightweight", "lightweight+table", "lightweight+table-a",
                                         "hashchains", "hashchains-fp", "hashchains+3", "cjm-fifo", "cjm-by",
                                         "cjm-hybrid"),
                         [](const auto& info) {
                           std::string name;
                           for (char c : std::string_view(info.param)) name += isalnum(c) ? c : '_';
                           return name;
                         });

}  // namespace
}  // namespace keyhole::test
