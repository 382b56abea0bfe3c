// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Opens the shared objects of locks that are not part of the VM.
#include "bench/mutexbench/loaded_lock.h"

#include <dlfcn.h>

#include "bench/mutexbench/hardware.h"
#include "bench/mutexbench/simulated.h"
#include "runtime/sync/algorithm.h"
#include "runtime/sync/lab/plugin.h"
#include "runtime/sync/synchronizer.h"

namespace keyhole::mutexbench {

namespace {

std::string_view name_of_loaded;

const void* symbol_of(const std::string& object, const char* name, std::string& complaint) {
  void* library = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  const void* found = library == nullptr ? nullptr : dlsym(library, name);
  if (found == nullptr) complaint = dlerror();
  return found;
}

}  // namespace

std::string_view loaded_name() { return name_of_loaded; }

std::string load_simulated(const std::string& object) {
  std::string complaint;
  const auto* lock = static_cast<const LoadedLock*>(symbol_of(object, "keyhole_simulated_lock", complaint));
  if (lock == nullptr) return complaint;
  simulate_loaded(*lock);
  name_of_loaded = lock->name;
  return {};
}

std::string load_row(const std::string& object) {
  std::string complaint;
  const auto* plugin = static_cast<const lab::Plugin*>(symbol_of(object, "keyhole_lock", complaint));
  if (plugin == nullptr) return complaint;
  name_of_loaded = plugin->algorithm->name;
  return sync::add_algorithm(*plugin->algorithm);
}

}  // namespace keyhole::mutexbench
