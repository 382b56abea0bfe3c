// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// One collection: its cause, what it may do, the times of its phases. Plans receive it and report into it.
#pragma once

#include <atomic>

#include "gc/heap/heap.h"
#include "gc/phase.h"
#include "gc/references.h"

namespace keyhole::gc {

struct Request {
  heap::Cause cause;
  bool clear_soft = false;  // clear all soft references: the last collection before OutOfMemoryError
  bool compact = false;     // slide everything together, even humongous objects

  // Whether the collection marks everything, to find out what is alive, classes included.
  bool is_full() const;
};

class Collection {
 public:
  Collection(u64 number, const Request& request) : number(number), request(request) {}

  // Ends the phase in progress, if any, and starts this one. When a phase runs several times, its times add up.
  void begin(Phase phase);
  void end();
  i64 nanoseconds(Phase phase) const { return nanoseconds_[static_cast<u32>(phase)]; }
  // Adds the time of one root provider, for -Xlog:gc+phases=trace.
  void log_phases() const;

  const u64 number;
  const Request request;
  ReferenceProcessor references;
  // Results of the collection, for the log.
  u64 copied_bytes = 0;
  u64 copied_objects = 0;
  u64 slid_objects = 0;  // objects that a sliding collection moved
  bool evacuation_failed = false;
  bool compacted = false;
  bool old_evacuated = false;     // true: some old regions were evacuated
  bool classes_to_purge = false;  // classes were unlinked (gc/class_liveness.h)
  bool may_shrink_heap = false;   // all live objects are known, so MinHeapFreeRatio and MaxHeapFreeRatio apply
  const char* kind = "Full";      // the kind in "Pause Full" or "Pause Young (Normal)"

 private:
  i64 nanoseconds_[static_cast<u32>(Phase::count)] = {};
  u32 ran_ = 0;  // bit per phase
  Phase current_ = Phase::count;
  i64 started_ = 0;
};

// Runs a collection from Prepare to VerifyAfter, with its log lines. World stopped.
void run_collection(const Request& request);
extern std::atomic<u64> collection_counter;
inline u64 collections() { return collection_counter.load(std::memory_order_acquire); }
u64 moved_objects();     // objects moved by all collections together
u64 full_collections();  // the number of collections that slid everything together
u64 collector_nanoseconds();
const char* name_of(heap::Cause cause);

// The phase in which the class unloader unlinks classes that marking did not reach.
void unlink_dead_classes(Collection& collection);

// World stopped: takes TLABs away, so that every region can be walked.
void make_walkable();

}  // namespace keyhole::gc
