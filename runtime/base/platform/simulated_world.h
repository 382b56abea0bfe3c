// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// SimulatedWorld: the world of the scaling experiments. The simulated machine charges for each access
// (simulated_machine.h).
//
// Cells have the size and layout of the hardware world's, so that structures fill the same cache lines. Plain cells are
// ordinary loads and stores: data protected by a lock moves between caches with it.
#pragma once

#include <bit>
#include <source_location>
#include <utility>

#include "runtime/base/platform/simulated_machine.h"
#include "runtime/base/platform/world.h"

namespace keyhole {

namespace simulated {
using Where = std::source_location;  // of an access: the line that makes it

// The machine that is charged. There always is one, because no thread waits outside of a run.
inline SimulatedMachine* machine() { return SimulatedMachine::current(); }
// ... after it was told which line makes the next steps.
inline SimulatedMachine* machine_at(const Where& where) {
  SimulatedMachine* current = machine();
  if (current != nullptr) current->at(where);
  return current;
}
inline void load(const void* address, const Where& where) {
  if (SimulatedMachine* here = machine_at(where)) here->load(address);
}
template <typename Effect> void store(void* address, const Where& where, Effect effect) {
  if (SimulatedMachine* here = machine_at(where)) here->store(address, effect);
  else effect();
}
template <typename Effect> void locked(void* address, const Where& where, Effect effect) {
  if (SimulatedMachine* here = machine_at(where)) here->locked_operation(address, effect);
  else effect();
}
}  // namespace simulated

template <typename T> class SimulatedAtomic {
 public:
  using Where = simulated::Where;

  constexpr SimulatedAtomic() = default;
  constexpr SimulatedAtomic(T value) : value_(value) {}
  SimulatedAtomic(const SimulatedAtomic&) = delete;
  SimulatedAtomic& operator=(const SimulatedAtomic&) = delete;

  T load(std::memory_order = std::memory_order_seq_cst, Where where = Where::current()) const {
    simulated::load(&value_, where);
    return value_;
  }
  void store(T value, std::memory_order order = std::memory_order_seq_cst, Where where = Where::current()) {
    // On x86 a sequentially consistent store is an exchange.
    if (order == std::memory_order_seq_cst) exchange(value, order, where);
    else simulated::store(&value_, where, [&] { value_ = value; });
  }
  T exchange(T value, std::memory_order = std::memory_order_seq_cst, Where where = Where::current()) {
    return change(where, [&](T) { return value; });
  }
  bool compare_exchange_strong(T& expected, T desired, std::memory_order = std::memory_order_seq_cst,
                               Where where = Where::current()) {
    bool done = false;
    simulated::locked(&value_, where, [&] {
      done = std::bit_cast<Bits>(value_) == std::bit_cast<Bits>(expected);
      if (done) value_ = desired;
      else expected = value_;
      return done;
    });
    return done;
  }
  bool compare_exchange_strong(T& expected, T desired, std::memory_order order, std::memory_order,
                               Where where = Where::current()) {
    return compare_exchange_strong(expected, desired, order, where);
  }
  bool compare_exchange_weak(T& expected, T desired, std::memory_order order = std::memory_order_seq_cst,
                             Where where = Where::current()) {
    return compare_exchange_strong(expected, desired, order, where);
  }
  bool compare_exchange_weak(T& expected, T desired, std::memory_order order, std::memory_order,
                             Where where = Where::current()) {
    return compare_exchange_strong(expected, desired, order, where);
  }
  T fetch_add(T amount, std::memory_order = std::memory_order_seq_cst, Where where = Where::current()) {
    return change(where, [&](T before) { return static_cast<T>(before + amount); });
  }
  T fetch_sub(T amount, std::memory_order = std::memory_order_seq_cst, Where where = Where::current()) {
    return change(where, [&](T before) { return static_cast<T>(before - amount); });
  }
  T fetch_or(T bits, std::memory_order = std::memory_order_seq_cst, Where where = Where::current()) {
    return change(where, [&](T before) { return static_cast<T>(before | bits); });
  }
  T fetch_and(T bits, std::memory_order = std::memory_order_seq_cst, Where where = Where::current()) {
    return change(where, [&](T before) { return static_cast<T>(before & bits); });
  }

 private:
  using Bits = std::conditional_t<sizeof(T) == 8, u64,
                                  std::conditional_t<sizeof(T) == 4, u32, std::conditional_t<sizeof(T) == 2, u16, u8>>>;
  template <typename Change> T change(const Where& where, Change change) {
    T before{};
    simulated::locked(&value_, where, [&] {
      before = value_;
      value_ = change(before);
      return true;
    });
    return before;
  }
  T value_{};
};

template <typename T> class SimulatedPlain {
 public:
  using Where = simulated::Where;

  SimulatedPlain() = default;
  explicit SimulatedPlain(T value) : value_(value) {}
  T get(Where where = Where::current()) const {
    simulated::load(&value_, where);
    return value_;
  }
  void set(T value, Where where = Where::current()) {
    simulated::store(&value_, where, [&] { value_ = value; });
  }

 private:
  T value_{};
};

struct SimulatedWorld {
  template <typename T> using Atomic = SimulatedAtomic<T>;
  template <typename T> using Plain = SimulatedPlain<T>;
  using Where = simulated::Where;

