// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Machine: controls the processes of one VM, and can bring the execution to any tick, earlier or later.
//
//   ticks   0 ------- C1 ------- C2 ------- C3 --- worker
//                     |          |          |
//                  checkpoints: processes that stand there and fork workers on demand
//
// K1: to go back to a tick, the machine kills the worker. The last checkpoint before that tick forks a new worker,
//     which runs forward to the tick.
// K2: a backward search runs forward through the interval between the last checkpoint and the current tick. If no tick
//     there meets the goal, it searches the interval before that checkpoint, and so on to the beginning.
// K3: the script (the list of thread choices) is in shared memory. If the script changes from some event on, the
//     checkpoints after that event are invalid and are killed.
#pragma once

#include <functional>
#include <string>

#include "vm/tools/explore/rehearsal.h"
#include "vm/tools/explore/schedule.h"
#include "vm/tools/step/control.h"
#include "vm/tools/step/state.h"

namespace keyhole::step {

class Machine {
 public:
  // `program` is called in the child process: it boots the VM, runs the program and exits. Before the program starts,
  // the VM prepares the classes and methods that `rehearsal` lists, as the VMs of --explore do.
  Machine(const std::vector<controlled::Step>& script, bool is_strict, const explore::Rehearsal& rehearsal,
          std::function<void()> program);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // The program's state at the worker's tick. If the program has ended, the state's tick is UINT64_MAX.
  const State& state() const { return state_; }
  bool has_ended() const { return worker_ == 0; }
  const controlled::Execution& execution() const { return *execution_; }
  // The program's standard output and standard error up to the current tick.
  std::string output() const;

  // Runs forwards until a tick meets the goal, or the program ends.
  void run(const Request& request);
  // Goes back to the last tick before the current one that meets the goal. If there is none, returns false and stays at
  // the current tick.
  bool run_back(Request request);
  void go_to(u64 tick);
  // Removes the steps of the script whose event is `step.event` or a later one, and appends `step`. The worker must not
  // have reached that event.
  void change_script(controlled::Step step);
  // Removes the script's steps that the execution has not reached yet.
  void forget_script();
  void interrupt() { control_->is_interrupted.store(true); }
  u32 checkpoint_count() const;

 private:
  void boot(const explore::Rehearsal& rehearsal, const std::function<void()>& program);
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
