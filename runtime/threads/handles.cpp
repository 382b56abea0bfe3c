// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Handle blocks of threads, and the table of global handles.
#include "runtime/threads/handles.h"

#include <cstdlib>

#include "runtime/base/check.h"
#include "runtime/base/mutex.h"
#include "runtime/threads/stopped_world.h"

namespace keyhole {

namespace handle_blocks {

HandleBlock* push(JavaThread* thread) {
  HandleBlock* block = thread->cached_handles;
  if (block != nullptr) {
    thread->cached_handles = nullptr;
  } else {
    block = static_cast<HandleBlock*>(std::malloc(sizeof(HandleBlock)));
    KEYHOLE_CHECK(block != nullptr, "no memory for a block of handles");
  }
  block->previous = thread->handles;
  block->used = 0;
  thread->handles = block;
  return block;
}

void pop_to(JavaThread* thread, HandleBlock* block) {
  while (thread->handles != block) {
    HandleBlock* top = thread->handles;
    KEYHOLE_ASSERT(top != nullptr, "a HandleScope outlived the one around it");
    thread->handles = top->previous;
    if (thread->cached_handles == nullptr) thread->cached_handles = top;
    else std::free(top);
  }
}

void pop_all(JavaThread* thread) { pop_to(thread, nullptr); }

}  // namespace handle_blocks

// Global handles are slots in chunks that never move. The free slots form a list: each holds the address of the next
// free slot, with bit 0 set to tell it from an object (objects are 8-byte aligned).
namespace {

struct Chunk {
  static constexpr u32 capacity = 510;
  Chunk* next;
  u64 used;  // the number of slots at the beginning of `slots` that have been in use at least once
  uptr slots[capacity];
};

Mutex chunks_mutex{LockRank::global_handles};
Chunk* chunks GUARDED_BY(chunks_mutex) = nullptr;
uptr first_free GUARDED_BY(chunks_mutex) = 1;  // the address of the first free slot, with bit 0 set; 1: no slot is free

bool is_free(uptr slot) { return (slot & 1) != 0; }

}  // namespace

Handle GlobalHandles::make(Object* object) {
  MutexLock guard(chunks_mutex);
  uptr* slot;
  if (first_free != 1) {
    slot = reinterpret_cast<uptr*>(first_free & ~uptr{1});
    first_free = *slot;
  } else {
    if (chunks == nullptr || chunks->used == Chunk::capacity) {
      Chunk* chunk = static_cast<Chunk*>(std::malloc(sizeof(Chunk)));
      KEYHOLE_CHECK(chunk != nullptr, "no memory for global handles");
      chunk->next = chunks;
      chunk->used = 0;
      chunks = chunk;
    }
    slot = &chunks->slots[chunks->used++];
  }
  *slot = reinterpret_cast<uptr>(object);
  return Handle(reinterpret_cast<Object**>(slot));
}

void GlobalHandles::release(Handle handle) {
  if (handle.slot() == nullptr) return;
  MutexLock guard(chunks_mutex);
  uptr* slot = reinterpret_cast<uptr*>(handle.slot());
  KEYHOLE_ASSERT(!is_free(*slot), "global handle released twice");
  *slot = first_free;
  first_free = reinterpret_cast<uptr>(slot) | 1;
}

void visit_global_handles(void (*visit)(Object** slot, void* context), void* context) {
  safepoint::assert_holds(chunks_mutex);
  for (Chunk* chunk = chunks; chunk != nullptr; chunk = chunk->next) {
    for (u64 i = 0; i < chunk->used; ++i) {
      if (is_free(chunk->slots[i]) || chunk->slots[i] == 0) continue;
      visit(reinterpret_cast<Object**>(&chunk->slots[i]), context);
    }
  }
}

}  // namespace keyhole
