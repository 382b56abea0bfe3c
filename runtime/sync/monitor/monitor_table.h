// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// MonitorTable: the operations of both generations of the object monitor table. A table maps an object to its monitor,
// by the identity hash.
//
//   generation A  monitor_table_chained.h   one list ordered for splitting, buckets point into it, grows at load 0.75
//   generation B  monitor_table_open.h      an array probed linearly, grows at load 0.125, rebuilt by the deflater
//
//   find(thread, hash, object)              the monitor or null; by any thread
//   insert(thread, hash, object, fresh)     the object's monitor: `fresh`, or the one already in the table; null if
//                                           there is no memory. By any thread
//   remove(monitor)                         removes a monitor that is in the table. By the deflater, or with the world
//                                           stopped: one remover at a time
//   count()                                 the number of monitors in the table
//   needs_tending(), tend(thread, poll)     maintenance by the deflater, such as a rebuild; poll may stop the thread
//   tend_stopped()                          maintenance with the world stopped; also gives memory back
//   release_retired()                       after a handshake: frees what remove and tend took out
//
// T1: a monitor is complete before it is inserted, and its `displaced` holds the object's hash until it is removed.
// T2: the table never holds two monitors of one object: the second insert finds the first monitor. A removed monitor is
//     never found again.
// T3: a monitor that a thread found stays valid until that thread's next poll: memory that was taken out of the table
//     is freed only after a handshake, or with the world stopped. Look-up, insertion and removal do not poll.
// T4: objects are compared by address; the collector updates ObjectMonitor::object. For a dead object that field is
//     null, so no look-up finds the monitor.
//
// `thread` may be null; then the operation updates no counters.
#pragma once

#include "runtime/base/platform/world.h"
#include "runtime/object/layout.h"
#include "runtime/sync/picture/notes.h"
#include "runtime/threads/lock_counters.h"

namespace keyhole::sync {

template <typename T, typename W>
concept MonitorTable = requires(T& table, const T& constant, typename W::Thread* thread, typename W::Reference object,
                                typename W::Monitor* monitor) {
  { constant.find(thread, u32{}, object) } -> std::same_as<typename W::Monitor*>;
  { table.insert(thread, u32{}, object, monitor) } -> std::same_as<typename W::Monitor*>;
  table.remove(monitor);
  { constant.count() } -> std::same_as<u32>;
  { constant.needs_tending() } -> std::same_as<bool>;
  table.tend(thread, [] {});
  table.tend_stopped();
  table.release_retired();
};

template <typename Monitor> u32 hash_of_monitor(const Monitor* monitor) {  // T1
  return layout::hash_of_kept(monitor->displaced.load(std::memory_order_relaxed));
}

// Counts the slots or nodes that one operation reads, and then adds the sum to the thread's counter.
template <typename W> class ProbeCounter {
 public:
  explicit ProbeCounter(typename W::Thread* thread) : thread_(thread) {}
  ~ProbeCounter() {
    if (thread_ != nullptr && probes_ != 0) W::count(thread_, LockCounter::table_probes, probes_);
  }
  ProbeCounter(const ProbeCounter&) = delete;
  ProbeCounter& operator=(const ProbeCounter&) = delete;
  void step() { ++probes_; }

 private:
  typename W::Thread* thread_;
  u64 probes_ = 0;
};

}  // namespace keyhole::sync