  // Steps inside it are those of the line that called the library; the outermost scope counts.
  class CallerScope {
   public:
    explicit CallerScope(const Where& caller) : before_(set(caller, false)) {}
    ~CallerScope() { set(before_, true); }
    CallerScope(const CallerScope&) = delete;

   private:
    static Where set(const Where& caller, bool replace) {
      return simulated::machine() == nullptr ? Where() : simulated::machine()->set_caller(caller, replace);
    }
    Where before_;
  };

  template <typename T> static T load(const T* word, Order, Where where = Where::current()) {
    simulated::load(word, where);
    return *word;
  }
  template <typename T> static void store(T* word, T value, Order, Where where = Where::current()) {
    simulated::store(word, where, [&] { *word = value; });
  }
  template <typename T> static T cas(T* word, T expected, T desired, Order, Where where = Where::current()) {
    T seen{};
    simulated::locked(word, where, [&] {
      seen = *word;
      if (seen == expected) *word = desired;
      return seen == expected;
    });
    return seen;
  }
  static void fence(Where where = Where::current()) {
    if (SimulatedMachine* here = simulated::machine_at(where)) here->fence();
  }

  // A budget of reads becomes a time: that of the same number of rounds of load and PAUSE.
  template <typename T, typename Predicate>
  static bool spin_until(const SimulatedAtomic<T>& cell, Predicate predicate, u32 budget,
                         Where where = Where::current()) {
    return spin(&cell, [&] { return predicate(cell.load(std::memory_order_acquire, where)); }, budget);
  }
  template <typename T, typename Predicate>
  static bool spin_until(const T* word, Predicate predicate, u32 budget, Where where = Where::current()) {
    return spin(word, [&] { return predicate(load(word, Order::acquire, where)); }, budget);
  }

  static void wait_on(SimulatedAtomic<i32>& cell, i32 expected, i64 nanoseconds, Where where = Where::current()) {
    SimulatedMachine* here = simulated::machine_at(where);
    if (here == nullptr) return;
    here->sleep_on(&cell, [&] { return cell.load(std::memory_order_acquire, where) == expected; }, nanoseconds);
  }
  static void wake(SimulatedAtomic<i32>& cell, i32 count, Where where = Where::current()) {
    if (SimulatedMachine* here = simulated::machine_at(where)) here->wake(&cell, static_cast<u32>(count));
  }
  template <typename T> static void expect_write(const T*) {}  // the cost model has no prefetching
  static void yield() {
    if (simulated::machine() != nullptr) simulated::machine()->yield();
  }
  static i64 now_nanoseconds() { return simulated::machine() == nullptr ? 0 : simulated::machine()->now() / 1000; }
  static u64 random() { return simulated::machine() == nullptr ? 88172645463325252 : simulated::machine()->random(); }
  static u32 processors() { return simulated::machine() == nullptr ? 1 : simulated::machine()->cpus(); }
  static u64 current_thread_token() {
    return simulated::machine() == nullptr ? 1 : u64{simulated::machine()->thread_index()} + 2;
  }

  template <typename T, typename... Arguments> static T* allocate(Arguments&&... arguments) {
    return new T(std::forward<Arguments>(arguments)...);
  }
  template <typename T> static void retire(T* memory) { delete memory; }

  // A mutex with the protocol of glibc's default one.
  class Mutex {
   public:
    void lock(Where where = Where::current()) {
      CallerScope scope(where);
      i32 none = 0;
      if (word_.compare_exchange_strong(none, 1)) return;
      while (word_.exchange(2) != 0) wait_on(word_, 2, forever);
    }
    bool try_lock(Where where = Where::current()) {
      CallerScope scope(where);
      i32 none = 0;
      return word_.compare_exchange_strong(none, 1);
    }
    void unlock(Where where = Where::current()) {
      CallerScope scope(where);
      if (word_.exchange(0) == 2) wake(word_, 1);
    }

   private:
    SimulatedAtomic<i32> word_{0};
  };

 private:
  template <typename Look> static bool spin(const void* address, Look look, u32 budget) {
    if (budget == 0) return false;
    if (look()) return true;
    SimulatedMachine* machine = simulated::machine();
    if (machine == nullptr) return false;
    SimulatedMachine::Picoseconds deadline =
        machine->now() + SimulatedMachine::Picoseconds{budget} * (cost_model::pause + cost_model::l1_hit);
    while (machine->watch(address, deadline)) {
      if (look()) return true;
    }
    return false;
  }
};
static_assert(World<SimulatedWorld>);

}  // namespace keyhole
