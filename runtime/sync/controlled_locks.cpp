// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The row of a controlled VM (`keyhole --explore`): monitors as the Java language defines them. They have no queue of
// entering threads, so every order of enters that the language permits is a schedule.
//
//                 enter: a choice                exit, or the release in wait
//        free  -------------------->  held by a strand  ---------------------->  free
//                 ^                                                                |
//                 +------ by one of the strands that stand before an enter <-------+
//
// L1: a strand that stands before an enter is enabled while the monitor is free (strands.h S5). There is no queue, so
//     any of these strands may be the next owner.
// L2: Object.wait releases all levels, and takes them again by one enter, which is a separate choice.
// L3: notify wakes the thread that has waited longest. The language permits any waiter, so an execution in which notify
//     found several sets Execution::notified_many.
// L4: a map finds monitors by the address of their object, because objects of a controlled VM do not move.
#include <deque>
#include <unordered_map>

#include "runtime/base/controlled/strands.h"
#include "runtime/sync/algorithm.h"
#include "runtime/sync/identity_hash.h"
#include "runtime/sync/sleep_in_wait.h"
#include "runtime/sync/sync_world.h"
#include "runtime/threads/points.h"

namespace keyhole::sync {

namespace {

using controlled::Kind;

struct Waiter {
  JavaThread* thread;
  bool is_waiting = true;
};

struct ControlledMonitor : controlled::Monitor {
  JavaThread* holder = nullptr;
  std::deque<Waiter*> waiters;
};

std::unordered_map<const Object*, ControlledMonitor>& monitors_of_objects() {  // L4
  static auto* map = new std::unordered_map<const Object*, ControlledMonitor>;
  return *map;
}
// The threads whose next step is to enter an object, each with that object, for reports about deadlocks.
std::unordered_map<const JavaThread*, Object*>& blocked_threads() {
  static auto* map = new std::unordered_map<const JavaThread*, Object*>;
  return *map;
}
// Returns the object's monitor, or null if the object has never been locked.
ControlledMonitor* find(const Object* object) {
  auto found = monitors_of_objects().find(object);
  return found == monitors_of_objects().end() ? nullptr : &found->second;
}

void take(JavaThread* thread, ControlledMonitor& monitor, u32 levels) {
  monitor.owner = controlled::current();
  monitor.holder = thread;
  monitor.levels = levels;
}
void give_up(ControlledMonitor& monitor) {
  monitor.owner = controlled::Monitor::nobody;
  monitor.holder = nullptr;
  monitor.levels = 0;
}

void enter_first(JavaThread* thread, Object* object, ControlledMonitor& monitor, u32 levels) MAY_SAFEPOINT {
  blocked_threads()[thread] = object;
  if (monitor.holder != nullptr) {
    StatusScope status(thread, JavaThreadStatus::BlockedOnMonitorEnter);
    points::before_enter(thread, object, monitor);
  } else {
    points::before_enter(thread, object, monitor);
  }
  blocked_threads().erase(thread);
  take(thread, monitor, levels);
}

Status enter(JavaThread* thread, Handle object, LockRecord*) MAY_SAFEPOINT {
  ControlledMonitor& monitor = monitors_of_objects()[object.get()];
  if (monitor.holder == thread) ++monitor.levels;
  else enter_first(thread, object.get(), monitor, 1);
  return Status::Done;
}

Status exit(JavaThread* thread, Object* object, LockRecord*) {
  ControlledMonitor* monitor = find(object);
  if (monitor == nullptr || monitor->holder != thread) return Status::NotOwner;
  if (monitor->levels > 1) {
    --monitor->levels;
    return Status::Done;
  }
  points::drain(thread);
  points::note(thread, Kind::exit, object);
  give_up(*monitor);
  return Status::Done;
}

Status wait(JavaThread* thread, Handle root, i64 nanoseconds) MAY_SAFEPOINT {
  Object* object = root.get();
  ControlledMonitor* monitor = find(object);
  if (monitor == nullptr || monitor->holder != thread) return Status::NotOwner;
  if (SyncWorld::take_interrupt(thread)) return Status::Interrupted;
  points::before(thread, Kind::wait, object);
  u32 levels = monitor->levels;
  Waiter waiter{thread};
  monitor->waiters.push_back(&waiter);
  give_up(*monitor);  // L2
  {
    StatusScope status(thread, nanoseconds == forever ? SyncWorld::waiting_status : SyncWorld::timed_waiting_status);
    BlockedScope blocked(thread);
    sleep_in_wait<SyncWorld>(thread, nanoseconds, [&] { return waiter.is_waiting; });
  }
  bool was_notified = !waiter.is_waiting;
  if (!was_notified) std::erase(monitor->waiters, &waiter);
  enter_first(thread, object, *monitor, levels);
  return !was_notified && SyncWorld::take_interrupt(thread) ? Status::Interrupted : Status::Done;
}

Status notify(JavaThread* thread, Object* object, bool all) MAY_SAFEPOINT {
  ControlledMonitor* monitor = find(object);
  if (monitor == nullptr || monitor->holder != thread) return Status::NotOwner;
  points::before(thread, Kind::notify, object);
  if (!all && monitor->waiters.size() > 1 && controlled::is_exploring())  // L3
    controlled::execution->notified_many = true;
  while (!monitor->waiters.empty()) {
    Waiter* first = monitor->waiters.front();
    monitor->waiters.pop_front();
    first->is_waiting = false;
    SyncWorld::unpark(first->thread);
    if (!all) break;
  }
  return Status::Done;
}

// Returns the object whose monitor satisfies the predicate, for dumps.
template <typename Predicate> Object* find_object(Predicate predicate) {
  for (auto& [object, monitor] : monitors_of_objects()) {
    if (predicate(monitor)) return const_cast<Object*>(object);
  }
  return nullptr;
}

}  // namespace

extern const Algorithm controlled_algorithm;
constinit const Algorithm controlled_algorithm = {
    .name = "controlled",
    .number = -1,
    .idea = "monitors as the Java language defines them, for --explore",
    .properties = {},
    .fast_path = &fast_path_rows::none,
    .initialize = nullptr,
    .enter = [](JavaThread* thread, Handle object, LockRecord* record)
                 MAY_SAFEPOINT { return enter(thread, object, record); },
    .exit = [](JavaThread* thread, Object* object, LockRecord* record) { return exit(thread, object, record); },
    .wait = [](JavaThread* thread, Handle object, i64 nanoseconds)
                MAY_SAFEPOINT { return wait(thread, object, nanoseconds); },
    .notify = [](JavaThread* thread, Object* object, bool all) MAY_SAFEPOINT { return notify(thread, object, all); },
    .identity_hash = [](JavaThread* thread, Handle object)
                         TOUCHES_OBJECTS { return identity_hash_in_place<SyncWorld>(thread, object.get()); },
    .holds_lock =
        [](JavaThread* thread, Object* object) {
          ControlledMonitor* monitor = find(object);
          return monitor != nullptr && monitor->holder == thread;
        },
    .owner =
        [](Object* object) {
          ControlledMonitor* monitor = find(object);
          return monitor != nullptr ? monitor->holder : nullptr;
        },
    .update_references = [](Object* (*)(Object*, void*), void*) {},  // L4
    .displaced_header =
        [](Object* object)
            TOUCHES_OBJECTS { return static_cast<u64>(SyncWorld::load(SyncWorld::header(object), Order::relaxed)); },
    .in_use = [] { return static_cast<u32>(monitors_of_objects().size()); },
    .blocked_on = [](const JavaThread* thread) -> Object* {
      auto found = blocked_threads().find(thread);
      return found == blocked_threads().end() ? nullptr : found->second;
    },
    .waiting_on =
        [](const JavaThread* thread) {
          return find_object([thread](const ControlledMonitor& monitor) {
            return std::ranges::any_of(monitor.waiters,
                                       [thread](const Waiter* waiter) { return waiter->thread == thread; });
          });
        },
    .lock_identity = [](Object* object) -> const void* { return object; },
};

}  // namespace keyhole::sync
