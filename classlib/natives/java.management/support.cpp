// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds pools and managers by number and by name.
#include "classlib/natives/java.management/support.h"

#include "runtime/base/code_memory.h"
#include "runtime/base/flags.h"
#include "runtime/base/metaspace.h"

namespace keyhole::natives::management {

using namespace gc::inspect;

u32 pool_count() { return first_heap_pool + static_cast<u32>(pools().size()); }

const char* pool_name(u32 pool) {
  if (pool == code_cache_pool) return "CodeCache";
  if (pool == metaspace_pool) return "Metaspace";
  return pools()[pool - first_heap_pool].name;
}

u32 manager_count() { return first_collector + static_cast<u32>(collectors().size()); }

const char* manager_name(u32 manager) {
  if (manager == code_cache_pool) return "CodeCacheManager";
  if (manager == metaspace_pool) return "Metaspace Manager";
  return collectors()[manager - first_collector].name;
}

bool manages(u32 manager, u32 pool) { return manager < first_collector ? manager == pool : pool >= first_heap_pool; }

namespace {

template <typename Name> u32 index_by_name(Object* text, u32 count, Name name) TOUCHES_OBJECTS {
  std::string wanted = string_to_utf8(text);
  for (u32 i = 0; i < count; ++i)
    if (wanted == name(i)) return i;
  KEYHOLE_FATAL("nothing is called {}", wanted);
}

Usage metaspace_usage(i64 bytes) {
  i64 limit = flags::MaxMetaspaceSize == 0 ? undefined : static_cast<i64>(flags::MaxMetaspaceSize);
  if (limit != undefined) limit = std::max(limit, bytes);  // chunks are counted whole
  return {.initial = 0, .used = bytes, .committed = bytes, .maximum = limit};
}

Usage code_usage(usize used) {
  i64 bytes = static_cast<i64>(used),
      capacity = static_cast<i64>(code_memory::capacity_bytes.load(std::memory_order_relaxed));
  return {.initial = 0, .used = bytes, .committed = bytes, .maximum = std::max(capacity, bytes)};
}

}  // namespace

u32 pool_of(JavaThread* thread, Handle object) {
  const late::MemoryPoolImpl* row = late::get<late::MemoryPoolImpl>(thread);
  return index_by_name(object->get_reference(row->name), pool_count(), pool_name);
}

u32 manager_of(JavaThread* thread, Handle object) {
  const late::MemoryManagerImpl* row = late::get<late::MemoryManagerImpl>(thread);
  return index_by_name(object->get_reference(row->name), manager_count(), manager_name);
}

Usage usage_of(u32 pool) {
  if (pool == code_cache_pool) return code_usage(code_memory::used_bytes.load(std::memory_order_relaxed));
  if (pool == metaspace_pool) return metaspace_usage(static_cast<i64>(keyhole::metaspace::used_bytes()));
  return usage(pool - first_heap_pool);
}

Object* new_memory_usage(JavaThread* thread, const Usage& usage) {
  const late::MemoryUsage* row = late::get<late::MemoryUsage>(thread);
  if (row == nullptr || !initialize_class(thread, row->klass)) return nullptr;
  HandleScope scope(thread);
  Object* object = new_instance(thread, row->klass);
  if (object == nullptr) return nullptr;
  Handle result = scope.make(object);
  Slot arguments[] = {slot_of(result),          0, slot_of(usage.initial), 0, slot_of(usage.used), 0,
                      slot_of(usage.committed), 0, slot_of(usage.maximum)};
  call_java(thread, row->constructor, arguments);
  return has_exception(thread) ? nullptr : result.get();
}

bool fill_usages(JavaThread* thread, Handle array, const Usage (&heap)[maximum_pools], i64 metaspace_bytes) {
  for (u32 pool = 0; pool < pool_count() && static_cast<i32>(pool) < array->length(); ++pool) {
    Usage usage = pool == code_cache_pool  ? usage_of(pool)  // collections leave code alone
                  : pool == metaspace_pool ? metaspace_usage(metaspace_bytes)
                                           : heap[pool - first_heap_pool];
    Object* object = new_memory_usage(thread, usage);
    if (object == nullptr) return false;
    barrier::store_element(array.get(), static_cast<i32>(pool), object);
  }
  return true;
}

}  // namespace keyhole::natives::management
