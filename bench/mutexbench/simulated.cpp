// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// MutexBench on the simulated machine. It includes the same headers of runtime/sync as the VM, and instantiates them
// over simulated caches and CPUs.
#include "bench/mutexbench/simulated.h"

#include <sys/mman.h>

#include "bench/mutexbench/baselines.h"
#include "bench/mutexbench/hand_overs.h"
#include "bench/mutexbench/loaded_lock.h"
#include "bench/mutexbench/simulated_java.h"
#include "bench/mutexbench/simulated_rows.h"
#include "runtime/base/address_space.h"
#include "runtime/base/check.h"
#include "runtime/base/flags.h"

namespace keyhole::mutexbench {

using W = SimulatedJavaWorld;

SimulatedThread* SimulatedJavaWorld::first_thread = nullptr;

namespace arena {

namespace {
constexpr usize bytes_reserved = 256_MiB;
char* base = nullptr;
usize used = 0;
}  // namespace

void clear() {
  if (base == nullptr) base = static_cast<char*>(address_space::map_stack(bytes_reserved));
  KEYHOLE_CHECK(base != nullptr, "no memory for the simulated objects");
  if (used != 0) madvise(base, used, MADV_DONTNEED);
  used = 0;
}

void* allocate(usize bytes, usize alignment) {
  usize begin = align_up(used, alignment);
  used = begin + align_up(bytes, usize{64});
  KEYHOLE_CHECK(used <= bytes_reserved, "more than {} bytes of simulated objects", bytes_reserved);
  return base + begin;
}

}  // namespace arena

namespace {

struct MachineOfThread {
  SimulatedMachine& machine;
  SimulatedMachine::Picoseconds end;

  bool running() const { return machine.now() < end; }
  // The memory layout of libstdc++'s std::mt19937: 624 words of state, then the index of the next word. Every 624
  // steps, all words are rewritten.
  void shared_steps(Protected& lock, u64 count) const {
    constexpr u64 words = std::mt19937::state_size;
    using Word = std::mt19937::result_type;
    Word* state = reinterpret_cast<Word*>(&lock.generator);
    Word* index = state + words;
    for (u64 step = lock.steps - count; step != lock.steps; ++step) {
      machine.load(index);
      if (step % words == 0) {
        for (u64 word = 0; word < words; word += 64 / sizeof(Word)) {
          machine.load(state + word);
          machine.store(state + word, [] {});
        }
        machine.compute(static_cast<SimulatedMachine::Picoseconds>(words) * cost_model::generator_step / 4);
      }
      machine.load(state + step % words);
      machine.compute(cost_model::generator_step);
      machine.store(index, [&] { take_steps(lock.generator, 1); });
    }
  }
  void own_steps(std::mt19937&, u64 count) const {
    machine.compute(static_cast<SimulatedMachine::Picoseconds>(count) * cost_model::generator_step);
  }
};

// Runs body(thread, index, MachineOfThread&) on every simulated thread. The body returns the number of its iterations.
template <typename Body> Outcome simulate(const Parameters& parameters, Locks& locks, Body body) {
  SimulatedMachine machine(parameters.cpus, parameters.seed);
  if (parameters.virtual_threads) machine.make_threads_virtual();
  if (parameters.dear_shared_writes) machine.make_shared_writes_dear();
  machine.set_listener(parameters.hand_overs);
  if (parameters.hand_overs != nullptr) parameters.hand_overs->begin_run();
  SimulatedMachine::Picoseconds end = static_cast<SimulatedMachine::Picoseconds>(parameters.seconds * 1e12);
  Outcome outcome;
  outcome.seconds = parameters.seconds;
  outcome.iterations.resize(parameters.threads);
  for (u32 i = 0; i < parameters.threads; ++i) {
    SimulatedThread* thread = arena::make<SimulatedThread>();
    thread->id = i + 3;
    thread->hash_state[0] = parameters.seed * 2 + i;
    thread->next = W::first_thread;
    W::first_thread = thread;
    machine.add_thread([&, thread, i] {
      MachineOfThread here{machine, end};
      outcome.iterations[i] = body(thread, i, here);
    });
  }
  bool ended = machine.run();
  for (SimulatedThread* thread = W::first_thread; thread != nullptr; thread = thread->next) {
    for (u32 i = 0; i < lock_counter_count; ++i)
      outcome.counters[i] += thread->lock_counters.get(static_cast<LockCounter>(i));
  }
  locks.check_and_sum(outcome);
  if (!ended) outcome.violation = "threads are asleep and nobody is left to wake them";
  return outcome;
}

// Wraps a subject, and reports the begin and end of each enter and exit to HandOvers.
template <typename Subject> struct Observed {
  Subject subject;
  HandOvers* hand_overs;
  const SimulatedMachine& machine;
  u32 thread;

  void lock(u32 index) {
    if (hand_overs != nullptr) hand_overs->begin_enter(thread, machine.now());
    subject.lock(index);
    if (hand_overs != nullptr) hand_overs->end_enter(thread, machine.now());
  }
  void unlock(u32 index) {
    if (hand_overs != nullptr) hand_overs->begin_exit(thread, machine.now());
    subject.unlock(index);
    if (hand_overs != nullptr) hand_overs->end_exit(thread, machine.now());
  }
};

// A locked object with as many word-sized fields as a critical section accesses.
struct Locked {
  static constexpr usize line_bytes = 64;
  SimulatedObject* object;
  u64* fields;

