// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// What the files of runtime/threads share among themselves: the protocol's one instance, the list, the two locks.
//
//   operation lock   one safepoint or handshake at a time; waited for as Blocked, because its holder waits for us
//   list lock        a leaf: held for one walk or one link, never across waiting
// Order: operation lock, then list lock. The list does not change while a safepoint is in progress.
#pragma once

#include <mutex>

#include "runtime/base/platform/hardware_world.h"
#include "runtime/threads/safepoint_protocol.h"

namespace keyhole::threads::internal {

using Protocol = SafepointProtocol<HardwareWorld, JavaThread>;
extern Protocol protocol;
extern std::mutex operation_mutex;
extern std::mutex list_mutex;
extern JavaThread* first_thread;   // under list_mutex

template <typename Visitor> void for_each_locked(Visitor&& visit) {
  std::lock_guard guard(list_mutex);
  for (JavaThread* thread = first_thread; thread != nullptr; thread = thread->next) visit(thread);
}

void lock_operations(JavaThread* thread);
void unlock_operations();

// Thread structures that left the list are reused after every thread has passed a poll: called, under the operation lock, when an
// operation that stops or meets all threads begins and when it has met them all.
void quiescence_begins();
void quiescence_reached();

}  // namespace keyhole::threads::internal
