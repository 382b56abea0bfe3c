// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// MutexBench on this machine. An algorithm runs as in the interpreter: its fast path (snippet) is inlined into the
// loop, and if it fails, sync::enter or sync::exit is called.
#include "bench/mutexbench/hardware.h"

#include <fmt/format.h>
#include <time.h>

#include <functional>
#include <memory>
#include <mutex>

#include "bench/mutexbench/baselines.h"
#include "runtime/base/flags.h"
#include "runtime/sync/algorithm.h"
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/java_world.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/threads.h"
#include "tests/support/locked_objects.h"

namespace keyhole::mutexbench {

namespace {

// The distance of two objects is two cache lines, as with @Contended.
constexpr usize object_spacing_bytes = 128;

struct HardwareMachine {
  JavaThread* thread;
  const std::atomic<bool>* stopped;

  // Polls for safepoints like bytecode does, because deflation and collections handshake with all threads.
  bool running() const {
    safepoint::poll(thread);
    return !stopped->load(std::memory_order_relaxed);
  }
  void shared_steps(Protected& lock, u64 count) const { take_steps(lock.generator, count); }
  void own_steps(std::mt19937& generator, u64 count) const { take_steps(generator, count); }
};

template <typename Snippet> struct RowSubject {
  JavaThread* thread;
  std::vector<Handle> objects;

  KEYHOLE_ALWAYS_INLINE void lock(u32 index) { test::enter_level<Snippet>(thread, objects[index]); }
  KEYHOLE_ALWAYS_INLINE void unlock(u32 index) {
    u32 top = thread->lock_record_top - 1;
    test::exit_level<Snippet>(thread, objects[index], &thread->lock_records[top]);
    thread->lock_record_top = top;
  }
};

template <typename Lock> struct BaselineSubject {
  JavaThread* thread;
  std::vector<Lock>& locks;

  void lock(u32 index) { locks[index].lock(thread); }
  void unlock(u32 index) { locks[index].unlock(thread); }
};

template <> struct BaselineSubject<ParkHandOffOf<JavaWorld>> {
  using Lock = ParkHandOffOf<JavaWorld>;
  JavaThread* thread;
  std::vector<Lock>& locks;
  std::vector<Lock::Node> nodes{locks.size()};

  void lock(u32 index) { locks[index].lock(thread, &nodes[index]); }
  void unlock(u32 index) { locks[index].unlock(thread); }
};

struct alignas(128) StandardMutex {
  std::mutex mutex;
  void lock(JavaThread*) { mutex.lock(); }
  void unlock(JavaThread*) { mutex.unlock(); }
};

f64 cpu_seconds() {
  timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<f64>(used.tv_sec) + static_cast<f64>(used.tv_nsec) * 1e-9;
}

// Runs body(thread, index) in each thread. All threads begin at once, and stop after the run's time.
struct Run {
  std::function<u64(JavaThread*, u32, const std::atomic<bool>&)> body;
  std::vector<std::array<u64, lock_counter_count>> counters;
  std::vector<u64> iterations;
  std::atomic<i32> go{0};
  std::atomic<i32> ready{0};
  std::atomic<bool> stopped{false};

  struct Member {
    Run* run;
    u32 index;
  };
  std::vector<Member> members;

  static void thread_body(JavaThread* thread) {
    Member* member = reinterpret_cast<Member*>(thread->result);
    Run* run = member->run;
    {
      BlockedScope blocked(thread);
      run->ready.fetch_add(1, std::memory_order_release);
      hardware::futex_wake(run->ready, 1);
      while (run->go.load(std::memory_order_acquire) == 0) hardware::futex_wait(run->go, 0, forever);
    }
    run->iterations[member->index] = run->body(thread, member->index, run->stopped);
    for (u32 i = 0; i < lock_counter_count; ++i)
      run->counters[member->index][i] = thread->lock_counters.get(static_cast<LockCounter>(i));
  }