  explicit Locked(const Parameters& parameters) {
    char* line = static_cast<char*>(arena::allocate(2 * line_bytes + parameters.fields * sizeof(u64), 2 * line_bytes));
    bool at_end = parameters.header == HeaderPlacement::line_end;
    object = reinterpret_cast<SimulatedObject*>(at_end ? line + line_bytes - sizeof(SimulatedObject) : line);
    fields = reinterpret_cast<u64*>(at_end ? line + line_bytes : line + sizeof(SimulatedObject));
    object->header = layout::prototype_word(1);
  }
};

template <typename Protocol> struct RowSubject {
  Protocol& protocol;
  SimulatedThread* thread;
  std::vector<Locked>& objects;
  SimulatedMachine& machine;
  u32 field_count;

  // As test::enter_level and exit_level.
  void lock(u32 index) {
    Locked& locked = objects[index];
    SimulatedRecord* record = &thread->lock_records[thread->lock_record_top];
    bool done = Protocol::FastPath::try_enter(thread, locked.object, record);
    ++thread->lock_record_top;
    record->object = locked.object;
    if (!done) protocol.enter(thread, &locked.object, record);
    for (u64* field = locked.fields; field != locked.fields + field_count; ++field) {
      machine.load(field);
      machine.store(field, [&] { ++*field; });
    }
  }
  void unlock(u32 index) {
    u32 top = thread->lock_record_top - 1;
    SimulatedRecord* record = &thread->lock_records[top];
    SimulatedObject* object = objects[index].object;
    if (!Protocol::FastPath::try_exit(thread, object, record)) protocol.exit(thread, object, record);
    record->object = nullptr;
    thread->lock_record_top = top;
  }
};

template <typename Protocol> Outcome run_protocol(Protocol& protocol, const Parameters& parameters) {
  Locks locks(parameters);
  std::vector<Locked> objects;
  for (u32 i = 0; i < parameters.locks; ++i) objects.emplace_back(parameters);
  Outcome outcome = simulate(parameters, locks, [&](SimulatedThread* thread, u32 index, MachineOfThread& machine) {
    Observed<RowSubject<Protocol>> subject{
        {protocol, thread, objects, machine.machine, parameters.fields}, parameters.hand_overs, machine.machine, index};
    return run_thread(subject, machine, locks, parameters, index);
  });
  for (u32 field = 0; field < parameters.fields; ++field) {
    u64 sum = 0;
    for (const Locked& one : objects) sum += one.fields[field];
    if (sum != outcome.acquisitions) outcome.violation = "a field was written by two threads in the critical section";
  }
  return outcome;
}

// --- baselines -------------------------------------------------------------------------------------------------------

template <typename Lock> struct BaselineSubject {
  SimulatedThread* thread;
  std::vector<Lock*>& locks;
  void lock(u32 index) { locks[index]->lock(thread); }
  void unlock(u32 index) { locks[index]->unlock(thread); }
};
template <> struct BaselineSubject<ParkHandOffOf<W>> {
  using Lock = ParkHandOffOf<W>;
  SimulatedThread* thread;
  std::vector<Lock*>& locks;
  std::vector<Lock::Node*> nodes = [this] {
    std::vector<Lock::Node*> made;
    for (usize i = 0; i < locks.size(); ++i) made.push_back(arena::make<Lock::Node>());
    return made;
  }();
  void lock(u32 index) { locks[index]->lock(thread, nodes[index]); }
  void unlock(u32 index) { locks[index]->unlock(thread); }
};

template <typename Lock> Outcome run_baseline(const Parameters& parameters) {
  Locks locks(parameters);
  std::vector<Lock*> subjects;
  for (u32 i = 0; i < parameters.locks; ++i) subjects.push_back(arena::make<Lock>());
  return simulate(parameters, locks, [&](SimulatedThread* thread, u32 index, MachineOfThread& machine) {
    Observed<BaselineSubject<Lock>> subject{{thread, subjects}, parameters.hand_overs, machine.machine, index};
    return run_thread(subject, machine, locks, parameters, index);
  });
}

struct Baseline {
  std::string_view name;
  Outcome (*run)(const Parameters& parameters);
};
constexpr Baseline baselines[] = {
    {"bare-cas-pair", run_baseline<BareCasPairOf<W>>},
    {"futex-mutex", run_baseline<FutexMutexOf<W>>},
    {"park-hand-off", run_baseline<ParkHandOffOf<W>>},
};

const LoadedLock* loaded = nullptr;

}  // namespace

void simulate_loaded(const LoadedLock& lock) { loaded = &lock; }

std::vector<std::string_view> simulated_names() {
  std::vector<std::string_view> names = simulated_row_names();
  if (loaded != nullptr) names.push_back(loaded->name);
  for (const Baseline& baseline : baselines) names.push_back(baseline.name);
  return names;
}

Outcome run_simulated(std::string_view name, const Parameters& parameters) {
  arena::clear();
  W::first_thread = nullptr;
  SimulatedMonitorPolicy::chosen = sync::monitor_settings;
  SimulatedMonitorPolicy::chosen.spin_pauses = sync::MonitorSettings::adaptive;
  SimulatedMonitorPolicy::chosen.quantum.quantum_nanoseconds = quantum_nanoseconds;
  if (loaded != nullptr && name == loaded->name) {
    LoadedProtocol protocol(*loaded, simulated_spin_reads());
    return run_protocol(protocol, parameters);
  }
  Outcome outcome;
  if (with_simulated_row(name, [&](auto& protocol) { outcome = run_protocol(protocol, parameters); })) return outcome;
  for (const Baseline& baseline : baselines) {
    if (baseline.name == name) return baseline.run(parameters);
  }
  return outcome;
}

}  // namespace keyhole::mutexbench
