// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the file of a recording: columns, frames, and files that end early or are damaged.
#include "runtime/recorder/file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <random>
#include <thread>

#include "runtime/recorder/recorder.h"
#include "runtime/recorder/recording.h"
#include "runtime/recorder/texts.h"

namespace keyhole::recorder {
namespace {

std::string test_file() {
  return testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".khr";
}

std::string bytes_of(const std::string& path) {
  std::string bytes;
  FILE* file = fopen(path.c_str(), "re");
  char buffer[4096];
  while (usize count = fread(buffer, 1, sizeof buffer, file)) bytes.append(buffer, count);
  fclose(file);
  return bytes;
}
void write_bytes(const std::string& path, std::string_view bytes) {
  FILE* file = fopen(path.c_str(), "we");
  ASSERT_EQ(fwrite(bytes.data(), 1, bytes.size(), file), bytes.size());
  fclose(file);
}

std::vector<Entry> of_kind(const Recording& recording, Kind kind) {
  std::vector<Entry> found;
  for (const Entry& entry : recording.entries)
    if (entry.kind == kind) found.push_back(entry);
  return found;
}

TEST(RecordingFile, ColumnsKeepEveryBitOfAnEvent) {
  std::mt19937 random(1);
  std::vector<Event> events(1000);
  for (Event& event : events)
    event = {static_cast<u32>(random()), static_cast<u16>(random() % 256), static_cast<u16>(random()),
             static_cast<u32>(random()), static_cast<u32>(random())};
  std::string columns(events.size() * file::column_bytes, '\0');
  file::encode_columns(events, columns.data());
  std::vector<Event> decoded(events.size());
  file::decode_columns(columns.data(), decoded);
  EXPECT_EQ(memcmp(events.data(), decoded.data(), events.size() * sizeof(Event)), 0);
}

// A thread that ends wakes the recorder's writer thread. The writer takes the names of threads, and writes these names
// while the recording is being stopped.
TEST(RecordingFile, NamesAreThereHoweverShortTheRecording) {
  for (u32 i = 0; i < 300; ++i) {
    ASSERT_EQ(start(test_file(), all_families), "");
    std::thread([i] {
      thread_begins(1000 + i);
      name_thread(1000 + i, "short");
      record(Kind::lock_step, i);
    }).join();
    ASSERT_EQ(stop(), "");
    ASSERT_EQ(read_recording(test_file()).thread_name(1000 + i), "short") << i;
  }
}

// A VM may end together with its last Java thread, while that thread's OS thread is still returning its block to the
// recorder. The test uses many threads, so that some are preempted in the middle of this return.
TEST(RecordingFile, AThreadThatIsAboutToEndLosesNothing) {
  constexpr u32 threads = 24, events = 50;
  for (u32 round = 0; round < 60; ++round) {
    ASSERT_EQ(start(test_file(), all_families), "");
    std::atomic<u32> done{0};
    std::vector<std::thread> all;
    for (u32 i = 0; i < threads; ++i) {
      all.emplace_back([i, &done] {
        thread_begins(1000 + i);
        for (u32 event = 0; event < events; ++event) record(Kind::lock_step, event);
        done.fetch_add(1);
      });
    }
    while (done.load() != threads) std::this_thread::yield();
    ASSERT_EQ(stop(), "");
    for (std::thread& thread : all) thread.join();
    ASSERT_EQ(of_kind(read_recording(test_file()), Kind::lock_step).size(), threads * events) << "round " << round;
  }
}

TEST(RecordingFile, EventsOfAllThreadsComeBackInTheOrderOfTime) {
  ASSERT_EQ(start(test_file(), all_families), "");
  constexpr u32 threads = 4, each = 30'000;  // each thread fills several blocks, and a part of one more
  std::vector<std::thread> all;
  for (u32 number = 0; number < threads; ++number) {
    all.emplace_back([number] {
      thread_begins(100 + number);
      name_thread(100 + number, "recording thread");
      for (u32 i = 0; i < each; ++i) record(Kind::lock_step, i, 0, number);
    });
  }
  for (std::thread& thread : all) thread.join();
  ASSERT_EQ(stop(), "");
  Recording recording = read_recording(test_file());
  EXPECT_EQ(recording.problem, "");
  EXPECT_TRUE(recording.complete);
  EXPECT_EQ(recording.thread_name(101), "recording thread");
  std::vector<Entry> steps = of_kind(recording, Kind::lock_step);
  ASSERT_EQ(steps.size(), threads * each);
  u32 next[threads] = {};
  i64 before = INT64_MIN;
  for (const Entry& step : steps) {
    EXPECT_GE(step.nanoseconds, before);
    before = step.nanoseconds;
    ASSERT_EQ(step.thread, 100 + step.detail);
    ASSERT_EQ(step.a, next[step.detail]++);
  }
  EXPECT_LT(static_cast<f64>(recording.event_bytes) / static_cast<f64>(recording.entries.size()), 6.0);
}

// Thread 7 runs on its own carrier; then thread 8 runs on the carrier of 7; then thread 7 runs on another carrier.
TEST(RecordingFile, WhatACarrierDoesForAVirtualThreadIsItsOwn) {
  ASSERT_EQ(start(test_file(), all_families), "");
  auto on_carrier = [](u32 carrier, std::initializer_list<std::pair<Kind, u32>> events) {
    std::thread([carrier, events] {
      thread_begins(carrier);
      for (auto [kind, a] : events) record(kind, a);
    }).join();
  };
  on_carrier(101, {{Kind::lock_step, 1},
                   {Kind::mounted, 7},
                   {Kind::lock_step, 2},
                   {Kind::mounted, 8},
                   {Kind::lock_step, 3},
                   {Kind::unmounted, 8},
                   {Kind::lock_step, 4},
                   {Kind::unmounted, 7},
                   {Kind::lock_step, 5}});
  on_carrier(102, {{Kind::lock_step, 6}, {Kind::mounted, 7}, {Kind::lock_step, 7}, {Kind::unmounted, 7}});
  name_thread(8, "named");
  ASSERT_EQ(stop(), "");
  Recording recording = read_recording(test_file());
  std::vector<u32> actors;
  for (const Entry& step : of_kind(recording, Kind::lock_step)) actors.push_back(step.thread);
  EXPECT_EQ(actors, (std::vector<u32>{101, 7, 8, 7, 101, 102, 7}));
  actors.clear();
  for (const Entry& entry : recording.entries)
    if (entry.kind == Kind::mounted || entry.kind == Kind::unmounted) actors.push_back(entry.thread);
  EXPECT_EQ(actors, (std::vector<u32>{101, 7, 7, 101, 102, 102}));
  EXPECT_EQ(recording.thread_name(7), "virtual 7");
  EXPECT_EQ(recording.thread_name(8), "named");
}

TEST(RecordingFile, TimesAreThoseOfTheClock) {
  ASSERT_EQ(start(test_file(), all_families), "");
  record(Kind::lock_step, 1);
  usleep(50'000);
  record(Kind::lock_step, 2);
  ASSERT_EQ(stop(), "");
  std::vector<Entry> steps = of_kind(read_recording(test_file()), Kind::lock_step);
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_GE(steps[1].nanoseconds - steps[0].nanoseconds, 49'900'000);
  EXPECT_LT(steps[1].nanoseconds - steps[0].nanoseconds, 5'000'000'000);
}

TEST(RecordingFile, AnEarlierTimeComesEarlier) {
  ASSERT_EQ(start(test_file(), all_families), "");
  u64 early = now();
  // A recording cannot tell times apart that are very close, so the test waits between the two events.
  while (now() - early < 64) {
  }
  record(Kind::lock_step, 2);
  record_at(early, Kind::lock_step, 1);
  ASSERT_EQ(stop(), "");
  std::vector<Entry> steps = of_kind(read_recording(test_file()), Kind::lock_step);
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].a, 1u);
  EXPECT_EQ(steps[1].a, 2u);
}

TEST(RecordingFile, ADumpHasWhatCameBeforeAndNothingTwice) {
  ASSERT_EQ(start(test_file(), all_families), "");
  record(Kind::lock_step, 1, 0, 7);
  ASSERT_EQ(dump(), "");
  Recording half = read_recording(test_file());
  EXPECT_EQ(of_kind(half, Kind::lock_step).size(), 1u);
  EXPECT_FALSE(half.complete);
  record(Kind::lock_step, 2, 0, 7);
  ASSERT_EQ(stop(), "");
  EXPECT_EQ(of_kind(read_recording(test_file()), Kind::lock_step).size(), 2u);
}

TEST(RecordingFile, ASecondRecordingHasNothingOfTheFirst) {
  ASSERT_EQ(start(test_file(), all_families), "");
  u32 number = text("a name of both");
  record(Kind::class_initializes, number);
  ASSERT_EQ(stop(), "");
  record(Kind::lock_step, 99);  // simulates a thread that calls is_on() before stop(), and records its event later
  ASSERT_EQ(start(test_file(), all_families), "");
  record(Kind::class_initializes, number);
  ASSERT_EQ(stop(), "");
  Recording recording = read_recording(test_file());
  EXPECT_EQ(of_kind(recording, Kind::lock_step).size(), 0u);
  ASSERT_EQ(of_kind(recording, Kind::class_initializes).size(), 1u);
  EXPECT_EQ(recording.text(of_kind(recording, Kind::class_initializes)[0].a), "a name of both");
}

TEST(RecordingFile, ACrashSavesWhatNoFrameHas) {
  ASSERT_EQ(start(test_file(), all_families), "");
  record(Kind::class_initializes, text("named just before"));
  save_at_crash();
  Recording recording = read_recording(test_file());
  EXPECT_EQ(recording.problem, "");
  EXPECT_FALSE(recording.complete);
  ASSERT_EQ(of_kind(recording, Kind::class_initializes).size(), 1u);
  EXPECT_EQ(recording.text(of_kind(recording, Kind::class_initializes)[0].a), "named just before");
}

TEST(RecordingFile, ReadUpToWhereItEnds) {
  ASSERT_EQ(start(test_file(), all_families), "");
  // Another thread records the events, because a new thread begins with an empty block.
  std::thread([] {
    for (u32 i = 0; i < 3 * block_capacity; ++i) record(Kind::lock_step, i);
  }).join();
  ASSERT_EQ(stop(), "");
  std::string whole = bytes_of(test_file());
  usize all = of_kind(read_recording(test_file()), Kind::lock_step).size();
  ASSERT_EQ(all, 3 * block_capacity);
  bool some_had_a_part = false;
  for (usize length = 0; length < whole.size(); length += 101) {
    write_bytes(test_file(), std::string_view(whole).substr(0, length));
    Recording part = read_recording(test_file());
    usize events = of_kind(part, Kind::lock_step).size();
    EXPECT_LE(events, all);
    EXPECT_EQ(events % block_capacity, 0u) << "a frame is read as a whole";
    EXPECT_FALSE(part.complete);
    some_had_a_part |= events != 0 && events != all;
  }
  EXPECT_TRUE(some_had_a_part);
}

TEST(RecordingFile, DamageIsFoundAndNeverRead) {
  ASSERT_EQ(start(test_file(), all_families), "");
  for (u32 i = 0; i < 100; ++i) record(Kind::lock_step, i, 0, 3);
  ASSERT_EQ(stop(), "");
  std::string whole = bytes_of(test_file());
  std::mt19937 random(2);
  for (u32 round = 0; round < 2000; ++round) {
    std::string damaged = whole;
    damaged[random() % damaged.size()] ^= static_cast<char>(1 + random() % 255);
    write_bytes(test_file(), damaged);
    // If the reader accesses wrong memory here, a signal or a sanitizer ends the process.
    Recording recording = read_recording(test_file());
    EXPECT_LE(recording.entries.size(), 200u);
  }
  write_bytes(test_file(), "not a recording at all");
  EXPECT_NE(read_recording(test_file()).problem.find("is not a recording"), std::string::npos);
  std::string other = whole;
  other[file::magic.size()] ^= 1;
  write_bytes(test_file(), other);
  EXPECT_NE(read_recording(test_file()).problem.find("another version"), std::string::npos);
}

TEST(RecordingFile, FamiliesByName) {
  u32 bits = 0;
  EXPECT_EQ(parse_families("all", bits), "");
  EXPECT_EQ(bits, all_families);
  EXPECT_EQ(parse_families("locks,threads", bits), "");
  EXPECT_EQ(bits, bit_of(Family::locks) | bit_of(Family::threads));
  EXPECT_NE(parse_families("locks,nothing", bits).find("'nothing' is not among"), std::string::npos);
}

TEST(RecordingFile, AFileThatCannotBeWrittenIsRefused) {
  EXPECT_EQ(start("/nonexistent/file", all_families), "cannot write /nonexistent/file: No such file or directory");
  EXPECT_FALSE(is_recording());
  EXPECT_EQ(stop(), "no recording is in progress");
  EXPECT_EQ(dump(), "no recording is in progress");
}

}  // namespace
}  // namespace keyhole::recorder
