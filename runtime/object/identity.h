// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The identity hash of an object whose header word has no room for it (layout_tiny.h): it is computed from the object's
// address until the object moves, and is stored in the object afterwards.
//
//   word's hash state   hash                                         the object's size
//   none                none yet                                     as allocated
//   by address          mix(address, epoch of the region)            as allocated
//   stored              4 bytes at its slot                          as allocated when the slot is a gap; 8 bytes more
//                                                                    when it is appended
//
//   slot   instance   Klass::hash_offset: a gap between or after the fields, or the end of the object
//          mirror     the end of the object
//          array      after the last element, aligned to 4: in the padding when that leaves 4 bytes
//
// I1: an address alone would be a poor hash: memory is reused, and two objects that are hashed at the same address, one
//     after the other, would get the same hash. So the heap counts for each region how often it was emptied (its
//     epoch), and mixes that number in. An epoch changes only while the region is empty, so an object that does not
//     move keeps its hash.
// I2: the code that moves an object hashed by address stores its hash before any other thread can see the new place,
//     and sets the state to stored.
#pragma once

#include "runtime/object/klass.h"

namespace keyhole {

// The epochs of the heap's regions; set by the heap. If null, because there is no heap, all epochs are 0.
struct AddressEpochs {
  const u32* of_first_region = nullptr;
  uptr base = 0;
  u32 region_shift = 0;
  u32 stride_bytes = 0;  // distance from the epoch of one region to that of the next
  u32 of(const void* address) const {
    if (of_first_region == nullptr) return 0;
    u64 region = (reinterpret_cast<uptr>(address) - base) >> region_shift;
    return *reinterpret_cast<const u32*>(reinterpret_cast<const char*>(of_first_region) + region * stride_bytes);
  }
};
extern AddressEpochs address_epochs;

// Computes the hash by address: 31 bits, never 0.
inline u32 hash_of_address(const void* address) {
  // Addresses are below 32 GiB.
  u64 key = reinterpret_cast<uptr>(address) >> 3 | u64{address_epochs.of(address)} << 32;
  // Two rounds of multiply and fold: each bit of the key reaches each bit of the result.
  key = (key ^ (key >> 32)) * 0x9E37'79B9'7F4A'7C15;
  key = (key ^ (key >> 29)) * 0xD6E8'FEB8'6659'FD93;
  u32 hash = static_cast<u32>(key >> 33);
  return hash != 0 ? hash : 1;
}

// The place where an object with this extent (klass.h) stores its hash, and the number of bytes that the hash adds to
// the object.
struct HashSlot {
  u64 offset;
  u32 appended_bytes;
};
inline HashSlot hash_slot(const Klass* klass, u32 extent) {
  switch (klass->kind) {
    case KlassKind::Instance:
    case KlassKind::Reference:
      return {klass->hash_offset, klass->hash_offset < klass->instance_bytes ? 0 : layout::object_alignment};
    case KlassKind::Mirror: return {extent, layout::object_alignment};
    default: {
      u64 end =
          align_up(u64{layout::array_base_offset(klass->element_shift)} + (u64{extent} << klass->element_shift), 4);
      return {end, end % layout::object_alignment != 0 ? 0 : layout::object_alignment};
    }
  }
}

// Returns the hash of a hashed object of this klass: the stored hash, or the hash by address.
u32 hash_beside_word(const void* object, bool stored, u32 klass_id) TOUCHES_OBJECTS;
inline u32 stored_hash(const Object* object, const Klass* klass) TOUCHES_OBJECTS {
  return object->get<u32>(static_cast<u32>(hash_slot(klass, extent_of(object, klass)).offset));
}

// Returns the identity hash of an object that is hashed and unlocked. Otherwise returns 0, and the caller calls
// sync::identity_hash.
inline u32 hash_of_unlocked(const Object* object) TOUCHES_OBJECTS {
  layout::Word word = object->header_word();
  if ((word & layout::lock_mask) != layout::unlocked) return 0;
  if constexpr (layout::hash_is_in_word) return layout::hash_at(object, word);
  switch (word & layout::hash_state_mask) {
    case layout::hash_none: return 0;
    case layout::hash_by_address: return hash_of_address(object);
    default: return stored_hash(object, klass_of_id(layout::klass_id_at(object, word)));
  }
}

// The bytes that a stored hash adds to this object; constant 0 in layouts with the hash in the word.
inline u32 appended_hash_bytes(const Object* object, const Klass* klass) TOUCHES_OBJECTS {
  if ((object->header_word() & layout::hash_state_mask) != layout::hash_stored) return 0;
  return hash_slot(klass, extent_of(object, klass)).appended_bytes;
}

// Whether the code that moves an object must store its hash (I2). `first`: its header word or first 8 bytes. Constant
// false in layouts with the hash in the word.
inline bool must_store_hash(u64 first) { return (first & layout::hash_state_mask) == layout::hash_by_address; }
// Stores the hash in `to`, a copy of the object that is, or was, at `from`. The bytes of an appended slot are not
// initialized.
inline void store_hash(Object* to, const void* from, HashSlot slot) TOUCHES_OBJECTS {
  to->header().store((to->header_word() & ~layout::hash_state_mask) | layout::hash_stored, std::memory_order_relaxed);
  // Writes 8 bytes, so that the padding is 0.
  if (slot.appended_bytes != 0) *to->address<u64>(static_cast<u32>(slot.offset)) = hash_of_address(from);
  else to->set<u32>(static_cast<u32>(slot.offset), hash_of_address(from));
}

}  // namespace keyhole
