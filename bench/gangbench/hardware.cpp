// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// gangbench on this machine. Each run is a child process, which returns its samples through a pipe.
#include "bench/gangbench/hardware.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <barrier>
#include <random>
#include <thread>

#include "gc/gang/worker_gang.h"
#include "runtime/base/check.h"
#include "runtime/base/platform/hardware_world.h"

namespace keyhole::gangbench {

namespace {

struct HardwareMachine {
  using W = HardwareWorld;
  i64 now_nanoseconds() const { return W::now_nanoseconds(); }
  void steps(u64 count) const {
    thread_local std::mt19937 generator;
    for (u64 i = 0; i < count; ++i) {
      u64 value = generator();
      asm volatile("" : : "r"(value));
    }
  }
  // Spins for this time instead of sleeping, so that the coordinator adds no context switch.
  void gap(i64 nanoseconds) {
    if (nanoseconds == 0) return;
    i64 end = now_nanoseconds() + nanoseconds;
    while (now_nanoseconds() < end) {
    }
    gaps += nanoseconds;
  }
  i64 gaps = 0;
};

struct OwnGang {
  gc::WorkerGang gang;
  u32 workers;
  OwnGang(std::string_view name, u32 count) : gang("Gang", count, gc::make_gang_protocol(name)), workers(count) {}
  template <typename T> void run(T& task) { gang.run(workers, task); }
  f64 wake_ups() { return static_cast<f64>(gang.wake_ups()); }
};

// A gang that uses std::barrier: all its threads meet at a barrier before a task and after it.
template <typename T> struct BarrierGang {
  u32 workers;
  std::barrier<> barrier;
  T* task = nullptr;
  bool stopping = false;
  std::vector<std::thread> threads;

  explicit BarrierGang(u32 count) : workers(count), barrier(count + 1) {
    for (u32 number = 0; number < count; ++number) {
      threads.emplace_back([this, number] {
        for (;;) {
          barrier.arrive_and_wait();
          if (stopping) return;
          (*task)(number);
          barrier.arrive_and_wait();
        }
      });
    }
  }
  ~BarrierGang() {
    stopping = true;
    barrier.arrive_and_wait();
    for (std::thread& thread : threads) thread.join();
  }
  void run(T& next) {
    task = &next;
    barrier.arrive_and_wait();
    barrier.arrive_and_wait();
  }
  f64 wake_ups() const { return -1; }
};

template <typename T> struct OpenMpGang {
  u32 workers;
  void run(T& task) {
    run_openmp_region(workers, [](void* context, u32 number) { (*static_cast<T*>(context))(number); }, &task);
  }
  f64 wake_ups() const { return -1; }
};

f64 seconds(const timeval& time) { return static_cast<f64>(time.tv_sec) + static_cast<f64>(time.tv_usec) * 1e-6; }

template <typename Gang>
Outcome measure(Gang& gang, HardwareMachine& machine, Task<HardwareMachine>& task, const Parameters& parameters) {
  constexpr u32 warm_up_tasks = 50;
  for (u32 i = 0; i < warm_up_tasks; ++i) {
    task.begin();
    gang.run(task);
  }
  Outcome outcome;
  rusage before, after;
  f64 wake_ups_before = gang.wake_ups();
  getrusage(RUSAGE_SELF, &before);
  run_coordinator(gang, machine, task, parameters, outcome);
  getrusage(RUSAGE_SELF, &after);
  outcome.wake_ups = wake_ups_before < 0 ? -1 : gang.wake_ups() - wake_ups_before;
  outcome.context_switches = static_cast<f64>(after.ru_nvcsw - before.ru_nvcsw + after.ru_nivcsw - before.ru_nivcsw);
  outcome.cpu_nanoseconds =
      1e9 * (seconds(after.ru_utime) - seconds(before.ru_utime) + seconds(after.ru_stime) - seconds(before.ru_stime)) -
      static_cast<f64>(machine.gaps);
  check_calls(task.done(), u64{parameters.collections} * parameters.tasks + warm_up_tasks, parameters, outcome);
  return outcome;
}

Outcome run_here(std::string_view name, const Parameters& parameters) {
  HardwareMachine machine;
  Task<HardwareMachine> task(machine, parameters);
  if (name == "std-barrier") {
    BarrierGang<Task<HardwareMachine>> gang(parameters.workers);
    return measure(gang, machine, task, parameters);
  }
  if (name == openmp_passive || name == openmp_active) {
    prepare_openmp(name);
    OpenMpGang<Task<HardwareMachine>> gang{parameters.workers};
    return measure(gang, machine, task, parameters);
  }
  OwnGang gang(name, parameters.workers);
  return measure(gang, machine, task, parameters);
}

// --- from the child to the parent ----------------------------------------------------------------------------------

struct Message {
  f64 wake_ups, context_switches, cpu_nanoseconds;
  u64 samples;
  bool is_good;
};

void write_all(int file, const void* data, usize bytes) {
  for (const char* at = static_cast<const char*>(data); bytes != 0;) {
    ssize_t written = write(file, at, bytes);
    if (written <= 0) _exit(1);
    at += written;
    bytes -= static_cast<usize>(written);
  }
}
bool read_all(int file, void* data, usize bytes) {
  for (char* at = static_cast<char*>(data); bytes != 0;) {
    ssize_t got = read(file, at, bytes);
    if (got <= 0) return false;
    at += got;
    bytes -= static_cast<usize>(got);
  }
  return true;
}

}  // namespace

std::vector<std::string_view> hardware_names() {
  std::vector<std::string_view> names{"semaphore", "monitor", "broadcast", "std-barrier"};
  if (has_openmp()) names.insert(names.end(), {openmp_passive, openmp_active});
  return names;
}

Outcome run_on_hardware(std::string_view name, const Parameters& parameters) {
  int ends[2];
  KEYHOLE_CHECK(pipe(ends) == 0, "no pipe");
  pid_t child = fork();
  KEYHOLE_CHECK(child >= 0, "no process");
  if (child == 0) {
    close(ends[0]);
    Outcome outcome = run_here(name, parameters);
    Message message{outcome.wake_ups, outcome.context_switches, outcome.cpu_nanoseconds,
                    outcome.task_nanoseconds.size(), outcome.problem.empty()};
    write_all(ends[1], &message, sizeof message);
    write_all(ends[1], outcome.task_nanoseconds.data(), message.samples * sizeof(i64));
    _exit(0);
  }
  close(ends[1]);
  Outcome outcome;
  Message message;
  if (read_all(ends[0], &message, sizeof message)) {
    outcome.task_nanoseconds.resize(message.samples);
    outcome.wake_ups = message.wake_ups;
    outcome.context_switches = message.context_switches;
    outcome.cpu_nanoseconds = message.cpu_nanoseconds;
    if (!message.is_good) outcome.problem = "some numbers were not called, or twice";
    if (!read_all(ends[0], outcome.task_nanoseconds.data(), message.samples * sizeof(i64)))
      outcome.problem = "the run ended early";
  } else {
    outcome.problem = "the run ended early";
  }
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return outcome;
}

}  // namespace keyhole::gangbench
