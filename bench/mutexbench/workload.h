// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The workload of MutexBench (Dice & Kogan, "Exploring Time-Space trade-offs for synchronized in Lilliput"), written
// once for all locks and both worlds.
//
//   repeat, at least once, until stopped
//     choose `lockset` of the `locks` locks, without replacement; acquire them in order of their addresses
//     critical section: `critical_steps` steps of the generator that the first lock of the set protects
//     release in reverse order
//     outside: uniformly 0 .. 2 x outside_steps - 1 steps of the thread's own generator, so that threads do not fall
//     into step
//
// Patterns of choice
//   random   as above
//   rotate   thread t takes lock (t x locks / threads + i) at its i-th turn: many threads, next to no contention,
//            another owner each time
//   own      the same, but every thread has its share of the locks to itself: what `rotate` is compared with
//
// Subject   lock(u32 index), unlock(u32 index): one thread's view of the locks, indices in order of address
// Machine   running(): false at the end; shared_steps(Protected&, n), own_steps(generator, n)
#pragma once

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include "runtime/threads/lock_counters.h"

namespace keyhole::mutexbench {

enum class Pattern : u8 { random, rotate, own };
// The place of a simulated object's header: the first word of the cache line of the object's fields, or the last word
// of the previous line.
enum class HeaderPlacement : u8 { beside, line_end };

class HandOvers;

struct Parameters {
  u32 threads = 1;
  u32 locks = 1;
  u32 lockset = 1;
  u32 critical_steps = 0;
  u32 outside_steps = 0;
  u32 cpus = 72;                    // CPUs of the simulated machine
  bool virtual_threads = false;     // uses virtual threads; only on the simulated machine, whose CPUs are the carriers
  bool dear_shared_writes = false;  // of the simulated machine
  f64 seconds = 1;
  u64 seed = 1;
  Pattern pattern = Pattern::random;
  u32 fields = 0;  // number of fields of the locked object that each critical section accesses; simulated machine only
  HeaderPlacement header = HeaderPlacement::beside;
  HandOvers* hand_overs = nullptr;  // if not null, records the threads' steps; simulated machine only
};

// The data that a lock protects, and statistics that are updated while the lock is held. It occupies whole cache lines,
// so that it shares no line with other data.
struct alignas(128) Protected {
  alignas(64) std::mt19937 generator;
  alignas(64) u64 acquisitions = 0;
  u64 ownerships = 0;  // number of sequences of acquisitions by the same thread
  u64 steps = 0;       // number of steps by which the generator was advanced
  u64 overlaps = 0;    // number of acquisitions while another thread was inside
  u32 last_owner = UINT32_MAX;
  u32 inside = UINT32_MAX;
};

// One run.
struct Outcome {
  f64 seconds = 0;
  // Processor time of the process during the run; 0 on the simulated machine. It is meaningful even on a busy machine.
  f64 cpu_seconds = 0;
  std::vector<u64> iterations;  // per thread
  std::array<u64, lock_counter_count> counters{};
  u64 acquisitions = 0;
  u64 ownerships = 0;
  std::string violation;  // describes a violation of mutual exclusion; empty: there was none

  u64 total() const {
    u64 sum = 0;
    for (u64 one : iterations) sum += one;
    return sum;
  }
  f64 per_second() const { return static_cast<f64>(total()) / seconds; }
  // Processor time of an iteration.
  f64 cpu_nanoseconds() const { return total() == 0 ? 0 : 1e9 * cpu_seconds / static_cast<f64>(total()); }
  // Jain's index: 1 if all threads did the same number of iterations, 1 / threads if one thread did all of them.
  f64 jain() const {
    f64 sum = 0, squares = 0;
    for (u64 one : iterations) {
      sum += static_cast<f64>(one);
      squares += static_cast<f64>(one) * static_cast<f64>(one);
    }
    return squares == 0 ? 1 : sum * sum / (static_cast<f64>(iterations.size()) * squares);
  }
  f64 run_length() const { return ownerships == 0 ? 0 : static_cast<f64>(acquisitions) / static_cast<f64>(ownerships); }
};

// Not inlined, so that all algorithms run the same code. Besides, run_thread puts each thread's generator at the same
// offset in a page. With inlined steps, or with generators at random offsets, the time of the same steps differed by a
// tenth, which is more than the difference between the locks. The asm statement prevents the compiler from dropping
// steps whose value is not used.
[[gnu::noinline, gnu::flatten]] inline void take_steps(std::mt19937& generator, u64 count) {
  for (u64 i = 0; i < count; ++i) {
    u64 value = generator();
    asm volatile("" : : "r"(value));
  }
}

class Locks {
 public:
  explicit Locks(const Parameters& parameters) : parameters_(parameters), all_(parameters.locks) {
    for (u32 i = 0; i < parameters.locks; ++i) all_[i].generator.seed(seed_of(i));
  }
  Protected& operator[](u32 index) { return all_[index]; }

