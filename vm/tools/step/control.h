// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Control: shared memory between the stepper and the processes of the VM that it controls.
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
  line,             // any thread reaches a new source line, or the running thread changes
  line_of,          // the request's thread reaches a new source line ("step into")
  over,             // the request's thread reaches a new source line, not inside a callee ("step over")
  out,              // the request's thread has returned to the caller of its method ("step out")
  operation,        // a thread stands before an operation that other threads can observe
  synchronization,  // a thread stands before an observable operation other than a plain access
  stop,             // a thread reaches a line of `stops`, or is about to change a variable of `stops`
  strand,           // the request's thread runs
  point,            // the request's thread stands where the schedule may change, or another thread runs
  end,              // the end of the program, so no tick meets this goal
};

struct StopAt {
  u32 line = 0;        // 0: `name` is a variable, and execution stops before a write to it
  char name[96] = {};  // name of the source file or of the variable
};
inline constexpr u32 max_stops = 512;

struct Request {
  Goal goal = Goal::end;
  bool is_backward = false;    // runs to `limit` and stores the last tick before `limit` that meets the goal
  bool includes_here = false;  // the search begins at the worker's current tick, not at the next one
  u64 limit = UINT64_MAX;
  u32 strand = 0;
  u32 depth = 0;  // number of frames on the thread's stack
  u32 stop_count = 0;
  StopAt stops[max_stops] = {};
};

inline constexpr u32 max_checkpoints = 48;
inline constexpr u32 max_state_bytes = 1u << 21;

// A checkpoint: a process that has stopped at a tick and forks a new worker whenever the stepper asks for one.
struct Checkpoint {
  std::atomic<pid_t> process;  // 0: none
  u64 tick;
  i64 output_bytes;  // size of the program's output at the checkpoint's tick
};

// An entry of the table that numbers objects by class and address: a hash table with linear probing. It is in shared
// memory, so an object keeps its number when the user steps backwards.
struct Numbered {
  u64 key;  // 0: none
  u32 number;
};
inline constexpr u32 number_slots = 1u << 16;

struct Control {
  Request request;
  u64 found;    // result of a backward request: the last tick that meets the goal; 0: no tick meets it
  u64 spacing;  // ticks between two checkpoints; doubles whenever the checkpoint table is full
  std::atomic<bool> is_interrupted;
  Checkpoint checkpoints[max_checkpoints];
  Numbered numbers[number_slots];
  u32 state_bytes;
  char state[max_state_bytes];  // the state as lines of tab-separated fields; state.h parses them
};

struct Message {
  pid_t process;     // process id of the worker, or a negative errno if it could not be forked
  bool has_stopped;  // false: the process has become the worker and is still running
};

struct Pipes {
  int commands[2], messages[2], of_checkpoints[max_checkpoints][2];
};

}  // namespace keyhole::step
