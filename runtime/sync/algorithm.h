// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Algorithm: one row of the table of locking algorithms. What the VM asks of it, and its properties as data.
//
// To add an algorithm: one file with the protocol (a template over World), one with its row, and the row's name in
// synchronizer.cpp. Preconditions of the operations: runtime/sync/synchronizer.h.
#pragma once

#include <string_view>

#include "runtime/sync/status.h"
#include "runtime/threads/handles.h"

namespace keyhole::sync {

struct Algorithm {
  std::string_view name;        // of -XX:LockingMode=
  i32 number;                   // HotSpot's number for it; -1: HotSpot never had it
  std::string_view idea;

  struct Properties {
    u32 header_bits;            // bits of the header it writes, beyond what the layout gives to klass, hash and age
    u32 idle_bytes;             // per object that was never locked
    u32 held_bytes;             // per object held without contention
    u32 contended_bytes;        // per object that is or was contended, until it is cleaned up
    std::string_view fairness;
    std::string_view recursion;
    bool pins_virtual_threads;
    std::string_view header_layouts;
  } properties;

  Status (*enter)(JavaThread* thread, Handle object);                        // (s)
  Status (*exit)(JavaThread* thread, Object* object);
  Status (*wait)(JavaThread* thread, Handle object, i64 nanoseconds);        // (s)
  Status (*notify)(JavaThread* thread, Object* object, bool all);
  u32 (*identity_hash)(JavaThread* thread, Object* object);
  bool (*holds_lock)(JavaThread* thread, Object* object);
  JavaThread* (*owner)(Object* object);
  void (*update_weak_references)(Object* (*forward)(Object*, void*), void* context);
  u64 (*displaced_header)(u64 header_word);
};

}  // namespace keyhole::sync
