// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Making, retiring and reusing structures. Rules: thread_structures.h.
#include "runtime/threads/thread_structures.h"

#include <atomic>
#include <cstddef>
#include <new>
#include <utility>

#include "runtime/base/check.h"
#include "runtime/threads/handles.h"
#include "runtime/threads/handshake.h"
#include "runtime/threads/structure_lookups.h"

namespace keyhole::threads {

using namespace internal;

namespace internal {

namespace {

// The first id of a thread. In the owner field of a monitor, the smaller numbers 0, 1 and 2 mean "no owner", "anonymous
// owner" and "being deflated".
constexpr u64 first_id = 3;
// If more structures than this are retired, the next start of a thread runs a handshake with all threads, so that they
// can be reused. A structure takes two kilobytes. A handshake costs microseconds, and interrupts carriers.
constexpr u32 retired_before_handshake = 1024;

std::atomic<u64> next_id{first_id};

constinit StructureLookupsOf<HardwareWorld> lookups;

JavaThread* retired GUARDED_BY(list_mutex) = nullptr;
// The number of retired structures. Written under the list lock; a thread that reads it without the lock gets a hint
// only.
std::atomic<u32> retired_count{0};
JavaThread* meeting GUARDED_BY(list_mutex) = nullptr;
JavaThread* reusable GUARDED_BY(list_mutex) = nullptr;  // platform threads
JavaThread* reusable_continuations GUARDED_BY(list_mutex) = nullptr;

void make_reusable(JavaThread* thread) REQUIRES(list_mutex) {
  JavaThread*& list = thread->continuation != nullptr ? reusable_continuations : reusable;
  thread->next = list;
  list = thread;
}

// Constructs a JavaThread and its additional data in the memory of `old`, or in new memory if `old` is null. Returns
// null if there is no memory. A reused structure keeps its cached block of handles.
template <typename Structure> Structure* make_in(JavaThread* old) {
  static_assert(offsetof(Structure, thread) == 0);
  HandleBlock* cached_handles = old != nullptr ? old->cached_handles : nullptr;
  void* memory = old;
  if (memory == nullptr) memory = ::operator new(sizeof(Structure), std::align_val_t{alignof(Structure)}, std::nothrow);
  if (memory == nullptr) return nullptr;
  Structure* made = new (memory) Structure;
  made->thread.cached_handles = cached_handles;
  return made;
}

}  // namespace

PlatformThread* make_platform_thread() {
  JavaThread* old = nullptr;
  {
    MutexLock guard(list_mutex);
    if (reusable != nullptr) old = std::exchange(reusable, reusable->next);
  }
  PlatformThread* made = make_in<PlatformThread>(old);
  if (made != nullptr) made->thread.id = take_ids(1);
  return made;
}

JavaThread* make_continuation_threads(u32 count) {
  JavaThread* old = nullptr;
  {
    MutexLock guard(list_mutex);
    JavaThread** end = &reusable_continuations;
    for (u32 i = 0; i < count && *end != nullptr; ++i) end = &(*end)->next;
    if (end != &reusable_continuations) {
      old = reusable_continuations;
      reusable_continuations = std::exchange(*end, nullptr);
    }
  }
  u64 id = take_ids(count);
  JavaThread* made = nullptr;
  for (u32 i = 0; i < count; ++i) {
    JavaThread* next_old = old != nullptr ? old->next : nullptr;
    ContinuationThread* structure = make_in<ContinuationThread>(old);
    if (structure == nullptr) break;
    structure->thread.id = id + i;
    structure->thread.continuation = &structure->continuation;
    structure->thread.next = std::exchange(made, &structure->thread);
    old = next_old;
  }
  return made;
}

u64 take_ids(u32 count) { return next_id.fetch_add(count, std::memory_order_relaxed); }

bool has_been_looked_up() { return lookups.any(); }

// Resets only those fields that a thread can change before another thread knows its address (S2).
void recycle(JavaThread* thread, u64 id) {
  Continuation& continuation = *thread->continuation;
  KEYHOLE_ASSERT(thread->lock_record_top == 0 && thread->vm_depth == 0 && !thread->is_known &&
                     thread->waiting_on.load() == nullptr && thread->blocked_on.load() == nullptr &&
                     thread->queued_element.load() == nullptr && thread->free_elements == nullptr &&
                     thread->coalesced_pairs == no_coalesced_pairs && thread->wait_statistics.is_clear() &&
                     thread->lock_counters.is_clear() && !continuation.has_queued &&
                     !continuation.is_on_carrier_stack && continuation.listing.load() == SleeperListing::No,
                 "thread {} is known to others", thread->id);
  thread->id = id;
  clear_roots(thread);
  handle_blocks::push(thread);
  thread->dispatch = nullptr;
  thread->interrupted.store(false, std::memory_order_relaxed);
  thread->suspended.store(0, std::memory_order_relaxed);
  thread->status.store(JavaThreadStatus::Runnable, std::memory_order_relaxed);
  thread->carrier = nullptr;
  thread->noted_object = thread->deopt_reason = 0;
  continuation.has_ended = continuation.is_on_carriers = false;
  continuation.pins = 0;
}

void release_structure(JavaThread* thread) {
  MutexLock guard(list_mutex);
  make_reusable(thread);
}

void retire(JavaThread* thread) {
  thread->next = retired;
  retired = thread;
  ++retired_count;
}

void reuse_retired(JavaThread* self) {
  if (retired_count.load(std::memory_order_relaxed) > retired_before_handshake)
    handshake::run_all(self, "ReuseThreads", [](JavaThread*, void*) {}, nullptr);
}

void quiescence_begins() {
  MutexLock guard(list_mutex);
  KEYHOLE_ASSERT(meeting == nullptr, "two operations at once");
  meeting = retired;
  retired = nullptr;
  retired_count = 0;
  lookups.operation_begins();
}

void quiescence_reached() {
  MutexLock guard(list_mutex);
  lookups.operation_has_reached_all();
  while (meeting != nullptr) {
    JavaThread* thread = meeting;
    meeting = thread->next;
    make_reusable(thread);
  }
}

}  // namespace internal

i64 look_up(const std::atomic<i64>& field) { return lookups.look_up(field); }

void retire_continuation(JavaThread* thread) {
  MutexLock guard(list_mutex);
  retire(thread);
}

}  // namespace keyhole::threads
