// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The pool of slots. A free slot's link lies at its high end, in the page that the native stack has touched.
#include "runtime/threads/stack_slot.h"

#include <sys/mman.h>

#include "runtime/base/address_space.h"
#include "runtime/base/mutex.h"
#include "runtime/base/page.h"
#include "runtime/threads/java_thread.h"
#include "runtime/threads/stacks.h"
#include "runtime/threads/threads_internal.h"

namespace keyhole {

using threads::internal::list_mutex;

namespace {

// As deep as a platform thread's of the default size: JDK's schedulers know nothing about stacks.
constexpr usize java_bytes = align_up(stacks::default_bytes * stacks::java_stack_factor + stacks::reserved_zone_bytes,
                                      page_bytes);
constexpr usize records = java_bytes / stacks::java_bytes_per_lock_record;
constexpr usize record_bytes = align_up(records * sizeof(LockRecord), page_bytes);
constexpr usize guard_offset = record_bytes + java_bytes;
constexpr usize slot_bytes = 4_MiB;
constexpr usize link_bytes = 64;
static_assert(slot_bytes - guard_offset - page_bytes > stacks::native_margin_bytes + java_bytes / 4 + 256_KiB);

#if __has_feature(address_sanitizer)
constexpr usize slots_per_mapping = 4;
#else
constexpr usize slots_per_mapping = 64;
#endif
constexpr usize guards_that_split = 16'000;   // each needs two mappings more
constexpr int guard_without_split = 102;      // MADV_GUARD_INSTALL

char* free_slots GUARDED_BY(list_mutex) = nullptr;
char* fresh GUARDED_BY(list_mutex) = nullptr;            // the rest of the last mapping
usize fresh_slots GUARDED_BY(list_mutex) = 0;
usize split_guards GUARDED_BY(list_mutex) = 0;

char*& link_of(char* slot) { return *reinterpret_cast<char**>(slot + slot_bytes - link_bytes); }

void guard(char* slot) REQUIRES(list_mutex) {
  char* page = slot + guard_offset;
  if (madvise(page, page_bytes, guard_without_split) == 0) return;
  if (split_guards == guards_that_split) return;
  ++split_guards;
  mprotect(page, page_bytes, PROT_NONE);
}

}  // namespace

StackSlot StackSlot::take() {
  MutexLock lock(list_mutex);
  if (free_slots != nullptr) {
    char* slot = free_slots;
    free_slots = link_of(slot);
    return {slot};
  }
  if (fresh_slots == 0) {
    char* mapping = static_cast<char*>(address_space::map_stack(slots_per_mapping * slot_bytes));
    if (mapping == nullptr) return {};
    madvise(mapping, slots_per_mapping * slot_bytes, MADV_NOHUGEPAGE);
    fresh = mapping;
    fresh_slots = slots_per_mapping;
  }
  char* slot = fresh;
  fresh += slot_bytes;
  --fresh_slots;
  guard(slot);
  return {slot};
}

void StackSlot::give_back() const {
  MutexLock lock(list_mutex);
  link_of(memory) = free_slots;
  free_slots = memory;
}

char* StackSlot::native_stack() const { return memory + guard_offset + page_bytes; }
usize StackSlot::native_stack_bytes() { return slot_bytes - guard_offset - page_bytes - link_bytes; }

void StackSlot::give_to(JavaThread* thread) const {
  ThreadStack& stack = thread->stack;
  thread->lock_records = reinterpret_cast<LockRecord*>(memory);
  thread->lock_record_capacity = static_cast<u32>(records);
  stack.java_base = reinterpret_cast<Slot*>(memory + record_bytes);
  stack.java_end = reinterpret_cast<Slot*>(memory + guard_offset);
  stack.java_limit = stack.java_end - stacks::reserved_zone_bytes / sizeof(Slot);
  thread->entry_limit.store(stack.java_limit, std::memory_order_relaxed);
  stack.native_limit = native_stack() + stacks::native_margin_bytes;
  stack.native_entry_limit = stacks::native_entry_limit(stack.native_limit, java_bytes);
  stack.mapping = memory;
  stack.mapping_bytes = slot_bytes;
}

}  // namespace keyhole
