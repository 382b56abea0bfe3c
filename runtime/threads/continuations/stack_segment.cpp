// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The pool of segments, and the queue for them. A free segment's link lies at the high end of its native stack, in a
// page that has been touched.
#include "runtime/threads/continuations/stack_segment.h"

#include <sys/mman.h>

#include <utility>

#include "runtime/base/address_space.h"
#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/base/mutex.h"
#include "runtime/base/page.h"
#include "runtime/threads/continuations/continuation.h"
#include "runtime/threads/java_thread.h"
#include "runtime/threads/stacks.h"
#include "runtime/threads/threads_internal.h"

namespace keyhole {

using threads::internal::list_mutex;

namespace {

constexpr usize segments_per_mapping = 64;
// The maximum number of guard pages that split a mapping. Each such guard page costs two more mappings.
constexpr usize guards_that_split = 16'000;
constexpr int guard_without_split = 102;  // MADV_GUARD_INSTALL
constexpr usize link_bytes = 64;
// The native stack and the Java stack of a segment begin in the same page. The native stack's part of this page
// suffices for a thread that parks soon after its start, whatever alignment platform/fiber.h gives the stack. The rest
// of the page is for Java frames.
constexpr usize shared_native_bytes = 2304;

#if __has_feature(address_sanitizer)
// The address sanitizer leaves address space for hundreds of segments only (address_space.h), so Java stacks are
// smaller. It makes C++ frames large, so native stacks are larger.
constexpr usize java_stack_divisor = 8;
constexpr usize least_native_bytes = 512_KiB;
constexpr usize segment_alignment = 64_KiB;
#else
constexpr usize java_stack_divisor = 1;
constexpr usize least_native_bytes = 256_KiB;
constexpr usize segment_alignment = 2_MiB;
#endif

// The sizes of the stacks in a segment. The stacks are as deep as those of a platform thread of the default size,
// because the JDK's schedulers choose no stack size.
struct Sizes {
  usize java, records, below_native, native, segment;

