// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.lang.ref: how the collector processes Soft-, Weak-, Final- and PhantomReferences, and passes them to Java.
//
// While live objects are traced, a Reference whose referent was not reached yet is discovered: added to the list of its
// strength. When tracing is done the lists are processed in the order of java.lang.ref's reachability:
//
//   1 soft      not kept by the policy (long unused): referent cleared          -> pending
//   2 weak      referent cleared                                                -> pending
//   3 final     referent kept alive, with all it reaches; made inactive (next = self)   -> pending
//   4 phantom   referent cleared, unless a finalizer's object reaches it        -> pending
//
// A referent that was reached after all makes its Reference an ordinary object. References that are first met during
// step 3 count as strong in this collection, because everything that a finalizer can reach must stay intact. Several
// workers share steps 1, 2 and 4 when there are many References (-XX:ReferencesPerThread); step 3 may trace, and runs
// on one worker. Pending references are linked by `discovered`, newest first; ReferenceHandler takes the list.
//
// Soft policy: a soft reference lives while (clock - timestamp) <= free megabytes of the maximum heap *
// SoftRefLRUPolicyMSPerMB; SoftReference.get copies `clock` into `timestamp`, the collector advances `clock` after each
// collection.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "gc/roots.h"
#include "runtime/base/capabilities.h"
#include "runtime/object/klass.h"
#include "runtime/threads/handles.h"

namespace keyhole::gc {

// --- natives of java.lang.ref.Reference; all managed -----------------------------------------------------------------
// Reference.getAndClearReferencePendingList: the list (linked by `discovered`), or null; it is empty afterwards.
Object* take_pending_references(JavaThread* thread);
// Reference.hasReferencePendingList.
bool has_pending_references();
// Reference.waitForReferencePendingList: returns when the list is not empty. Blocks (raw pointers are stale
// afterwards).
void wait_for_pending_references(JavaThread* thread) MAY_SAFEPOINT;
// Reference.clear0 and refersTo0; mutators do not run during a collection, so they may simply read the referent.
void clear_referent(Object* reference) TOUCHES_OBJECTS;
Object* referent(const Object* reference) TOUCHES_OBJECTS;
inline bool refers_to(const Object* reference, const Object* object) TOUCHES_OBJECTS {
  return referent(reference) == object;
}

// --- the collector's side --------------------------------------------------------------------------------------------
// The interface of a tracing policy for reference processing.
class Tracer {
 public:
  // References that this tracer has discovered, by strength.
  std::array<std::vector<Object*>, 5> discovered;

  // Whether the object was reached so far, or is not collected this time; several workers may call it.
  virtual bool is_live(Object* object) = 0;
  virtual Object* current(Object* live) = 0;  // a live object's new address; several workers may call it
  virtual Object* keep(Object* object) = 0;   // makes the object live, returns its new address
  virtual void trace() = 0;                   // traces everything reachable from kept objects
 protected:
  ~Tracer() = default;
};

class ReferenceProcessor {
 public:
  // `clear_soft`: the last collection before OutOfMemoryError keeps no soft reference.
  void begin(bool clear_soft, u64 free_bytes_of_maximum) TOUCHES_OBJECTS;
  // Called for each Reference that the tracer meets (at its new address). True: it is discovered, and its referent must
  // not be followed now. False: follow the referent as a strong reference. Several workers may call it, each with a
  // tracer and for References of its own.
  bool discover(Object* reference, const Klass* klass, Tracer& tracer) TOUCHES_OBJECTS;
  // Runs steps 1 to 4, on at most as many workers as there are tracers. Afterwards no further object may become live.
  void process(std::span<Tracer* const> tracers, u64 collection_number) TOUCHES_OBJECTS;
  // Advances SoftReference.clock to the current time.
  void advance_clock() TOUCHES_OBJECTS;
  // Wakes threads in wait_for_pending_references.
  static void notify_waiters();

  struct Counts {
    u64 discovered, cleared;
  };
  const Counts& counts(ReferenceStrength strength) const { return counts_[static_cast<u32>(strength)]; }

 private:
  bool kept_by_policy(const Object* soft_reference) const TOUCHES_OBJECTS;
  void process_clearing(ReferenceStrength strength, std::span<Tracer* const> tracers) TOUCHES_OBJECTS;
  void process_final(Tracer& tracer) TOUCHES_OBJECTS;

  static constexpr u32 strengths = 5;
  std::array<std::vector<Object*>, strengths> discovered_;  // those of all tracers, once tracing is done
  std::array<Counts, strengths> counts_{};
  std::array<u32, strengths> workers_{};
  i64 clock_ = 0;
  i64 soft_interval_milliseconds_ = 0;
  bool clear_soft_ = false;
  bool discovering_ = false;
};

// The head of the pending list is a root of its own.
void visit_pending_list(RootVisitor& visitor);

}  // namespace keyhole::gc