  // Checks mutual exclusion after the threads have ended. Every generator must be in the state that a new generator
  // reaches after the same number of steps, and no acquisition may be lost.
  void check_and_sum(Outcome& outcome) {
    for (u32 i = 0; i < parameters_.locks; ++i) {
      Protected& lock = all_[i];
      outcome.acquisitions += lock.acquisitions;
      outcome.ownerships += lock.ownerships;
      std::mt19937 replay(seed_of(i));
      take_steps(replay, lock.steps);
      if (lock.overlaps != 0) outcome.violation = "two threads were in the critical section";
      if (replay != lock.generator)
        outcome.violation = "a generator is not where its steps lead: two threads were in the critical section";
    }
    if (outcome.acquisitions != outcome.total() * parameters_.lockset)
      outcome.violation = "acquisitions were lost: two threads were in the critical section";
  }

 private:
  u32 seed_of(u32 index) const { return static_cast<u32>(parameters_.seed * 0x9E3779B9u + index); }

  Parameters parameters_;
  std::vector<Protected> all_;
};

template <typename Subject, typename Machine>
u64 run_thread(Subject& subject, Machine& machine, Locks& locks, const Parameters& parameters, u32 thread_index) {
  alignas(4096) std::mt19937 own(static_cast<u32>(parameters.seed + 1 + thread_index));
  std::uniform_int_distribution<u32> outside(0, parameters.outside_steps == 0 ? 0 : 2 * parameters.outside_steps - 1);
  u32 share = std::max(parameters.locks / std::max(parameters.threads, 1u), 1u);
  std::vector<u32> pool(parameters.locks), set(parameters.lockset);
  for (u32 i = 0; i < parameters.locks; ++i) pool[i] = i;
  u64 iterations = 0;
  do {
    switch (parameters.pattern) {
      case Pattern::random:
        if (parameters.locks == 1) break;
        // Chooses `lockset` locks without replacement, by a partial shuffle of the pool.
        for (u32 i = 0; i < parameters.lockset; ++i) std::swap(pool[i], pool[i + own() % (parameters.locks - i)]);
        std::copy_n(pool.begin(), parameters.lockset, set.begin());
        std::sort(set.begin(), set.end());
        break;
      case Pattern::rotate:
        set[0] = static_cast<u32>((u64{thread_index} * share + iterations) % parameters.locks);
        break;
      case Pattern::own:
        set[0] = (thread_index * share + static_cast<u32>(iterations % share)) % parameters.locks;
        break;
    }
    for (u32 i = 0; i < parameters.lockset; ++i) subject.lock(set[i]);
    for (u32 i = 0; i < parameters.lockset; ++i) {
      Protected& lock = locks[set[i]];
      if (lock.inside != UINT32_MAX) [[unlikely]]
        ++lock.overlaps;
      lock.inside = thread_index;
      ++lock.acquisitions;
      if (lock.last_owner != thread_index) {
        lock.last_owner = thread_index;
        ++lock.ownerships;
      }
    }
    if (parameters.critical_steps != 0) {
      Protected& lock = locks[set[0]];
      lock.steps += parameters.critical_steps;
      machine.shared_steps(lock, parameters.critical_steps);
    }
    for (u32 i = 0; i < parameters.lockset; ++i) locks[set[i]].inside = UINT32_MAX;
    for (u32 i = parameters.lockset; i-- > 0;) subject.unlock(set[i]);
    if (parameters.outside_steps != 0) machine.own_steps(own, outside(own));
    ++iterations;
  } while (machine.running());
  return iterations;
}

}  // namespace keyhole::mutexbench
