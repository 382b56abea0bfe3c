// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Algorithm: one row of the table of locking algorithms: the operations that the VM calls, and its properties as data.
//
// To add an algorithm, write NAME.h with the protocol (a template over a World, with the shape of protocol.h) and
// NAME.cpp with its instance and its row. Add the row's name to algorithms.def and, if the algorithm has a snippet, a
// line to fast_paths.def. docs/howto/lock.md describes the steps.
#pragma once

#include <string>
#include <string_view>

#include "runtime/object/layout.h"
#include "runtime/sync/fast_path_row.h"
#include "runtime/sync/status.h"
#include "runtime/threads/handles.h"

namespace keyhole::sync {

// The counters (runtime/threads/lock_counters.h) that an algorithm increments in each of three situations; a letter
// stands for each counter. tests/runtime/sync/counters_test.cpp checks that the algorithm increments these counters and
// none of the other ones below. So no locking mode can be another mode under a different name.
//
//   situation     operations on new objects
//   alone         locked and unlocked by one thread
//   contended     locked by one thread while another one queues for it; empty for an algorithm for one thread
//   hashed        one thread asks for the object's identity hash; another thread, which never asked for it,
//                 holds the object
//
//   letter   counter             incremented by algorithms that
//   S        slow_enters         have no snippet, or allocate something at the first enter (in `alone`)
//   K        contended_enters    block
//   I        inflations          have ObjectMonitors
//   T        table_probes        find their monitors in a table
//   B        bucket_locks        protect chains or tables by inner locks
//   H        hand_overs          hand the lock to the next waiter without freeing it in between
//   C        chases              pass a displaced header along a queue
struct CounterTraces {
  std::string_view alone, contended, hashed;
};

struct AlgorithmProperties {
  u32 header_bits;  // the number of header bits that the algorithm writes, not counting klass, hash and age
  // Bytes per object that was locked and is free now, as long as its lock memory is not reclaimed.
  u32 idle_bytes;
  u32 held_bytes;       // bytes per object that is held without contention
  u32 contended_bytes;  // bytes per contended object, without the memory of waiting threads
  std::string_view fairness;
  std::string_view recursion;
  // In words, for messages: the address that the algorithm stores in the header in place of hash and age; empty if the
  // algorithm stores none. A narrow header has no room for an address.
  std::string_view displacing;
  CounterTraces traces;
};

struct Algorithm {
  std::string_view name;  // of -XX:LockingMode=
  i32 number;             // the number of the algorithm in HotSpot, or -1
  std::string_view idea;
  AlgorithmProperties properties;
  const FastPathRow* fast_path;  // the snippet that handlers and compiled code inline
  // Returns the snippet that the flags select. Called after initialize. If this pointer is null, fast_path is used.
  const FastPathRow* (*fast_path_by_flags)() = nullptr;
  // Reads the algorithm's flags. Returns the empty string, or a message that refuses the flags. The pointer is null if
  // the algorithm has no flags.
  std::string (*initialize)();

  // The operations that protocol.h describes, instantiated over SyncWorld.
  Status (*enter)(JavaThread* thread, Handle object, LockRecord* record);  // may stop
  Status (*exit)(JavaThread* thread, Object* object, LockRecord* record);
  Status (*wait)(JavaThread* thread, Handle object, i64 nanoseconds);  // may stop
  Status (*notify)(JavaThread* thread, Object* object, bool all);
  u32 (*identity_hash)(JavaThread* thread, Handle object);  // may stop
  bool (*holds_lock)(JavaThread* thread, Object* object);
  JavaThread* (*owner)(Object* object);
  void (*update_references)(Object* (*forward)(Object*, void*), void* context);
  u64 (*displaced_header)(Object* object);
  u32 (*in_use)();

