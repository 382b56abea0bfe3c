// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Collectors: sun.management.GarbageCollectorImpl, com.sun.management.internal.GarbageCollectorExtImpl, GcInfoBuilder.
#include "classlib/natives/declarations.h"
#include "classlib/natives/java.base/reflect/reflect_objects.h"
#include "classlib/natives/java.management/gc_info.h"
#include "classlib/natives/java.management/notifications.h"
#include "classlib/natives/java.management/support.h"
#include "gc/workers.h"

namespace keyhole::natives {

using namespace management;

i64 GarbageCollectorImpl_getCollectionCount(JavaThread* thread, Handle self) {
  return static_cast<i64>(gc::inspect::totals(manager_of(thread, self) - first_collector).collections);
}

i64 GarbageCollectorImpl_getCollectionTime(JavaThread* thread, Handle self) {
  return static_cast<i64>(gc::inspect::totals(manager_of(thread, self) - first_collector).nanoseconds / 1'000'000);
}

void GarbageCollectorExtImpl_setNotificationEnabled(JavaThread* thread, Handle, Handle bean, bool is_enabled) {
  set_listened_to(thread, manager_of(thread, bean) - first_collector, bean, is_enabled);
}

// The milliseconds since the last full collection or marking; without one, since the VM started.
i64 GC_maxObjectInspectionAge(JavaThread*) {
  gc::inspect::Pause pause = gc::inspect::last_pause(static_cast<u32>(gc::inspect::collectors().size()) - 1);
  i64 seen_milliseconds = pause.number == 0 ? 0 : uptime_milliseconds(pause.end_nanoseconds);
  return uptime_milliseconds(hardware::now_nanoseconds()) - seen_milliseconds;
}

// --- GcInfo ----------------------------------------------------------------------------------------------------------
// As in HotSpot, GcInfo has one additional attribute: the number of collecting threads.

i32 GcInfoBuilder_getNumGcExtAttributes(JavaThread*, Handle, Handle) { return 1; }

void GcInfoBuilder_fillGcAttributeInfo(JavaThread* thread, Handle, Handle, i32, Handle names, Handle types,
                                       Handle descriptions) {
  HandleScope scope(thread);
  auto store = [&](Handle array, const char* text) MAY_SAFEPOINT {
    Object* object = make_string_utf8(thread, text);
    if (object != nullptr) barrier::store_element(array.get(), 0, object);
  };
  store(names, "GcThreadCount");
  if (has_exception(thread)) return;
  types->elements<u16>()[0] = 'I';
  store(descriptions, "Number of GC threads");
}

namespace {

// Stores the attribute's value into the first element. False: an exception is pending.
bool fill_attributes(JavaThread* thread, Handle values) MAY_SAFEPOINT {
  HandleScope scope(thread);
  Object* number = box(thread, BasicType::Int, slot_of(static_cast<i32>(gc::maximum_workers())));
  if (number == nullptr) return false;
  barrier::store_element(values.get(), 0, number);
  return true;
}

Object* make_gc_info(JavaThread* thread, Handle builder, const gc::inspect::Pause& pause, Handle before, Handle after,
                     Handle values) MAY_SAFEPOINT {
  const auto* row = late::get<late::GcInfo>(thread);
  if (row == nullptr || !initialize_class(thread, row->klass)) return nullptr;
  if (!fill_usages(thread, before, pause.before, pause.metaspace_before) ||
      !fill_usages(thread, after, pause.after, pause.metaspace_after))
    return nullptr;
  if (!fill_attributes(thread, values)) return nullptr;
  HandleScope scope(thread);
  Object* object = new_instance(thread, row->klass);
  if (object == nullptr) return nullptr;
  Handle info = scope.make(object);
  Slot arguments[] = {slot_of(info),
                      slot_of(builder),
                      0,
                      slot_of(static_cast<i64>(pause.number)),
                      0,
                      slot_of(uptime_milliseconds(pause.start_nanoseconds)),
                      0,
                      slot_of(uptime_milliseconds(pause.end_nanoseconds)),
                      slot_of(before),
                      slot_of(after),
                      slot_of(values)};
  call_java(thread, row->constructor, arguments);
  return has_exception(thread) ? nullptr : info.get();
}

}  // namespace

Object* GcInfoBuilder_getLastGcInfo0(JavaThread* thread, Handle self, Handle bean, i32, Handle values, Handle types,
                                     Handle before, Handle after) {
  gc::inspect::Pause pause = gc::inspect::last_pause(manager_of(thread, bean) - first_collector);
  if (pause.number == 0) return nullptr;
  types->elements<u16>()[0] = 'I';
  return make_gc_info(thread, self, pause, before, after, values);
}

Object* management::new_gc_info(JavaThread* thread, Handle bean, const gc::inspect::Pause& pause) {
  HandleScope scope(thread);
  const auto* row = late::get<late::GarbageCollectorExtImpl>(thread);
  const auto* usage = late::get<late::MemoryUsage>(thread);
  if (row == nullptr || usage == nullptr) return nullptr;
  Slot self[] = {slot_of(bean)};
  Handle builder = scope.make(object_of(call_java(thread, row->get_builder, self)));
  if (has_exception(thread)) return nullptr;
  Handle arrays[3];
  for (u32 i = 0; i < 3; ++i) {
    Object* array = new_reference_array(thread, i < 2 ? usage->klass : well_known::Object_class,
                                        i < 2 ? static_cast<i32>(pool_count()) : 1);
    if (array == nullptr) return nullptr;
    arrays[i] = scope.make(array);
  }
  return make_gc_info(thread, builder, pause, arrays[0], arrays[1], arrays[2]);
}

}  // namespace keyhole::natives