  Outcome measure(JavaThread* self, const Parameters& parameters) {
    Outcome outcome;
    counters.resize(parameters.threads);
    iterations.resize(parameters.threads);
    for (u32 i = 0; i < parameters.threads; ++i) members.push_back({this, i});
    for (u32 i = 0; i < parameters.threads; ++i) {
      JavaThread* started = threads::start(
          0, false, false, [](JavaThread* thread, void* member) { thread->result = reinterpret_cast<u64>(member); },
          &members[i], thread_body);
      KEYHOLE_CHECK(started != nullptr, "thread {} of {} cannot be started", i, parameters.threads);
    }
    i64 begin, end;
    {
      BlockedScope blocked(self);
      for (i32 count; (count = ready.load(std::memory_order_acquire)) != static_cast<i32>(parameters.threads);)
        hardware::futex_wait(ready, count, forever);
      outcome.cpu_seconds = -cpu_seconds();
      begin = hardware::now_nanoseconds();
      go.store(1, std::memory_order_release);
      hardware::futex_wake(go, INT32_MAX);
      i64 nanoseconds = static_cast<i64>(parameters.seconds * 1e9);
      timespec duration{nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000};
      nanosleep(&duration, nullptr);
      stopped.store(true, std::memory_order_relaxed);
      end = hardware::now_nanoseconds();
    }
    threads::wait_until_last_non_daemon(self);
    outcome.cpu_seconds += cpu_seconds();
    outcome.seconds = static_cast<f64>(end - begin) * 1e-9;
    outcome.iterations = iterations;
    for (const auto& one : counters) {
      for (u32 i = 0; i < lock_counter_count; ++i) outcome.counters[i] += one[i];
    }
    return outcome;
  }
};

template <typename Lock> Outcome run_baseline(JavaThread* self, const Parameters& parameters) {
  Locks locks(parameters);
  std::vector<Lock> subjects(parameters.locks);
  Run run;
  run.body = [&](JavaThread* thread, u32 index, const std::atomic<bool>& stopped) {
    BaselineSubject<Lock> subject{thread, subjects};
    HardwareMachine machine{thread, &stopped};
    return run_thread(subject, machine, locks, parameters, index);
  };
  Outcome outcome = run.measure(self, parameters);
  locks.check_and_sum(outcome);
  return outcome;
}

Outcome run_row(JavaThread* self, std::string_view name, const Parameters& parameters) {
  flags::LockingMode = name;
  std::string refusal = sync::initialize();
  if (refusal.empty() && sync::runs_one_thread() && parameters.threads > 1)
    refusal = "excludes nobody: one thread only";
  if (!refusal.empty()) {
    Outcome refused;
    refused.violation = refusal;
    return refused;
  }
  Locks locks(parameters);
  HandleScope scope(self);
  std::vector<Handle> objects;
  for (u32 i = 0; i < parameters.locks; ++i) objects.push_back(scope.make(test::new_object(object_spacing_bytes)));
  Outcome outcome;
  test::with_fast_path([&]<typename Snippet>() {
    Run run;
    run.body = [&](JavaThread* thread, u32 index, const std::atomic<bool>& stopped) {
      RowSubject<Snippet> subject{thread, objects};
      HardwareMachine machine{thread, &stopped};
      return run_thread(subject, machine, locks, parameters, index);
    };
    outcome = run.measure(self, parameters);
  });
  locks.check_and_sum(outcome);
  // Treats the objects as dead, like a collection would, so that the next run finds no monitors of this run.
  auto collect = [] { sync::update_references([](Object*, void*) -> Object* { return nullptr; }, nullptr); };
  safepoint::run(self, "Collect", collect);
  return outcome;
}

struct Baseline {
  std::string_view name;
  Outcome (*run)(JavaThread* self, const Parameters& parameters);
};
constexpr Baseline baselines[] = {
    {"bare-cas-pair", run_baseline<BareCasPairOf<JavaWorld>>},
    {"std-mutex", run_baseline<StandardMutex>},
    {"futex-mutex", run_baseline<FutexMutexOf<JavaWorld>>},
    {"park-hand-off", run_baseline<ParkHandOffOf<JavaWorld>>},
};

}  // namespace

std::vector<std::string_view> hardware_names() {
  std::vector<std::string_view> names;
  for (const sync::Algorithm* algorithm : sync::all_algorithms()) names.push_back(algorithm->name);
  for (const Baseline& baseline : baselines) names.push_back(baseline.name);
  return names;
}

Outcome run_on_hardware(std::string_view name, const Parameters& parameters) {
  static JavaThread* const self = threads::attach_current(false, false, 0);
  KEYHOLE_CHECK(self != nullptr, "no memory for the first thread");
  test::test_klass_id();
  for (const Baseline& baseline : baselines) {
    if (baseline.name == name) return baseline.run(self, parameters);
  }
  return run_row(self, name, parameters);
}

}  // namespace keyhole::mutexbench