  // For dumps, with the world stopped. blocked_on and waiting_on return the object that a thread is blocked on or waits
  // on; lock_identity returns an address that identifies the object's lock. If one of these pointers is null, dumps
  // call the function for monitors instead (monitors.h).
  Object* (*blocked_on)(const JavaThread* thread) = nullptr;
  Object* (*waiting_on)(const JavaThread* thread) = nullptr;
  const void* (*lock_identity)(Object* object) = nullptr;
  // Called when a thread ends, after it has released all locks. Frees the memory that the thread cached for later
  // enters. The pointer is null if threads cache no memory.
  void (*thread_exits)(JavaThread* thread) = nullptr;
  // Enter and exit an object whose lock compiled code had eliminated. The thread holds the object already, or no other
  // thread has ever seen the object. If these pointers are null, enter and exit are called.
  Status (*enter_held)(JavaThread* thread, Handle object, LockRecord* record) = nullptr;
  Status (*exit_held)(JavaThread* thread, Object* object, LockRecord* record) = nullptr;
  // Whether the algorithm has no mutual exclusion, so that Thread.start must refuse a second application thread.
  bool one_thread = false;
  // Whether OS threads own locks, so that a virtual thread must stay on its carrier while it holds a lock.
  bool pins_virtual_threads = false;
};

// Returns the empty string, or the reason why the algorithm cannot run with this VM's header layout.
std::string refusal_of_layout(const Algorithm& algorithm);
// Returns the algorithm that -XX:TracedLocking=`name` traces, or null if there is no such algorithm. Where headers have
// no room for a monitor, returns lightweight locking with the object monitor table for `lightweight`.
const Algorithm* watchable(std::string_view name);

// Whether a protocol displaces header words. A narrow header has no room for displaced header words. Under a narrow
// header layout the Algorithm of a displacing protocol has no functions, and initialize() refuses the algorithm.
enum class HeaderUse { InPlace, Displaces };

// Makes an Algorithm with the functions of one protocol instance. The caller sets the other members.
template <auto& protocol, HeaderUse use = HeaderUse::InPlace>
constexpr Algorithm algorithm_over(std::string_view name, i32 number, std::string_view idea,
                                   AlgorithmProperties properties, const FastPathRow* fast_path,
                                   std::string (*initialize)() = nullptr,
                                   const FastPathRow* (*fast_path_by_flags)() = nullptr) {
  if constexpr (use == HeaderUse::Displaces && !layout::can_displace) {
    Algorithm row{};
    row.name = name;
    row.number = number;
    row.idea = idea;
    row.properties = properties;
    return row;
  } else
    return {
        .name = name,
        .number = number,
        .idea = idea,
        .properties = properties,
        .fast_path = fast_path,
        .fast_path_by_flags = fast_path_by_flags,
        .initialize = initialize,
        .enter = [](JavaThread* thread, Handle object, LockRecord* record)
                     MAY_SAFEPOINT { return protocol.enter(thread, object, record); },
        .exit = [](JavaThread* thread, Object* object,
                   LockRecord* record) { return protocol.exit(thread, object, record); },
        .wait = [](JavaThread* thread, Handle object, i64 nanoseconds)
                    MAY_SAFEPOINT { return protocol.wait(thread, object, nanoseconds); },
        .notify = [](JavaThread* thread, Object* object, bool all)
                      TOUCHES_OBJECTS { return protocol.notify(thread, object, all); },
        .identity_hash = [](JavaThread* thread, Handle object)
                             TOUCHES_OBJECTS { return protocol.identity_hash(thread, object.get()); },
        .holds_lock = [](JavaThread* thread, Object* object) { return protocol.holds(thread, object); },
        .owner = [](Object* object) { return protocol.owner(object); },
        .update_references =
            [](Object* (*forward)(Object*, void*), void* context) {
              protocol.update_references([&](Object* object) { return forward(object, context); });
            },
        .displaced_header = [](Object* object) { return protocol.displaced_header(object); },
        .in_use = [] { return protocol.in_use(); },
    };
}

}  // namespace keyhole::sync
