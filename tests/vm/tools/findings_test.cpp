// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the rules of wait_facts.h about recordings that begin in a running VM (W4), the findings that depend on them,
// and the rules of find_stuck.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/threads/java_thread.h"
#include "vm/tools/recording/findings.h"

namespace keyhole::recording {

namespace {

using recorder::Entry;
using recorder::Kind;
using testing::Contains;
using testing::Not;

constexpr u32 A = 1, B = 2, x = 40, y = 41, line = 1, other_line = 2;

Entry at(i64 time, u32 thread, Kind kind, u32 a = 0, u32 b = 0, u32 detail = 0) {
  return {time, thread, kind, detail, a, b};
}
std::vector<Topic> topics_of(std::vector<Entry> entries) {
  recorder::Recording recording;
  recording.entries = std::move(entries);
  recording.threads = {{A, "A"}, {B, "B"}};
  recording.texts = {{line, "Main.one(Main.java:1) bci 0"}, {other_line, "Main.other(Main.java:2) bci 0"}};
  std::vector<Topic> topics;
  for (const Finding& each : findings_of(recording)) topics.push_back(each.topic);
  return topics;
}

TEST(LateRecordings, ADeadlockThatWasThereBeforeIsFound) {
  EXPECT_THAT(topics_of({at(10, A, Kind::recording_joins), at(11, A, Kind::lock_held, x, line, 1),
                         at(12, A, Kind::lock_contended, y, line), at(13, A, Kind::lock_owner, y, B),
                         at(14, B, Kind::lock_held, y, line, 1), at(15, B, Kind::lock_contended, x, line),
                         at(16, B, Kind::lock_owner, x, A)}),
              Contains(Topic::deadlock));
}

// Thread A has released lock x on the fast path, and no event records this release. When the recording ends, another
// thread holds x.
TEST(LateRecordings, AReleaseWithoutAnEventMakesNoDeadlock) {
  constexpr u32 other = 3;
  std::vector<Entry> entries{at(10, A, Kind::recording_joins),       at(11, A, Kind::lock_held, x, line, 1),
                             at(12, B, Kind::lock_held, y, line, 1), at(20, A, Kind::lock_contended, y, line),
                             at(21, A, Kind::lock_owner, y, B),      at(30, B, Kind::lock_contended, x, line)};
  auto with_owner = [&](u32 owner) {
    std::vector<Entry> all = entries;
    all.push_back(at(31, B, Kind::lock_owner, x, owner));
    return topics_of(all);
  };
  EXPECT_THAT(with_owner(A), Contains(Topic::deadlock));
  EXPECT_THAT(with_owner(other), Not(Contains(Topic::deadlock)));
}

// Thread A holds lock x when thread B begins to wait for x. Later a third thread takes x on the fast path, and still
// holds x when the recording ends.
TEST(LateRecordings, TheOwnersAtTheEndCount) {
  constexpr u32 other = 3;
  std::vector<Entry> entries{at(10, A, Kind::recording_joins),         at(12, B, Kind::lock_held, y, line, 1),
                             at(20, B, Kind::lock_contended, x, line), at(21, B, Kind::lock_owner, x, A),
                             at(30, A, Kind::lock_exit, x, line),      at(40, A, Kind::lock_contended, y, line),
                             at(41, A, Kind::lock_owner, y, B),        at(50, B, Kind::lock_owner, x, other)};
  EXPECT_THAT(topics_of(entries), Not(Contains(Topic::deadlock)));
}

TEST(LateRecordings, ShowNoInversions) {
  std::vector<Entry> entries;
  for (auto [thread, first, second, when] : {std::tuple(A, x, y, 100), {B, y, x, 200}}) {
    entries.push_back(at(when, thread, Kind::lock_enter, first, line));
    entries.push_back(at(when + 1, thread, Kind::lock_enter, second, other_line));
    entries.push_back(at(when + 2, thread, Kind::lock_exit, second, other_line));
    entries.push_back(at(when + 3, thread, Kind::lock_exit, first, line));
  }
  entries.insert(entries.begin(), at(1, B, Kind::thread_start));
  entries.push_back(at(300, A, Kind::thread_end));
  EXPECT_THAT(topics_of(entries), Contains(Topic::lock_order));
  entries.insert(entries.begin(), at(0, A, Kind::recording_joins));
  EXPECT_THAT(topics_of(entries), Not(Contains(Topic::lock_order)));
}

constexpr i64 second = 1'000'000'000;

// Thread A waits in Object.wait, and thread B is parked. At `end`, a thread of the VM records an event.
std::vector<Entry> both_wait(bool are_daemons, i64 end) {
  constexpr u32 of_vm = 3;
  auto state = [](JavaThreadStatus status) { return static_cast<u32>(status); };
  return {at(1, A, Kind::thread_start, 11, 0, are_daemons),
          at(1, B, Kind::thread_start, 12, 0, are_daemons),
          at(10, A, Kind::wait_begin, x, line),
          at(11, B, Kind::park, y, line),
          at(12, B, Kind::thread_state, B, 0, state(JavaThreadStatus::Parked)),
          at(end, of_vm, Kind::pause_begin)};
}

// Thread A parks for a lock of java.util.concurrent that is free at that time, and thread B acquires it then.
TEST(HotLocks, TheNextOwnerOfAFreeLockKeepsAThreadWaiting) {
  auto parked = static_cast<u32>(JavaThreadStatus::Parked), runnable = static_cast<u32>(JavaThreadStatus::Runnable);
  std::vector<Entry> entries{at(0, A, Kind::thread_start),
                             at(10, A, Kind::park, x, line),
                             at(11, A, Kind::thread_state, A, 0, parked),
                             at(20, B, Kind::synchronizer_acquired, x, other_line),
                             at(second / 2, B, Kind::synchronizer_released, x, other_line),
                             at(second / 2 + 10, A, Kind::thread_state, A, 0, runnable),
                             at(second / 2 + 20, A, Kind::synchronizer_acquired, x, line)};
  EXPECT_THAT(topics_of(entries), Contains(Topic::hot_lock));
  entries[3].a = entries[4].a = y;
  EXPECT_THAT(topics_of(entries), Not(Contains(Topic::hot_lock)));
}

TEST(Stuck, AProgramWhoseThreadsAllWait) { EXPECT_THAT(topics_of(both_wait(false, second)), Contains(Topic::stuck)); }

TEST(Stuck, DaemonsThatWaitAreNoProblem) {
  EXPECT_THAT(topics_of(both_wait(true, second)), Not(Contains(Topic::stuck)));
}

TEST(Stuck, InARunningVmEveryThreadCounts) {
  std::vector<Entry> entries = both_wait(true, second);
  entries.insert(entries.begin(), at(0, A, Kind::recording_joins));
  EXPECT_THAT(topics_of(entries), Contains(Topic::stuck));
}

TEST(Stuck, AShortTimeSaysNothing) {
  EXPECT_THAT(topics_of(both_wait(false, second / 10)), Not(Contains(Topic::stuck)));
}

TEST(Stuck, AThreadThatRunsCanWakeTheOthers) {
  std::vector<Entry> entries = both_wait(false, second);
  entries[2].kind = Kind::lock_enter;
  EXPECT_THAT(topics_of(entries), Not(Contains(Topic::stuck)));
}

TEST(Stuck, ATimeLimitEndsAWait) {
  std::vector<Entry> entries = both_wait(false, second);
  entries[2].detail = 1;
  EXPECT_THAT(topics_of(entries), Not(Contains(Topic::stuck)));
}

TEST(Stuck, AThreadThatHasEndedDoesNotCount) {
  std::vector<Entry> entries = both_wait(false, second);
  entries[2].kind = Kind::thread_end;
  EXPECT_THAT(topics_of(entries), Contains(Topic::stuck));
}

TEST(Stuck, ALostNotifySaysMore) {
  std::vector<Entry> entries = both_wait(false, second);
  entries.insert(entries.begin() + 2, at(5, B, Kind::notify, x, line));
  EXPECT_THAT(topics_of(entries), Contains(Topic::lost_notify));
  EXPECT_THAT(topics_of(entries), Not(Contains(Topic::stuck)));
}

}  // namespace

}  // namespace keyhole::recording
