// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the report of debug builds about a thread that may stop where it must not: inside of a NoSafepoint scope, or
// with a lock held. The compile-time errors: tests/capabilities.
#include "runtime/threads/no_safepoint.h"

#include <gtest/gtest.h>

#include "runtime/base/mutex.h"

namespace keyhole {
namespace {

// A function without annotations, so the thread-safety analysis does not see that its callee may stop.
[[gnu::noinline]] void stops_unmarked() NO_THREAD_SAFETY_ANALYSIS { check_may_safepoint(); }

TEST(NoSafepoint, OutsideOfAScopeAThreadMayStop) {
  {
    NoSafepoint no_safepoint;
  }
  stops_unmarked();
}

#if KEYHOLE_DEBUG
[[gnu::noinline]] void opens_and_stops() {
  NoSafepoint no_safepoint;
  stops_unmarked();
}

TEST(NoSafepointDeathTest, AStopInsideNamesBothPlacesAndBothStacks) {
  EXPECT_DEATH(opens_and_stops(),
               "may be reached at .*no_safepoint_test.cpp.* in .*stops_unmarked(.|\n)*"
               "#    .*stops_unmarked(.|\n)*"
               "scope at .*no_safepoint_test.cpp.* in .*opens_and_stops(.|\n)*"
               "#    .*opens_and_stops");
}

TEST(NoSafepointDeathTest, TheInnermostScopeThatIsOpenIsNamed) {
  auto nest = [] {
    NoSafepoint outer;
    opens_and_stops();
  };
  EXPECT_DEATH(nest(), "scope at .*no_safepoint_test.cpp.* in .*opens_and_stops");
}

TEST(NoSafepointDeathTest, AnOuterScopeIsStillOpenAfterAnInnerOne) {
  auto nest = [] {
    NoSafepoint outer;
    [] { NoSafepoint inner; }();
    stops_unmarked();
  };
  EXPECT_DEATH(nest(), "inside of the NoSafepoint scope");
}

TEST(NoSafepointDeathTest, ALockIsAScopeToo) {
  Mutex mutex{LockRank::heap};
  auto stop = [&] {
    MutexLock guard(mutex);
    stops_unmarked();
  };
  EXPECT_DEATH(stop(), "a safepoint may be reached while heap is held, taken at .*no_safepoint_test.cpp");
}
#endif

}  // namespace
}  // namespace keyhole
