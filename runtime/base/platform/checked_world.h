// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// CheckedWorld: the world of the model checker. Each operation goes to the Engine (checked_engine.h), with its source
// line.
//
// Cells have the size of their values: the checker keeps its records elsewhere, so that layouts stay those of the VM.
#pragma once

#include <bit>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include "runtime/base/platform/checked_engine.h"

namespace keyhole {

namespace checked {
template <typename T> u64 to_bits(T value) {
  static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>);
  u64 bits = 0;
  memcpy(&bits, &value, sizeof(T));
  return bits;
}
template <typename T> T from_bits(u64 bits) {
  T value;
  memcpy(&value, &bits, sizeof(T));
  return value;
}
constexpr Order order_of(std::memory_order order) {
  switch (order) {
    case std::memory_order_relaxed: return Order::relaxed;
    case std::memory_order_acquire:
    case std::memory_order_consume: return Order::acquire;
    case std::memory_order_release: return Order::release;
    case std::memory_order_acq_rel: return Order::acq_rel;
    default: return Order::seq_cst;
  }
}
inline Engine& engine() { return Engine::instance(); }
}  // namespace checked

template <typename T> class CheckedAtomic {
 public:
  using Where = checked::Where;
  CheckedAtomic() : CheckedAtomic(T{}) {}
  CheckedAtomic(T value) : value_(value) { checked::engine().cell_begins(this); }
  CheckedAtomic(const CheckedAtomic&) = delete;
  CheckedAtomic& operator=(const CheckedAtomic&) = delete;

  T load(std::memory_order order = std::memory_order_seq_cst, Where where = Where::current()) const {
    return checked::from_bits<T>(checked::engine().load(&value_, sizeof(T), checked::order_of(order), where));
  }
  void store(T value, std::memory_order order = std::memory_order_seq_cst, Where where = Where::current()) {
    // On x86 a sequentially consistent store is an exchange.
    if (order == std::memory_order_seq_cst) exchange(value, order, where);
    else checked::engine().store(&value_, sizeof(T), checked::to_bits(value), checked::order_of(order), where);
  }
  T exchange(T value, std::memory_order order = std::memory_order_seq_cst, Where where = Where::current()) {
    return change(order, where, [&](T) { return value; });
  }
  bool compare_exchange_strong(T& expected, T desired, std::memory_order success, std::memory_order failure,
                               Where where = Where::current()) {
    T seen = checked::from_bits<T>(checked::engine().modify(
        &value_, sizeof(T), checked::order_of(success), checked::order_of(failure), where, [&](u64 before, u64* after) {
          if (before != checked::to_bits(expected)) return false;
          *after = checked::to_bits(desired);
          return true;
        }));
    bool done = checked::to_bits(seen) == checked::to_bits(expected);
    if (!done) expected = seen;
    return done;
  }
  bool compare_exchange_strong(T& expected, T desired, std::memory_order order = std::memory_order_seq_cst,
                               Where where = Where::current()) {
    std::memory_order failure = order == std::memory_order_acq_rel   ? std::memory_order_acquire
                                : order == std::memory_order_release ? std::memory_order_relaxed
                                                                     : order;
    return compare_exchange_strong(expected, desired, order, failure, where);
  }
  // This never fails spuriously, as on x86.
  bool compare_exchange_weak(T& expected, T desired, std::memory_order order = std::memory_order_seq_cst,
                             Where where = Where::current()) {
    return compare_exchange_strong(expected, desired, order, where);
  }
  bool compare_exchange_weak(T& expected, T desired, std::memory_order success, std::memory_order failure,
                             Where where = Where::current()) {
    return compare_exchange_strong(expected, desired, success, failure, where);
  }
  T fetch_add(T amount, std::memory_order order = std::memory_order_seq_cst, Where where = Where::current()) {
    return change(order, where, [&](T before) { return static_cast<T>(before + amount); });
  }
  T fetch_sub(T amount, std::memory_order order = std::memory_order_seq_cst, Where where = Where::current()) {
    return change(order, where, [&](T before) { return static_cast<T>(before - amount); });
  }
  T fetch_or(T bits, std::memory_order order = std::memory_order_seq_cst, Where where = Where::current()) {
    return change(order, where, [&](T before) { return static_cast<T>(before | bits); });
  }
  T fetch_and(T bits, std::memory_order order = std::memory_order_seq_cst, Where where = Where::current()) {
    return change(order, where, [&](T before) { return static_cast<T>(before & bits); });
  }
  const void* address() const { return &value_; }

 private:
  template <typename Change> T change(std::memory_order order, Where where, Change change) {
    return checked::from_bits<T>(checked::engine().modify(
        &value_, sizeof(T), checked::order_of(order), Order::relaxed, where, [&](u64 before, u64* after) {
          *after = checked::to_bits(change(checked::from_bits<T>(before)));
          return true;
        }));
  }
  T value_;
};

