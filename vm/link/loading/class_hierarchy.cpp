// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Publishes classes and searches the subtypes of a class.
#include "vm/link/loading/class_hierarchy.h"

#include <vector>

#include "runtime/base/mutex.h"
#include "vm/link/execution_engine.h"
#include "vm/link/interface_method.h"
#include "vm/link/linker.h"
#include "vm/link/loading/class_unloading.h"
#include "vm/link/loading/loader_data.h"
#include "vm/link/vtable.h"

namespace keyhole {
namespace {

// The search gives up on a type with more subtypes than this: new ones would keep invalidating its code.
constexpr u32 most_classes = 64;

bool has_instances(const InstanceKlass* klass) { return !klass->is_abstract() && !klass->is_interface(); }

void enter(InstanceKlass* super, SubtypeLink* link) {
  link->next = super->subtypes.load(std::memory_order_relaxed);
  while (
      !super->subtypes.compare_exchange_weak(link->next, link, std::memory_order_release, std::memory_order_relaxed)) {
  }
}

// Enters the class in its supers' lists, except in that of Object, which is never searched.
void enter_in_lists(InstanceKlass* klass) {
  std::vector<InstanceKlass*> supers(klass->interfaces, klass->interfaces + klass->interface_count);
  if (klass->super != nullptr && klass->super->super != nullptr) supers.push_back(klass->super->as_instance());
  SubtypeLink* links;
  {
    MutexLock guard(klass->loader->mutex);
    make_interface_tables(klass, klass->unit->arena);
    links = klass->unit->arena.create_array<SubtypeLink>(supers.size());
  }
  for (usize i = 0; i < supers.size(); ++i) {
    links[i].subtype = klass;
    enter(supers[i], &links[i]);
  }
}

}  // namespace

Method* selected_method(const Klass* klass, const InstanceKlass* interface, u32 index) {
  if (interface == nullptr) {
    return index < klass->vtable_length ? klass->vtable_entry(index).load(std::memory_order_relaxed) : nullptr;
  }
  return interface_method(klass, interface, index);
}

Method* find_unique_concrete_method(const UniqueConcreteMethod& asked) {
  if (asked.type->super == nullptr) return nullptr;  // Object: arrays are below it, and are in no list
  std::vector<const InstanceKlass*> left{asked.type};
  Method* only = nullptr;
  for (u32 seen = 0; !left.empty(); ++seen) {
    if (seen == most_classes) return nullptr;
    const InstanceKlass* klass = left.back();
    left.pop_back();
    for (SubtypeLink* link = klass->subtypes.load(std::memory_order_acquire); link != nullptr; link = link->next) {
      left.push_back(link->subtype);
    }
    if (!has_instances(klass)) continue;
    Method* selected = selected_method(klass, asked.interface, asked.index);
    if (selected == nullptr || (only != nullptr && selected != only)) return nullptr;
    only = selected;
  }
  return only == nullptr || only->is_abstract() ? nullptr : only;
}

bool is_invalidated_by(const UniqueConcreteMethod& assumed, const InstanceKlass* klass) {
  return has_instances(klass) && static_cast<const Klass*>(klass)->is_subtype_of(assumed.type) &&
         selected_method(klass, assumed.interface, assumed.index) != assumed.method;
}

void publish_class(JavaThread* thread, InstanceKlass* klass) {
  if (klass->is_published) return;
  // A superclass may be unpublished when an outer call of this thread is still linking it.
  if (klass->super != nullptr) publish_class(thread, klass->super->as_instance());
  for (u32 i = 0; i < klass->interface_count; ++i) publish_class(thread, klass->interfaces[i]);
  klass->is_published = true;
  enter_in_lists(klass);
  // LIFE(deoptimization) 3/10: code that assumed that there is no such class: its dependency is invalidated
  if (has_instances(klass)) execution_engine().retire_invalidated_code(thread, klass);
}

void forget_dead_subtypes(InstanceKlass* klass) {
  while (SubtypeLink* first = klass->subtypes.load(std::memory_order_relaxed)) {
    if (!is_dead(first->subtype)) break;
    klass->subtypes.store(first->next, std::memory_order_relaxed);
  }
  for (SubtypeLink* link = klass->subtypes.load(std::memory_order_relaxed); link != nullptr; link = link->next) {
    while (link->next != nullptr && is_dead(link->next->subtype)) link->next = link->next->next;
  }
}

}  // namespace keyhole
