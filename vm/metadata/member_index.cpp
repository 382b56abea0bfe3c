// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds the index of a class's members and looks members up in it.
#include "vm/metadata/member_index.h"

#include <algorithm>
#include <compare>
#include <numeric>

#include "vm/metadata/method.h"

namespace keyhole {
namespace {

struct Key {
  const Symbol *name, *descriptor;
  auto operator<=>(const Key&) const = default;
};
Key key_of(const Method* method) { return {method->name, method->descriptor}; }
Key key_of(const Field& field) { return {field.name, field.descriptor}; }

template <typename Member> const u16* sorted(const Member* members, u32 count, Arena& arena) {
  if (count <= most_members_scanned) return nullptr;
  u16* index = arena.create_array<u16>(count);
  std::iota(index, index + count, u16{0});
  std::sort(index, index + count, [&](u16 a, u16 b) { return key_of(members[a]) < key_of(members[b]); });
  return index;
}

// The position of the member, or `count`.
template <typename Member> u32 position_of(const Member* members, u32 count, const u16* index, const Key& wanted) {
  if (index == nullptr) {
    return static_cast<u32>(
        std::find_if(members, members + count, [&](const Member& each) { return key_of(each) == wanted; }) - members);
  }
  const u16* found = std::lower_bound(index, index + count, wanted,
                                      [&](u16 at, const Key& key) { return key_of(members[at]) < key; });
  return found != index + count && key_of(members[*found]) == wanted ? *found : count;
}

}  // namespace

void index_members(InstanceKlass* klass, Arena& arena) {
  klass->method_index = sorted(klass->methods, klass->method_count, arena);
  klass->field_index = sorted(klass->fields, klass->field_count, arena);
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
