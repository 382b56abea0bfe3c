// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests continuations that young collections skip, and their references afterwards.
#include "runtime/threads/continuations/continuation_lists.h"

#include <gmock/gmock.h>

#include "runtime/threads/continuations/continuation.h"
#include "runtime/threads/handles.h"
#include "tests/gc/generational_fixture.h"

namespace keyhole::test {
namespace {

using continuations::Outcome;
using continuations::Pinned;
using testing::HasSubstr;

u64 runs;  // of the continuation
bool ends;
Object** kept;  // the slot in which the continuation keeps its object

void fill(JavaThread* self, Handle handle) {
  Object* fresh = heap::allocate_instance(self, &Klasses::get().node);
  fresh->set<u64>(node_id, runs);
  handle.set(fresh);
}
// Stores a new object into the same handle each time that the continuation runs.
void keep_a_node(JavaThread* self) {
  HandleScope scope(self);
  Handle handle = scope.make(nullptr);
  kept = handle.slot();
  while (!ends) {
    fill(self, handle);
    EXPECT_EQ(continuations::yield(self), Pinned::No);
    EXPECT_EQ(handle->get<u64>(node_id), runs - 1) << "what it kept while it was parked";
  }
}

class CleanContinuationsTest : public GenerationalTest {
 protected:
  void TearDown() override {
    if (continuation == nullptr) return;
    ends = true;
    run_it(Outcome::Ended);
  }
  void begin(u64 bytes, i64 threshold, void (*body)(JavaThread*) = keep_a_node) {
    start_with_threshold(bytes, threshold);
    runs = 0;
    ends = false;
    continuation = continuations::make(thread, false, body);
    run_it();
  }
  void run_it(Outcome expected = Outcome::Yielded) {
    ++runs;
    EXPECT_EQ(continuations::run(thread, continuation, [](void*) { return true; }, nullptr), expected);
  }
  bool is_clean() const { return threads::is_clean(continuation); }
  bool is_visited(bool skips) {
    bool found = false;
    auto operation = [&] {
      threads::CleanSkipped skipped(skips);
      threads::for_each_in_collection([&](JavaThread* each) { found |= each == continuation; });
    };
    safepoint::run(thread, "test", operation);
    return found;
  }

  JavaThread* continuation = nullptr;
};

TEST_P(CleanContinuationsTest, YoungReferencesKeepItDirtyUntilTheirObjectsAreOld) {
  begin(32_MiB, 3);
  for (int i = 0; i < 4; ++i) {
    EXPECT_FALSE(is_clean()) << i;
    Object* before = *kept;
    young();
    EXPECT_NE(*kept, before) << "moved, and updated";
    EXPECT_EQ((*kept)->get<u64>(node_id), runs);
  }
  EXPECT_EQ(generation_of(*kept), Generation::Old);
  EXPECT_TRUE(is_clean());
  EXPECT_FALSE(is_visited(true));
  EXPECT_TRUE(is_visited(false));
  young();
  EXPECT_TRUE(is_clean());
}

TEST_P(CleanContinuationsTest, ARunMakesItDirty) {
  begin(32_MiB, 15);
  for (int i = 0; i < 5; ++i) {
    full();
    EXPECT_TRUE(is_clean()) << "all is old";
    run_it();
    EXPECT_FALSE(is_clean());
    EXPECT_TRUE(is_visited(true));
    for (int k = 0; k < 3; ++k) {
      young();
      EXPECT_FALSE(is_clean());
      ASSERT_EQ((*kept)->get<u64>(node_id), runs);
    }
  }
}

TEST_P(CleanContinuationsTest, CollectionsThatMoveOldObjectsVisitCleanOnes) {
  begin(32_MiB, 15);
  full();
  ASSERT_TRUE(is_clean());
  for (int i = 0; i < 3; ++i) {
    Object* before = *kept;
    mixed();
    EXPECT_NE(*kept, before);
    EXPECT_EQ((*kept)->get<u64>(node_id), runs);
    EXPECT_TRUE(is_clean());
  }
}

void check_that_it_is_dirty(JavaThread* self) {
  auto operation = [] { gc::run_collection({heap::Cause::SystemGC}); };
  safepoint::run(self, "test", operation);
  EXPECT_FALSE(threads::is_clean(self)) << "it runs";
  EXPECT_EQ(continuations::yield(self), Pinned::No);
}

TEST_P(CleanContinuationsTest, AMountedOneIsVisitedWhateverItRefersTo) {
  begin(32_MiB, 15, check_that_it_is_dirty);
  EXPECT_FALSE(is_clean());
  young();
  EXPECT_TRUE(is_clean());
}

TEST_P(CleanContinuationsTest, TheVerifierFindsAYoungReferenceInACleanOne) {
  begin(32_MiB, 15);
  full();
  ASSERT_EQ(verify(), "");
  Object* old = *kept;
  *kept = node(7);
  EXPECT_THAT(verify(), HasSubstr("[V15]"));
  *kept = old;
  EXPECT_EQ(verify(), "");
}

TEST_P(CleanContinuationsTest, ManyComeAndGoInAnyOrder) {
  begin(32_MiB, 2);
  std::vector<JavaThread*> others;
  auto body = [](JavaThread* self) { EXPECT_EQ(continuations::yield(self), Pinned::No); };
  auto go_on = [&](JavaThread* other) {
    return continuations::run(thread, other, [](void*) { return true; }, nullptr);
  };
  for (int i = 0; i < 60; ++i) {
    others.push_back(continuations::make(thread, false, body));
    EXPECT_EQ(go_on(others.back()), Outcome::Yielded);
    if (i % 7 == 3) young();
    if (i % 3 == 2) {
      auto gone = others.begin() + (i * 5) % static_cast<int>(others.size());
      EXPECT_EQ(go_on(*gone), Outcome::Ended);
      others.erase(gone);
    }
  }
  young();
  u64 found = 0;
  threads::for_each([&](JavaThread* each) { found += each->continuation != nullptr; });
  EXPECT_EQ(found, others.size() + 1);
  for (JavaThread* other : others) {
    EXPECT_TRUE(threads::is_clean(other)) << "it refers to nothing";
    EXPECT_EQ(go_on(other), Outcome::Ended);
  }
}

INSTANTIATE_TEST_SUITE_P(Workers, CleanContinuationsTest, testing::Values(1u, 2u),
                         [](const auto& info) { return fmt::format("{}", info.param); });

}  // namespace
}  // namespace keyhole::test
