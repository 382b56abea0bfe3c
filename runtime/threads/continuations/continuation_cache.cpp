// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Linking and retiring batches, and returning stack segments to the pool. Rules: continuation_cache.h.
#include "runtime/threads/continuations/continuation_cache.h"

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

// The largest number of continuations in a batch. A carrier that runs thousands of continuations takes the list lock
// twice for each batch: to link it, and to retire it.
constexpr u32 largest_batch = 16;
// The maximum length of a carrier's free list, in which recycled continuations keep their stacks. It is two batches,
// because a continuation of another carrier's batch may end on this carrier and join the free list.
constexpr u32 most_free = 2 * largest_batch;
constexpr u32 ids_at_once = 256;

// R3: whether carriers have stopped caching stack segments. Set before the handshake with all threads.
std::atomic<bool> segments_are_short{false};

void push(JavaThread*& list, JavaThread* thread) { thread->continuation->next_cached = std::exchange(list, thread); }
JavaThread* pop(JavaThread*& list) { return std::exchange(list, list->continuation->next_cached); }
void push_free(ContinuationCache& cache, JavaThread* thread) {
  push(cache.free_list, thread);
  ++cache.free_count;
}
JavaThread* pop_free(ContinuationCache& cache) {
  --cache.free_count;
  return pop(cache.free_list);
}

u64 next_id(ContinuationCache& cache) {
  if (cache.next_id == cache.end_of_ids) {
    cache.next_id = take_ids(ids_at_once);
    cache.end_of_ids = cache.next_id + ids_at_once;
  }
  return cache.next_id++;
}

// Takes the stacks from a thread whose fiber is suspended, or has never been started.
StackSegment take_segment(JavaThread* thread) {
  thread->continuation->fiber.abandon();
  thread->continuation->is_recyclable = false;
  return StackSegment::taken_from(thread);
}

void link_batch(JavaThread* self) MAY_SAFEPOINT {
  reuse_retired(self);
  u32 count = self->carrier->continuation_cache.next_batch;
  self->carrier->continuation_cache.next_batch = std::min(2 * count, largest_batch);
  JavaThread* batch = make_continuation_threads(count);
  for (JavaThread* thread = batch; thread != nullptr; thread = thread->next) {
    thread->daemon = true;
    begin(thread);
    thread->state.store(ThreadState::Blocked, std::memory_order_relaxed);
  }
  change_list(self, [&]() REQUIRES(list_mutex) {
    for (JavaThread* next; batch != nullptr; batch = next) {
      next = batch->next;
      push_free(self->carrier->continuation_cache, batch);
      continuations.add(batch);
    }
  });
}

void retire_batch(JavaThread* self) MAY_SAFEPOINT {
  change_list(self, [&]() REQUIRES(list_mutex) {
    ContinuationCache& cache = self->carrier->continuation_cache;
    while (cache.ended != nullptr) {
      JavaThread* thread = pop(cache.ended);
      continuations.remove(thread);
      if (continuations::UnmountedSleep::end(thread)) retire(thread);  // R4
    }
    cache.ended_count = 0;
  });
}

// Returns a segment to the pool. If a continuation is queued, the one that has queued longest gets the segment, and is
// unblocked.
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
  ContinuationCache& cache = self->carrier->continuation_cache;
  if (cache.free_list == nullptr) link_batch(self);
  if (cache.free_list == nullptr) return nullptr;
  JavaThread* thread = pop_free(cache);
  thread->continuation->is_in_use.store(true, std::memory_order_relaxed);
  return thread;
}

bool may_be_recycled(const JavaThread* self) {
  return !self->is_known && self->lock_counters.is_clear() && self->coalesced_pairs == no_coalesced_pairs &&
         self->carrier->continuation_cache.free_count < most_free &&
         !segments_are_short.load(std::memory_order_relaxed);
}

void end_continuation(JavaThread* self, JavaThread* thread) {
  ContinuationCache& cache = self->carrier->continuation_cache;
  if (thread->continuation->is_recyclable && !has_been_looked_up()) {
    thread->continuation->is_in_use.store(false, std::memory_order_relaxed);
    recycle(thread, next_id(cache));
    return push_free(cache, thread);
  }
  run_detach_hooks(thread);
  thread->status.store(JavaThreadStatus::Terminated, std::memory_order_relaxed);
  thread->state.store(ThreadState::Terminated, std::memory_order_relaxed);
  clear_roots(thread);
  thread->carrier = nullptr;
  thread->continuation->is_in_use.store(false, std::memory_order_relaxed);
  StackSegment segment = take_segment(thread);
  push(cache.ended, thread);
  bool keeps_segment = cache.segment.memory == nullptr && !segments_are_short.load(std::memory_order_relaxed);
  if (keeps_segment) cache.segment = segment;
  else give_to_pool(segment);
  bool is_listed = thread->continuation->listing.load(std::memory_order_relaxed) != SleeperListing::No;
  if (++cache.ended_count == largest_batch || is_listed) retire_batch(self);  // R4
}

void recall_stack_segments(JavaThread* self) {
  if (segments_are_short.exchange(true, std::memory_order_relaxed)) return;
  // The segments are collected first, and given to the pool after the handshake: the operation of a handshake takes no
  // lock of the VM.
  std::vector<StackSegment> recalled;
  auto take = [](JavaThread* target, void* context) {
    auto recall = [context](StackSegment segment) {
      if (segment.memory != nullptr) static_cast<std::vector<StackSegment>*>(context)->push_back(segment);
    };
    ContinuationCache& cache = target->carrier->continuation_cache;
    recall(std::exchange(cache.segment, {}));
    for (JavaThread* unused = cache.free_list; unused != nullptr; unused = unused->continuation->next_cached)
      recall(take_segment(unused));
  };
  handshake::run_all(self, "RecallStackSegments", take, &recalled);
  for (const StackSegment& segment : recalled) give_to_pool(segment);
}

// Clang's thread safety analysis is off: a thread that detaches ceases to be managed here.
void release_continuation_cache(JavaThread* self) NO_THREAD_SAFETY_ANALYSIS {
  ContinuationCache& cache = self->carrier->continuation_cache;
  while (cache.free_list != nullptr) {
    JavaThread* thread = pop_free(cache);
    clear_roots(thread);
    give_to_pool(take_segment(thread));
    push(cache.ended, thread);
  }
  if (cache.ended != nullptr) retire_batch(self);
  give_to_pool(std::exchange(cache.segment, {}));
}

}  // namespace keyhole::threads
