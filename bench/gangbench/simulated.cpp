// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// gangbench on the simulated machine: instantiates the VM's dispatchers over simulated caches and CPUs.
#include "bench/gangbench/simulated.h"

#include "gc/gang/broadcast_dispatcher.h"
#include "gc/gang/monitor_dispatcher.h"
#include "gc/gang/semaphore_dispatcher.h"
#include "runtime/base/platform/simulated_world.h"

namespace keyhole::gangbench {

namespace {

struct VirtualMachine {
  using W = SimulatedWorld;
  SimulatedMachine& machine;
  i64 now_nanoseconds() const { return machine.now() / 1000; }
  void steps(u64 count) const {
    machine.compute(static_cast<SimulatedMachine::Picoseconds>(count) * cost_model::generator_step);
  }
  void gap(i64 nanoseconds) const { machine.compute(nanoseconds * 1000); }
};

template <typename D> struct alignas(128) SimulatedGang {
  D dispatcher;
  u32 workers;
  explicit SimulatedGang(u32 count) : workers(count) {}
  void run(Task<VirtualMachine>&) { dispatcher.run(workers); }
};

template <template <typename> class Dispatcher> Outcome run_over(const Parameters& parameters) {
  SimulatedMachine machine(parameters.cpus, parameters.seed);
  VirtualMachine here{machine};
  Task<VirtualMachine> task(here, parameters);
  SimulatedGang<Dispatcher<SimulatedWorld>> gang(parameters.workers);
  Outcome outcome;
  machine.add_thread([&] {
    run_coordinator(gang, here, task, parameters, outcome);
    gang.dispatcher.stop(parameters.workers);
  });
  for (u32 i = 0; i < parameters.workers; ++i) {
    machine.add_thread([&] {
      u64 memory = 0;
      for (u32 number; (number = gang.dispatcher.next_task(memory)) != gc::stopped;) {
        task(number);
        gang.dispatcher.finished();
      }
    });
  }
  if (!machine.run()) outcome.problem = "threads are asleep and nobody is left to wake them";
  else check_calls(task.done(), u64{parameters.collections} * parameters.tasks, parameters, outcome);
  outcome.wake_ups = static_cast<f64>(gang.dispatcher.wake_ups());
  return outcome;
}

struct Row {
  std::string_view name;
  Outcome (*run)(const Parameters& parameters);
};
constexpr Row rows[] = {
    {"semaphore", run_over<gc::SemaphoreDispatcherOf>},
    {"monitor", run_over<gc::MonitorDispatcherOf>},
    {"broadcast", run_over<gc::BroadcastDispatcherOf>},
};

}  // namespace

std::vector<std::string_view> simulated_names() {
  std::vector<std::string_view> names;
  for (const Row& row : rows) names.push_back(row.name);
  return names;
}

Outcome run_simulated(std::string_view name, const Parameters& parameters) {
  for (const Row& row : rows) {
    if (row.name == name) return row.run(parameters);
  }
  return {};
}

}  // namespace keyhole::gangbench
