// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A loaded lock, that is, a lock that is not part of the VM (runtime/sync/lab), on the simulated machine. Declares what
// its shared object exports, and adapts it to mutexbench. Calls into the object have no simulated cost.
//
// The translation unit of such a lock, which `keyhole lock` writes, includes this file, runtime/sync/lab/poison.h and
// the author's file, and ends with KEYHOLE_LOCK_FOR_SIMULATOR.
#pragma once

#include <string>
#include <string_view>

#include "bench/mutexbench/simulated_java.h"

namespace keyhole::mutexbench {

// The export keyhole_simulated_lock.
struct LoadedLock {
  std::string_view name;
  void* (*make)(u32 spin_reads);  // in the arena
  sync::Status (*enter)(void* lock, SimulatedThread* thread, SimulatedObject** object, SimulatedRecord* record);
  sync::Status (*exit)(void* lock, SimulatedThread* thread, SimulatedObject* object, SimulatedRecord* record);
};

class LoadedProtocol {
 public:
  using FastPath = sync::NoFastPath<SimulatedJavaWorld>;
  LoadedProtocol(const LoadedLock& functions, u32 spin_reads)
      : functions_(functions), lock_(functions.make(spin_reads)) {}
  sync::Status enter(SimulatedThread* thread, SimulatedObject** object, SimulatedRecord* record) {
    return functions_.enter(lock_, thread, object, record);
  }
  sync::Status exit(SimulatedThread* thread, SimulatedObject* object, SimulatedRecord* record) {
    return functions_.exit(lock_, thread, object, record);
  }

 private:
  const LoadedLock& functions_;
  void* lock_;
};

// Opens the shared object of a lock. An object compiled for the simulator adds a lock to the simulated machine; an
// object compiled for the VM adds a lock to this machine. Returns the empty string, or an error message.
std::string load_simulated(const std::string& object);
std::string load_row(const std::string& object);
// Returns the name of the lock that was loaded, or an empty text.
std::string_view loaded_name();

}  // namespace keyhole::mutexbench

namespace keyhole::lab {
using ThisWorld = mutexbench::SimulatedJavaWorld;
}

#ifdef KEYHOLE_LOCK_BUILD  // set in the translation unit of a lock
#include "runtime/sync/lab/keyhole/lock.h"
#endif

#define KEYHOLE_LOCK_FOR_SIMULATOR                                                                                 \
  namespace keyhole::mutexbench {                                                                                  \
  using TheLock = lab::Loaded<SimulatedJavaWorld>;                                                                 \
  extern "C" __attribute__((visibility("default"))) const LoadedLock keyhole_simulated_lock = {                    \
      .name = lab::loaded.name,                                                                                    \
      .make = [](u32 spin_reads) -> void* {                                                                        \
        lab::Patience<SimulatedJavaWorld>::reads = spin_reads;                                                     \
        return arena::make<TheLock>();                                                                             \
      },                                                                                                           \
      .enter = [](void* lock, SimulatedThread* thread, SimulatedObject** object,                                   \
                  SimulatedRecord* record) { return static_cast<TheLock*>(lock)->enter(thread, object, record); }, \
      .exit = [](void* lock, SimulatedThread* thread, SimulatedObject* object,                                     \
                 SimulatedRecord* record) { return static_cast<TheLock*>(lock)->exit(thread, object, record); }};  \
  }
