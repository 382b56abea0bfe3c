// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Engine: executes a schedule in a process of its own, from which nothing remains but the Execution in shared memory
// and the program's output.
//
//   rerun    explorer --fork--> VM boots, runs the program to its end                     tens of milliseconds each
//   fork     explorer --fork--> VM boots, runs to the root, and stays there as a server   a millisecond each
//                                  --fork--> runs from the root to the end
//
// The root is the first choice between two strands: what lies before it is the same in all schedules.
//
// E1: both engines have the same events for one script. Tests compare their hashes.
// E2: the process that is forked has one thread, because strands are fibers of it.
// E3: an execution that makes no progress for the limit is ended, and counts as exhausted.
// E4: processes end with the explorer, and do not see Control-C.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

#include "vm/tools/explore/schedule.h"

namespace keyhole::explore {

class Engine {
 public:
  enum class Kind { rerun, fork };

  // `program` boots the VM, runs the program and ends the process.
  Engine(Kind kind, bool is_strict, std::function<void()> program);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Executes the schedule. `describes`: with texts about its events. The result stays valid until the next call.
  const Execution& run(const Schedule& schedule, bool describes = false);
  const Execution& last() const { return *execution_; }
  // The standard output and the standard error of the last execution.
  std::string output() const;
  std::string errors() const;

  // Lets schedules change before plain accesses at the place. False: they do already, or the table is full.
  bool add_place(u64 place);
  u32 place_count() const { return place_count_; }
  bool is_full() const;

 private:
  void prepare(const Schedule& schedule, bool describes);
  void run_new_vm();
  void run_from_root();
  [[noreturn]] void begin_process();
  void serve();
  void end_with(Outcome outcome, const std::string& text);
  void finish(int status, bool is_hanging);
  void end_server();

  Kind kind_;
  std::function<void()> program_;
  Execution* execution_;
  int output_file_, errors_file_;
  u32 place_count_ = 0;
  pid_t server_ = 0;
  int commands_[2] = {-1, -1}, statuses_[2] = {-1, -1};
  i64 root_output_ = 0, root_errors_ = 0;  // in the server: the bytes that were written before the root
};

// A hash of what the strands did: the same for one script in every process.
u64 hash_of(const Execution& execution, u32 event_count);

}  // namespace keyhole::explore
