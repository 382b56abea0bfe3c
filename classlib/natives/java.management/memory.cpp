// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory: sun.management.MemoryImpl, MemoryPoolImpl, MemoryManagerImpl.
#include "classlib/natives/declarations.h"
#include "classlib/natives/java.management/notifications.h"
#include "classlib/natives/java.management/support.h"
#include "runtime/base/code_memory.h"
#include "runtime/base/log.h"
#include "runtime/base/metaspace.h"

namespace keyhole::natives {

using namespace management;
using gc::inspect::Usage;

// --- pools and managers: made here, kept by MemoryImpl ---

namespace {

// Calls a static method that returns an object `count` times, and returns the objects in an array.
template <typename Call> Object* make_all(JavaThread* thread, Klass* element, u32 count, Call call) MAY_SAFEPOINT {
  HandleScope scope(thread);
  Object* object = new_reference_array(thread, element, static_cast<i32>(count));
  if (object == nullptr) return nullptr;
  Handle array = scope.make(object);
  for (u32 i = 0; i < count; ++i) {
    HandleScope inner(thread);
    Object* made = object_of(call(i, inner));
    if (has_exception(thread)) return nullptr;
    barrier::store_element(array.get(), static_cast<i32>(i), made);
  }
  return array.get();
}

bool has_usage_threshold(u32 pool) {
  return pool < first_heap_pool || gc::inspect::pools()[pool - first_heap_pool].has_usage_threshold;
}

}  // namespace

Object* MemoryImpl_getMemoryPools0(JavaThread* thread) {
  const auto* helper = late::get<late::ManagementFactoryHelper>(thread);
  if (helper == nullptr || !initialize_class(thread, helper->klass)) return nullptr;
  const auto* bean = late::get<late::MemoryPoolMXBean>(thread);
  if (bean == nullptr) return nullptr;
  return make_all(thread, bean->klass, pool_count(), [&](u32 pool, HandleScope& scope) MAY_SAFEPOINT -> u64 {
    Object* text = make_string_utf8(thread, pool_name(pool));
    if (text == nullptr) return 0;
    Handle name = scope.make(text);
    bool is_heap = pool >= first_heap_pool;
    constexpr i64 no_threshold = -1, none_yet = 0;
    Slot arguments[] = {slot_of(name),
                        slot_of(i32{is_heap}),
                        0,
                        slot_of(has_usage_threshold(pool) ? none_yet : no_threshold),
                        0,
                        slot_of(is_heap ? none_yet : no_threshold)};
    return call_java(thread, helper->create_memory_pool, arguments);
  });
}

Object* MemoryImpl_getMemoryManagers0(JavaThread* thread) {
  const auto* helper = late::get<late::ManagementFactoryHelper>(thread);
  if (helper == nullptr || !initialize_class(thread, helper->klass)) return nullptr;
  const auto* bean = late::get<late::MemoryManagerMXBean>(thread);
  if (bean == nullptr) return nullptr;
  const auto* collector = late::get<late::GarbageCollectorExtImpl>(thread);
  if (collector == nullptr) take_exception(thread);  // an image without the module jdk.management
  if (collector != nullptr && !initialize_class(thread, collector->klass)) return nullptr;
  return make_all(thread, bean->klass, manager_count(), [&](u32 manager, HandleScope& scope) MAY_SAFEPOINT -> u64 {
    Object* text = make_string_utf8(thread, manager_name(manager));
    if (text == nullptr) return 0;
    Handle name = scope.make(text);
    Slot arguments[] = {slot_of(name), 0};
    if (manager < first_collector) return call_java(thread, helper->create_memory_manager, std::span(arguments, 1));
    if (collector == nullptr) return call_java(thread, helper->create_garbage_collector, arguments);
    return call_java(thread, collector->create, arguments);
  });
}

namespace {

Object* all_of(JavaThread* thread, Method* late::MemoryImpl::* getter) MAY_SAFEPOINT {
  const auto* row = late::get<late::MemoryImpl>(thread);
  if (row == nullptr || !initialize_class(thread, row->klass)) return nullptr;
  Object* all = object_of(call_java(thread, row->*getter, {}));
  return has_exception(thread) ? nullptr : all;
}

}  // namespace

Object* MemoryPoolImpl_getMemoryManagers0(JavaThread* thread, Handle self) {
  HandleScope scope(thread);
  u32 pool = pool_of(thread, self);
  Object* all = all_of(thread, &late::MemoryImpl::get_memory_managers);
  if (all == nullptr) return nullptr;
  return select(thread, scope.make(all), [&](u32 manager) { return manages(manager, pool); });
}

Object* MemoryManagerImpl_getMemoryPools0(JavaThread* thread, Handle self) {
  HandleScope scope(thread);
  u32 manager = manager_of(thread, self);
  Object* all = all_of(thread, &late::MemoryImpl::get_memory_pools);
  if (all == nullptr) return nullptr;
  return select(thread, scope.make(all), [&](u32 pool) { return manages(manager, pool); });
}

// --- usage -----------------------------------------------------------------------------------------------------------

Object* MemoryImpl_getMemoryUsage0(JavaThread* thread, Handle, bool heap) {
  if (heap) return new_memory_usage(thread, gc::inspect::heap_usage());
  Usage code = usage_of(code_cache_pool), metadata = usage_of(metaspace_pool);
  return new_memory_usage(
      thread, {.initial = 0, .used = code.used + metadata.used, .committed = code.committed + metadata.committed});
}

void MemoryImpl_setVerboseGC(JavaThread*, Handle, bool value) { log::configure(value ? ":gc" : ":gc=off"); }

Object* MemoryPoolImpl_getUsage0(JavaThread* thread, Handle self) {
  return new_memory_usage(thread, usage_of(pool_of(thread, self)));
}

Object* MemoryPoolImpl_getPeakUsage0(JavaThread* thread, Handle self) {
  u32 pool = pool_of(thread, self);
  Usage peak = pool >= first_heap_pool ? gc::inspect::peak_usage(pool - first_heap_pool) : usage_of(pool);
  if (pool == code_cache_pool)
    peak.used = peak.committed = static_cast<i64>(code_memory::peak_bytes.load(std::memory_order_relaxed));
  if (pool == metaspace_pool) peak.used = peak.committed = static_cast<i64>(keyhole::metaspace::peak_bytes());
  if (peak.maximum != gc::inspect::undefined) peak.maximum = std::max(peak.maximum, peak.committed);
  return new_memory_usage(thread, peak);
}

void MemoryPoolImpl_resetPeakUsage0(JavaThread* thread, Handle self) {
  u32 pool = pool_of(thread, self);
  if (pool >= first_heap_pool) gc::inspect::reset_peak_usage(pool - first_heap_pool);
  if (pool == code_cache_pool)
    code_memory::peak_bytes.store(code_memory::used_bytes.load(std::memory_order_relaxed), std::memory_order_relaxed);
  if (pool == metaspace_pool) keyhole::metaspace::forget_peak();
}

// Null: collections do not manage this pool.
Object* MemoryPoolImpl_getCollectionUsage0(JavaThread* thread, Handle self) {
  u32 pool = pool_of(thread, self);
  if (pool < first_heap_pool) return nullptr;
  return new_memory_usage(thread, gc::inspect::usage_after_collection(pool - first_heap_pool));
}

// --- thresholds ------------------------------------------------------------------------------------------------------

void MemoryPoolImpl_setUsageThreshold0(JavaThread* thread, Handle self, i64, i64 bytes) {
  set_threshold(pool_of(thread, self), ThresholdKind::usage, bytes);
}
void MemoryPoolImpl_setCollectionThreshold0(JavaThread* thread, Handle self, i64, i64 bytes) {
  set_threshold(pool_of(thread, self), ThresholdKind::after_collection, bytes);
}
void MemoryPoolImpl_setPoolUsageSensor(JavaThread* thread, Handle self, Handle sensor) {
  set_sensor(thread, pool_of(thread, self), ThresholdKind::usage, sensor);
}
void MemoryPoolImpl_setPoolCollectionSensor(JavaThread* thread, Handle self, Handle sensor) {
  set_sensor(thread, pool_of(thread, self), ThresholdKind::after_collection, sensor);
}

}  // namespace keyhole::natives
