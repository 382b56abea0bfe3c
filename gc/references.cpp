// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Discovery and processing of references, and the pending list that ReferenceHandler empties.
#include "gc/references.h"

#include <condition_variable>
#include <mutex>

#include "gc/barrier.h"
#include "runtime/base/check.h"
#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/base/platform/hardware_world.h"
#include "runtime/threads/thread_state.h"

namespace keyhole::gc {
namespace {

std::mutex pending_mutex;                   // a leaf; never held across a state transition
// Never destroyed: ReferenceHandler may wait here when exit() runs the destructors, and destroying a condition variable waits
// for its waiters.
std::condition_variable& pending_arrived = *new std::condition_variable;
Object* pending_head = nullptr;             // under pending_mutex; GC root

u32 index_of(ReferenceStrength strength) { return static_cast<u32>(strength); }
const char* name_of(ReferenceStrength strength) {
  static constexpr const char* names[] = {"Strong", "Soft", "Weak", "Final", "Phantom"};
  return names[index_of(strength)];
}

// With the barrier: an old Reference may get a young referent or successor.
void set_slot(Object* reference, u32 offset, Object* value) { barrier::store(reference, offset, value); }

}  // namespace

// --- natives -----------------------------------------------------------------------------------------------------------

Object* take_pending_references(JavaThread*) {
  std::lock_guard guard(pending_mutex);
  Object* head = pending_head;
  pending_head = nullptr;
  return head;
}

bool has_pending_references() {
  std::lock_guard guard(pending_mutex);
  return pending_head != nullptr;
}

void wait_for_pending_references(JavaThread* thread) {
  BlockedScope blocked(thread);
  // Released before the scope ends: leaving it may wait for a collection, which takes the mutex to announce its references.
  std::unique_lock guard(pending_mutex);
  pending_arrived.wait(guard, [] { return pending_head != nullptr; });
}

void ReferenceProcessor::notify_waiters() {
  std::lock_guard guard(pending_mutex);
  if (pending_head != nullptr) pending_arrived.notify_all();
}

void clear_referent(Object* reference) { barrier::store(reference, reference_referent_offset, nullptr); }
Object* referent(const Object* reference) { return reference->get_reference(reference_referent_offset); }

void visit_pending_list(RootVisitor& visitor) { visitor.visit(&pending_head); }

// --- the collector -----------------------------------------------------------------------------------------------------

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
      // Its finalizer has been scheduled before: from then on it holds its referent like any object.
      if (reference->get<NarrowRef>(reference_next_offset) != 0) return false;
      break;
    case ReferenceStrength::Weak: case ReferenceStrength::Phantom: break;
  }
  std::lock_guard guard(discovery_mutex_);
  discovered_[index_of(klass->strength)].push_back(reference);
  ++counts_[index_of(klass->strength)].discovered;
  return true;
}

void ReferenceProcessor::make_pending(Object* reference) {
  std::lock_guard guard(pending_mutex);
  set_slot(reference, reference_discovered_offset, pending_head);
  pending_head = reference;
}

void ReferenceProcessor::process_clearing(ReferenceStrength strength, Tracer& tracer) {
  for (Object* reference : discovered_[index_of(strength)]) {
    Object* object = referent(reference);
    if (object == nullptr) continue;
    if (tracer.is_live(object)) {
      set_slot(reference, reference_referent_offset, tracer.current(object));
      continue;
    }
    set_slot(reference, reference_referent_offset, nullptr);
    make_pending(reference);
    ++counts_[index_of(strength)].cleared;
  }
}

void ReferenceProcessor::process_final(Tracer& tracer) {
  std::vector<Object*>& list = discovered_[index_of(ReferenceStrength::Final)];
  // First all that died on their own, then what they reach: an object that only another finalizable one reaches is finalized
  // in the same round.
  std::vector<bool> died(list.size());
  for (usize i = 0; i < list.size(); ++i) died[i] = !tracer.is_live(referent(list[i]));
  for (usize i = 0; i < list.size(); ++i) {
    Object* reference = list[i];
    set_slot(reference, reference_referent_offset, tracer.keep(referent(reference)));
    if (!died[i]) continue;
    set_slot(reference, reference_next_offset, reference);
    make_pending(reference);
    ++counts_[index_of(ReferenceStrength::Final)].cleared;
  }
  tracer.trace();
}

void ReferenceProcessor::process(Tracer& tracer) {
  discovering_ = false;
  process_clearing(ReferenceStrength::Soft, tracer);
  process_clearing(ReferenceStrength::Weak, tracer);
  process_final(tracer);
  process_clearing(ReferenceStrength::Phantom, tracer);
  for (ReferenceStrength strength : {ReferenceStrength::Soft, ReferenceStrength::Weak, ReferenceStrength::Final, ReferenceStrength::Phantom}) {
    const Counts& seen = counts(strength);
    if (seen.discovered == 0) continue;
    KEYHOLE_LOG(debug, gc_ref, "{}Reference: {} discovered, {} made pending", name_of(strength), seen.discovered, seen.cleared);
  }
  for (std::vector<Object*>& list : discovered_) list.clear();
}

void ReferenceProcessor::advance_clock() {
  if (soft_reference_klass == nullptr || soft_reference_klass->mirror == nullptr) return;
  soft_reference_klass->mirror->set<i64>(soft_reference_clock_offset, hardware::now_nanoseconds() / 1'000'000);
}

}  // namespace keyhole::gc
