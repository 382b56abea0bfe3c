// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Inflation: prepares a monitor, until one write to the header makes it the object's monitor.
//
//   prepare --> fill --> the algorithm's CAS of the header --+--> installed: in the list, logged, counted
//      |                                                     +--> failed: fill again, or give up the monitor
//      +--> null: no memory
//
// R1: the monitor is complete before the header points at it; a thread that reads the header (acquire) sees all of it.
// R2: a monitor that was never installed is freed at once, because no other thread has seen it.
#pragma once

#include "runtime/sync/monitor/monitor_list.h"
#include "runtime/sync/monitor/object_monitor.h"
#include "runtime/sync/status.h"

namespace keyhole::sync {

template <typename W> class InflationOf {
 public:
  using Thread = typename W::Thread;
  using Reference = typename W::Reference;
  using Monitor = typename W::Monitor;

  explicit InflationOf(MonitorListOf<W>& monitors) : monitors_(monitors) {}
  ~InflationOf() {
    if (fresh_ != nullptr) W::free_monitor(fresh_);  // R2
  }
  InflationOf(const InflationOf&) = delete;
  InflationOf& operator=(const InflationOf&) = delete;

  // Allocates the monitor. Returns false if there is no memory.
  bool prepare() {
    if (fresh_ == nullptr) fresh_ = W::allocate_monitor();
    return fresh_ != nullptr;
  }

  // free_word: the header word that the object has while no thread holds its lock (layout::kept_header). After fill(),
  // an algorithm whose headers point at monitors sets the header to fresh()->header_word().
  void fill(Reference object, u64 free_word, u64 owner, u32 recursions,
            typename W::LockRecord* holders_record = nullptr) {
    fresh_->displaced.store(free_word, std::memory_order_relaxed);
    fresh_->object.store(object, std::memory_order_relaxed);
    fresh_->owner.store(owner, std::memory_order_relaxed);
    fresh_->recursions.set(recursions);
    fresh_->holders_record.store(holders_record, std::memory_order_relaxed);
  }

  // The monitor that the algorithm publishes, in the header or elsewhere.
  Monitor* fresh() const { return fresh_; }

  // The algorithm calls this after its CAS has put `word` into the header, so that the monitor belongs to the object.
  Monitor* installed(Thread* thread, Reference object, u64 word, InflationCause cause) {
    Monitor* monitor = fresh_;
    fresh_ = nullptr;
    monitors_.push(monitor);
    W::count(thread, LockCounter::inflations);
    W::on_inflated(object, word, cause);
    return monitor;
  }

 private:
  MonitorListOf<W>& monitors_;
  Monitor* fresh_ = nullptr;
};

}  // namespace keyhole::sync
