// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds the index of a class's members and looks members up in it.
#include "vm/metadata/member_index.h"

#include <algorithm>
#include <bit>

#include "vm/metadata/method.h"

namespace keyhole {
namespace {

struct Key {
  const Symbol *name, *descriptor;
  bool operator==(const Key&) const = default;
};
Key key_of(const Method* method) { return {method->name, method->descriptor}; }
Key key_of(const Field& field) { return {field.name, field.descriptor}; }

constexpr u16 no_member = 0xFFFF;  // a class has fewer

u32 slots_for(u32 count) { return std::bit_ceil(count * 2); }

u32 first_slot(const Key& key, u32 slots) {
  constexpr u64 golden = 0x9E3779B97F4A7C15;
  u64 hash = (reinterpret_cast<u64>(key.name) + 3 * reinterpret_cast<u64>(key.descriptor)) * golden;
  return static_cast<u32>(hash >> 32) & (slots - 1);
}

template <typename Member> const u16* hashed(const Member* members, u32 count, Arena& arena) {
  if (count <= most_members_scanned) return nullptr;
  u32 slots = slots_for(count);
  u16* index = arena.create_array<u16>(slots);
  std::fill_n(index, slots, no_member);
  for (u32 at = 0; at < count; ++at) {
    u32 slot = first_slot(key_of(members[at]), slots);
    while (index[slot] != no_member) slot = (slot + 1) & (slots - 1);
    index[slot] = static_cast<u16>(at);
  }
  return index;
}

// The position of a member; `count` if there is none.
template <typename Member> u32 position_of(const Member* members, u32 count, const u16* index, const Key& wanted) {
  if (index == nullptr) {
    return static_cast<u32>(
        std::find_if(members, members + count, [&](const Member& each) { return key_of(each) == wanted; }) - members);
  }
  u32 slots = slots_for(count);
  for (u32 slot = first_slot(wanted, slots); index[slot] != no_member; slot = (slot + 1) & (slots - 1)) {
    if (key_of(members[index[slot]]) == wanted) return index[slot];
  }
  return count;
}

}  // namespace

void index_members(InstanceKlass* klass, Arena& arena) {
  klass->method_index = hashed(klass->methods, klass->method_count, arena);
  klass->field_index = hashed(klass->fields, klass->field_count, arena);
}

Method* InstanceKlass::find_declared_method(const Symbol* wanted_name, const Symbol* wanted_descriptor) const {
  u32 at = position_of(methods, method_count, method_index, {wanted_name, wanted_descriptor});
  return at == method_count ? nullptr : methods[at];
}

Field* InstanceKlass::find_declared_field(const Symbol* wanted_name, const Symbol* wanted_descriptor) const {
  u32 at = position_of(fields, field_count, field_index, {wanted_name, wanted_descriptor});
  return at == field_count ? nullptr : &fields[at];
}

Method* InstanceKlass::find_method_in_class_chain(const Symbol* wanted_name, const Symbol* wanted_descriptor) const {
  for (const Klass* at = this; at != nullptr; at = at->super) {
    if (Method* method = at->as_instance()->find_declared_method(wanted_name, wanted_descriptor)) return method;
  }
  return nullptr;
}

}  // namespace keyhole
