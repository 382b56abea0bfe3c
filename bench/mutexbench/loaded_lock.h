// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A loaded lock on the simulated machine (runtime/sync/lab): what its object exports, and the protocol that mutexbench
// sees. The calls into the object have no simulated cost.
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

// Opens the object of a lock for the simulated machine, or of one for the VM: then it is a row for this machine.
// Returns the empty string, or a complaint.
std::string load_simulated(const std::string& object);
std::string load_row(const std::string& object);
// The name of the lock that was loaded; empty: none.
std::string_view loaded_name();

}  // namespace keyhole::mutexbench

namespace keyhole::lab {
using ThisWorld = mutexbench::SimulatedJavaWorld;
}

#ifdef KEYHOLE_LOCK_BUILD  // the translation unit of a lock
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