template <typename T> class CheckedPlain {
 public:
  using Where = checked::Where;
  CheckedPlain() : CheckedPlain(T{}) {}
  explicit CheckedPlain(T value) : value_(value) { checked::engine().cell_begins(this); }
  CheckedPlain(const CheckedPlain&) = delete;
  CheckedPlain& operator=(const CheckedPlain&) = delete;
  T get(Where where = Where::current()) const {
    checked::engine().plain_read(&value_, checked::to_bits(value_), where);
    return value_;
  }
  void set(T value, Where where = Where::current()) {
    checked::engine().plain_write(&value_, checked::to_bits(value_), checked::to_bits(value), where);
    value_ = value;
  }

 private:
  T value_;
};

class CheckedMutex {
 public:
  using Where = checked::Where;
  void lock(Where where = Where::current()) { checked::engine().lock(&word_, where); }
  bool try_lock(Where where = Where::current()) { return checked::engine().try_lock(&word_, where); }
  void unlock(Where where = Where::current()) { checked::engine().unlock(&word_, where); }

 private:
  u64 word_ = 0;
};

struct CheckedWorld {
  using Where = checked::Where;
  template <typename T> using Atomic = CheckedAtomic<T>;
  template <typename T> using Plain = CheckedPlain<T>;
  using Mutex = CheckedMutex;

  template <typename T> static T load(const T* word, Order order, Where where = Where::current()) {
    return checked::from_bits<T>(checked::engine().load(word, sizeof(T), order, where));
  }
  template <typename T> static void store(T* word, T value, Order order, Where where = Where::current()) {
    checked::engine().store(word, sizeof(T), checked::to_bits(value), order, where);
  }
  template <typename T> static T cas(T* word, T expected, T desired, Order order, Where where = Where::current()) {
    return checked::from_bits<T>(
        checked::engine().modify(word, sizeof(T), order, Order::relaxed, where, [&](u64 before, u64* after) {
          if (before != checked::to_bits(expected)) return false;
          *after = checked::to_bits(desired);
          return true;
        }));
  }
  static void fence(Where where = Where::current()) { checked::engine().fence(where); }

  template <typename T, typename Predicate>
  static bool spin_until(const CheckedAtomic<T>& cell, Predicate predicate, u32 budget,
                         Where where = Where::current()) {
    return spin_at<T>(cell.address(), predicate, budget, where);
  }
  template <typename T, typename Predicate>
  static bool spin_until(const T* word, Predicate predicate, u32 budget, Where where = Where::current()) {
    return spin_at<T>(word, predicate, budget, where);
  }
  static void wait_on(CheckedAtomic<i32>& cell, i32 expected, i64 nanoseconds, Where where = Where::current()) {
    checked::engine().wait_on(cell.address(), expected, nanoseconds, where);
  }
  static void wake(CheckedAtomic<i32>& cell, i32 count, Where where = Where::current()) {
    checked::engine().wake(cell.address(), count, where);
  }
  template <typename T> static void expect_write(const T*) {}
  static void yield() {}  // any thread may run at any time
  static i64 now_nanoseconds() { return checked::engine().now_nanoseconds(); }
  static u64 random() { return checked::engine().random(); }
  static u32 processors() { return checked::engine().thread_count(); }
  static u64 current_thread_token() { return checked::engine().running_thread() + 1; }

  template <typename T, typename... Arguments> static T* allocate(Arguments&&... arguments) {
    return new (checked::engine().allocate(sizeof(T), alignof(T))) T(std::forward<Arguments>(arguments)...);
  }
  // Frees the memory: later accesses to it are caught.
  template <typename T> static void retire(T* memory) { checked::engine().release(memory, sizeof(T)); }

 private:
  template <typename T, typename Predicate>
  static bool spin_at(const void* cell, Predicate& predicate, u32 budget, Where where) {
    if (budget == 0) return false;
    return checked::engine().spin(
        cell, sizeof(T),
        [](const void* context, u64 bits) -> bool {
          return (*static_cast<const Predicate*>(context))(checked::from_bits<T>(bits));
        },
        &predicate, where);
  }
};
static_assert(World<CheckedWorld>);

}  // namespace keyhole
