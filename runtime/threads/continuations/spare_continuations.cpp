// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Batches of them, and the segments that carriers keep. Rules: spare_continuations.h.
#include "runtime/threads/continuations/spare_continuations.h"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "runtime/threads/continuations/continuation.h"
#include "runtime/threads/handshake.h"
#include "runtime/threads/thread_structures.h"

namespace keyhole::threads {

using namespace internal;

namespace {

// Of a carrier that runs thousands: two locked sections for so many lives.
constexpr u32 largest_batch = 16;
// Of lives that have ended, with their stacks: as many as a carrier may have begun, and another one ended.
constexpr u32 most_ready = 2 * largest_batch;
constexpr u32 ids_at_once = 256;

std::atomic<bool> segments_are_short{false};   // R3; written before the handshake that everybody answers

void push(JavaThread*& spares, JavaThread* thread) { thread->continuation->next_spare = std::exchange(spares, thread); }
JavaThread* pop(JavaThread*& spares) { return std::exchange(spares, spares->continuation->next_spare); }
void push_ready(SpareContinuations& spares, JavaThread* thread) {
  push(spares.ready, thread);
  ++spares.ready_count;
}
JavaThread* pop_ready(SpareContinuations& spares) {
  --spares.ready_count;
  return pop(spares.ready);
}

u64 next_id(SpareContinuations& spares) {
  if (spares.next_id == spares.end_of_ids) {
    spares.next_id = take_ids(ids_at_once);
    spares.end_of_ids = spares.next_id + ids_at_once;
  }
  return spares.next_id++;
}

// Its fiber is suspended, or was never started.
StackSegment take_segment(JavaThread* thread) {
  thread->continuation->fiber.abandon();
  thread->continuation->awaits_next_life = false;
  return StackSegment::taken_from(thread);
}

void link_batch(JavaThread* self) MAY_SAFEPOINT {
  reuse_retired(self);
  u32 count = self->carrier->spares.next_batch;
  self->carrier->spares.next_batch = std::min(2 * count, largest_batch);
  JavaThread* batch = make_continuation_threads(count);
  for (JavaThread* thread = batch; thread != nullptr; thread = thread->next) {
    thread->daemon = true;
    begin(thread);
    thread->state.store(ThreadState::Blocked, std::memory_order_relaxed);
  }
  change_list(self, [&]() REQUIRES(list_mutex) {
    for (JavaThread* next; batch != nullptr; batch = next) {
      next = batch->next;
      push_ready(self->carrier->spares, batch);
      continuations.add(batch);
    }
  });
}

void retire_batch(JavaThread* self) MAY_SAFEPOINT {
  change_list(self, [&]() REQUIRES(list_mutex) {
    SpareContinuations& spares = self->carrier->spares;
    while (spares.ended != nullptr) {
      JavaThread* thread = pop(spares.ended);
      continuations.remove(thread);
      if (continuations::UnmountedSleep::end(thread)) retire(thread);   // R4
    }
    spares.ended_count = 0;
  });
}

// Whoever has waited for it longest runs.
void give_to_pool(const StackSegment& segment) {
  JavaThread* next;
  {
    MutexLock guard(list_mutex);
    next = segment.give_back();
  }
  if (next != nullptr) continuations::unmounted_sleep.unblock(next);
}

}  // namespace

JavaThread* make_continuation(JavaThread* self) {
  SpareContinuations& spares = self->carrier->spares;
  if (spares.ready == nullptr) link_batch(self);
  if (spares.ready == nullptr) return nullptr;
  JavaThread* thread = pop_ready(spares);
  thread->continuation->is_in_use.store(true, std::memory_order_relaxed);
  return thread;
}

bool may_live_again(const JavaThread* self) {
  return !self->is_known && self->lock_counters.is_clear() && self->lock_runs == no_lock_runs &&
         self->carrier->spares.ready_count < most_ready && !segments_are_short.load(std::memory_order_relaxed);
}

void end_continuation(JavaThread* self, JavaThread* thread) {
  SpareContinuations& spares = self->carrier->spares;
  if (thread->continuation->awaits_next_life && !has_been_looked_up()) {
    thread->continuation->is_in_use.store(false, std::memory_order_relaxed);
    begin_next_life(thread, next_id(spares));
    return push_ready(spares, thread);
  }
  run_detach_hooks(thread);
  thread->status.store(JavaThreadStatus::Terminated, std::memory_order_relaxed);
  thread->state.store(ThreadState::Terminated, std::memory_order_relaxed);
  clear_roots(thread);
  thread->carrier = nullptr;
  thread->continuation->is_in_use.store(false, std::memory_order_relaxed);
  StackSegment segment = take_segment(thread);
  push(spares.ended, thread);
  if (spares.segment.memory == nullptr && !segments_are_short.load(std::memory_order_relaxed)) spares.segment = segment;
  else give_to_pool(segment);
  bool is_listed = thread->continuation->listing.load(std::memory_order_relaxed) != SleeperListing::No;
  if (++spares.ended_count == largest_batch || is_listed) retire_batch(self);   // R4
}

void recall_stack_segments(JavaThread* self) {
  if (segments_are_short.exchange(true, std::memory_order_relaxed)) return;
  std::vector<StackSegment> recalled;   // an operation takes no lock of the VM
  auto take = [](JavaThread* target, void* context) {
    auto recall = [context](StackSegment segment) {
      if (segment.memory != nullptr) static_cast<std::vector<StackSegment>*>(context)->push_back(segment);
    };
    SpareContinuations& spares = target->carrier->spares;
    recall(std::exchange(spares.segment, {}));
    for (JavaThread* ready = spares.ready; ready != nullptr; ready = ready->continuation->next_spare)
      recall(take_segment(ready));
  };
  handshake::run_all(self, "RecallStackSegments", take, &recalled);
  for (const StackSegment& segment : recalled) give_to_pool(segment);
}

// Not analysed, like the transitions of thread_state.h: a thread that detaches ceases to be managed.
void give_back_spares(JavaThread* self) NO_THREAD_SAFETY_ANALYSIS {
  SpareContinuations& spares = self->carrier->spares;
  while (spares.ready != nullptr) {
    JavaThread* thread = pop_ready(spares);
    clear_roots(thread);
    give_to_pool(take_segment(thread));
    push(spares.ended, thread);
  }
  if (spares.ended != nullptr) retire_batch(self);
  give_to_pool(std::exchange(spares.segment, {}));
}

}  // namespace keyhole::threads
