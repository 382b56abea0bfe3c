// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Dispatcher: the protocol by which a coordinator starts and awaits the workers of a gang. There are three dispatchers
// with this interface, selected by -XX:GCWorkerWakeup=.
//
//   coordinator                                workers (each in a loop)
//   run(n) ------------- a task for n -------> next_task(memory) -> 0 .. n-1, by arrival
//      |                                       ... the task ...
//      <------------ the last one ------------ finished()
//   stop(created) ----------------------------> next_task(memory) -> stopped
//
// D1: run(n) returns after exactly n calls of next_task have returned 0 .. n-1, each number once, and as many calls of
//     finished. The task sees what the coordinator wrote before run; after run the coordinator sees what the task
//     wrote.
// D2: a number belongs to a task, not to a worker: a quick worker may come back and take a second number of the same
//     task. But a worker that keeps its number does not keep others from taking theirs: the workers of a task may wait
//     for each other.
// D3: there is one coordinator and one task at a time. n is at least 1 and at most the number of workers created.
// D4: stop reaches every created worker, even those that no task ever needed. After it has returned no worker will
//     touch the task; the dispatcher may be destroyed when the workers' threads have been joined, or used again after
//     restart().
//
// `memory` belongs to the worker and is 0 at first; a protocol keeps its state between tasks there.
#pragma once

#include <concepts>

#include "runtime/base/platform/world.h"

namespace keyhole::gc {

// The result of next_task when the gang is stopping.
inline constexpr u32 stopped = ~0u;

template <typename D>
concept Dispatcher = requires(D& dispatcher, u32 count, u64& memory) {
  dispatcher.run(count);
  dispatcher.stop(count);
  dispatcher.restart();
  { dispatcher.next_task(memory) } -> std::same_as<u32>;
  dispatcher.finished();
  { dispatcher.wake_ups() } -> std::same_as<u64>;  // how often a worker or the coordinator has come back from sleeping
};

}  // namespace keyhole::gc
