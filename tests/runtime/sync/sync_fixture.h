// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Fixture for tests of runtime/sync: objects without a heap, and Java threads that run a lambda. Objects lie in a
// mapped area and carry the id of a registered klass. Tests that play the collector move them by hand.
#pragma once

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "runtime/base/flags.h"
#include "runtime/object/identity.h"
#include "runtime/sync/algorithm.h"
#include "runtime/sync/monitors.h"
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/blocking.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/threads.h"
#include "tests/support/locked_objects.h"

namespace keyhole::test {

// Returns whether the header has room for what this algorithm stores in it. In a layout without room, `lightweight`
// means its form with the object monitor table.
inline bool runs_on_this_layout(std::string_view algorithm) {
  const sync::Algorithm* found = sync::watchable(algorithm);
  return found != nullptr && sync::refusal_of_layout(*found).empty();
}
#define SKIP_UNLESS_IT_RUNS(algorithm) \
  if (!runs_on_this_layout(algorithm)) GTEST_SKIP() << algorithm << " does not run on " << layout::name << " headers"

class SyncTest : public testing::Test {
 protected:
  // Selects the algorithm of a test. No other Java thread may exist when a test calls this function.
  static void choose(std::string_view algorithm) {
    flags::LockingMode = algorithm;
    std::string refusal = sync::initialize();
    ASSERT_EQ(refusal, "");
  }
  // Selects an algorithm and sets flags. `words`: the algorithm's name, then the flags as they are written after -XX:,
  // each after a space.
  static void choose_with_flags(std::string_view words) {
    usize space = words.find(' ');
    std::string_view algorithm = words.substr(0, space);
    while (space != words.npos) {
      words.remove_prefix(space + 1);
      space = words.find(' ');
      ASSERT_EQ(flags::parse(words.substr(0, space)), "");
    }
    choose(algorithm);
  }
  // Sets a flag atomically, because the deflater of an earlier test may be running and reading flags.
  static void set(i64& flag, i64 value) { __atomic_store_n(&flag, value, __ATOMIC_RELAXED); }
  void SetUp() override {
    // Switches off deflation by time, because the deflater would deflate monitors that a test counts.
    set(flags::GuaranteedAsyncDeflationInterval, 0);
    choose("lightweight");
    self = threads::attach_current(false, false, 0);
    ASSERT_NE(self, nullptr);
    scope = std::make_unique<HandleScope>(self);
    test_klass_id();
  }
  void TearDown() override {
    join_all();
    EXPECT_EQ(self->lock_stack_top, 0u);
    EXPECT_EQ(self->lock_record_top, 0u);
    // Does what a collection does to the monitors of dead objects, as if all objects that the test inflated were dead.
    auto collect = [] { sync::update_references([](Object*, void*) -> Object* { return nullptr; }, nullptr); };
    safepoint::run(self, "Test", collect);
    EXPECT_EQ(sync::in_use(), 0u);
    scope.reset();
    threads::detach(self);
    set(flags::GuaranteedAsyncDeflationInterval, 60'000);
  }

  Handle make() { return scope->make(new_object()); }

  // Starts a Java thread that runs body(thread). Object arguments are Handles of this test's scope, which outlives the
  // thread.
  void spawn(std::function<void(JavaThread*)> body) {
    auto* job = new Job{this, std::move(body)};
    ++running;
    JavaThread* thread = threads::start(
        0, false, false, [](JavaThread* started, void* context) { started->result = reinterpret_cast<u64>(context); },
        job,
        [](JavaThread* started) {
          std::unique_ptr<Job> mine(reinterpret_cast<Job*>(started->result));
          mine->body(started);
          --mine->test->running;
        });
    ASSERT_NE(thread, nullptr);
  }
  void join_all() {
    threads::wait_until_last_non_daemon(self);
    EXPECT_EQ(running.load(), 0);
  }
  // Yields, and polls as a thread in Java does between bytecodes.
  static void pause(JavaThread* thread) {
    BlockedScope blocked(thread);
    sched_yield();
  }
  template <typename Condition> static void until(JavaThread* thread, Condition condition) {
    while (!condition()) pause(thread);
  }

  static void lock(JavaThread* thread, Handle object) {
    with_fast_path([&]<typename Snippet>() { enter_level<Snippet>(thread, object); });
  }
  static sync::Status unlock(JavaThread* thread, Handle object) {
    u32 index = thread->lock_record_top;
    while (index != 0 && thread->lock_records[index - 1].object != object.get()) --index;
    if (index == 0) return refused_exit(thread, object);
    LockRecord* record = &thread->lock_records[index - 1];
    sync::Status status =
        with_fast_path([&]<typename Snippet>() { return exit_level<Snippet>(thread, object, record); });
    EXPECT_EQ(record->displaced.load(), 0u);
    while (thread->lock_record_top != 0 && thread->lock_records[thread->lock_record_top - 1].object == nullptr)
      --thread->lock_record_top;
    return status;
  }
  // Calls exit from a thread that has no lock record of the object.
  static sync::Status refused_exit(JavaThread* thread, Handle object) {
    LockRecord* record = &thread->lock_records[thread->lock_record_top];
    return sync::exit(thread, object, record);
  }
  static bool is_blocked(const JavaThread* thread) {
    return thread != nullptr && thread->status.load() == JavaThreadStatus::BlockedOnMonitorEnter;
  }
  static bool is_inflated(Handle object) { return (object->header_word() & layout::lock_mask) == layout::inflated; }
  // Makes an algorithm create what it needs for an object on which a thread waits, such as a monitor.
  void use_once(Handle object) {
    lock(self, object);
    EXPECT_EQ(sync::wait(self, object, 1), sync::Status::Done);
    unlock(self, object);
  }
  void inflate(Handle object) {
    use_once(object);
    EXPECT_TRUE(is_inflated(object));
  }

  // Simulates a collection that moves every object to which a root of a thread refers. The objects move to the memory
  // that the previous call freed.
  void move_all() {
    auto collect = [this] {
      std::map<Object*, Object*> moved;
      reusable_places.insert(reusable_places.end(), left_places.begin(), left_places.end());
      left_places.clear();
      auto forward = [&](Object* object) {
        Object*& target = moved[object];
        if (target == nullptr) {
          if (reusable_places.empty()) {
            target = new_object();
          } else {
            target = reusable_places.back();
            reusable_places.pop_back();
          }
          left_places.push_back(object);
          memcpy(static_cast<void*>(target), object, 16);  // as new_object makes them
          if (must_store_hash(object->header_word())) store_hash(target, object, hash_slot(object->klass(), 0));
          object->header().store(0xDEAD0003);  // stale pointers to it fail
        }
        return target;
      };
      threads::for_each(
          [&](JavaThread* thread) { visit_handles(thread, [&](Object** slot) { *slot = forward(*slot); }); });
      sync::update_references(
          [](Object* object, void* context) { return (*static_cast<decltype(forward)*>(context))(object); }, &forward);
    };
    safepoint::run(self, "Test", collect);
  }

  JavaThread* self = nullptr;
  std::unique_ptr<HandleScope> scope;
  std::atomic<int> running{0};

 private:
  struct Job {
    SyncTest* test;
    std::function<void(JavaThread*)> body;
  };
  std::vector<Object*> reusable_places, left_places;
};

}  // namespace keyhole::test
