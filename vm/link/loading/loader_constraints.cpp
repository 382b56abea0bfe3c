// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of loading constraints, beside the dictionaries of all loaders. Both locks are held for look-ups and
// insertions only.
#include "vm/link/loading/loader_constraints.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "runtime/base/mutex.h"
#include "runtime/threads/stopped_world.h"
#include "vm/link/linker.h"
#include "vm/link/loading/class_unloading.h"
#include "vm/link/loading/loader_names.h"
#include "vm/link/vtable.h"

namespace keyhole {
namespace {

struct Constraint {
  const Klass* klass;                // null: none of the loaders has a class of this name yet
  std::vector<LoaderData*> loaders;  // each is in at most one constraint of a name
};

Mutex table_mutex{LockRank::loader_constraints};
struct ConstraintsOfName {
  SymbolHandle name;  // all of the loaders' classes may be gone
  std::vector<Constraint> constraints;
};
std::unordered_map<const Symbol*, ConstraintsOfName>& table() REQUIRES(table_mutex) {
  // Outlives every static destructor.
  static auto* instance = new std::unordered_map<const Symbol*, ConstraintsOfName>();
  return *instance;
}

Constraint* find(std::vector<Constraint>& constraints, const LoaderData* loader) {
  for (Constraint& each : constraints) {
    if (std::find(each.loaders.begin(), each.loaders.end(), loader) != each.loaders.end()) return &each;
  }
  return nullptr;
}

// Do both loaders have the same class of this name anyway? Only the boot loader can define such a name, and the
// built-in loaders ask it first.
bool always_agree(const Symbol* name, const LoaderData* first, const LoaderData* second) TOUCHES_OBJECTS {
  if (first == second || name->starts_with("java/")) return true;
  return is_builtin_loader(first) && is_builtin_loader(second);
}

// Constrains two loaders on a name. False: they have different classes already, and nothing is recorded.
bool constrain(const Symbol* name, LoaderData* first, LoaderData* second) {
  MutexLock guard(table_mutex);
  ConstraintsOfName& of_name = table()[name];
  if (of_name.name == nullptr) of_name.name = SymbolHandle(name);
  std::vector<Constraint>& constraints = of_name.constraints;
  Constraint* of_first = find(constraints, first);
  Constraint* of_second = find(constraints, second);
  const Klass* known = nullptr;
  for (const Klass* klass :
       {static_cast<const Klass*>(find_loaded_class(name, first)),
        static_cast<const Klass*>(find_loaded_class(name, second)), of_first == nullptr ? nullptr : of_first->klass,
        of_second == nullptr ? nullptr : of_second->klass}) {
    if (klass == nullptr) continue;
    if (known != nullptr && known != klass) return false;
    known = klass;
  }
  if (of_first == nullptr && of_second == nullptr) {
    constraints.push_back({known, {first, second}});
    return true;
  }
  if (of_first == nullptr) {
    std::swap(of_first, of_second);
    std::swap(first, second);
  }
  of_first->klass = known;
  if (of_second == nullptr) {
    of_first->loaders.push_back(second);
  } else if (of_second != of_first) {
    of_first->loaders.insert(of_first->loaders.end(), of_second->loaders.begin(), of_second->loaders.end());
    constraints.erase(constraints.begin() + (of_second - constraints.data()));
  }
  return true;
}

}  // namespace

// Drops dead loaders from constraints, which bind at least two live ones. No live loader had a class of a dead loader.
void forget_constraints_of_dead_loaders() {
  safepoint::assert_holds(table_mutex);
  for (auto entry = table().begin(); entry != table().end();) {
    std::vector<Constraint>& constraints = entry->second.constraints;
    for (Constraint& each : constraints) {
      std::erase_if(each.loaders, [](const LoaderData* loader) { return is_dead(loader->unit); });
      if (each.klass != nullptr && is_dead(each.klass)) each.klass = nullptr;
    }
    std::erase_if(constraints, [](const Constraint& each) { return each.loaders.size() < 2; });
    entry = constraints.empty() ? table().erase(entry) : std::next(entry);
  }
}

SymbolHandle constrain_signature(const Symbol* descriptor, LoaderData* first, LoaderData* second) {
  if (first == second) return {};
  std::string_view text = descriptor->text();
  for (usize at = text.find('L'); at != std::string_view::npos; at = text.find('L', at)) {
    usize end = text.find(';', at);
    SymbolHandle name(text.substr(at + 1, end - at - 1));
    if (!always_agree(name, first, second) && !constrain(name, first, second)) {
      usize start = at;
      while (start > 0 && text[start - 1] == '[') --start;
      return start == at ? name : SymbolHandle(text.substr(start, end + 1 - start));
    }
    at = end;
  }
  return {};
}

RecordedClass record_class(LoaderData* loader, const Symbol* name, Klass* klass) {
  MutexLock guard(table_mutex);
  Constraint* constraint = nullptr;
  if (auto found = table().find(name); found != table().end()) constraint = find(found->second.constraints, loader);
  if (constraint != nullptr && constraint->klass != nullptr && constraint->klass != klass)
    return {nullptr, constraint->klass};
  NestedMutexLock loader_guard(loader->mutex);
  Klass* recorded = loader->dictionary.try_emplace(name, klass).first->second;
  if (!loader->unit.is_mortal) loader->unit.keep(recorded->unit);
  if (constraint != nullptr) constraint->klass = recorded;
  return {recorded, nullptr};
}

Thrown throw_constraint_violation(JavaThread* thread, const LoaderData* loader, const Klass* klass,
                                  const Klass* conflicting) {
  // A handle of the mirror keeps the class's loader, and with it everything that the message needs.
  HandleScope scope(thread);
  scope.make(conflicting->mirror);
  return throw_new(thread, names::java_lang_LinkageError,
                   "loader constraint violation: loader {} wants to load {} {}. A different {} with the same name was "
                   "previously loaded by {}. ({})",
                   loader_name_and_id(loader), external_kind(klass), external_name(klass), external_kind(conflicting),
                   loader_name_and_id(conflicting->loader), class_in_module_of_loader(conflicting, true, true));
}

namespace {

std::string where_both_are(const Klass* first, const Klass* second) TOUCHES_OBJECTS {
  return class_in_module_of_loader(first, true, true) + "; " + class_in_module_of_loader(second, true, true);
}

// Constrains each method of `klass` with the superclass method that it replaces in the vtable.
bool check_overriding(JavaThread* thread, InstanceKlass* klass) MAY_SAFEPOINT {
  u32 inherited = klass->super == nullptr ? 0 : klass->super->vtable_length;
  for (u32 slot = 0; slot < inherited; ++slot) {
    const Method* above = klass->super->vtable_entry(slot).load(std::memory_order_relaxed);
    const Method* own = klass->vtable_entry(slot).load(std::memory_order_relaxed);
    if (own->holder != klass) continue;
    const InstanceKlass* super = above->holder;
    SymbolHandle disputed = constrain_signature(own->descriptor, klass->loader, super->loader);
    if (disputed == nullptr) continue;
    return throw_new(thread, names::java_lang_LinkageError,
                     "loader constraint violation for class {}: when selecting overriding method '{}' the class loader "
                     "{} of the selected method's "
                     "type {}, and the class loader {} for its super type {} have different Class objects for the type "
                     "{} used in the signature ({})",
                     external_name(klass), own->external_name(), loader_name_and_id(klass->loader),
                     external_name(klass), loader_name_and_id(super->loader), external_name(super), disputed->dotted(),
                     where_both_are(klass, super));
  }
  return true;
}

// Constrains each interface method with the method that the class runs for it.
bool check_implementing(JavaThread* thread, InstanceKlass* klass) MAY_SAFEPOINT {
  for (u32 i = 0; i < klass->secondary_super_count; ++i) {
    if (!klass->secondary_supers[i]->is_interface()) continue;
    const InstanceKlass* interface = klass->secondary_supers[i]->as_instance();
    for (u32 k = 0; k < interface->method_count; ++k) {
      const Method* method = interface->methods[k];
      if (method->itable_index < 0) continue;
      Selection selection = select_for_interface_method(klass, method);
      const Method* selected = selection.method;
      if (selected == nullptr || selection.other != nullptr || (selected->access_flags & access::Public) == 0) continue;
      SymbolHandle disputed = constrain_signature(method->descriptor, interface->loader, selected->holder->loader);
      if (disputed == nullptr) continue;
      return throw_new(thread, names::java_lang_LinkageError,
                       "loader constraint violation in interface itable initialization for class {}: when selecting "
                       "method '{}' the class loader {} "
                       "for super interface {}, and the class loader {} of the selected method's {}, {} have different "
                       "Class objects for the type "
                       "{} used in the signature ({})",
                       external_name(klass), method->external_name(), loader_name_and_id(interface->loader),
                       external_name(interface), loader_name_and_id(selected->holder->loader),
                       external_kind(selected->holder), external_name(selected->holder), disputed->dotted(),
                       where_both_are(interface, selected->holder));
    }
  }
  return true;
}

}  // namespace

bool check_inherited_constraints(JavaThread* thread, InstanceKlass* klass) {
  if (klass->is_interface()) return true;
  // Most programs have only built-in loaders and skip the check.
  bool others = !is_builtin_loader(klass->loader);
  for (const Klass* super = klass->super; super != nullptr && !others; super = super->super)
    others = !is_builtin_loader(super->loader);
  for (u32 i = 0; i < klass->secondary_super_count && !others; ++i)
    others = !is_builtin_loader(klass->secondary_supers[i]->loader);
  return !others || (check_overriding(thread, klass) && check_implementing(thread, klass));
}

}  // namespace keyhole
