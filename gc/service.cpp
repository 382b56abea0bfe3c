// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Starting, waking and ending the thread. Rules: service.h.
#include "gc/service.h"

#include <atomic>

#include "gc/plan.h"
#include "runtime/base/platform/hardware_world.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/thread_state.h"
#include "runtime/threads/threads.h"

namespace keyhole::gc::service {
namespace {

constexpr i64 rest_nanoseconds = 100'000;

std::atomic<bool> started{false}, stopping{false};
std::atomic<JavaThread*> service_thread{nullptr};

void body(JavaThread* thread) MAY_SAFEPOINT {
  while (!stopping.load(std::memory_order_acquire)) {
    bool more = plan().concurrent_step();  // S1
    BlockedScope blocked(thread);
    thread->monitor_parker.park(more ? rest_nanoseconds : forever);  // S2
  }
  service_thread.store(nullptr, std::memory_order_release);
  started.store(false, std::memory_order_release);
}

// Starts the service thread. False: the system refuses a thread.
bool start() MAY_SAFEPOINT {
  if (started.load(std::memory_order_relaxed) || started.exchange(true)) return true;
  auto prepare = [](JavaThread* thread, void*) {
    thread->vm_name = "GC Service";
    service_thread.store(thread, std::memory_order_release);
  };
  if (threads::start(0, true, true, prepare, nullptr, body) != nullptr) return true;
  started.store(false, std::memory_order_relaxed);
  return false;
}

}  // namespace

void wake_nogc() {
  if (!plan().has_concurrent_work()) return;
  if (JavaThread* running = service_thread.load(std::memory_order_acquire)) running->monitor_parker.unpark();
}

void after_pause(JavaThread* thread) {
  if (!plan().has_concurrent_work()) return;
  if (!start()) {
    while (plan().concurrent_step()) safepoint::poll(thread);  // S3
    return;
  }
  wake_nogc();
}

void stop(JavaThread* thread) {
  if (!started.load(std::memory_order_acquire)) return;
  stopping.store(true, std::memory_order_release);
  while (started.load(std::memory_order_acquire)) {
    if (JavaThread* running = service_thread.load(std::memory_order_acquire)) running->monitor_parker.unpark();
    BlockedScope blocked(thread);
    hardware::yield();
  }
  stopping.store(false, std::memory_order_release);
}

}  // namespace keyhole::gc::service
