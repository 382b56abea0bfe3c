// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// State: the program's threads, variables and locks at a tick, parsed from the text that the VM wrote (state_writer.h);
// and the differences between two states.
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
  std::string status;              // one of: runs, ready, waits, blocked, not begun, ended
  std::string place;               // "Overdraw.java:9"; empty: not in the program's code
  std::string doing;               // the operation that the thread is about to execute, or what the thread waits for
  std::vector<FrameState> frames;  // frames of the program's methods, innermost first
};

struct LockState {
  std::string name, owner, entering, waiting;  // names of threads, separated by ", "
};

struct State {
  bool has_ended = false;  // no thread runs: the program has ended, or all threads are stuck
  u64 tick = 0;
  u32 event = 0;                      // number of the next scheduling event
  u32 strand = 0;                     // runs
  controlled::StrandSet enabled = 0;  // bit set of the strands that can run
  u32 depth = 0;                      // frames of the running thread
  bool is_first = false;              // this tick is the first one after a thread switch
  bool is_choice = false;             // the schedule can change here
  u64 switch_tick = 0;                // the last tick before the latest thread switch
  u32 switch_event = 0;               // the event at which the latest thread switch was chosen
  std::string instruction;
  std::vector<ThreadState> threads;
  std::vector<Variable> fields;
  std::vector<LockState> locks;
  i64 output_bytes = 0;  // size of the output that the program has written so far

  const ThreadState* thread(u32 wanted) const;
  const ThreadState* thread(std::string_view name) const;
};

State read_state(std::string_view text);
// Returns the variables whose values differ, as "balance 100 -> 20", and the new ones, as "Thread-0: amount = 80".
std::vector<std::string> changes(const State& before, const State& after);

}  // namespace keyhole::step
