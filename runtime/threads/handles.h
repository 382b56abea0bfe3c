// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Handles: roots for C++ code. A Handle is the address of a slot that the collector updates when the object moves.
//
//   HandleScope scope(thread);
//   Handle name = scope.make(string_object);     // survives safepoints until `scope` ends
//   use(name.get());                             // the raw pointer is good until the next safepoint
//
// Any slot that the collector scans can be wrapped: native methods get their arguments as Handles onto the Java stack.
#pragma once

#include <type_traits>

#include "runtime/base/capabilities.h"
#include "runtime/threads/java_thread.h"

namespace keyhole {

class Handle {
 public:
  Handle() = default;
  explicit Handle(Object** slot) : slot_(slot) {}
  Object* get() const TOUCHES_OBJECTS {
    check_may_touch_objects();
    return slot_ == nullptr ? nullptr : *slot_;
  }
  Object* operator->() const TOUCHES_OBJECTS { return get(); }
  bool is_null() const TOUCHES_OBJECTS { return get() == nullptr; }
  explicit operator bool() const TOUCHES_OBJECTS { return !is_null(); }
  // Stores another object into the handle's slot. The slot stays a root.
  void set(Object* object) TOUCHES_OBJECTS {
    check_may_touch_objects();
    *slot_ = object;
  }
  Object** slot() const { return slot_; }

 private:
  Object** slot_ = nullptr;
};

struct HandleBlock {
  static constexpr u32 capacity = 62;
  HandleBlock* previous;
  u64 used;
  Object* slots[capacity];
};

namespace handle_blocks {
HandleBlock* push(JavaThread* thread);  // a fresh block on top
// Frees the thread's newest blocks until `block` is the newest one.
void pop_to(JavaThread* thread, HandleBlock* block);
// Frees all blocks of the thread but one, which it keeps as cached_handles.
void pop_all(JavaThread* thread);
}  // namespace handle_blocks

class HandleScope {
 public:
  explicit HandleScope(JavaThread* thread)
      : thread_(thread), block_(thread->handles), used_(block_ ? block_->used : 0) {}
  ~HandleScope() {
    if (thread_->handles != block_) [[unlikely]]
      handle_blocks::pop_to(thread_, block_);
    if (block_ != nullptr) block_->used = used_;
  }
  HandleScope(const HandleScope&) = delete;
  HandleScope& operator=(const HandleScope&) = delete;

  Handle make(Object* object) TOUCHES_OBJECTS {
    check_may_touch_objects();
    HandleBlock* block = thread_->handles;
    if (block == nullptr || block->used == HandleBlock::capacity) [[unlikely]]
      block = handle_blocks::push(thread_);
    Object** slot = &block->slots[block->used++];
    *slot = object;
    return Handle(slot);
  }

 private:
  JavaThread* thread_;
  HandleBlock* block_;
  u64 used_;
};

// Global handles: roots that live as long as the VM or a class loader (such as mirrors in C++ tables, and owners of
// interned strings).
class GlobalHandles {
 public:
  static Handle make(Object* object) TOUCHES_OBJECTS;
  static void release(Handle handle);
};

// --- for the root provider: world stopped ----------------------------------------------------------------------------
// Visits every slot that scopes of `thread` hold, and the references in the thread itself (exceptions, thread object,
// lock stack, lock records; not its frames). Calls visit(Object**) for slots that are not null.
template <typename Visitor> void visit_handles(JavaThread* thread, Visitor&& visit) {
  auto visit_slot = [&](Object** slot) {
    if (*slot != nullptr) visit(slot);
  };
  visit_slot(&thread->pending_exception);
  visit_slot(&thread->asynchronous_exception);
  visit_slot(&thread->scoped_value_cache);
  visit_slot(&thread->thread_object);
  visit_slot(&thread->current_object);
  for (u32 i = 0; i < thread->lock_stack_top; ++i) visit_slot(&thread->lock_stack[i]);
  for (u32 i = 0; i < thread->lock_record_top; ++i) visit_slot(&thread->lock_records[i].object);
  for (HandleBlock* block = thread->handles; block != nullptr; block = block->previous) {
    for (u64 i = 0; i < block->used; ++i) visit_slot(&block->slots[i]);
  }
}

void visit_global_handles(void (*visit)(Object** slot, void* context), void* context);
template <typename Visitor> void visit_global_handles(Visitor&& visit) {
  visit_global_handles(
      [](Object** slot, void* context) { (*static_cast<std::remove_reference_t<Visitor>*>(context))(slot); },
      const_cast<void*>(static_cast<const void*>(&visit)));
}

}  // namespace keyhole
