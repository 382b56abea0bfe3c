// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Making, retiring and reusing them: thread_structures.h says when.
#include "runtime/threads/thread_structures.h"

#include <atomic>
#include <cstddef>
#include <new>
#include <utility>

#include "runtime/base/check.h"
#include "runtime/threads/handshake.h"

namespace keyhole::threads {

using namespace internal;

namespace internal {

namespace {

// Ids 0, 1 and 2 mean "no owner", "anonymous owner" and "being deflated" in monitors.
constexpr u64 first_id = 3;
// With more retired structures than this, of two kilobytes each, the next start shakes hands with all threads. A
// handshake costs microseconds, and interrupts carriers.
constexpr u32 retired_before_handshake = 1024;

std::atomic<u64> next_id{first_id};

JavaThread* retired GUARDED_BY(list_mutex) = nullptr;
std::atomic<u32> retired_count{0};   // written under the list lock; a hint to who reads it
JavaThread* meeting GUARDED_BY(list_mutex) = nullptr;
JavaThread* reusable GUARDED_BY(list_mutex) = nullptr;                 // platform threads
JavaThread* reusable_continuations GUARDED_BY(list_mutex) = nullptr;

void make_reusable(JavaThread* thread) REQUIRES(list_mutex) {
  JavaThread*& list = thread->continuation != nullptr ? reusable_continuations : reusable;
  thread->next = list;
  list = thread;
}

// In `old`, or in new memory if that is null; null when there is none. A structure that is used again keeps the block
// of handles that it has in reserve.
template <typename Structure> Structure* make_in(JavaThread* old) {
  static_assert(offsetof(Structure, thread) == 0);
  HandleBlock* spare_handles = old != nullptr ? old->spare_handles : nullptr;
  void* memory = old;
  if (memory == nullptr)
    memory = ::operator new(sizeof(Structure), std::align_val_t{alignof(Structure)}, std::nothrow);
  if (memory == nullptr) return nullptr;
  Structure* made = new (memory) Structure;
  made->thread.spare_handles = spare_handles;
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
  if (made != nullptr) made->thread.id = next_id.fetch_add(1, std::memory_order_relaxed);
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
  u64 id = next_id.fetch_add(count, std::memory_order_relaxed);
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
}

void quiescence_reached() {
  MutexLock guard(list_mutex);
  while (meeting != nullptr) {
    JavaThread* thread = meeting;
    meeting = thread->next;
    make_reusable(thread);
  }
}

}  // namespace internal

void retire_continuation(JavaThread* thread) {
  MutexLock guard(list_mutex);
  retire(thread);
}

}  // namespace keyhole::threads
