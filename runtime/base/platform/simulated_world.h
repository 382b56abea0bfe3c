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
#include <utility>

#include "runtime/base/platform/simulated_machine.h"
#include "runtime/base/platform/world.h"

namespace keyhole {

namespace simulated {
// The machine that is charged. There always is one, because no thread waits outside of a run.
inline SimulatedMachine* machine() { return SimulatedMachine::current(); }
inline void load(const void* address) {
  if (machine() != nullptr) machine()->load(address);
}
template <typename Effect> void store(void* address, Effect effect) {
  if (machine() != nullptr) machine()->store(address, effect);
  else effect();
}
template <typename Effect> void locked(void* address, Effect effect) {
  if (machine() != nullptr) machine()->locked_operation(address, effect);
  else effect();
}
}  // namespace simulated

template <typename T> class SimulatedAtomic {
 public:
  constexpr SimulatedAtomic() = default;
  constexpr SimulatedAtomic(T value) : value_(value) {}
  SimulatedAtomic(const SimulatedAtomic&) = delete;
  SimulatedAtomic& operator=(const SimulatedAtomic&) = delete;

  T load(std::memory_order = std::memory_order_seq_cst) const {
    simulated::load(&value_);
    return value_;
  }
  void store(T value, std::memory_order order = std::memory_order_seq_cst) {
    // On x86 a sequentially consistent store is an exchange.
    if (order == std::memory_order_seq_cst) exchange(value, order);
    else simulated::store(&value_, [&] { value_ = value; });
  }
  T exchange(T value, std::memory_order = std::memory_order_seq_cst) {
    return change([&](T) { return value; });
  }
  bool compare_exchange_strong(T& expected, T desired, std::memory_order = std::memory_order_seq_cst) {
    bool done = false;
    simulated::locked(&value_, [&] {
      done = std::bit_cast<Bits>(value_) == std::bit_cast<Bits>(expected);
      if (done) value_ = desired;
      else expected = value_;
      return done;
    });
    return done;
  }
  bool compare_exchange_strong(T& expected, T desired, std::memory_order order, std::memory_order) {
    return compare_exchange_strong(expected, desired, order);
  }
  bool compare_exchange_weak(T& expected, T desired, std::memory_order order = std::memory_order_seq_cst) {
    return compare_exchange_strong(expected, desired, order);
  }
  bool compare_exchange_weak(T& expected, T desired, std::memory_order order, std::memory_order) {
    return compare_exchange_strong(expected, desired, order);
  }
  T fetch_add(T amount, std::memory_order = std::memory_order_seq_cst) {
    return change([&](T before) { return static_cast<T>(before + amount); });
  }
  T fetch_sub(T amount, std::memory_order = std::memory_order_seq_cst) {
    return change([&](T before) { return static_cast<T>(before - amount); });
  }
  T fetch_or(T bits, std::memory_order = std::memory_order_seq_cst) {
    return change([&](T before) { return static_cast<T>(before | bits); });
  }
  T fetch_and(T bits, std::memory_order = std::memory_order_seq_cst) {
    return change([&](T before) { return static_cast<T>(before & bits); });
  }

 private:
  using Bits = std::conditional_t<sizeof(T) == 8, u64,
                                  std::conditional_t<sizeof(T) == 4, u32, std::conditional_t<sizeof(T) == 2, u16, u8>>>;
  template <typename Change> T change(Change change) {
    T before{};
    simulated::locked(&value_, [&] {
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
  SimulatedPlain() = default;
  explicit SimulatedPlain(T value) : value_(value) {}
  T get() const {
    simulated::load(&value_);
    return value_;
  }
  void set(T value) {
    simulated::store(&value_, [&] { value_ = value; });
  }

 private:
  T value_{};
};

struct SimulatedWorld {
  template <typename T> using Atomic = SimulatedAtomic<T>;
  template <typename T> using Plain = SimulatedPlain<T>;

  template <typename T> static T load(const T* word, Order) {
    simulated::load(word);
    return *word;
  }
  template <typename T> static void store(T* word, T value, Order) {
    simulated::store(word, [&] { *word = value; });
  }
  template <typename T> static T cas(T* word, T expected, T desired, Order) {
    T seen{};
    simulated::locked(word, [&] {
      seen = *word;
      if (seen == expected) *word = desired;
      return seen == expected;
    });
    return seen;
  }
  static void fence() {
    if (simulated::machine() != nullptr) simulated::machine()->fence();
  }

  // A budget of reads becomes a time: that of the same number of rounds of load and PAUSE.
  template <typename T, typename Predicate>
  static bool spin_until(const SimulatedAtomic<T>& cell, Predicate predicate, u32 budget) {
    return spin(&cell, [&] { return predicate(cell.load(std::memory_order_acquire)); }, budget);
  }
  template <typename T, typename Predicate> static bool spin_until(const T* word, Predicate predicate, u32 budget) {
    return spin(word, [&] { return predicate(load(word, Order::acquire)); }, budget);
  }

  static void wait_on(SimulatedAtomic<i32>& cell, i32 expected, i64 nanoseconds) {
    if (simulated::machine() == nullptr) return;
    simulated::machine()->sleep_on(
        &cell, [&] { return cell.load(std::memory_order_acquire) == expected; }, nanoseconds);
  }
  static void wake(SimulatedAtomic<i32>& cell, i32 count) {
    if (simulated::machine() != nullptr) simulated::machine()->wake(&cell, static_cast<u32>(count));
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
    void lock() {
      i32 none = 0;
      if (word_.compare_exchange_strong(none, 1)) return;
      while (word_.exchange(2) != 0) wait_on(word_, 2, forever);
    }
    bool try_lock() {
      i32 none = 0;
      return word_.compare_exchange_strong(none, 1);
    }
    void unlock() {
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
