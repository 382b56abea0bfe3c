// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The list of class loaders, and everything under them that the collector must see.
#include "vm/link/loader_data.h"

#include <atomic>

#include "gc/roots.h"
#include "vm/link/field_layout.h"

namespace keyhole {
namespace {

std::mutex loaders_mutex;   // guards the list against two threads meeting one new loader

struct LoaderNode : LoaderData {
  LoaderNode* next = nullptr;
};
std::atomic<LoaderNode*> loaders;

void visit_loader_roots(gc::RootVisitor& visitor) {
  for (LoaderNode* loader = loaders.load(std::memory_order_acquire); loader != nullptr; loader = loader->next) {
    if (loader->java_loader != nullptr) visitor.visit(&loader->java_loader);
  }
}

void visit_class_roots(gc::RootVisitor& visitor) {
  for_each_klass([&visitor](Klass* klass) {
    if (klass->mirror != nullptr) visitor.visit(&klass->mirror);
    if (!klass->is_instance()) return;
    InstanceKlass* instance = klass->as_instance();
    if (instance->initialization_error != nullptr) visitor.visit(&instance->initialization_error);
    if (instance->class_data != nullptr) visitor.visit(&instance->class_data);
    if (instance->constants->resolved_references != nullptr) visitor.visit(&instance->constants->resolved_references);
  });
}

}  // namespace

LoaderData* boot_loader() {
  static LoaderData* boot = [] {
    gc::register_strong_roots("class loaders", visit_loader_roots);
    gc::register_strong_roots("classes", visit_class_roots);
    return new LoaderData();   // outlives every static destructor
  }();
  return boot;
}

LoaderData* loader_data_of(JavaThread* thread, Object* java_loader) {
  if (java_loader == nullptr) return boot_loader();
  KEYHOLE_ASSERT(class_loader_data_offset != 0, "java.lang.ClassLoader is not loaded");
  // Nothing here reaches a safepoint, so the raw pointer stays good.
  auto& cell = java_loader->atomic<LoaderData*>(class_loader_data_offset);
  if (LoaderData* known = cell.load(std::memory_order_acquire)) return known;
  std::lock_guard guard(loaders_mutex);
  if (LoaderData* known = cell.load(std::memory_order_acquire)) return known;
  auto* made = new LoaderNode();
  made->java_loader = java_loader;
  made->next = loaders.load(std::memory_order_relaxed);
  loaders.store(made, std::memory_order_release);
  cell.store(made, std::memory_order_release);
  return made;
}

bool is_builtin_loader(const LoaderData* loader) {
  if (loader->is_boot()) return true;
  std::string_view name = loader->java_loader->klass()->name->text();
  return name == "jdk/internal/loader/ClassLoaders$AppClassLoader" || name == "jdk/internal/loader/ClassLoaders$PlatformClassLoader";
}

}  // namespace keyhole
