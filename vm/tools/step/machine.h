// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Machine: the processes of a VM that can go to any position of an execution.
//
//   ticks   0 ------- C1 ------- C2 ------- C3 --- worker
//                     |          |          |
//                  checkpoints: processes that stand there and fork workers on demand
//
// K1: going back ends the worker, and has the last checkpoint before the position fork another one, which runs there.
// K2: a search backwards runs through the interval after the last checkpoint, and if it finds nothing through the one
//     before it, and so on.
// K3: the script is in shared memory. Changing it from an event on makes the checkpoints after that place invalid.
#pragma once

#include <functional>
#include <string>

#include "vm/tools/explore/schedule.h"
#include "vm/tools/step/control.h"
#include "vm/tools/step/state.h"

namespace keyhole::step {

class Machine {
 public:
  // `program` boots the VM, runs the program and ends the process.
  Machine(const std::vector<controlled::Step>& script, bool is_strict, std::function<void()> program);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // The state at the worker's position. If the program has ended, its tick is UINT64_MAX.
  const State& state() const { return state_; }
  bool has_ended() const { return worker_ == 0; }
  const controlled::Execution& execution() const { return *execution_; }
  // The program's standard output and standard error until now.
  std::string output() const;

  // Runs until the goal is met, or the program ends.
  void run(const Request& request);
  // Goes back to the last tick before this one that meets the goal. False: there is none, and it stays here.
  bool run_back(Request request);
  void go_to(u64 tick);
  // From this event on, the script is this one step. The worker stands before the choice.
  void change_script(controlled::Step step);
  // From here on, the script has no steps.
  void forget_script();
  void interrupt() { control_->is_interrupted.store(true); }
  u32 checkpoint_count() const;

 private:
  void boot(const std::function<void()>& program);
  void command(int pipe);
  void wait();
  void end_worker();
  void take_state(bool has_ended);
  Checkpoint* last_checkpoint_before(u64 tick);
  void end_later_checkpoints();
  void start_worker_at(const Checkpoint& checkpoint);
  void reap(pid_t process, int& status);

  controlled::Execution* execution_;
  Control* control_;
  Pipes pipes_;
  int output_file_;
  pid_t worker_ = 0;
  State state_;
};

}  // namespace keyhole::step
