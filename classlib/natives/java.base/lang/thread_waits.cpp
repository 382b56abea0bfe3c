// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds the graph of waiting threads.
#include "classlib/natives/java.base/lang/thread_waits.h"

#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "classlib/natives/java.base/lang/thread_lifecycle.h"
#include "gc/heap/heap.h"
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/threads.h"
#include "vm/link/linker.h"
#include "vm/link/well_known.h"

namespace keyhole::natives {

WaitNames wait_names() {
  WaitNames names;
  Field* blocker =
      find_field(well_known::Thread_class, Symbol::intern("parkBlocker"), Symbol::intern("Ljava/lang/Object;"));
  if (blocker != nullptr) names.park_blocker = blocker->offset;
  Klass* klass =
      find_loaded_class(Symbol::intern("java/util/concurrent/locks/AbstractOwnableSynchronizer"), boot_loader());
  if (klass == nullptr) return names;
  Field* owner =
      find_field(klass->as_instance(), Symbol::intern("exclusiveOwnerThread"), Symbol::intern("Ljava/lang/Thread;"));
  if (owner == nullptr) return names;
  names.ownable_synchronizer = klass;
  names.exclusive_owner = owner->offset;
  return names;
}

std::vector<JavaThread*> threads_by_age() {
  std::vector<JavaThread*> all;
  threads::for_each_platform_thread([&](JavaThread* thread) {
    if (thread->state.load(std::memory_order_acquire) != ThreadState::Terminated) all.push_back(thread);
  });
  std::sort(all.begin(), all.end(), [](JavaThread* a, JavaThread* b) { return a->id < b->id; });
  return all;
}

Object* park_blocker(const JavaThread* thread, JavaThreadStatus status, const WaitNames& names) {
  if (thread->thread_object == nullptr || names.park_blocker == 0) return nullptr;
  if (status != JavaThreadStatus::Parked && status != JavaThreadStatus::ParkedTimed) return nullptr;
  return thread->thread_object->get_reference(names.park_blocker);
}

JavaThread* exclusive_owner(const Object* synchronizer, const WaitNames& names) {
  const Object* owner = synchronizer->get_reference(names.exclusive_owner);
  return owner == nullptr ? nullptr : thread_of(owner);
}

Wait wait_of(JavaThread* thread, const WaitNames& names) {
  Wait wait{thread};
  if (Object* object = sync::blocked_on(thread)) {
    wait.object = object;
    wait.is_monitor = true;
    wait.owner = sync::owner(object);
  } else if (Object* blocker = park_blocker(thread, names);
             blocker != nullptr && names.ownable_synchronizer != nullptr &&
             blocker->klass()->is_subtype_of(names.ownable_synchronizer)) {
    wait.object = blocker;
    wait.owner = exclusive_owner(blocker, names);
  }
  if (wait.owner == thread) wait.owner = nullptr;
  return wait;
}

std::vector<std::vector<Wait>> find_cycles(const WaitNames& names, bool monitors_only) {
  std::vector<Wait> waits;
  for (JavaThread* thread : threads_by_age()) {
    Wait wait = wait_of(thread, names);
    if (wait.owner != nullptr && (wait.is_monitor || !monitors_only)) waits.push_back(wait);
  }
  auto wait_index_of = [&](const JavaThread* thread) {
    for (usize i = 0; i < waits.size(); ++i)
      if (waits[i].thread == thread) return i;
    return waits.size();
  };
  std::vector<usize> visited_from(waits.size(), 0);  // 0: not yet; else number of the walk + 1
  std::vector<std::vector<Wait>> cycles;
  for (usize start = 0; start < waits.size(); ++start) {
    usize at = start;
    while (at < waits.size() && visited_from[at] == 0) {
      visited_from[at] = start + 1;
      at = wait_index_of(waits[at].owner);
    }
    if (at == waits.size() || visited_from[at] != start + 1) continue;
    std::vector<Wait> cycle;
    usize first = at;
    do {
      cycle.push_back(waits[at]);
      at = wait_index_of(waits[at].owner);
    } while (at != first);
    cycles.push_back(std::move(cycle));
  }
  return cycles;
}

std::vector<HeldSynchronizer> held_synchronizers(const WaitNames& names) {
  struct Walk {
    const WaitNames& names;
    std::vector<HeldSynchronizer> found;
  } walk{names, {}};
  if (names.ownable_synchronizer == nullptr) return {};
  heap::for_each_object(
      [](Object* object, void* context) TOUCHES_OBJECTS {
        Walk& walk = *static_cast<Walk*>(context);
        if (object->klass()->kind == KlassKind::Filler ||
            !object->klass()->is_subtype_of(walk.names.ownable_synchronizer))
          return;
        if (JavaThread* owner = exclusive_owner(object, walk.names)) walk.found.push_back({object, owner});
      },
      &walk);
  return std::move(walk.found);
}

i64 cpu_nanoseconds(const JavaThread* thread) {
  // The CPU clock of a thread, by its id: a pthread_t is not valid when the thread is just ending.
  if (thread->carrier->os_id == 0) return 0;  // has not begun to run; 0 would be the caller's
  clockid_t clock = static_cast<clockid_t>((~static_cast<u32>(thread->carrier->os_id) << 3) | 6);
  timespec used;
  if (clock_gettime(clock, &used) != 0) return 0;
  return i64{used.tv_sec} * 1'000'000'000 + used.tv_nsec;
}

i64 user_nanoseconds(const JavaThread* thread) {
  FILE* file = fopen(fmt::format("/proc/self/task/{}/stat", thread->carrier->os_id).c_str(), "re");
  if (file == nullptr) return 0;
  char text[1024];
  usize length = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[length] = 0;
  // The second field is a name in parentheses, which may contain any character; the fourteenth is the time in user
  // mode.
  const char* after_name = strrchr(text, ')');
  unsigned long long ticks = 0;
  if (after_name == nullptr || sscanf(after_name + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu", &ticks) != 1)
    return 0;
  return static_cast<i64>(ticks) * (1'000'000'000 / sysconf(_SC_CLK_TCK));
}

}  // namespace keyhole::natives
