// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Inflation: a monitor in preparation, until one write to the header makes it the object's.
//
//   prepare --> fill --> the algorithm's CAS of the header --+--> installed: in the list, logged, counted
//      |                                                     +--> lost: fill again, or not needed any more
//      +--> null: no memory
//
// R1: the monitor is complete before the header points at it; a thread that reads the header (acquire) sees all of it.
// R2: a monitor that was never installed is freed at once: no thread has seen it.
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

  // False: no memory.
  bool prepare() {
    if (fresh_ == nullptr) fresh_ = W::allocate_monitor();
    return fresh_ != nullptr;
  }

  // free_word: the object's header word when no thread holds the object (layout::kept_header). Algorithms whose headers
  // point at monitors then set the header to fresh()->header_word().
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

  // Called after the algorithm's CAS: the header holds `word` now, and the monitor belongs to the object.
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
