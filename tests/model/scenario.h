// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Scenario: a few threads, a few objects, what each thread does, and what must be true at the end. Scenarios do not
// depend on the algorithm.
//
// A Stage is a scenario's view of an execution. The counters `guarded` are Plain cells: the checker reports an access
// that the lock does not order after the previous access, so it checks mutual exclusion in the strongest sense. Each
// row of `seen` belongs to one thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "runtime/base/platform/checked_explorer.h"
#include "tests/model/checked_machine.h"
#include "tests/model/lock_under_test.h"

namespace keyhole::model {

struct Stage {
  explicit Stage(LockUnderTest& lock_under_test) : lock(lock_under_test) {}
  LockUnderTest& lock;
  CheckedWorld::Plain<u32> guarded[toy_objects];  // guarded[i] is guarded by the lock of object i
  CheckedWorld::Plain<u32> flags[toy_objects];    // conditions that waiters wait for, guarded like guarded[i]
  u32 seen[toy_threads][4] = {};                  // observations of each thread

  void add(u32 object) { guarded[object].set(guarded[object].get() + 1); }
  // Enters the object's lock, adds 1 to the object's counter, and exits.
  void visit(u32 thread, u32 object) {
    lock.enter(thread, object);
    add(object);
    leave(thread, object);
  }
  void leave(u32 thread, u32 object) {
    if (lock.exit(thread, object) != Status::Done) CheckedMachine::fail("the holder's exit is refused");
  }
  static void expect(bool holds, const char* what) {
    if (!holds) CheckedMachine::fail(what);
  }
};

struct Scenario {
  std::string_view name;
  std::string_view what;  // a sentence about the scenario
  u32 threads, objects;
  u32 increments;  // expected value of guarded[0] at the end
  void (*run)(Stage& stage, u32 thread);
  void (*finish)(Stage& stage) = nullptr;
  bool stops_the_world = false;
  bool suspends = false;           // threads suspend other threads, which stops the world
  bool needs_monitors = false;     // runs only for algorithms with monitors
  bool needs_restriction = false;  // runs only for algorithms that cull waiters
  u32 spurious = 0;                // how many spurious wake-ups are explored
  bool tells_successor_variants = false;
  bool for_virtual_threads = false;  // virtual threads run the scenario, too (subject_virtual.cpp)
};

std::span<const Scenario> all_scenarios();

// A scenario over a lock, in the form that the checker runs.
class ScenarioProgram : public checked::Program {
 public:
  ScenarioProgram(const Scenario& scenario, LockUnderTest& lock) : scenario_(scenario), lock_(lock) {}
  u32 thread_count() const override { return scenario_.threads; }
  u32 spurious_wakeups() const override { return scenario_.spurious; }
  bool stops_the_world() const override { return scenario_.stops_the_world || scenario_.suspends; }
  void set_up() override;
  void run(u32 thread) override;
  void finish() override;
  void tear_down() override;

 private:
  const Scenario& scenario_;
  LockUnderTest& lock_;
  std::unique_ptr<Stage> stage_;
};

}  // namespace keyhole::model
