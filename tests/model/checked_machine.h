// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// CheckedMachine: the checked world with the operations that ToyJava needs beyond a World.
#pragma once

#include <fmt/format.h>

#include <utility>

#include "runtime/base/platform/checked_world.h"
#include "tests/model/listener.h"

namespace keyhole::model {

// While an ArenaScope exists, `new` takes memory from the execution's arena. So memory that a protocol allocates at
// start has the same addresses, and the same cells, in each execution (arena_new.cpp).
class ArenaScope {
 public:
  ArenaScope() { is_open = true; }
  ~ArenaScope() { is_open = false; }
  inline static bool is_open = false;
};

struct CheckedMachine : CheckedWorld {
  inline static Listener* listener = nullptr;
  // Passes a step of a lock to the listener. `thread` is 0 if the deflater or no thread makes the step.
  static void noted(u32 object, u64 thread, sync::picture::Change change, u64 subject, bool in_snippet) {
    tell([&] { listener->changed(object, static_cast<u32>(thread), change, static_cast<u32>(subject), in_snippet); });
  }
  static void begins(u32 object, u64 thread) {
    tell([&] { listener->begins(object, static_cast<u32>(thread)); });
  }
  static void operated(u32 object, Listener::Operation operation, u64 thread) {
    tell([&] { listener->operated(object, operation, static_cast<u32>(thread)); });
  }
  static void died(u32 object) {
    tell([&] { listener->died(object); });
  }
  // Calls the listener outside the execution's arena, so that the listener's own allocations outlive the execution.
  template <typename Say> static void tell(Say say) {
    if (listener == nullptr) return;
    bool before = std::exchange(checked::Engine::runs_code_under_check, false);
    say();
    checked::Engine::runs_code_under_check = before;
  }

  using SetUpScope = ArenaScope;
  static void* allocate_bytes(usize bytes, usize alignment) { return checked::engine().allocate(bytes, alignment); }
  static void release_bytes(void* memory, usize bytes) { checked::engine().release(memory, bytes); }
  static void name(const void* memory, usize bytes, const char* kind, int number) {
    checked::engine().name(memory, bytes, fmt::format("{}{}", kind, static_cast<char>(number)));
  }
  static void mark_hint(const void* cell) { checked::engine().mark_hint(cell); }

  static void park_thread(u32 thread, i64 nanoseconds, Where where) {
    checked::engine().park(thread, nanoseconds, where);
  }
  static void unpark_thread(u32 thread, Where where) { checked::engine().unpark(thread, where); }
  static void become_safe() { checked::engine().become_safe(); }
  static void become_managed(Where where) { checked::engine().become_managed(where); }
  static void stop_world(void (*operation)(void*), void* context, Where where) {
    checked::engine().stop_world(operation, context, where);
  }
  static void handshake_all(void (*operation)(u32 thread, void* context), void* context, Where where) {
    checked::engine().handshake_all(operation, context, where);
  }
  static void fail(std::string what) { checked::engine().fail(std::move(what)); }
};

}  // namespace keyhole::model
