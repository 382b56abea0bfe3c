// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A core: the mutual exclusion that the author of a lock writes, a class template over a World. monitor_over.h builds a
// Java monitor from a core. keyhole/lock.h says what a core must have, and what each part is for.
//
// A core must meet the concepts below. For each concept that it does not meet, the compiler prints a sentence at the
// line of KEYHOLE_LOCK.
#pragma once

#include <concepts>
#include <source_location>
#include <string_view>
#include <type_traits>

#include "runtime/base/platform/world.h"

namespace keyhole::lab {

// The texts about the lock that -XX:+PrintLockingModes prints.
struct Description {
  std::string_view name;
  std::string_view idea = "a loaded lock";
  std::string_view fairness = "not stated";
};

// The largest sizes of a core's Node and Held, in bytes. Node and Held lie in the thread's element (monitor_over.h).
inline constexpr usize node_bytes = 48, held_bytes = 16;

// A cell that threads share: std::atomic's operations, always with an order, and cas().
template <typename W, typename T> struct Cell : W::template Atomic<T> {
  using Base = typename W::template Atomic<T>;
  using Where = std::source_location;
  using Base::Base;

  // Compare and swap: true if the cell held `expected`, and now holds `desired`.
  bool cas(T expected, T desired, std::memory_order order, Where where = Where::current()) {
    if constexpr (requires { Base::compare_exchange_strong(expected, desired, order, where); })
      return Base::compare_exchange_strong(expected, desired, order, where);
    else return Base::compare_exchange_strong(expected, desired, order);
  }
};

// Attributes the library's steps to the line of the author's file that called the library, while a CallerScope lives.
// Does nothing in a world that does not attribute steps to source lines.
template <typename W> struct CallerScope {
  explicit CallerScope(const std::source_location&) {}
};
template <typename W>
  requires requires { typename W::CallerScope; }
struct CallerScope<W> : W::CallerScope {
  using W::CallerScope::CallerScope;
};

// The number of reads that a waiting thread makes before it sleeps. Each world has its own number; in the VM
// -XX:SpinPauses sets it.
template <typename W> struct Patience {
  static inline u32 reads = 500;
};

// Memory that all locks of one type share. `Core` is the type of the locks, and Core::Shared is the type of the memory.
// MonitorOver owns the memory and sets this pointer.
template <typename Core> struct SharedBy {
  static inline typename Core::Shared* memory = nullptr;
};

// Returns the size of a shared table: `wanted` in the VM. In the model checker the size is 2, so that collisions occur.
template <typename W> constexpr u32 table_size(u32 wanted) {
  return requires { W::explores_interleavings; } ? 2 : wanted;
}

// --- the shape of a core ---------------------------------------------------------------------------------------------

template <typename Core>
concept HasNode = requires { typename Core::Node; } && std::is_default_constructible_v<typename Core::Node>;
template <typename Core>
concept HasHeld = requires { typename Core::Held; } && std::is_default_constructible_v<typename Core::Held> &&
                  std::is_trivially_copyable_v<typename Core::Held>;
template <typename Core>
concept SmallNode = sizeof(typename Core::Node) <= node_bytes && std::is_trivially_destructible_v<typename Core::Node>;
template <typename Core>
concept SmallHeld = sizeof(typename Core::Held) <= held_bytes;
template <typename Core, typename Thread>
concept HasArrive = requires(Core& core, Thread* self, typename Core::Node& mine, typename Core::Held& held) {
  { core.arrive(self, mine, held) } -> std::same_as<bool>;
};
template <typename Core, typename Thread>
concept HasAwait = requires(Core& core, Thread* self, typename Core::Node& mine, typename Core::Held& held) {
  { core.await(self, mine, held) } -> std::same_as<void>;
};
template <typename Core, typename Thread>
concept HasDepart = requires(Core& core, Thread* self, typename Core::Node& mine, typename Core::Held& held) {
  { core.depart(self, mine, held) } -> std::same_as<void>;
};
template <typename Core>
concept HasIsFree = requires(const Core& core) {
  { core.is_free() } -> std::same_as<bool>;
};

}  // namespace keyhole::lab

// Declares the names that a core uses. This macro is the first line of a core, which is a class template over W.
#define KEYHOLE_CORE(W)                                                                             \
  using World = W;                                                                                  \
  using Thread = typename W::Thread;                                                                \
  template <typename T> using Atomic = ::keyhole::lab::Cell<W, T>;                                  \
  static constexpr std::memory_order relaxed = std::memory_order_relaxed;                           \
  static constexpr std::memory_order acquire = std::memory_order_acquire;                           \
  static constexpr std::memory_order release = std::memory_order_release;                           \
  static constexpr std::memory_order acq_rel = std::memory_order_acq_rel;                           \
  static constexpr std::memory_order seq_cst = std::memory_order_seq_cst;                           \
  /* Orders earlier stores before later loads. */                                                   \
  static void fence() { W::fence(); }                                                               \
  /* Waits for a store that another thread is about to make. Spins and yields, and never sleeps. */ \
  template <typename T, typename Predicate>                                                         \
  static void wait_briefly(Atomic<T>& cell, Predicate predicate,                                    \
                           std::source_location where = std::source_location::current()) {          \
    ::keyhole::lab::CallerScope<W> scope(where);                                                    \
    while (!W::spin_until(cell, predicate, 1000)) W::yield();                                       \
  }

// Checks the shape of the core. KEYHOLE_LOCK contains this check, so the compiler reports errors at the author's line.
#define KEYHOLE_CHECK_CORE(Core, World)                                                                              \
  static_assert(::keyhole::lab::HasNode<Core<World>>, #Core                                                          \
                " has no struct Node: what a thread lends to one acquisition, made without arguments; "              \
                "struct Node {}; if it lends nothing");                                                              \
  static_assert(::keyhole::lab::HasHeld<Core<World>>, #Core                                                          \
                " has no struct Held of plain values: what its thread remembers from arrive to depart; "             \
                "struct Held {}; if it remembers nothing");                                                          \
  static_assert(::keyhole::lab::SmallNode<Core<World>>,                                                              \
                #Core "::Node is larger than 48 bytes, or has a destructor: it lies in memory that is never freed"); \
  static_assert(::keyhole::lab::SmallHeld<Core<World>>, #Core "::Held is larger than 16 bytes");                     \
  static_assert(::keyhole::lab::HasArrive<Core<World>, World::Thread>, #Core                                         \
                " has no bool arrive(Thread*, Node&, Held&): it announces the thread, and says whether the "         \
                "lock is its own at once");                                                                          \
  static_assert(::keyhole::lab::HasAwait<Core<World>, World::Thread>,                                                \
                #Core " has no void await(Thread*, Node&, Held&): it returns when the lock is the thread's own");    \
  static_assert(::keyhole::lab::HasDepart<Core<World>, World::Thread>,                                               \
                #Core " has no void depart(Thread*, Node&, Held&): it lets the lock go and wakes who is next");      \
  static_assert(::keyhole::lab::HasIsFree<Core<World>>,                                                              \
                #Core " has no bool is_free() const: true when no thread is between its arrive and its depart")
