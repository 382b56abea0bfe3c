// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The row of lightweight locking: the template over the VM's world, and how to find an owner from its id.
#include "runtime/sync/lightweight.h"

#include "runtime/sync/algorithm.h"
#include "runtime/sync/monitors.h"
#include "runtime/threads/threads.h"

namespace keyhole::sync {

namespace {

LightweightOf<SyncWorld> locking(monitors);

JavaThread* find_owner(Object* object) {
  u64 id = locking.owner_of(object);
  if (id == ObjectMonitor::nobody) return nullptr;
  JavaThread* found = nullptr;
  threads::for_each([&](JavaThread* thread) {
    if (id != ObjectMonitor::anonymous) {
      if (thread->id == id) found = thread;
      return;
    }
    u32 top = thread->lock_stack_top;
    for (u32 i = 0; i < top && i < JavaThread::lock_stack_capacity; ++i) {
      if (thread->lock_stack[i] == object) found = thread;
    }
  });
  return found;
}

}  // namespace

extern const Algorithm lightweight_algorithm;
const Algorithm lightweight_algorithm = {
  .name = "lightweight",
  .number = 2,
  .idea = "CAS the header's low bits, keep the object on the thread's lock stack; a monitor when contended",
  .properties = {
    .header_bits = 2,
    .idle_bytes = 0,
    .held_bytes = 8,
    .contended_bytes = sizeof(ObjectMonitor),
    .fairness = "competitive, FIFO wake-up",
    .recursion = "adjacent on the lock stack, else in the monitor",
    .pins_virtual_threads = false,
    .header_layouts = "compact",
  },
  .enter = [](JavaThread* thread, Handle object) { return locking.enter(thread, object); },
  .exit = [](JavaThread* thread, Object* object) { return locking.exit(thread, object); },
  .wait = [](JavaThread* thread, Handle object, i64 nanoseconds) { return locking.wait(thread, object, nanoseconds); },
  .notify = [](JavaThread* thread, Object* object, bool all) { return locking.notify(thread, object, all); },
  .identity_hash = [](JavaThread* thread, Object* object) { return identity_hash_of<SyncWorld>(thread, object); },
  .holds_lock = [](JavaThread* thread, Object* object) { return locking.holds(thread, object); },
  .owner = find_owner,
  .update_weak_references =
      [](Object* (*forward)(Object*, void*), void* context) { monitors.visit_weak([&](Object* object) { return forward(object, context); }); },
  .displaced_header = [](u64 word) { return ObjectMonitor::of_header(word)->displaced.load(std::memory_order_relaxed); },
};

}  // namespace keyhole::sync
