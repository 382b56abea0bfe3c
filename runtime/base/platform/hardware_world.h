// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// HardwareWorld: the world that the VM runs in. Each operation inlines to the instruction that it stands for.
//
// Measured on x86-64: a StoreLoad fence as `lock or` on the stack costs about half of `mfence`, and both cost about as
// much as an uncontended CAS.
#pragma once

#include <atomic>
#include <mutex>
#include <new>
#include <utility>

#include "runtime/base/platform/world.h"

namespace keyhole {

template <typename T> class HardwarePlain {
 public:
  HardwarePlain() = default;
  explicit HardwarePlain(T value) : value_(value) {}
  T get() const { return value_; }
  void set(T value) { value_ = value; }

 private:
  T value_{};
};

// The operations that are not worth inlining: system calls.
namespace hardware {
// Sleeps. Returns when woken, when the cell no longer holds `expected`, after `nanoseconds` (relative; forever = -1),
// or spuriously.
void futex_wait(std::atomic<i32>& cell, i32 expected, i64 nanoseconds);
void futex_wake(std::atomic<i32>& cell, i32 count);
void yield();
i64 now_nanoseconds();
u64 random();
u32 processors();  // on which the process may run; or the number given to count_on_processors
void count_on_processors(u32 count);
u64 current_thread_token();
}  // namespace hardware

struct HardwareWorld {
  template <typename T> using Atomic = std::atomic<T>;
  template <typename T> using Plain = HardwarePlain<T>;
  using Mutex = std::mutex;

  template <typename T> KEYHOLE_ALWAYS_INLINE static T load(const KEYHOLE_HEAP T* word, Order order) {
    return __atomic_load_n(word, static_cast<int>(order));
  }
  template <typename T> KEYHOLE_ALWAYS_INLINE static void store(KEYHOLE_HEAP T* word, T value, Order order) {
    __atomic_store_n(word, value, static_cast<int>(order));
  }
  // Compare and swap. Returns the value before: it equals `expected` if the swap was done. A failed cas is a relaxed
  // load.
  template <typename T> KEYHOLE_ALWAYS_INLINE static T cas(KEYHOLE_HEAP T* word, T expected, T desired, Order order) {
    __atomic_compare_exchange_n(word, &expected, desired, false, static_cast<int>(order), __ATOMIC_RELAXED);
    return expected;
  }

  // Uses PREFETCHW itself, because __builtin_prefetch without -mprfchw requests the line for reading. A processor that
  // has no PREFETCHW takes it for a NOP.
  template <typename T> KEYHOLE_ALWAYS_INLINE static void expect_write(const KEYHOLE_HEAP T* word) {
#if defined(__x86_64__)
    asm volatile("prefetchw %0" : : "m"(*(const char*)word));
#endif
  }

  KEYHOLE_ALWAYS_INLINE static void fence() {
#if defined(__x86_64__) && !__has_feature(thread_sanitizer)
    asm volatile("lock; orl $0, (%%rsp)" ::: "memory", "cc");
#else
    std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
  }

  // PAUSE between two reads of a cell that another thread will change. For tens of cycles the core leaves the execution
  // units to its sibling hyperthread; afterwards it need not undo speculative loads of the cell.
  KEYHOLE_ALWAYS_INLINE static void pause() { __builtin_ia32_pause(); }

  template <typename T, typename Predicate>
  static bool spin_until(std::atomic<T>& cell, Predicate predicate, u32 budget) {
    for (u32 reads = 0; reads < budget; ++reads) {
      if (predicate(cell.load(std::memory_order_acquire))) return true;
      pause();
    }
    return false;
  }
  template <typename T, typename Predicate>
  static bool spin_until(const KEYHOLE_HEAP T* word, Predicate predicate, u32 budget) {
    for (u32 reads = 0; reads < budget; ++reads) {
      if (predicate(load(word, Order::acquire))) return true;
      pause();
    }
    return false;
  }

  static void wait_on(std::atomic<i32>& cell, i32 expected, i64 nanoseconds) {
    hardware::futex_wait(cell, expected, nanoseconds);
  }
  static void wake(std::atomic<i32>& cell, i32 count) { hardware::futex_wake(cell, count); }
  static void yield() { hardware::yield(); }
  static i64 now_nanoseconds() { return hardware::now_nanoseconds(); }
  static u64 random() { return hardware::random(); }
  static u32 processors() { return hardware::processors(); }
  static u64 current_thread_token() { return hardware::current_thread_token(); }

  template <typename T, typename... Arguments> static T* allocate(Arguments&&... arguments) {
    return new T(std::forward<Arguments>(arguments)...);
  }
  // Frees memory. The caller has ensured quiescence (by a handshake); pools that need more keep their own lists.
  template <typename T> static void retire(T* memory) { delete memory; }
};
static_assert(World<HardwareWorld>);

}  // namespace keyhole
