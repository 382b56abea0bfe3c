// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A unit's references, for the collector.
#include "vm/link/loading/class_unit.h"

#include <algorithm>

#include "gc/roots.h"
#include "runtime/base/mutex.h"
#include "runtime/threads/stopped_world.h"
#include "vm/link/loading/loader_data.h"

namespace keyhole {
namespace {

void visit_if_set(gc::RootVisitor& visitor, Object*& slot) {
  if (slot != nullptr) visitor.visit(&slot);
}

void visit_klass(gc::RootVisitor& visitor, Klass* klass) {
  visit_if_set(visitor, klass->mirror);
  if (!klass->is_instance()) return;
  InstanceKlass* instance = klass->as_instance();
  visit_if_set(visitor, instance->initialization_error);
  visit_if_set(visitor, instance->class_data);
  visit_if_set(visitor, instance->protection_domain);
  visit_if_set(visitor, instance->signers);
  for (ConstantPool* pool = instance->constants; pool != nullptr; pool = pool->replaced)
    visit_if_set(visitor, pool->resolved_references);
}

}  // namespace

ClassUnit::~ClassUnit() {
  for (const Adopted& each : adopted_) each.release(each.thing);
  for (ConstantPool* pool = pools; pool != nullptr; pool = pool->next) pool->release_symbols();
}

bool ClassUnit::try_add(Klass* klass) {
  loader->mutex.assert_held();
  klass->unit = this;
  klass->liveness = is_mortal ? this : nullptr;
  if (!try_register_klass(klass)) return false;
  klasses.push_back(klass);
  return true;
}

void ClassUnit::add(Klass* klass) {
  KEYHOLE_CHECK(try_add(klass), "java.lang.OutOfMemoryError: Compressed class space");
}

Object** ClassUnit::make_root(Object* object) {
  loader->mutex.assert_held();
  return &roots_.emplace_front(object);
}

void ClassUnit::keep(ClassUnit* other) {
  if (other == this || !other->is_mortal || std::find(kept_.begin(), kept_.end(), other) != kept_.end()) return;
  kept_.push_back(other);
}

void ClassUnit::visit_roots(gc::RootVisitor& visitor) {
  safepoint::assert_holds(loader->mutex);
  for (Klass* klass : klasses) visit_klass(visitor, klass);
  for (Object*& root : roots_) visit_if_set(visitor, root);
  for (ClassUnit* other : kept_) other->reach();
  if (is_hidden) {
    loader->unit.reach();
    return;
  }
  visit_if_set(visitor, loader->java_loader);
  for (auto& [package, module] : loader->modules) visit_if_set(visitor, module);
  if (!is_mortal) return;
  // Reaches the units of the classes in the dictionary. An immortal loader need not: its dictionary has only classes of
  // immortal units, or of units that keep() holds.
  for (auto& [name, klass] : loader->dictionary) {
    if (klass->liveness != nullptr) klass->liveness->reach();
  }
}

ClassUnit* make_hidden_unit(LoaderData* loader) {
  auto* unit = new ClassUnit(loader, /*is_mortal=*/true, /*is_hidden=*/true);
  unit->pins = 1;
  add_unit(unit);
  return unit;
}

void pin(ClassUnit* unit) {
  MutexLock guard(unit->loader->mutex);
  ++unit->pins;
}

void unpin(ClassUnit* unit) {
  MutexLock guard(unit->loader->mutex);
  --unit->pins;
}

void drop_unit(ClassUnit* unit) {
  KEYHOLE_ASSERT(unit->klasses.empty() && unit->pins == 1, "a unit in use is dropped");
  remove_unit(unit);
  delete unit;
}

}  // namespace keyhole
