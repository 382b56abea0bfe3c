// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A loaded lock under the model checker. `modelcheck --load` opens a shared object with two subjects: in one, each
// thread has a carrier of its own; in the other, the threads are virtual. The object registers its subjects when it is
// opened.
//
// `keyhole lock` writes the translation unit of such a lock. It includes this file, runtime/sync/lab/poison.h and the
// author's file, and ends with KEYHOLE_LOCK_FOR_CHECKER.
#pragma once

#include "tests/model/subject.h"
#include "tests/model/virtual_program.h"

namespace keyhole::model {

struct LoadedSettings : DefaultSettings {};
struct LoadedMachine : CheckedMachine {
  static constexpr bool explores_interleavings = true;  // for table_size() of runtime/sync/lab/core.h
};
using LoadedWorld = ToyJava<LoadedMachine, LoadedSettings>;

struct LoadedTag {
  static constexpr bool reuses_structures = false;
  static constexpr u32 empty_checks = 1;
};
struct LoadedVirtualMachine : ToyVirtual<LoadedTag> {
  static constexpr bool explores_interleavings = true;
};
using LoadedVirtualWorld = ToyJava<LoadedVirtualMachine, LoadedSettings>;

}  // namespace keyhole::model

namespace keyhole::lab {
using ThisWorld = model::LoadedWorld;
}

#include "runtime/sync/lab/keyhole/lock.h"

namespace keyhole::model {

template <typename World, template <typename> class Protocol> struct LoadedParts : NoMonitors {
  using W = World;
  Protocol<W> lock;
  auto& protocol() { return lock; }
  sync::MonitorListOf<W>* monitors() { return nullptr; }
  void thread_exits(typename W::Thread* thread) {
    if constexpr (requires { lock.thread_exits(thread); }) lock.thread_exits(thread);
  }
  void drain() {
    if constexpr (requires { lock.drain(); }) lock.drain();
  }
};

template <template <typename> class Protocol> void register_loaded(std::string_view name, std::string_view what) {
  lab::Patience<LoadedWorld>::reads = lab::Patience<LoadedVirtualWorld>::reads = 1;
  subjects().push_back({.name = name,
                        .what = what,
                        .make = [] -> std::unique_ptr<LockUnderTest> {
                          return std::make_unique<LockOver<LoadedMachine, LoadedParts<LoadedWorld, Protocol>>>();
                        },
                        .is_mutant = false});
  static const std::string by_virtual_threads = "virtual-" + std::string(name);
  subjects().push_back(
      {.name = by_virtual_threads,
       .what = what,
       .make = [] -> std::unique_ptr<LockUnderTest> {
         return std::make_unique<LockOver<LoadedVirtualMachine, LoadedParts<LoadedVirtualWorld, Protocol>>>();
       },
       .is_mutant = false,
       .make_program = make_virtual_program<LoadedVirtualMachine>});
}

}  // namespace keyhole::model

#define KEYHOLE_LOCK_FOR_CHECKER                                      \
  namespace keyhole::model {                                          \
  __attribute__((constructor)) static void register_this_lock() {     \
    register_loaded<lab::Loaded>(lab::loaded.name, lab::loaded.idea); \
  }                                                                   \
  }
