// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Discovery and processing of references, and the pending list that ReferenceHandler empties.
#include "gc/references.h"

#include <algorithm>
#include <atomic>

#include "gc/barrier.h"
#include "gc/workers.h"
#include "runtime/base/check.h"
#include "runtime/base/controlled/system_calls.h"
#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/base/mutex.h"
#include "runtime/base/platform/hardware_world.h"
#include "runtime/threads/stopped_world.h"
#include "runtime/threads/thread_state.h"

namespace keyhole::gc {
namespace {

Mutex pending_mutex{LockRank::pending_references};
ConditionVariable pending_arrived;
Object* pending_head GUARDED_BY(pending_mutex) = nullptr;  // GC root

u32 index_of(ReferenceStrength strength) { return static_cast<u32>(strength); }
const char* name_of(ReferenceStrength strength) {
  static constexpr const char* names[] = {"Strong", "Soft", "Weak", "Final", "Phantom"};
  return names[index_of(strength)];
}

// Stores with the barrier, because an old Reference may get a young referent or successor.
void set_slot(Object* reference, u32 offset, Object* value) TOUCHES_OBJECTS {
  barrier::store(reference, offset, value);
}

}  // namespace

// --- natives ---------------------------------------------------------------------------------------------------------

Object* take_pending_references(JavaThread*) {
  MutexLock guard(pending_mutex);
  Object* head = pending_head;
  pending_head = nullptr;
  return head;
}

bool has_pending_references() {
  MutexLock guard(pending_mutex);
  return pending_head != nullptr;
}

void wait_for_pending_references(JavaThread* thread) {
  BlockedScope blocked(thread);
  // A controlled VM does not collect, so no reference becomes pending.
  while (controlled::is_on()) controlled::sleep_on(&pending_arrived, -1);
  // The mutex is released before the BlockedScope ends, because leaving that scope may wait for a collection, which
  // takes the mutex to publish its references.
  MutexLock guard(pending_mutex);
  while (pending_head == nullptr) pending_arrived.wait(pending_mutex);
}

void ReferenceProcessor::notify_waiters() {
  MutexLock guard(pending_mutex);
  if (pending_head != nullptr) pending_arrived.notify_all();
}

void clear_referent(Object* reference) { barrier::store(reference, reference_referent_offset, nullptr); }
Object* referent(const Object* reference) { return reference->get_reference(reference_referent_offset); }

void visit_pending_list(RootVisitor& visitor) {
  safepoint::assert_holds(pending_mutex);
  visitor.visit(&pending_head);
}

// --- the collector ---------------------------------------------------------------------------------------------------

void ReferenceProcessor::begin(bool clear_soft, u64 free_bytes_of_maximum) {
  for (std::vector<Object*>& list : discovered_) list.clear();
  counts_ = {};
  clear_soft_ = clear_soft;
  discovering_ = true;
  soft_interval_milliseconds_ = static_cast<i64>(free_bytes_of_maximum / 1_MiB) * flags::SoftRefLRUPolicyMSPerMB;
  if (soft_reference_klass != nullptr && soft_reference_klass->mirror != nullptr) {
    clock_ = soft_reference_klass->mirror->get<i64>(soft_reference_clock_offset);
  }
}

bool ReferenceProcessor::kept_by_policy(const Object* soft_reference) const {
  if (clear_soft_) return false;
  if (soft_reference_klass == nullptr) return true;
  return clock_ - soft_reference->get<i64>(soft_reference_timestamp_offset) <= soft_interval_milliseconds_;
}

bool ReferenceProcessor::discover(Object* reference, const Klass* klass, Tracer& tracer) {
  if (!discovering_) return false;
  Object* object = referent(reference);
  if (object == nullptr || tracer.is_live(object)) return false;
  switch (klass->strength) {
    case ReferenceStrength::None: return false;
    case ReferenceStrength::Soft:
      if (kept_by_policy(reference)) return false;
      break;
    case ReferenceStrength::Final:
      // The finalizer has been scheduled before; from then on the Reference holds its referent as a strong one.
      if (reference->get<NarrowRef>(reference_next_offset) != 0) return false;
      break;
    case ReferenceStrength::Weak:
    case ReferenceStrength::Phantom: break;
  }
  tracer.discovered[index_of(klass->strength)].push_back(reference);
  return true;
}

namespace {

// A worker's list of References on the way to the pending list, linked by `discovered`.
struct PendingReferences {
  Object* head = nullptr;
  Object* tail = nullptr;
  u64 count = 0;

