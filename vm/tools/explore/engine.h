// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Engine: executes a schedule. Its only results are the Execution in shared memory and the program's output.
//
//   explorer --fork--> pristine process, which waits for requests
//     rerun              --fork--> VM boots, runs the program to its end             tens of milliseconds each
//     fork               --fork--> VM boots, runs to the root, and stays there       a millisecond each
//                                    --fork--> runs from the root to the end
//     pages              --fork--> VM boots, runs to the root, and takes an image    tens of microseconds each
//                                    runs from the root to the end, goes back to the image (page_server.h)
//
// The root is the first operation before which two strands can go on. All schedules have the same events before it.
//
// E1: all kinds of engine execute the same events for one script. Tests compare the hashes of the events.
// E2: the process that is forked or rolled back has one OS thread, because strands are fibers of that thread.
// E3: an execution that makes no progress within the time limit is ended, and counts as exhausted. An execution that
//     runs when the exploration's time is over (end_when) is ended, too. Its outcome is `cut`, and says nothing about
//     the program.
// E4: the processes of the VMs are killed when the explorer ends, and they ignore Control-C.
// E5: every VM is forked from one pristine process, so its addresses depend on the script alone. Searches rely on that:
//     they compare locations of different executions (dpor.h).
// E6: if a program's memory or system calls cannot be rolled back, the engine switches from `pages` to `fork`, and
//     executes the schedule again. If a limit of `pages` is reached (page_server.h P5), or no process can be started,
//     the execution is exhausted.
// E7: all kinds of engine rehearse (rehearsal.h), so that they have the same events: two strands that load one class
//     wait for each other, unless it was prepared. With --strict, which has no quiet methods, nothing is prepared.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <functional>
#include <span>
#include <string>

#include "vm/tools/explore/page_server.h"
#include "vm/tools/explore/rehearsal.h"
#include "vm/tools/explore/schedule.h"

namespace keyhole::explore {

class Engine {
 public:
  enum class Kind { rerun, fork, pages };
  // Returns the fastest kind of engine that this build supports.
  static Kind fastest();

  // `program` is called in the child process: it boots the VM, runs the program and exits.
  Engine(Kind kind, bool is_strict, std::function<void()> program, controlled::Memory memory = controlled::Memory::sc);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Executes the schedule. `describes`: the execution includes texts about its events. The result is valid until the
  // next call.
  const Execution& run(const Schedule& schedule, bool describes = false);
  const Execution& last() const { return *execution_; }
  Kind kind() const { return kind_; }
  // The number of executions so far.
  u64 runs() const { return runs_; }
  // Returns the number of the system call that could not be rolled back, so that the engine switched from Kind::pages
  // to Kind::fork (E6). Returns 0 if there was none.
  i64 refused_call() const { return refused_call_; }
  // E3: from now on, an execution is ended soon after `is_over` returns true.
  void end_when(std::function<bool()> is_over) { is_over_ = std::move(is_over); }
  // Turns on a comparison of all pages after each rollback. Must be called before the first schedule.
  void verify_rollbacks();
  // Returns the classes and methods that each VM prepares before the program (E7). The first run() fills them in.
  const Rehearsal& rehearsal() const { return *rehearsal_; }
  // The standard output and the standard error of the last execution.
  std::string output() const;
  std::string errors() const;

  // From now on, a plain access at this place in the code is a choice point. Returns false if it was one already, or if
  // the table of places is full.
  bool add_place(u64 place);
  u32 place_count() const { return place_count_; }
  bool is_full() const;

 private:
  enum class Request : char { run, start_forks, start_pages, wait_for_server };
  enum class Waited { ready, too_long, is_over };  // the result of waiting for an execution (E3)

  void prepare(const Schedule& schedule, bool describes);
  void begin_request();
  void start_pristine_process();
  [[noreturn]] void serve_requests();
  int ask(Request request);
  void run_new_vm();
  void run_from_root();
  void rehearse();
  bool is_over() const { return is_over_ && is_over_(); }
  Waited wait_readable(std::span<pollfd> files) const;
  void wait_for_pages();
  void wait_for_fork();
  void end_as_server_did(Waited waited);
  [[noreturn]] void begin_process();
  void serve();
  void end_with(Outcome outcome, const std::string& text);
  void end_without_process(int error);
  void finish(int status, Waited waited);
  void end_server();

  Kind kind_;
  std::function<void()> program_;
  std::function<bool()> is_over_;
  Execution* execution_;
  PageServer* pages_ = nullptr;
  Rehearsal* rehearsal_;
  bool has_rehearsed_ = false;
  int output_file_, errors_file_;
  u32 place_count_ = 0;
  i64 refused_call_ = 0;  // E6
  u64 runs_ = 0;
  pid_t pristine_ = 0, server_ = 0;
  int server_handle_ = -1;
  int requests_[2] = {-1, -1}, replies_[2] = {-1, -1};   // explorer and pristine process
  int commands_[2] = {-1, -1}, statuses_[2] = {-1, -1};  // explorer and server of forks
  i64 root_output_ = 0, root_errors_ = 0;                // in the server: sizes of the two output files at the root
};

// Two hashes of the order in which an execution performed its operations. They are cheap enough to compute for each
// execution of a search.
struct Order {
  u64 without_locations;  // the same in every process
  u64 exact;
};
Order order_of(const Execution& execution);
// Returns a hash of the first `event_count` events. All processes that execute one script get the same hash.
u64 hash_of(const Execution& execution, u32 event_count);

}  // namespace keyhole::explore
