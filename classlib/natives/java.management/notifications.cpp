// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the Notification Thread.
#include "classlib/natives/java.management/notifications.h"

#include <deque>

#include "classlib/natives/declarations.h"
#include "classlib/natives/java.base/lang/thread_lifecycle.h"
#include "classlib/natives/java.management/gc_info.h"
#include "classlib/natives/java.management/support.h"
#include "gc/collection.h"
#include "runtime/base/mutex.h"
#include "runtime/base/platform/hardware_world.h"
#include "runtime/base/platform/semaphore.h"
#include "runtime/threads/blocking.h"
#include "runtime/threads/thread_state.h"
#include "runtime/threads/threads.h"

namespace keyhole::natives::management {

namespace {

using gc::inspect::Pause;

constexpr u32 maximum_pool_count = first_heap_pool + gc::inspect::maximum_pools;

struct Threshold {
  i64 bytes = 0;
  Handle sensor;  // a sun.management.Sensor, for ever
  bool is_above = false;
};

Mutex mutex{LockRank::pause_notifications};
std::deque<Pause> queue GUARDED_BY(mutex);  // none is dropped: a listener may wait for just that one
Threshold thresholds[2][maximum_pool_count] GUARDED_BY(mutex);
Handle listened_to[2] GUARDED_BY(mutex);  // beans; null: no listener
bool runs GUARDED_BY(mutex) = false;
SemaphoreOf<HardwareWorld> news;

Threshold& threshold(ThresholdKind kind, u32 pool) REQUIRES(mutex) { return thresholds[static_cast<u32>(kind)][pool]; }

void observe(const Pause& pause) {
  {
    MutexLock guard(mutex);
    queue.push_back(pause);
  }
  news.signal(1);
}

void report_and_forget(JavaThread* thread) MAY_SAFEPOINT {
  if (!has_exception(thread)) return;
  HandleScope scope(thread);
  print_throwable(thread, scope.make(take_exception(thread)));
}

void tell_listener(JavaThread* thread, const Pause& pause) MAY_SAFEPOINT {
  HandleScope scope(thread);
  Handle bean;
  {
    MutexLock guard(mutex);
    if (listened_to[pause.collector].is_null()) return;
    bean = scope.make(listened_to[pause.collector].get());
  }
  const auto* row = late::get<late::GarbageCollectorExtImpl>(thread);
  Object* info = row == nullptr ? nullptr : new_gc_info(thread, bean, pause);
  if (info == nullptr) return;
  Handle gc_info = scope.make(info);
  const gc::inspect::Collector& collector = gc::inspect::collectors()[pause.collector];
  Handle texts[3];
  const char* words[] = {collector.name, collector.action, gc::name_of(pause.cause)};
  for (u32 i = 0; i < 3; ++i) {
    Object* text = make_string_utf8(thread, words[i]);
    if (text == nullptr) return;
    texts[i] = scope.make(text);
  }
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  Slot arguments[] = {slot_of(bean),
                      0,
                      slot_of(i64{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000),
                      slot_of(texts[0]),
                      slot_of(texts[1]),
                      slot_of(texts[2]),
                      slot_of(gc_info)};
  call_java_virtual(thread, row->create_notification, arguments);
}

// Notifies when a pool has exceeded its threshold, or is below it again: once for each crossing. A collection that
// leaves a pool above its collection threshold is reported each time.
void look_at_threshold(JavaThread* thread, ThresholdKind kind, u32 pool, const gc::inspect::Usage& usage)
    MAY_SAFEPOINT {
  HandleScope scope(thread);
  Handle sensor;
  bool is_above;
  {
    MutexLock guard(mutex);
    Threshold& mark = threshold(kind, pool);
    is_above = mark.bytes > 0 && usage.used >= mark.bytes;
    bool is_news = is_above != mark.is_above || (is_above && kind == ThresholdKind::after_collection);
    if (!is_news) return;
    mark.is_above = is_above;
    if (mark.sensor.is_null()) return;
    sensor = scope.make(mark.sensor.get());
  }
  const auto* row = late::get<late::Sensor>(thread);
  if (row == nullptr) return;
  if (!is_above) {
    Slot arguments[] = {slot_of(sensor)};
    call_java_virtual(thread, row->clear, arguments);
    return;
  }
  Object* object = new_memory_usage(thread, usage);
  if (object == nullptr) return;
  Slot arguments[] = {slot_of(sensor), slot_of(i32{1}), slot_of(object)};
  call_java_virtual(thread, row->trigger, arguments);
}

void tell(JavaThread* thread, const Pause& pause) MAY_SAFEPOINT {
  tell_listener(thread, pause);
  report_and_forget(thread);
  for (u32 pool = 0; pool < pool_count(); ++pool) {
    gc::inspect::Usage after = pool >= first_heap_pool ? pause.after[pool - first_heap_pool] : usage_of(pool);
    look_at_threshold(thread, ThresholdKind::usage, pool, after);
    report_and_forget(thread);
    bool was_collected = pool >= first_heap_pool && gc::inspect::collects(pause, pool - first_heap_pool);
    if (was_collected) look_at_threshold(thread, ThresholdKind::after_collection, pool, after);
    report_and_forget(thread);
  }
}

void run(JavaThread* thread) MAY_SAFEPOINT {
  for (;;) {
    {
      BlockedScope blocked(thread);
      news.wait();
    }
    for (;;) {
      Pause pause;
      {
        MutexLock guard(mutex);
        if (queue.empty()) break;
        pause = queue.front();
        queue.pop_front();
      }
      tell(thread, pause);
    }
  }
}

void start(JavaThread* thread) MAY_SAFEPOINT {
  {
    MutexLock guard(mutex);
    if (std::exchange(runs, true)) return;
  }
  if (start_vm_thread(thread, "Notification Thread", run)) {
    gc::inspect::on_pause(observe);
  } else {
    MutexLock guard(mutex);  // the next caller tries again
    runs = false;
  }
}

}  // namespace

void set_threshold(u32 pool, ThresholdKind kind, i64 bytes) {
  MutexLock guard(mutex);
  threshold(kind, pool).bytes = bytes;
}

void set_sensor(JavaThread* thread, u32 pool, ThresholdKind kind, Handle sensor) {
  if (sensor.is_null()) {
    throw_null_pointer(thread);
    return;
  }
  {
    MutexLock guard(mutex);
    threshold(kind, pool).sensor = GlobalHandles::make(sensor.get());
  }
  start(thread);
}

void set_listened_to(JavaThread* thread, u32 collector, Handle bean, bool is_listened_to) {
  {
    MutexLock guard(mutex);
    if (!listened_to[collector].is_null()) GlobalHandles::release(listened_to[collector]);
    listened_to[collector] = is_listened_to ? GlobalHandles::make(bean.get()) : Handle();
  }
  if (is_listened_to) start(thread);
}

}  // namespace keyhole::natives::management
