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

#include "runtime/threads/java_thread.h"

namespace keyhole {

class Handle {
 public:
  Handle() = default;
  explicit Handle(Object** slot) : slot_(slot) {}
  Object* get() const { return slot_ == nullptr ? nullptr : *slot_; }
  Object* operator->() const { return get(); }
  bool is_null() const { return get() == nullptr; }
  explicit operator bool() const { return !is_null(); }
  // Another object into the same root.
  void set(Object* object) { *slot_ = object; }
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

class HandleScope {
 public:
  explicit HandleScope(JavaThread* thread) : thread_(thread), block_(thread->handles), used_(block_ ? block_->used : 0) {}
  ~HandleScope();
  HandleScope(const HandleScope&) = delete;
  HandleScope& operator=(const HandleScope&) = delete;

  Handle make(Object* object);

 private:
  JavaThread* thread_;
  HandleBlock* block_;
  u64 used_;
};

// Roots that live as long as the VM or a class loader (mirrors kept in C++ tables, interned strings' owners ...).
class GlobalHandles {
 public:
  static Handle make(Object* object);
  static void release(Handle handle);
};

}  // namespace keyhole
