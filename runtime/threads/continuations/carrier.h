// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Carrier: what belongs to an OS thread that runs Java. It begins with the seat, on which one JavaThread sits at a
// time: the platform thread of this OS thread, or a continuation that is mounted on it. Safepoints and handshakes stop
// seats (safepoint_protocol.h).
#pragma once

#include <pthread.h>

#include <atomic>

#include "runtime/base/platform/fiber.h"
#include "runtime/base/types.h"
#include "runtime/threads/allocation_state.h"
#include "runtime/threads/continuations/continuation_cache.h"

namespace keyhole {

struct JavaThread;

struct Carrier {
  // --- the seat: by the rules of safepoint_protocol.h ----------------------------------------------------------------
  std::atomic<u32> requests{0};            // 0 = none; whoever sits here stops before it goes on
  std::atomic<JavaThread*> current{nullptr};   // who sits here; never null once the thread is made
  std::atomic<u32> pending_handshakes{0};  // who runs the handshake addressed here

  // --- whoever sits here ---------------------------------------------------------------------------------------------
  AllocationState allocation;              // counters and sizes of gc/tlab.cpp and gc/space.cpp
  Fiber stack;                             // the OS thread's own, while a continuation runs on another one
  ContinuationCache continuation_cache;

  // --- immutable after start -----------------------------------------------------------------------------------------
  JavaThread* thread = nullptr;            // the platform thread
  pthread_t os_thread{};
  i32 os_id = 0;                           // gettid, the "nid" of thread dumps
  void (*body)(JavaThread*) = nullptr;     // threads::start: what the OS thread runs
  std::atomic<i32> start_gate{0};          // threads::start: 1 = the OS thread may run its body
};

}  // namespace keyhole
