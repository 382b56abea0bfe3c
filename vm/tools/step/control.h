// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Control: the memory that the stepper and the processes of its VM share.
//
//   stepper                                    processes of the VM
//   request ------------- command pipe ----->  the worker runs until the request is met
//   state, found  <------ message pipe ------  the worker stands, or has ended
//   checkpoints -- pipe of the checkpoint -->  a checkpoint forks a new worker
//
// A position in an execution is a tick (vm/interpreter/stepping.h).
#pragma once

#include <sys/types.h>

#include <atomic>

#include "runtime/base/types.h"

namespace keyhole::step {

enum class Goal : u8 {
  tick,             // the tick `limit`
  instruction,      // the next instruction of the program's own code
  line,             // the next line of any thread, or another thread goes on
  line_of,          // the next line of the thread
  over,             // the same, but not in methods that it calls
  out,              // the thread is in the method's caller
  operation,        // a thread stands before an operation that others can see
  synchronization,  // the same, but no plain read or write
  stop,             // a thread is at one of the places, or about to change one of the variables, in `stops`
  strand,           // the thread runs
  point,            // the thread stands where the schedule may change, or another thread runs
  end,              // no tick: the program ends
};

struct StopAt {
  u32 line = 0;        // 0: where the variable is about to change
  char name[96] = {};  // of the file or the variable
};
inline constexpr u32 max_stops = 64;

struct Request {
  Goal goal = Goal::end;
  bool is_backward = false;    // runs to `limit`, and notes the last tick before it that meets the goal
  bool includes_here = false;  // the tick at which the worker stands may meet the goal, too
  u64 limit = UINT64_MAX;
  u32 strand = 0;
  u32 depth = 0;  // of the thread's frames
  u32 stop_count = 0;
  StopAt stops[max_stops] = {};
};

inline constexpr u32 max_checkpoints = 48;
inline constexpr u32 max_state_bytes = 1u << 21;

// A process that stands at a tick and forks workers on demand.
struct Checkpoint {
  std::atomic<pid_t> process;  // 0: none
  u64 tick;
  i64 output_bytes;  // written until then
};

// Numbers of objects, by class and address: a hash table with linear probing. Processes share it, so an object keeps
// its number when one goes back.
struct Numbered {
  u64 key;  // 0: none
  u32 number;
};
inline constexpr u32 number_slots = 1u << 16;

struct Control {
  Request request;
  u64 found;    // is_backward: the last tick that meets the goal; 0: none
  u64 spacing;  // ticks between two checkpoints; doubled when there are too many
  std::atomic<bool> is_interrupted;
  Checkpoint checkpoints[max_checkpoints];
  Numbered numbers[number_slots];
  u32 state_bytes;
  char state[max_state_bytes];  // lines of fields that are separated by tabs: state.h reads them
};

struct Message {
  pid_t process;     // the worker
  bool has_stopped;  // false: the process has become the worker, and runs
};

struct Pipes {
  int commands[2], messages[2], of_checkpoints[max_checkpoints][2];
};

}  // namespace keyhole::step
