// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The row of a mutex per object.
#include "runtime/sync/algorithms/pthread_lock.h"

#include "runtime/base/flags.h"
#include "runtime/sync/algorithm.h"
#include "runtime/sync/sync_world.h"

namespace keyhole::sync {

static PthreadLockOf<SyncWorld> pthread_lock;
static_assert(LockProtocol<PthreadLockOf<SyncWorld>, SyncWorld>);

static std::string refuse_spinning_of_pthread_lock() {
  return flags::SpinPauses < 0
             ? ""
             : "SpinPauses has no effect under LockingMode=pthread: the C library decides how long its mutexes spin.";
}

extern const Algorithm pthread_algorithm;
constinit const Algorithm pthread_algorithm = [] {
  constexpr u32 entry_bytes = 96;
  Algorithm row =
      algorithm_over<pthread_lock>("pthread", -1, "a mutex of the C library per object, in a table beside the heap",
                                   {
                                       .header_bits = 0,
                                       .idle_bytes = entry_bytes,
                                       .held_bytes = entry_bytes,
                                       .contended_bytes = entry_bytes,
                                       .fairness = "the C library's: competitive",
                                       .recursion = "counted in the table's entry",
                                       .displacing = "",
                                       .traces = {.alone = "SB", .contended = "SKB", .hashed = ""},
                                   },
                                   &fast_path_rows::none, refuse_spinning_of_pthread_lock);
  row.blocked_on = [](const JavaThread* thread) -> Object* { return pthread_lock.blocked_on(thread); };
  row.waiting_on = [](const JavaThread* thread) -> Object* { return pthread_lock.waiting_on(thread); };
  row.lock_identity = [](Object* object) -> const void* { return object; };
  row.pins_virtual_threads = true;
  return row;
}();

}  // namespace keyhole::sync
