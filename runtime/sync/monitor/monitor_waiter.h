// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Waiter: the node of a thread that queues for a monitor or waits on it, in that thread's frame. Rules:
// object_monitor.h (R..), monitor_quantum.h (M..).
//
//   state      the thread                                            becomes
//   Entering   queues, or is notified and will                       gone, when it has the monitor
//   Waiting    waits                                                 Entering (notify, CAS), Leaving (itself, CAS)
//   Leaving    timed out or was interrupted; queues by another node  gone, when it has the monitor
#pragma once

#include "runtime/base/platform/world.h"

namespace keyhole::sync {

// WakeHint: a hint from an exit to the successor that it wakes (monitor_quantum.h M6, M8).
enum class WakeHint : u32 { Nothing, HeavilyContended, HolderWaits };

template <typename W> struct WaiterOf {
  using Thread = typename W::Thread;
  enum class State : u32 { Waiting, Entering, Leaving };

  explicit WaiterOf(Thread* waiting_thread, State state_now) : thread(waiting_thread), state(state_now) {}

  Thread* const thread;
  typename W::template Atomic<State> state;  // object_monitor.h R7
  // Links of the entry list. `next` is written before the push; afterwards only the owner uses both (object_monitor.h
  // R4).
  typename W::template Plain<WaiterOf*> next, previous;
  // Links of the wait set, which is circular; only the owner uses them (object_monitor.h R4). Null: the node is not in
  // it.
  typename W::template Plain<WaiterOf*> wait_next, wait_previous;
  // For monitor_quantum.h. given: the monitor was handed to this thread (M5). hint: given by the exit that woke it (M6,
  // M8).
  typename W::template Atomic<u32> given{0};
  typename W::template Atomic<WakeHint> hint{WakeHint::Nothing};
};

}  // namespace keyhole::sync
