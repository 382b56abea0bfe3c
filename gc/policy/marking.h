// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Marks live objects, by several workers; nothing moves, no header is written. The first step of sliding
// (mark_compact.h) and of choosing old regions (old_marking.h).
//
//   roots --> mark: a bit per 8 bytes of the object --> share of work --> scan: mark what its slots refer to
//             (humongous: its first)
//
// M1: the worker that sets an object's first bit scans it. Several objects share a word of bits, so they are set by an
//     atomic or; a single worker needs none.
// M2: References are put aside (gc/references.h) and processed when marking is done; then weak roots lose what died.
//     Afterwards the bits are final.
// M3: each slot that a root provider reported, strong or weak, is recorded (narrow ones with bit 0 set): a policy that
//     moves objects afterwards rewrites them without calling the providers again.
// M4: marking an object whose klass may die marks the klass as reached; marking a mirror marks its class
//     (vm/link/loading/class_unloading.h). Rounds of marking follow until no more classes are reached: only then is
//     liveness known, and References may be processed.
#pragma once

#include <memory>
#include <vector>

#include "gc/class_liveness.h"
#include "gc/collection.h"
#include "gc/heap/space.h"
#include "gc/mark_bitmap.h"
#include "gc/scan.h"
#include "gc/work_share.h"

namespace keyhole::gc {

class Marking;

class MarkWorker final : public Tracer {
 public:
  explicit MarkWorker(Marking& marking);
  MarkWorker(const MarkWorker&) = delete;

  // Runs the worker: unclaimed roots, then tracing until every worker is done.
  void run(bool alone) TOUCHES_OBJECTS;
  // Enters the roots of classes in use (M4). False: there were none. The coordinator calls this, then all workers trace
  // again.
  bool enter_reached_classes();
  void trace_with_others(bool alone) TOUCHES_OBJECTS;

  // --- Tracer --------------------------------------------------------------------------------------------------------
  bool is_live(Object* object) override;
  Object* current(Object* live) override { return live; }
  Object* keep(Object* object) TOUCHES_OBJECTS override {
    mark(object);
    return object;
  }
  void trace() TOUCHES_OBJECTS override;

  std::vector<uptr> root_slots;  // M3

 private:
  static constexpr u32 ring_objects = 16;

  [[gnu::always_inline]] void enter(NarrowRef* slot) TOUCHES_OBJECTS;
  void mark(Object* object) TOUCHES_OBJECTS;
  void scan_roots() TOUCHES_OBJECTS;
  auto root_visitor();
  void process(WorkShare::Entry entry) TOUCHES_OBJECTS;
  bool drain_ring() TOUCHES_OBJECTS;
  void drain() TOUCHES_OBJECTS;

  Marking& marking_;
  Object* ring_[ring_objects] = {};  // objects whose headers and bits are being prefetched
  u32 ring_position_ = 0;
  WorkShare share_;
};

class Marking {
 public:
  // With more than one worker, it uses the gang (gc/workers.h).
  Marking(Collection& collection, u32 workers);

  // Runs the phases Roots to WeakRoots.
  void run() TOUCHES_OBJECTS;
  bool is_live(const Object* object) const { return bits.is_marked(object); }
  // The live bytes in a region that is not humongous. Called after run.
  u64 live_bytes(Region& region) const { return bits.marked_bytes(region.bottom(), region.top()); }

  Collection& collection;
  MarkBitmap bits;
  const ClassUnloader* const classes = class_unloader();
  WorkGroup group;
  std::atomic<u32> next_root{0};
  std::vector<uptr> root_slots;  // M3

 private:
  void clear_weak_roots();

  std::vector<std::unique_ptr<MarkWorker>> workers_;
};

}  // namespace keyhole::gc
