// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// One class loader: its dictionary, its java.lang.ClassLoader object, the unit that holds its classes.
#pragma once

#include <unordered_map>

#include "runtime/base/mutex.h"
#include "runtime/threads/handles.h"
#include "vm/link/loading/class_unit.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole {

// Lives on the stack of the thread that defines the class.
struct ClassInProgress {
  const Symbol* name;
  JavaThread* thread;
  ClassInProgress* previous;
};

// By the class of its java.lang.ClassLoader object, which must be one of the JDK's own.
enum class LoaderKind : u8 {
  Boot,
  Platform,
  Application,  // built-in loaders of jdk.internal.loader.ClassLoaders
  Accessor,     // made by the JDK's reflection for one generated accessor (reflection_accessors.h)
  Other
};

struct LoaderData {
  explicit LoaderData(LoaderKind kind = LoaderKind::Boot)
      : kind(kind), unit(this, /*is_mortal=*/kind >= LoaderKind::Accessor, /*is_hidden=*/false) {}

  const LoaderKind kind;
  Object* java_loader = nullptr;  // root of its unit; null = boot loader
  bool is_boot() const { return java_loader == nullptr; }

  Mutex mutex{LockRank::loader};  // guards all below; held for look-ups and insertions only
  std::unordered_map<const Symbol*, Klass*> dictionary GUARDED_BY(mutex);  // as initiating loader too
  // Owners of packages, beside the JDK's modules (declared_modules.h); roots of its unit.
  std::unordered_map<const Symbol*, Object*> modules GUARDED_BY(mutex);
  ClassUnit unit;
  ClassInProgress* in_progress GUARDED_BY(mutex) = nullptr;  // classes whose supertypes are being loaded, latest first
};

LoaderData* boot_loader();
// The VM's data of a loader, made when the VM first meets the loader. A null object stands for the boot loader.
LoaderData* loader_data_of(JavaThread* thread, Object* java_loader) TOUCHES_OBJECTS;
// They delegate to the boot loader first, and their names have no hash.
inline bool is_builtin_loader(const LoaderData* loader) { return loader->kind <= LoaderKind::Application; }
inline bool is_platform_loader(const LoaderData* loader) { return loader->kind == LoaderKind::Platform; }

// Adds a unit to the list of all units: those of loaders and those of hidden classes.
void add_unit(ClassUnit* unit);
void remove_unit(ClassUnit* unit);
std::vector<ClassUnit*>& all_units();  // world stopped

}  // namespace keyhole
