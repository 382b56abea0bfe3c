// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// State: threads, variables and locks at a tick, as the VM wrote them (state_writer.h). Differences of two states.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/types.h"

namespace keyhole::step {

struct Variable {
  std::string name, value;
};

struct FrameState {
  std::string method, place;
  std::vector<Variable> locals;
};

struct ThreadState {
  u32 strand = 0;
  std::string name;
  std::string status;              // runs, ready, waits, blocked, not begun, ended
  std::string place;               // "Overdraw.java:9"; empty: not in the program's code
  std::string doing;               // the operation before which it stands, or what it waits for
  std::vector<FrameState> frames;  // of the program, the innermost first
};

struct LockState {
  std::string name, owner, entering, waiting;  // names of threads, separated by ", "
};

struct State {
  bool has_ended = false;  // the program, or all threads are stuck: no thread runs
  u64 tick = 0;
  u32 event = 0;           // the number of the next event
  u32 strand = 0;          // runs
  u64 enabled = 0;         // the strands that can go on
  u32 depth = 0;           // frames of the running thread
  bool is_first = false;   // another thread ran until now
  bool is_choice = false;  // the schedule can change here
  u64 switch_tick = 0;     // the last tick of the thread that ran before
  u32 switch_event = 0;    // the event at which another thread was chosen
  std::string instruction;
  std::vector<ThreadState> threads;
  std::vector<Variable> fields;
  std::vector<LockState> locks;
  i64 output_bytes = 0;  // written by the program until now

  const ThreadState* thread(u32 wanted) const;
  const ThreadState* thread(std::string_view name) const;
};

State read_state(std::string_view text);
// "balance 100 -> 20", "Thread-0: amount = 80": the variables whose values differ.
std::vector<std::string> changes(const State& before, const State& after);

}  // namespace keyhole::step
