// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Keeps the klass table, computes object sizes, and has the slow half of the subtype test.
#include "runtime/object/klass.h"

#include <vector>

#include "runtime/base/check.h"
#include "runtime/base/flags.h"
#include "runtime/base/mutex.h"
#include "runtime/object/identity.h"

namespace keyhole {

u32 mirror_klass_offset;
u32 mirror_bytes_offset;
u32 reference_referent_offset;
u32 reference_discovered_offset;
u32 reference_next_offset;
Klass* soft_reference_klass;
u32 soft_reference_timestamp_offset;
u32 soft_reference_clock_offset;

namespace {
Mutex table_mutex{LockRank::klass_ids};
std::atomic<u32> used_ids;                                                   // written under table_mutex
std::vector<u32>& free_ids GUARDED_BY(table_mutex) = *new std::vector<u32>;  // outlives every static destructor
}  // namespace

bool try_register_klass(Klass* klass) {
  MutexLock guard(table_mutex);
  u32 id;
  if (!free_ids.empty()) {
    id = free_ids.back();
    free_ids.pop_back();
  } else {
    id = used_ids.load(std::memory_order_relaxed) + 1;
    constexpr usize table_bytes = sizeof(Klass*) * layout::maximum_klass_count;
    if (id == 1 && address_space::map_at(address_space::klass_table_base, table_bytes) == nullptr) {
      vm_exit_during_initialization("Could not allocate compressed class space: {} bytes", table_bytes);
    }
    if (id >= layout::maximum_klass_count || (flags::KlassIdLimit != 0 && id > static_cast<u64>(flags::KlassIdLimit)))
      return false;
  }
  klass->id = id;
  std::atomic_ref(klass_table()[id]).store(klass, std::memory_order_release);
  if (id > used_ids.load(std::memory_order_relaxed)) used_ids.store(id, std::memory_order_release);
  return true;
}

void register_klass(Klass* klass) {
  KEYHOLE_CHECK(try_register_klass(klass), "java.lang.OutOfMemoryError: Compressed class space");
}

void release_klass(Klass* klass) {
  MutexLock guard(table_mutex);
  KEYHOLE_ASSERT(klass_table()[klass->id] == klass, "klass id {} is not in use", klass->id);
  std::atomic_ref(klass_table()[klass->id]).store(nullptr, std::memory_order_release);
  free_ids.push_back(klass->id);
}

u32 klass_count() { return used_ids.load(std::memory_order_acquire); }

bool Klass::is_subtype_of_slow(const Klass* other) const {
  if (other->is_array()) {
    // Arrays are covariant over references; int[] is only int[] (JLS 4.10.3).
    if (!is_array()) return false;
    const Klass* own = as_array()->component;
    const Klass* wanted = other->as_array()->component;
    if (own->is_primitive() || wanted->is_primitive()) return own == wanted;
    return own->is_subtype_of(wanted);
  }
  if (secondary_super_cache.load(std::memory_order_relaxed) == other) return true;
  if ((absent_supers & bit_of_super(other->id)) != 0) return false;
  for (u32 i = 0; i < secondary_super_count; ++i) {
    if (secondary_supers[i] == other) {
      const_cast<Klass*>(this)->secondary_super_cache.store(const_cast<Klass*>(other), std::memory_order_relaxed);
      return true;
    }
  }
  return false;
}

void Klass::set_secondary_supers(Klass** supers, u32 count) {
  secondary_supers = supers;
  secondary_super_count = count;
  absent_supers = ~u64{0};
  for (u32 i = 0; i < count; ++i) absent_supers &= ~bit_of_super(supers[i]->id);
}

u64 object_bytes(const Object* object, const Klass* klass) {
  return plain_bytes(klass, extent_of(object, klass)) + appended_hash_bytes(object, klass);
}

u64 object_bytes(const Object* object) { return object_bytes(object, object->klass()); }

}  // namespace keyhole
