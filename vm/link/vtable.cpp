// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the method that each method overrides.
#include "vm/link/vtable.h"

#include <algorithm>
#include <vector>

#include "vm/link/linker.h"

namespace keyhole {
namespace {

// A throw-away map from (name, descriptor) to T, sized once.
template <typename T> class SignatureMap {
 public:
  explicit SignatureMap(usize count) {
    usize slots = 8;
    while (slots < count * 2) slots *= 2;
    entries_.resize(slots);
  }
  // The map's entry for this signature; T() when it is new.
  T& operator()(const Symbol* name, const Symbol* descriptor) {
    usize mask = entries_.size() - 1;
    usize slot = (name->hash() * 31 + descriptor->hash()) & mask;
    while (entries_[slot].name != nullptr && (entries_[slot].name != name || entries_[slot].descriptor != descriptor)) {
      slot = (slot + 1) & mask;
    }
    entries_[slot].name = name;
    entries_[slot].descriptor = descriptor;
    return entries_[slot].value;
  }
  T find(const Symbol* name, const Symbol* descriptor) const {
    usize mask = entries_.size() - 1;
    usize slot = (name->hash() * 31 + descriptor->hash()) & mask;
    while (entries_[slot].name != nullptr) {
      if (entries_[slot].name == name && entries_[slot].descriptor == descriptor) return entries_[slot].value;
      slot = (slot + 1) & mask;
    }
    return T();
  }

 private:
  struct Entry {
    const Symbol* name = nullptr;
    const Symbol* descriptor = nullptr;
    T value = T();
  };
  std::vector<Entry> entries_;
};

bool is_virtual(const Method* method) {
  return !method->is_static() && !method->is_private() && !method->name->starts_with("<");
}

// May a non-private method of `klass` override this method of the same name and descriptor (JVMS 5.4.5)?
bool can_override(const InstanceKlass* klass, const Method* inherited) {
  if ((inherited->access_flags & (access::Public | access::Protected)) != 0) return true;
  return same_package(klass, inherited->holder);
}

// May it override the slot, also through an intermediate class? An earlier method of the slot may be overridable where
// the nearest one is not.
bool can_override_slot(const InstanceKlass* klass, u32 slot) {
  for (const Klass* super = klass->super; super != nullptr && slot < super->vtable_length; super = super->super) {
    if (can_override(klass, super->vtable_entry(slot).load(std::memory_order_relaxed))) return true;
  }
  return false;
}

}  // namespace

std::vector<Method*> make_vtable(InstanceKlass* klass, FinalOverride& violation) {
  std::vector<Method*> table;
  if (klass->is_interface()) return table;
  u32 inherited = klass->super == nullptr ? 0 : klass->super->vtable_length;
  table.reserve(inherited + klass->method_count);
  for (u32 slot = 0; slot < inherited; ++slot)
    table.push_back(klass->super->vtable_entry(slot).load(std::memory_order_relaxed));

  SignatureMap<Method*> own(klass->method_count);
  bool any = false;
  for (u32 i = 0; i < klass->method_count; ++i) {
    Method* method = klass->methods[i];
    if (!is_virtual(method)) continue;
    own(method->name, method->descriptor) = method;
    any = true;
  }
  if (any) {
    for (u32 slot = 0; slot < inherited; ++slot) {
      Method* method = own.find(table[slot]->name, table[slot]->descriptor);
      if (method == nullptr || !can_override_slot(klass, slot)) continue;
      if (table[slot]->is_final() && can_override(klass, table[slot])) {
        violation = {method, table[slot]};
        return table;
      }
      table[slot] = method;
      if (method->vtable_index < 0) method->vtable_index = static_cast<i32>(slot);
    }
  }
  for (u32 i = 0; i < klass->method_count; ++i) {
    Method* method = klass->methods[i];
    if (!is_virtual(method) || method->vtable_index >= 0) continue;
    method->vtable_index = static_cast<i32>(table.size());
    table.push_back(method);
  }
  return table;
}

void number_interface_methods(InstanceKlass* interface) {
  u16 next = 0;
  for (u32 i = 0; i < interface->method_count; ++i) {
    Method* method = interface->methods[i];
    if (is_virtual(method)) method->itable_index = next++;
  }
  interface->interface_method_count = next;
}

std::vector<Method*> maximally_specific_methods(InstanceKlass* klass, const Symbol* name, const Symbol* descriptor) {
  std::vector<Method*> found;
  for (u32 i = 0; i < klass->secondary_super_count; ++i) {
    Klass* super = klass->secondary_supers[i];
    if (!super->is_interface()) continue;
    Method* method = super->as_instance()->find_declared_method(name, descriptor);
    if (method != nullptr && !method->is_private() && !method->is_static()) found.push_back(method);
  }
  if (klass->is_interface()) {
    Method* method = klass->find_declared_method(name, descriptor);
    if (method != nullptr && !method->is_private() && !method->is_static()) found.push_back(method);
  }
  if (found.size() > 1) {
    // Drops candidates of interfaces that another candidate's interface extends.
    std::vector<Method*> kept;
    for (Method* method : found) {
      bool is_shadowed = std::any_of(found.begin(), found.end(), [&](Method* other) {
        return other != method && static_cast<Klass*>(other->holder)->is_subtype_of(method->holder);
      });
      if (!is_shadowed) kept.push_back(method);
    }
    found = std::move(kept);
  }
  return found;
}

namespace {

// Selects among the superinterfaces' methods: the only default, or nothing.
Selection select_default(InstanceKlass* klass, const Symbol* name, const Symbol* descriptor) {
  Selection result;
  for (Method* method : maximally_specific_methods(klass, name, descriptor)) {
    if (method->is_abstract()) continue;
    if (result.method == nullptr) result.method = method;
    else if (result.other == nullptr) result.other = method;
  }
  return result;
}

// Finds an overriding method, nearest class first. Private and static methods do not override.
Method* find_overriding_in_classes(const InstanceKlass* klass, const Symbol* name, const Symbol* descriptor) {
  for (const Klass* at = klass; at != nullptr; at = at->super) {
    if (at->is_interface()) continue;
    Method* method = at->as_instance()->find_declared_method(name, descriptor);
    if (method != nullptr && !method->is_private() && !method->is_static()) return method;
  }
  return nullptr;
}

}  // namespace

Selection select_for_interface_method(InstanceKlass* klass, const Method* method) {
  if (Method* found = find_overriding_in_classes(klass, method->name, method->descriptor)) {
    return found->is_abstract() ? Selection{} : Selection{found, nullptr};
  }
  return select_default(klass, method->name, method->descriptor);
}

void make_interface_tables(InstanceKlass* klass, Arena& arena) {
  if (klass->is_interface() || klass->is_abstract()) return;
  u32 interface_count = 0, method_count = 0;
  for (u32 i = 0; i < klass->secondary_super_count; ++i) {
    const Klass* super = klass->secondary_supers[i];
    if (!super->is_interface()) continue;
    ++interface_count;
    method_count += super->as_instance()->interface_method_count;
  }
  if (interface_count == 0) return;

  // Two vtable entries may have one signature (package-private methods of different packages). The entry of the nearest
  // class is the selected one.
  SignatureMap<Method*> by_signature(klass->vtable_length);
  for (u32 slot = 0; slot < klass->vtable_length; ++slot) {
    Method* method = klass->vtable_entry(slot).load(std::memory_order_relaxed);
    Method*& known = by_signature(method->name, method->descriptor);
    if (known == nullptr || method->holder->depth > known->holder->depth) known = method;
  }
  auto* tables = arena.create_array<InterfaceTable>(interface_count);
  auto* entries = arena.create_array<std::atomic<Method*>>(method_count);
  u32 next = 0;
  for (u32 i = 0; i < klass->secondary_super_count; ++i) {
    if (!klass->secondary_supers[i]->is_interface()) continue;
    InstanceKlass* interface = klass->secondary_supers[i]->as_instance();
    tables[next++] = {interface, entries};
    for (u32 k = 0; k < interface->method_count; ++k) {
      const Method* method = interface->methods[k];
      if (method->itable_index < 0) continue;
      Method* selected = by_signature.find(method->name, method->descriptor);
      if (selected == nullptr) {
        Selection choice = select_default(klass, method->name, method->descriptor);
        selected = choice.other == nullptr ? choice.method : nullptr;
      } else if (selected->is_abstract()) {
        selected = nullptr;
      }
      entries[method->itable_index].store(selected, std::memory_order_relaxed);
    }
    entries += interface->interface_method_count;
  }
  klass->interface_tables = tables;
  klass->interface_table_count = static_cast<u16>(interface_count);
}

}  // namespace keyhole
