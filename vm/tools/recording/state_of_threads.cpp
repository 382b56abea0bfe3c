// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Visits all threads, and records events in their names.
#include "vm/tools/recording/state_of_threads.h"

#include <algorithm>
#include <vector>

#include "runtime/object/klass.h"
#include "runtime/recorder/object_numbers.h"
#include "runtime/recorder/recorder.h"
#include "runtime/recorder/texts.h"
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/blocking.h"
#include "runtime/threads/threads.h"
#include "vm/tools/recording/sites.h"

namespace keyhole::recording {

namespace {

using recorder::Family;
using recorder::Kind;

u32 id_of(const JavaThread* thread) { return thread == nullptr ? 0 : static_cast<u32>(thread->id); }

void record_for(const JavaThread* thread, Kind kind, u32 a, u32 b = 0, u32 detail = 0) {
  recorder::record_for(id_of(thread), recorder::now(), kind, a, b, detail);
}

bool is_in_java(const JavaThread* thread) {
  return thread->thread_object != nullptr && thread->state.load(std::memory_order_acquire) != ThreadState::Terminated &&
         (thread->continuation == nullptr || !thread->continuation->has_ended);
}

JavaThreadStatus status_of(JavaThread* thread) {
  JavaThreadStatus status = thread->status.load(std::memory_order_relaxed);
  bool is_unmounted = thread->continuation != nullptr && thread->carrier == nullptr;
  if (is_unmounted && status == JavaThreadStatus::Runnable && java_view.status_of_unmounted != nullptr)
    return java_view.status_of_unmounted(thread);
  return status;
}

struct Held {
  Object* object;
  u32 levels;
  u32 site;
};

// Returns the monitors that the thread holds, the outermost first. A lock record does not prove that the thread holds
// the monitor: a thread that waits for a monitor, or in Object.wait, also has a lock record for it.
std::vector<Held> monitors_of(const JavaThread* thread) TOUCHES_OBJECTS {
  std::vector<Held> held;  // the innermost first
  u32 end = thread->lock_record_top;
  for (const VirtualFrame& activation : virtual_frames(thread)) {
    for (u32 i = end; i > activation.lock_record_base(); --i) {
      Object* object = thread->lock_records[i - 1].object;
      if (object == nullptr || sync::owner(object) != thread) continue;
      u32 levels = 1;
      if (auto inner = std::ranges::find(held, object, &Held::object); inner != held.end()) {
        levels += inner->levels;
        held.erase(inner);
      }
      held.push_back({object, levels, recorder::text(describe(activation))});
    }
    end = activation.lock_record_base();
  }
  std::ranges::reverse(held);
  return held;
}

void record_locks(const JavaThread* thread, JavaThreadStatus status) TOUCHES_OBJECTS {
  for (const Held& each : monitors_of(thread))
    record_for(thread, Kind::lock_held, recorder::number_of(each.object), each.site, each.levels);
  Object* waiting = sync::waiting_on(thread);
  Object* blocked = sync::blocked_on(thread);
  if (waiting == nullptr && blocked == nullptr) return;
  u32 site = recorder::text(describe(innermost_bytecode(thread)));
  if (waiting != nullptr) {
    record_for(thread, Kind::wait_begin, recorder::number_of(waiting), site,
               status == JavaThreadStatus::InObjectWaitTimed);
    return;
  }
  u32 number = recorder::number_of(blocked);
  record_for(thread, Kind::lock_contended, number, site);
  record_for(thread, Kind::lock_owner, number, id_of(sync::owner(blocked)));
}

bool is_synchronizer(const Object* object, const natives::WaitNames& names) TOUCHES_OBJECTS {
  return names.ownable_synchronizer != nullptr && object->klass()->is_subtype_of(names.ownable_synchronizer);
}

void record_state(JavaThread* thread, JavaThreadStatus status, const natives::WaitNames& names) TOUCHES_OBJECTS {
  if (const Object* blocker = natives::park_blocker(thread, status, names)) {
    u32 number = recorder::number_of(blocker);
    record_for(thread, Kind::park, number, recorder::text(describe(innermost_caller(thread))));
    if (is_synchronizer(blocker, names)) {
      const JavaThread* owner = natives::exclusive_owner(blocker, names);
      if (owner != nullptr && owner != thread) record_for(thread, Kind::park_owner, number, id_of(owner));
    }
  }
  record_for(thread, Kind::thread_state, id_of(thread), 0, static_cast<u32>(status));
  if (thread->continuation != nullptr && thread->carrier != nullptr)
    record_for(thread->carrier->thread, Kind::mounted, id_of(thread));
}

template <typename Visitor> void for_each_in_java(Visitor visit) TOUCHES_OBJECTS {
  threads::for_each([&](JavaThread* thread) TOUCHES_OBJECTS {
    if (is_in_java(thread)) visit(thread);
  });
}

}  // namespace

void record_state_of_threads(const natives::WaitNames& names) {
  bool has_locks = recorder::is_on(Family::locks), has_threads = recorder::is_on(Family::threads);
  if (has_locks && !recorder::replaces_fast_paths()) recorder::record(Kind::recording_joins);
  for_each_in_java([&](JavaThread* thread) TOUCHES_OBJECTS {
    JavaThreadStatus status = status_of(thread);
    if (has_locks) record_locks(thread, status);
    if (has_threads) record_state(thread, status, names);
  });
}

void record_owners_of_awaited_locks(const natives::WaitNames& names) {
  bool has_locks = recorder::is_on(Family::locks), has_threads = recorder::is_on(Family::threads);
  for_each_in_java([&](JavaThread* thread) TOUCHES_OBJECTS {
    if (Object* blocked = sync::blocked_on(thread)) {
      if (has_locks && sync::waiting_on(thread) == nullptr)
        record_for(thread, Kind::lock_owner, recorder::number_of(blocked), id_of(sync::owner(blocked)));
      return;
    }
    const Object* blocker = natives::park_blocker(thread, status_of(thread), names);
    if (!has_threads || blocker == nullptr || !is_synchronizer(blocker, names)) return;
    const JavaThread* owner = natives::exclusive_owner(blocker, names);
    record_for(thread, Kind::park_owner, recorder::number_of(blocker), owner == thread ? 0 : id_of(owner));
  });
}

}  // namespace keyhole::recording
