// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The workload of gangbench: the cost of starting and awaiting the workers of a gang, written once for both worlds.
//
//   repeat `collections` times
//     the coordinator is busy with something else for `gap_nanoseconds`; the workers sleep
//     `tasks` times: a task for all workers, timed by the coordinator
//
// Loads
//   empty     the task does nothing: the time of the dispatch alone
//   brief     each call task(i) takes `brief_steps` of a generator: about 5 us
//   meeting   each worker keeps its number until each of the others has one, like workers that steal work from each
//             other until no work is left
//
// Gang      run(task): calls task(0) .. task(n - 1), by threads of its own choice, and returns when all are done
// Machine   now_nanoseconds(), steps(count): takes this many steps, W: where the cells of a meeting live
#pragma once

#include <algorithm>
#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/types.h"

namespace keyhole::gangbench {

enum class Load : u8 { empty, brief, meeting };
inline constexpr std::string_view load_names[] = {"empty", "brief", "meeting"};

struct Parameters {
  u32 workers = 2;
  u32 collections = 200;
  u32 tasks = 10;
  i64 gap_nanoseconds = 200'000;
  Load load = Load::empty;
  u32 cpus = 72;  // CPUs of the simulated machine
  u64 seed = 1;
  static constexpr u64 brief_steps = 3'500;
};

struct Outcome {
  std::vector<i64> task_nanoseconds;  // in order
  f64 wake_ups = -1;                  // context switches of workers and coordinator together; -1: unknown
  f64 context_switches = -1;          // of the whole process
  f64 cpu_nanoseconds = -1;           // CPU time of the process, without the coordinator's work between collections
  std::string problem = {};           // empty: none
};

template <typename Machine> class Task {
 public:
  using W = typename Machine::W;
  Task(Machine& machine, const Parameters& parameters)
      : machine_(machine), load_(parameters.load), workers_(parameters.workers) {}

  void begin() { here_.store(0, std::memory_order_relaxed); }  // before the workers are started
  void operator()(u32) {
    switch (load_) {
      case Load::empty: break;
      case Load::brief: machine_.steps(Parameters::brief_steps); break;
      case Load::meeting: meet(); break;
    }
    done_.fetch_add(1, std::memory_order_relaxed);
  }
  u64 done() const { return done_.load(std::memory_order_relaxed); }

 private:
  void meet() {
    i32 all = static_cast<i32>(workers_);
    if (here_.fetch_add(1, std::memory_order_acq_rel) + 1 == all) {
      W::wake(here_, all);
      return;
    }
    for (i32 seen; (seen = here_.load(std::memory_order_acquire)) < all;) W::wait_on(here_, seen, -1);
  }

  Machine& machine_;
  Load load_;
  u32 workers_;
  alignas(64) typename W::template Atomic<i32> here_{0};
  alignas(64) typename W::template Atomic<u64> done_{0};  // how many times task(number) was called, over all tasks
};

template <typename Gang, typename Machine>
void run_coordinator(Gang& gang, Machine& machine, Task<Machine>& task, const Parameters& parameters,
                     Outcome& outcome) {
  outcome.task_nanoseconds.reserve(usize{parameters.collections} * parameters.tasks);
  for (u32 collection = 0; collection < parameters.collections; ++collection) {
    machine.gap(parameters.gap_nanoseconds);
    for (u32 i = 0; i < parameters.tasks; ++i) {
      task.begin();
      i64 begin = machine.now_nanoseconds();
      gang.run(task);
      outcome.task_nanoseconds.push_back(machine.now_nanoseconds() - begin);
    }
  }
}

// Checks that every task, including the warm-up tasks, ran once for each worker number. `done` counts all these calls.
inline void check_calls(u64 done, u64 tasks, const Parameters& parameters, Outcome& outcome) {
  if (done != tasks * parameters.workers) outcome.problem = "some numbers were not called, or twice";
}

}  // namespace keyhole::gangbench
