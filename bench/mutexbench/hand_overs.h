// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Attributes the time of a simulated hand-over to the source lines of the lock, with the cache misses of each.
//
//   A  exits: --line--line--write          its later steps do not count
//                             |
//   B  enters: waits ------- resumed --line--line--has the lock
//      ^ begin of the exit           end of the enter ^
//
// H1: a hand-over begins with the exit of one thread (A) and ends when the enter of another thread (B) returns. Its
//     steps are those of A until B was resumed for the last time, and from then on those of B. So they follow each
//     other in time, and their sum is the time of the hand-over, less the waits that no thread ended.
// H2: if B calls enter after the exit began, its steps count from its enter. If B is never resumed after the exit
//     began, its steps count from the begin of the exit. If the exit ends before B calls enter, B finds the lock free,
//     and there is no hand-over.
// H3: all other steps in enter and exit belong to no hand-over. They delay other threads only by what they do to cache
//     lines.
#pragma once

#include <compare>
#include <map>
#include <string>
#include <vector>

#include "runtime/base/platform/simulated_machine.h"

namespace keyhole::mutexbench {

class HandOvers : public SimulatedStepListener {
 public:
  static constexpr u32 no_thread = UINT32_MAX;

  // Called before each run, because each run's clock begins at 0. The figures of all runs are added up.
  void begin_run();
  // Called by the simulated threads.
  void begin_enter(u32 thread, Picoseconds now);
  void end_enter(u32 thread, Picoseconds now);
  void begin_exit(u32 thread, Picoseconds now);
  void end_exit(u32 thread, Picoseconds now);

  void on_step(u32 thread, const SimulatedPlace& place, Step step, Picoseconds begin, Picoseconds end) override;
  void on_resumed(u32 thread, Picoseconds time) override;

  // Returns a table with a row for each source line of the lock, in the order in which a hand-over executes the lines.
  std::string table() const;

  u64 count() const { return hand_overs_; }
  u64 again() const { return again_; }
  u64 found_free() const { return found_free_; }
  // The time of all hand-overs together.
  Picoseconds total() const { return total_; }
  // The part of total() in which one of the two threads executed a step. table() attributes this time to source lines.
  Picoseconds explained() const { return explained_; }

 private:
  static constexpr usize step_kinds = 6;
  struct Taken {  // a step of a thread
    SimulatedPlace place;
    Step step;
    Picoseconds begin, end;
  };
  enum class Doing : u8 { Other, Enters, Exits };
  struct Thread {
    Doing doing = Doing::Other;
    std::vector<Taken> enter, exit;  // steps of the latest enter and exit that are not attributed yet
    Picoseconds enter_began = 0, resumed = 0, exit_began = 0;
    Picoseconds exit_ended = 0;
  };
  // Identifies a source line of the lock and, if the line is in a library, the line that called the library. Names of
  // files are compared as pointers, because there are many steps. table() compares their texts.
  struct Key {
    bool enters;
    const char *file, *caller_file;
    u32 line, caller_line;
    auto operator<=>(const Key&) const = default;
  };
  struct Row {
    Picoseconds spent = 0, beside = 0;
    u64 steps[step_kinds] = {};  // for each kind, the number of steps in hand-overs
    u64 times = 0;
    Picoseconds offsets = 0;  // sum over all steps of the time from the hand-over's beginning to the step
  };

  Thread& of(u32 thread) {
    if (thread >= threads_.size()) threads_.resize(thread + 1);
    return threads_[thread];
  }
  Row& row_of(const SimulatedPlace& place, bool enters);
  // Attributes the steps to the hand-over that began at `origin`. For each step, adds the time that the step spent
  // between `begin` and `end` to the row of the step's source line.
  void spend(std::vector<Taken>& steps, bool enters, Picoseconds begin, Picoseconds end, Picoseconds origin);
  void put_aside(std::vector<Taken>& steps, bool enters);  // H3

  std::vector<Thread> threads_;
  std::map<Key, Row> rows_;
  u32 owner_ = no_thread;  // the thread that acquired the lock last
  u64 hand_overs_ = 0, again_ = 0, found_free_ = 0;
  Picoseconds total_ = 0, explained_ = 0;
};

}  // namespace keyhole::mutexbench