  void add(Object* reference) TOUCHES_OBJECTS {
    set_slot(reference, reference_discovered_offset, head);
    head = reference;
    if (tail == nullptr) tail = reference;
    ++count;
  }
  void publish() TOUCHES_OBJECTS {
    if (head == nullptr) return;
    MutexLock guard(pending_mutex);
    set_slot(tail, reference_discovered_offset, pending_head);
    pending_head = head;
  }
};

}  // namespace

void ReferenceProcessor::process_clearing(ReferenceStrength strength, std::span<Tracer* const> tracers) {
  const std::vector<Object*>& list = discovered_[index_of(strength)];
  constexpr usize chunk = 128;
  std::atomic<usize> next_chunk{0};
  std::atomic<u64> cleared{0};
  auto work = [&](u32 number) TOUCHES_OBJECTS {
    Tracer& tracer = *tracers[number];
    PendingReferences pending;
    for (usize i; (i = next_chunk.fetch_add(chunk, std::memory_order_relaxed)) < list.size();) {
      for (usize end = std::min(i + chunk, list.size()); i < end; ++i) {
        Object* object = referent(list[i]);
        if (object == nullptr) continue;
        bool live = tracer.is_live(object);
        set_slot(list[i], reference_referent_offset, live ? tracer.current(object) : nullptr);
        if (!live) pending.add(list[i]);
      }
    }
    pending.publish();
    cleared.fetch_add(pending.count, std::memory_order_relaxed);
  };
  u64 wanted = flags::ParallelRefProcEnabled ? list.size() / static_cast<u64>(flags::ReferencesPerThread) + 1 : 1;
  u32 workers = static_cast<u32>(std::min<u64>(wanted, tracers.size()));
  if (workers == 1) work(0);
  else run_on_workers(workers, work);
  workers_[index_of(strength)] = workers;
  counts_[index_of(strength)].cleared += cleared.load(std::memory_order_relaxed);
}

void ReferenceProcessor::process_final(Tracer& tracer) {
  std::vector<Object*>& list = discovered_[index_of(ReferenceStrength::Final)];
  // First finds all dead referents, then keeps them and what they reach alive. So an object that is reachable only from
  // another finalizable one is finalized in the same round.
  workers_[index_of(ReferenceStrength::Final)] = 1;
  PendingReferences pending;
  std::vector<bool> died(list.size());
  for (usize i = 0; i < list.size(); ++i) died[i] = !tracer.is_live(referent(list[i]));
  for (usize i = 0; i < list.size(); ++i) {
    Object* reference = list[i];
    set_slot(reference, reference_referent_offset, tracer.keep(referent(reference)));
    if (!died[i]) continue;
    set_slot(reference, reference_next_offset, reference);
    pending.add(reference);
  }
  pending.publish();
  counts_[index_of(ReferenceStrength::Final)].cleared += pending.count;
  tracer.trace();
}

void ReferenceProcessor::process(std::span<Tracer* const> tracers, u64 collection_number) {
  discovering_ = false;
  for (Tracer* tracer : tracers) {
    for (u32 i = 0; i < strengths; ++i) {
      discovered_[i].insert(discovered_[i].end(), tracer->discovered[i].begin(), tracer->discovered[i].end());
      tracer->discovered[i].clear();
    }
  }
  for (ReferenceStrength strength :
       {ReferenceStrength::Soft, ReferenceStrength::Weak, ReferenceStrength::Final, ReferenceStrength::Phantom}) {
    Counts& seen = counts_[index_of(strength)];
    seen.discovered = discovered_[index_of(strength)].size();
    if (seen.discovered == 0) continue;
    i64 start = hardware::now_nanoseconds();
    if (strength == ReferenceStrength::Final) process_final(*tracers[0]);
    else process_clearing(strength, tracers);
    KEYHOLE_LOG(debug, gc_ref, "GC({}) {}Reference: {} discovered, {} made pending, by {} of {} workers {:.3f}ms",
                collection_number, name_of(strength), seen.discovered, seen.cleared, workers_[index_of(strength)],
                tracers.size(), static_cast<f64>(hardware::now_nanoseconds() - start) / 1e6);
  }
  for (std::vector<Object*>& list : discovered_) list.clear();
}

void ReferenceProcessor::advance_clock() {
  if (soft_reference_klass == nullptr || soft_reference_klass->mirror == nullptr) return;
  soft_reference_klass->mirror->set<i64>(soft_reference_clock_offset, hardware::now_nanoseconds() / 1'000'000);
}

}  // namespace keyhole::gc
