// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the rules of slices.h and levels.h, and the figures of locks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "runtime/sync/lock_statistics.h"
#include "runtime/threads/java_thread.h"
#include "vm/tools/look/collections.h"
#include "vm/tools/look/levels.h"
#include "vm/tools/look/lock_figures.h"
#include "vm/tools/look/slices.h"

namespace keyhole::look {

namespace {

using recorder::Entry;
using recorder::Kind;
using testing::ElementsAre;

constexpr u32 A = 1, B = 2, x = 40, site = 7, other_site = 8;

Entry at(i64 time, u32 thread, Kind kind, u32 a = x, u32 b = 0, u32 detail = 0) {
  return {time, thread, kind, detail, a, b};
}
Entry state(i64 time, u32 thread, JavaThreadStatus status) {
  return at(time, thread, Kind::thread_state, thread, 0, static_cast<u32>(status));
}
recorder::Recording recorded(std::vector<Entry> entries) {
  recorder::Recording recording;
  recording.entries = std::move(entries);
  recording.threads = {{A, "main"}, {B, "worker"}};  // only named threads count as the program's
  return recording;
}

using Row = std::tuple<i64, i64, u32, Doing, u32, u32>;  // fields of a Slice: begin, end, thread, doing, object, owner
std::vector<Row> rows_of(const std::vector<Slice>& slices) {
  std::vector<Row> rows;
  for (const Slice& each : slices)
    rows.emplace_back(each.begin, each.end, each.thread, each.doing, each.object, each.owner);
  return rows;
}

TEST(Slices, AThreadIsBlockedUntilItHasTheLockWhateverItsStateSays) {
  Slices found =
      slices_of(recorded({at(10, A, Kind::lock_enter, x, site), at(20, B, Kind::lock_contended, x, other_site),
                          at(21, B, Kind::lock_owner, x, A), state(25, B, JavaThreadStatus::BlockedOnMonitorEnter),
                          at(30, A, Kind::lock_exit), state(32, B, JavaThreadStatus::Runnable),
                          at(40, B, Kind::lock_enter), at(50, B, Kind::lock_exit)}));
  EXPECT_THAT(rows_of(found.all), ElementsAre(Row{20, 40, B, Doing::blocked, x, A}));
  EXPECT_EQ(found.all[0].site, other_site);
  EXPECT_EQ(found.all[0].owner_site, site);
  EXPECT_EQ(found.all[0].event, 1u);
}

TEST(Slices, AThreadThatIsNotifiedWantsTheLockAgain) {
  Slices found = slices_of(recorded(
      {at(10, A, Kind::lock_enter), at(20, A, Kind::wait_begin), state(21, A, JavaThreadStatus::InObjectWait),
       at(30, B, Kind::lock_enter), at(40, B, Kind::notify), state(41, A, JavaThreadStatus::BlockedOnMonitorEnter),
       at(50, B, Kind::lock_exit), state(55, A, JavaThreadStatus::Runnable), at(56, A, Kind::wait_end)}));
  EXPECT_THAT(rows_of(found.all),
              ElementsAre(Row{21, 41, A, Doing::waiting, x, 0}, Row{41, 55, A, Doing::blocked, x, B}));
}

TEST(Slices, WhatDoesNotEndEndsWithTheRecordingOrTheThread) {
  Slices found = slices_of(recorded({state(10, A, JavaThreadStatus::Parked), state(20, B, JavaThreadStatus::Sleeping),
                                     at(30, B, Kind::thread_end, 0), at(90, A + 2, Kind::hash)}));
  EXPECT_THAT(rows_of(found.all),
              ElementsAre(Row{10, 90, A, Doing::parked, 0, 0}, Row{20, 30, B, Doing::sleeping, 0, 0}));
  std::map<u32, std::pair<i64, i64>> lives;
  for (const Life& life : found.threads) lives[life.id] = {life.begin, life.end};
  EXPECT_EQ(lives[A], (std::pair<i64, i64>(10, 90)));
  EXPECT_EQ(lives[B], (std::pair<i64, i64>(20, 30)));
}

TEST(Slices, AVirtualThreadIsParkedFromUnmountedToMountedAndEndsWithTheLast) {
  auto unmounted = [](i64 time, JavaThreadStatus status) {
    return at(time, A, Kind::unmounted, B, 0, static_cast<u32>(status));
  };
  Slices found = slices_of(recorded(
      {at(10, A, Kind::mounted, B), at(11, B, Kind::lock_enter), at(12, B, Kind::lock_exit),
       unmounted(20, JavaThreadStatus::Parked), at(50, A, Kind::mounted, B), unmounted(60, JavaThreadStatus::Runnable),
       at(70, A, Kind::mounted, B), unmounted(80, JavaThreadStatus::Terminated), at(90, A, Kind::hash)}));
  EXPECT_THAT(rows_of(found.all),
              ElementsAre(Row{10, 90, A, Doing::sleeping, 0, 0}, Row{20, 50, B, Doing::parked, 0, 0}));
  ASSERT_EQ(found.threads.size(), 2u);
  EXPECT_EQ(found.threads[1].id, B);
  EXPECT_EQ(found.threads[1].end, 80);
}

Slice slice(i64 begin, i64 end, u32 thread, Doing doing) {
  return {.begin = begin, .end = end, .thread = thread, .doing = doing, .object = x, .event = static_cast<u32>(begin)};
}

TEST(Levels, ShortSlicesBecomeOneAndLongOnesStay) {
  std::vector<Slice> exact;
  for (i64 i = 0; i < 100; ++i)
    exact.push_back(slice(i * 100, i * 100 + 50, A, i % 2 == 0 ? Doing::blocked : Doing::parked));
  exact.push_back(slice(50'000, 900'000, A, Doing::waiting));
  std::vector<Level> levels = levels_of(exact, 1'000'000);
  ASSERT_GE(levels.size(), 2u);
  EXPECT_EQ(levels.back().width, 0);
  EXPECT_EQ(levels.back().all.size(), exact.size());
  const Level& coarse = levels.front();
  EXPECT_EQ(coarse.width, 1000);
  EXPECT_LE(coarse.all.size(), 12u);
  EXPECT_EQ(coarse.all.back().end, 900'000);
  EXPECT_EQ(coarse.all.back().shares, (std::array<u8, 4>{}));
  // No time is lost or counted twice: there are 50 slices of each kind, of 50 ns.
  i64 last = 0;
  f64 blocked = 0, parked = 0;
  for (const Slice& each : coarse.all) {
    EXPECT_GE(each.begin, last);
    last = each.end;
    bool is_one = each.shares == std::array<u8, 4>{};
    auto time_of = [&](Doing doing) {
      f64 share = is_one ? each.doing == doing : static_cast<f64>(each.shares[static_cast<usize>(doing) - 1]) / 255;
      return share * static_cast<f64>(each.length());
    };
    blocked += time_of(Doing::blocked);
    parked += time_of(Doing::parked);
  }
  EXPECT_NEAR(blocked, 2500, 25);
  EXPECT_NEAR(parked, 2500, 25);
}

TEST(Levels, ThreadsAreNotMixed) {
  std::vector<Slice> exact;
  for (i64 i = 0; i < 50; ++i) {
    exact.push_back(slice(i * 10, i * 10 + 4, A, Doing::blocked));
    exact.push_back(slice(i * 10 + 5, i * 10 + 9, B, Doing::parked));
  }
  for (const Level& level : levels_of(exact, 1'000'000)) {
    for (const Slice& each : level.all) EXPECT_EQ(each.doing, each.thread == A ? Doing::blocked : Doing::parked);
  }
}

TEST(LockFigures, WaitsWithTheirWorstAndThoseThatDoNotEnd) {
  Entry parked = at(34, B, Kind::lock_step, 3, 0, static_cast<u32>(LockCounter::parks));
  LockFigures figures = lock_figures_of(
      recorded({at(10, A, Kind::lock_enter), at(20, B, Kind::lock_contended), at(30, A, Kind::lock_exit), parked,
                at(35, B, Kind::lock_enter), at(40, A, Kind::lock_contended), at(41, B, Kind::lock_exit),
                at(44, A, Kind::lock_enter), at(50, B, Kind::lock_contended), at(100, A, Kind::hash, 41)}));
  EXPECT_EQ(figures.enters, 3u);
  EXPECT_EQ(figures.contended, 3u);
  ASSERT_EQ(figures.waits.size(), 2u);
  EXPECT_EQ(figures.waits[0].amount, 4);
  EXPECT_EQ(figures.waits[1].amount, 15);
  EXPECT_EQ(figures.waits[1].event, 1u);
  ASSERT_EQ(figures.unfinished.size(), 1u);
  EXPECT_EQ(figures.unfinished[0].amount, 50);
  EXPECT_EQ(figures.futile_wake_ups, 2u);  // after three sleeps in one operation, only the last wake-up is not futile
  EXPECT_EQ(figures.most_futile.event, 4u);
  const ObjectFigures& object = figures.objects[x];
  EXPECT_EQ(object.waited, 19);
  EXPECT_EQ(object.longest.event, 1u);
  EXPECT_EQ(object.first_event, 0u);
  EXPECT_EQ(object.last_event, 8u);
  ASSERT_EQ(figures.hot.size(), 1u);
  EXPECT_EQ(figures.hot[0].number, x);
}

TEST(Collections, PhasesBelongToTheirPause) {
  Collections found = collections_of(recorded(
      {at(5, A, Kind::safepoint_request, 1), at(8, A, Kind::safepoint_reached, 1), at(10, A, Kind::pause_begin, 2, 0),
       at(11, A, Kind::phase, 3, 0), at(20, A, Kind::phase, 4, 0), at(30, A, Kind::pause_end, 5, 0),
       at(31, A, Kind::safepoint_resume, 1), at(50, A, Kind::pause_begin, 2, 1), at(60, B, Kind::hash)}));
  ASSERT_EQ(found.pauses.size(), 2u);
  EXPECT_EQ(found.pauses[0].kind, 5u);  // the event pause_end names the kind of the pause
  ASSERT_EQ(found.pauses[0].phases.size(), 2u);
  EXPECT_EQ(found.pauses[0].phases[1].begin, 20);
  EXPECT_EQ(found.pauses[1].end, 60);  // a pause without an end event ends when the recording ends
  ASSERT_EQ(found.safepoints.size(), 1u);
  EXPECT_EQ(found.safepoints[0].reached, 8);
}

}  // namespace

}  // namespace keyhole::look
