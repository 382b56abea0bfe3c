// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the rules of lock_order.h.
#include "runtime/recorder/lock_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace keyhole::recorder {

namespace {

constexpr u32 A = 1, B = 2, x = 40, y = 41;

Entry at(i64 nanoseconds, u32 thread, Kind kind, u32 object) { return {nanoseconds, thread, kind, 0, object, 0}; }

std::vector<std::tuple<i64, u32, Kind>> ordered(std::vector<Entry> entries) {
  put_enters_after_exits(entries);
  std::vector<std::tuple<i64, u32, Kind>> result;
  for (const Entry& entry : entries) result.emplace_back(entry.nanoseconds, entry.thread, entry.kind);
  return result;
}

using testing::ElementsAre;
using T = std::tuple<i64, u32, Kind>;

TEST(LockOrder, AnEnterComesBehindTheExitThatMadeRoomForIt) {
  EXPECT_THAT(ordered({at(10, A, Kind::lock_enter, x), at(50, B, Kind::lock_enter, x), at(60, A, Kind::lock_exit, x),
                       at(70, B, Kind::lock_exit, x)}),
              ElementsAre(T{10, A, Kind::lock_enter}, T{60, A, Kind::lock_exit}, T{60, B, Kind::lock_enter},
                          T{70, B, Kind::lock_exit}));
}

TEST(LockOrder, AThreadsEventsKeepTheirOrder) {
  EXPECT_THAT(ordered({at(10, A, Kind::lock_enter, x), at(50, B, Kind::lock_enter, x), at(52, B, Kind::lock_exit, x),
                       at(55, B, Kind::hash, y), at(60, A, Kind::lock_exit, x), at(70, A, Kind::lock_enter, x)}),
              ElementsAre(T{10, A, Kind::lock_enter}, T{60, A, Kind::lock_exit}, T{60, B, Kind::lock_enter},
                          T{60, B, Kind::lock_exit}, T{60, B, Kind::hash}, T{70, A, Kind::lock_enter}));
}

TEST(LockOrder, TheLastOfSeveralLevelsCounts) {
  EXPECT_THAT(ordered({at(10, A, Kind::lock_enter, x), at(20, A, Kind::lock_enter, x), at(30, B, Kind::lock_enter, x),
                       at(40, A, Kind::lock_exit, x), at(60, A, Kind::lock_exit, x)}),
              ElementsAre(T{10, A, Kind::lock_enter}, T{20, A, Kind::lock_enter}, T{40, A, Kind::lock_exit},
                          T{60, A, Kind::lock_exit}, T{60, B, Kind::lock_enter}));
}

TEST(LockOrder, AWaitGivesAllLevelsUpAndItsEndTakesThemBack) {
  std::vector<Entry> entries = {
      at(10, A, Kind::lock_enter, x), at(11, A, Kind::lock_enter, x), at(48, B, Kind::lock_enter, x),
      at(50, A, Kind::wait_begin, x), at(69, A, Kind::wait_end, x),   at(70, B, Kind::lock_exit, x),
      at(80, A, Kind::lock_exit, x),  at(88, B, Kind::lock_enter, x), at(90, A, Kind::lock_exit, x)};
  EXPECT_THAT(ordered(entries),
              ElementsAre(T{10, A, Kind::lock_enter}, T{11, A, Kind::lock_enter}, T{50, A, Kind::wait_begin},
                          T{50, B, Kind::lock_enter}, T{70, B, Kind::lock_exit}, T{70, A, Kind::wait_end},
                          T{80, A, Kind::lock_exit}, T{90, A, Kind::lock_exit}, T{90, B, Kind::lock_enter}));
}

TEST(LockOrder, WhatNoClockExplainsStays) {
  i64 far = clock_difference_nanoseconds + 1;
  EXPECT_THAT(
      ordered({at(10, A, Kind::lock_enter, x), at(50, B, Kind::lock_enter, x), at(50 + far, A, Kind::lock_exit, x)}),
      ElementsAre(T{10, A, Kind::lock_enter}, T{50, B, Kind::lock_enter}, T{50 + far, A, Kind::lock_exit}));
}

TEST(LockOrder, OtherObjectsAndUnknownHoldersStay) {
  EXPECT_THAT(ordered({at(10, A, Kind::lock_enter, y), at(50, B, Kind::lock_enter, x), at(60, A, Kind::lock_exit, x),
                       at(61, A, Kind::lock_exit, y)}),
              ElementsAre(T{10, A, Kind::lock_enter}, T{50, B, Kind::lock_enter}, T{60, A, Kind::lock_exit},
                          T{61, A, Kind::lock_exit}));
}

TEST(LockOrder, ThreadsThatWaitForEachOtherDoNotChangePlacesForEver) {
  auto order = ordered({at(10, A, Kind::lock_enter, y), at(11, B, Kind::lock_enter, x), at(12, A, Kind::lock_enter, x),
                        at(13, A, Kind::lock_exit, y), at(14, B, Kind::lock_enter, y), at(15, B, Kind::lock_exit, x)});
  EXPECT_EQ(order.size(), 6u);
}

}  // namespace

}  // namespace keyhole::recorder
