// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The row without locks.
#include "runtime/sync/algorithms/no_lock.h"

#include "runtime/base/flags.h"
#include "runtime/sync/algorithm.h"
#include "runtime/sync/sync_world.h"

namespace keyhole::sync {

static NoLockOf<SyncWorld> no_lock;
static_assert(LockProtocol<NoLockOf<SyncWorld>, SyncWorld>);

static std::string refuse_spinning_of_no_lock() {
  return flags::SpinPauses < 0 ? "" : "SpinPauses has no effect under LockingMode=none: nobody waits for a lock.";
}

extern const Algorithm none_algorithm;
constinit const Algorithm none_algorithm = [] {
  Algorithm row = algorithm_over<no_lock>("none", -1, "does nothing; one application thread only: what locking costs",
                                          {
                                              .header_bits = 0,
                                              .idle_bytes = 0,
                                              .held_bytes = 0,
                                              .contended_bytes = 0,
                                              .fairness = "nobody is excluded",
                                              .recursion = "not counted",
                                              .displacing = "",
                                              .traces = {.alone = "", .contended = "", .hashed = ""},
                                          },
                                          &fast_path_rows::no_lock, refuse_spinning_of_no_lock);
  row.one_thread = true;
  row.blocked_on = [](const JavaThread*) -> Object* { return nullptr; };
  row.waiting_on = [](const JavaThread* thread) TOUCHES_OBJECTS -> Object* { return no_lock.waiting_on(thread); };
  row.lock_identity = [](Object* object) -> const void* { return object; };
  return row;
}();

}  // namespace keyhole::sync
