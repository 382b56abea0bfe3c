// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Carrier: the data of an OS thread that runs Java. `current` is the one JavaThread that runs on it: the platform
// thread of this OS thread, or a continuation that is mounted on it.
//
//   OS thread                    OS thread
//   +-----------+                +-----------+
//   | Carrier 1 |                | Carrier 2 |
//   |  thread ------> platform   |  thread ------> platform thread 2 (Blocked: it has mounted C)
//   |  current -----> thread 1   |  current -----> continuation C
//   +-----------+                +-----------+     continuation D (unmounted: no carrier points to it)
//
// Mounting stores the continuation into `current` and switches to its native stack; unmounting stores the mounter.
// Safepoints and handshakes stop a carrier, whatever its current thread is (safepoint_protocol.h).
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
  // --- changed by the rules of safepoint_protocol.h ------------------------------------------------------------------
  std::atomic<u32> requests{0};  // 0: no request. Otherwise the current thread stops at its next poll or enter_slow.
  // The thread that runs on this OS thread; null until the platform thread is made.
  std::atomic<JavaThread*> current{nullptr};
  // The state of a handshake with the current thread (0 to 3 in safepoint_protocol.h).
  std::atomic<u32> pending_handshakes{0};

  // --- written by the current thread ---------------------------------------------------------------------------------
  // The counters and buffer sizes that gc/heap/tlab.cpp and gc/heap/space.cpp keep for the thread.
  AllocationState allocation;
  Fiber stack;  // the OS thread's own stack, saved while a continuation runs on another stack
  ContinuationCache continuation_cache;

  // --- immutable after start -----------------------------------------------------------------------------------------
  JavaThread* thread = nullptr;  // the platform thread
  pthread_t os_thread{};
  i32 os_id = 0;                        // the OS thread's id from gettid; thread dumps show it as "nid"
  void (*body)(JavaThread*) = nullptr;  // the function that an OS thread made by threads::start runs
  std::atomic<i32> start_gate{0};       // 1 as soon as an OS thread made by threads::start may run `body`
};

}  // namespace keyhole
