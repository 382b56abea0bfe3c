// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The interface for locks outside the VM: `#include <keyhole/lock.h>` is the first line of a lock that the commands
// `keyhole lock` and -XX:LockingMode=./mylock.h take. Version 1.
//
//   template <typename W> struct MyLock {
//     KEYHOLE_CORE(W)                                  names: Thread, Atomic<T>, relaxed, acquire, release, acq_rel,
//                                                      seq_cst, fence(), wait_briefly(cell, predicate)
//     struct Node { ... };                             lent by a thread to one acquisition; on a cache line of its own;
//                                                      keeps its contents from one acquisition to the next
//     struct Held { ... };                             values that only the thread uses, from arrive to depart
//     bool arrive(Thread* self, Node& mine, Held& held)   announces the thread, never blocks; true: it has the lock
//     void await(Thread* self, Node& mine, Held& held)    called after arrive() was false; returns when the thread has
//                                                         the lock. The only function in which a thread may sleep
//     void depart(Thread* self, Node& mine, Held& held)   releases the lock, and wakes the next thread
//     bool is_free() const                             true if no thread is between its arrive and its depart. Called
//                                                      while all threads stand still
//     struct Shared { ... };                           optional: memory that all locks share; shared<MyLock>()
//                                                      returns it
//   };
//   KEYHOLE_LOCK(MyLock, .idea = "...", .fairness = "...");
//
// There is one core for each object that threads synchronize on. Java's monitor around it (recursion, wait, notify,
// hash codes, moving objects, virtual threads) is part of the library. A thread waits only by these two classes:
//
//   lab::Gate<W>    one thread waits for one other: close(), await(self), open(self, value)
//   lab::Crowd<W>   many wait for values of one cell: await(self, place, cell, predicate), changed(self)
//
// KEYHOLE_PROTOCOL(MyProtocolOf, ...) names a lock that writes the whole protocol of runtime/sync/protocol.h. That
// interface may change with each version of Keyhole.
#pragma once

#include "runtime/sync/lab/core.h"
#include "runtime/sync/lab/crowd.h"
#include "runtime/sync/lab/gate.h"
#include "runtime/sync/lab/monitor_over.h"

namespace lab = keyhole::lab;
using keyhole::i64;
using keyhole::u32;
using keyhole::u64;
using keyhole::uptr;

namespace keyhole::lab {
// The memory that all locks of one kind share.
template <template <typename> class Core, typename W> typename Core<W>::Shared& shared() {
  return *SharedBy<Core<W>>::memory;
}
}  // namespace keyhole::lab

// ThisWorld: set by the translation unit that includes the lock (vm.h, tests/model/loaded_lock.h).
#define KEYHOLE_LOCK(Core, ...)                                                  \
  KEYHOLE_CHECK_CORE(Core, ::keyhole::lab::ThisWorld);                           \
  namespace keyhole::lab {                                                       \
  template <typename W> using Loaded = MonitorOver<W, ::Core<W>>;                \
  inline constexpr Description loaded{.name = #Core __VA_OPT__(, ) __VA_ARGS__}; \
  }                                                                              \
  static_assert(true)

#define KEYHOLE_PROTOCOL(Protocol, ...)                                                                        \
  static_assert(::keyhole::sync::LockProtocol<Protocol<::keyhole::lab::ThisWorld>, ::keyhole::lab::ThisWorld>, \
                #Protocol " has not the shape of runtime/sync/protocol.h");                                    \
  namespace keyhole::lab {                                                                                     \
  template <typename W> using Loaded = ::Protocol<W>;                                                          \
  inline constexpr Description loaded{.name = #Protocol __VA_OPT__(, ) __VA_ARGS__};                           \
  }                                                                                                            \
  static_assert(true)