  Sizes() {
    usize pages = align_up(stacks::java_stack_bytes(0) / java_stack_divisor, page_bytes);
    usize record_bytes = align_up(pages / stacks::java_bytes_per_lock_record * sizeof(LockRecord), page_bytes);
    records = record_bytes / sizeof(LockRecord);
    below_native = page_bytes + record_bytes + page_bytes;
    java = pages + page_bytes - shared_native_bytes;
    usize least_native = least_native_bytes + stacks::native_margin_bytes + pages / 4 + link_bytes;
    segment = align_up(below_native + least_native + java, segment_alignment);
    native = segment - below_native - java;
  }
};
const Sizes& sizes() {
  static const Sizes computed;
  return computed;
}

char* free_segments GUARDED_BY(list_mutex) = nullptr;
char* fresh GUARDED_BY(list_mutex) = nullptr;  // the part of the last mapping in which no segment has been made yet
usize fresh_segments GUARDED_BY(list_mutex) = 0;
usize segments_made GUARDED_BY(list_mutex) = 0;
usize split_guards GUARDED_BY(list_mutex) = 0;
JavaThread* first_queued GUARDED_BY(list_mutex) = nullptr;
JavaThread* last_queued GUARDED_BY(list_mutex) = nullptr;
bool has_warned GUARDED_BY(list_mutex) = false;

char*& link_of(char* segment) { return *reinterpret_cast<char**>(segment + sizes().native - link_bytes); }

void guard(char* page) REQUIRES(list_mutex) {
  if (madvise(page, page_bytes, guard_without_split) == 0) return;
  if (split_guards == guards_that_split) return;
  ++split_guards;
  mprotect(page, page_bytes, PROT_NONE);
}

// Maps memory for many segments at once, or for a single one if there is no room for many.
bool map_fresh() REQUIRES(list_mutex) {
  for (usize count : {segments_per_mapping, usize{1}}) {
    char* mapping = static_cast<char*>(address_space::map_stack(count * sizes().segment, segment_alignment));
    if (mapping == nullptr) continue;
    madvise(mapping, count * sizes().segment, MADV_NOHUGEPAGE);
    fresh = mapping;
    fresh_segments = count;
    return true;
  }
  return false;
}

char* take_memory() REQUIRES(list_mutex) {
  if (free_segments != nullptr) return std::exchange(free_segments, link_of(free_segments));
  usize most = static_cast<usize>(flags::ContinuationStacks);
  if (most != 0 && segments_made == most) return nullptr;
  if (fresh_segments == 0 && !map_fresh()) return nullptr;
  char* segment = std::exchange(fresh, fresh + sizes().segment);
  --fresh_segments;
  ++segments_made;
  char* memory = segment + sizes().below_native;
  guard(segment);
  guard(memory - page_bytes);
  return memory;
}

}  // namespace

bool StackSegment::can_be_had() {
  MutexLock lock(list_mutex);
  return fresh_segments != 0 || free_segments != nullptr || map_fresh();
}

// Called for a continuation that has never queued for a segment, so no other thread writes its segment.
static bool has_or_takes(StackSegment& segment, StackSegment& cached) {
  if (segment.memory == nullptr) std::swap(segment, cached);
  return segment.memory != nullptr;
}

bool StackSegment::take(JavaThread* thread, StackSegment& cached) {
  StackSegment& segment = thread->continuation->segment;
  if (has_or_takes(segment, cached)) return true;
  MutexLock lock(list_mutex);
  return (segment.memory = take_memory()) != nullptr;
}

bool StackSegment::take_or_queue(JavaThread* thread, StackSegment& cached) {
  if (!thread->continuation->has_queued && has_or_takes(thread->continuation->segment, cached)) return true;
  usize made;
  {
    MutexLock lock(list_mutex);
    Continuation& continuation = *thread->continuation;
    char*& memory = continuation.segment.memory;
    if (memory != nullptr || (!continuation.is_queued && (memory = take_memory()) != nullptr)) return true;
    if (continuation.is_queued) return false;
    continuation.is_queued = continuation.has_queued = true;
    continuation.next_queued = nullptr;
    (last_queued != nullptr ? last_queued->continuation->next_queued : first_queued) = thread;
    last_queued = thread;
    if (std::exchange(has_warned, true)) return false;
    made = segments_made;
  }
  KEYHOLE_LOG(warning, virtualthread,
              "No memory for the stack of a virtual thread: there are {} stacks. It begins when another one ends.",
              made);
  return false;
}

// Clang's thread safety analysis is off: the caller holds the list lock, but stack_segment.h cannot name that lock.
JavaThread* StackSegment::give_back() const NO_THREAD_SAFETY_ANALYSIS {
  if (memory == nullptr) return nullptr;
  JavaThread* next = first_queued;
  if (next == nullptr) {
    link_of(memory) = free_segments;
    free_segments = memory;
    return nullptr;
  }
  first_queued = next->continuation->next_queued;
  if (first_queued == nullptr) last_queued = nullptr;
  next->continuation->is_queued = false;
  next->continuation->segment = *this;
  return next;
}

usize StackSegment::native_stack_bytes() { return sizes().native - link_bytes; }

StackSegment StackSegment::taken_from(JavaThread* thread) {
  ThreadStack& stack = thread->stack;
  stack.mapping = nullptr;
  stack.java_base = stack.java_limit = stack.java_end = nullptr;
  thread->lock_records = nullptr;
  thread->lock_record_capacity = 0;
  thread->entry_limit.store(nullptr, std::memory_order_relaxed);
  return std::exchange(thread->continuation->segment, {});
}

void StackSegment::give_to(JavaThread* thread) const {
  ThreadStack& stack = thread->stack;
  char* segment = memory - sizes().below_native;
  thread->lock_records = reinterpret_cast<LockRecord*>(segment + page_bytes);
  thread->lock_record_capacity = static_cast<u32>(sizes().records);
  stack.java_base = reinterpret_cast<Slot*>(memory + sizes().native);
  stack.java_end = reinterpret_cast<Slot*>(segment + sizes().segment);
  stack.java_limit = stack.java_end - stacks::reserved_zone_bytes / sizeof(Slot);
  // entry_limit stays null, so the first method entry takes its slow path, which stores the limit.
  stack.native_limit = native_stack() + stacks::native_margin_bytes;
  stack.native_entry_limit = stacks::native_entry_limit(stack.native_limit, sizes().java);
  stack.mapping = segment;
  stack.mapping_bytes = sizes().segment;
}

}  // namespace keyhole
