// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Waiter: the node of a thread that queues for a monitor or waits on it. The node lies in that thread's native stack
// frame. Rules: object_monitor.h (R..), monitor_quantum.h (M..).
//
//   state      the thread                                            the next state
//   Entering   queues, or was notified and is about to queue         none: the thread gets the monitor, the node ends
//   Waiting    waits                                                 Entering (CAS by notify), Leaving (CAS by itself)
//   Leaving    timed out or was interrupted; queues by another node  none: the thread gets the monitor, the node ends
#pragma once

#include "runtime/base/platform/world.h"

namespace keyhole::sync {

// WakeHint: a hint from an exit to the successor that the exit wakes (monitor_quantum.h M6, M8).
enum class WakeHint : u32 { Nothing, HeavilyContended, HolderWaits };

template <typename W> struct WaiterOf {
  using Thread = typename W::Thread;
  enum class State : u32 { Waiting, Entering, Leaving };

  explicit WaiterOf(Thread* waiting_thread, State state_now) : thread(waiting_thread), state(state_now) {}

  Thread* const thread;
  typename W::template Atomic<State> state;  // object_monitor.h R7
  // Links of the entry list. The pushing thread writes `next` before the push; afterwards only the monitor's owner uses
  // the links (object_monitor.h R4).
  typename W::template Plain<WaiterOf*> next, previous;
  // Links of the wait set, which is circular; only the monitor's owner uses the links (object_monitor.h R4). The links
  // are null while the node is not in the wait set.
  typename W::template Plain<WaiterOf*> wait_next, wait_previous;
  // Used by monitor_quantum.h. `given` is not 0 once the monitor was handed to this thread (M5). `hint` was written by
  // the exit that woke this thread (M6, M8).
  typename W::template Atomic<u32> given{0};
  typename W::template Atomic<WakeHint> hint{WakeHint::Nothing};
};

}  // namespace keyhole::sync
