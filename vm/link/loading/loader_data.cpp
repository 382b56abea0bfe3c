// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The class loaders, the list of all class units, and their roots for the collector.
#include "vm/link/loading/loader_data.h"

#include <algorithm>
#include <atomic>

#include "gc/roots.h"
#include "runtime/base/mutex.h"
#include "runtime/threads/stopped_world.h"
#include "vm/link/loading/class_unloading.h"
#include "vm/link/loading/field_layout.h"

namespace keyhole {
namespace {

Mutex units_mutex{LockRank::class_units};
// Outlives every static destructor.
std::vector<ClassUnit*>& units GUARDED_BY(units_mutex) = *new std::vector<ClassUnit*>;
Mutex loaders_mutex{LockRank::loaders};  // guards against two threads meeting one new loader

void visit_class_roots(gc::RootVisitor& visitor) {
  safepoint::assert_holds(units_mutex);
  for (ClassUnit* unit : units) {
    if (unit->is_mortal && visitor.classes_may_die) continue;  // class_unloading.cpp visits those that are reached
    unit->visit_roots(visitor);
  }
}

// A program may define a class of such a name, too, by a loader of its own.
LoaderKind kind_of(const Object* java_loader) TOUCHES_OBJECTS {
  const Klass* klass = java_loader->klass();
  std::string_view name = klass->name->text();
  if (!klass->loader->is_boot()) return LoaderKind::Other;
  if (name == "jdk/internal/loader/ClassLoaders$AppClassLoader") return LoaderKind::Application;
  if (name == "jdk/internal/loader/ClassLoaders$PlatformClassLoader") return LoaderKind::Platform;
  if (name == "jdk/internal/reflect/DelegatingClassLoader") return LoaderKind::Accessor;
  return LoaderKind::Other;
}

}  // namespace

void add_unit(ClassUnit* unit) {
  MutexLock guard(units_mutex);
  units.push_back(unit);
}

void remove_unit(ClassUnit* unit) {
  MutexLock guard(units_mutex);
  std::erase(units, unit);
}

// Exempt from the thread safety analysis: the world is stopped, here and while callers use the reference.
std::vector<ClassUnit*>& all_units() NO_THREAD_SAFETY_ANALYSIS {
  safepoint::assert_holds(units_mutex);
  return units;
}

LoaderData* boot_loader() {
  static LoaderData* boot = [] {
    gc::register_strong_roots("Class Loader Data", visit_class_roots);
    register_class_unloading();
    auto* made = new LoaderData(LoaderKind::Boot);  // outlives every static destructor
    add_unit(&made->unit);
    return made;
  }();
  return boot;
}

LoaderData* loader_data_of(JavaThread* thread, Object* java_loader) {
  if (java_loader == nullptr) return boot_loader();
  KEYHOLE_ASSERT(class_loader_data_offset != 0, "java.lang.ClassLoader is not loaded");
  // Nothing here reaches a safepoint, so the raw pointer stays good.
  auto& cell = java_loader->atomic<LoaderData*>(class_loader_data_offset);
  if (LoaderData* known = cell.load(std::memory_order_acquire)) return known;
  MutexLock guard(loaders_mutex);
  if (LoaderData* known = cell.load(std::memory_order_acquire)) return known;
  auto* made = new LoaderData(kind_of(java_loader));
  made->java_loader = java_loader;
  add_unit(&made->unit);
  cell.store(made, std::memory_order_release);
  return made;
}

}  // namespace keyhole
