// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The VM's gang of collector threads, and how many of them a piece of work is worth.
//
//   -XX:ParallelGCThreads                  the maximum; by default one per processor, above eight 5/8 of the further
//                                          ones
//   -XX:GCWorkerWakeup                     the protocol that starts and awaits them (gang/README.md)
//   -XX:±UseDynamicNumberOfGCThreads       start as many as the work is worth, or always all
#pragma once

#include "gc/gang/worker_gang.h"
#include "runtime/recorder/recorder.h"

namespace keyhole::gc {

// Makes the gang from the flags; called again when tests have changed them. Returns the empty string, or what is wrong.
std::string initialize_workers();
WorkerGang& gang();
// The maximum number of collecting threads; 1 under a plan that has no gang.
u32 maximum_workers();
// The number of workers to start for `items` of work. All of them exist; there are fewer when the system refuses
// threads. World stopped.
u32 workers_for(u64 items, u64 items_per_worker);
inline constexpr u64 bytes_marked_per_worker = 1_MiB;
// Calls work(number) on `workers` threads of the gang, as WorkerGang::run does, and records it (runtime/recorder).
template <typename Work> void run_on_workers(u32 workers, Work&& work) {
  gang().run(workers, [&](u32 number) CALLS_VISITOR {
    if (recorder::is_on(recorder::Family::collections)) [[unlikely]]
      recorder::record(recorder::Kind::work_begin, 0, 0, number);
    work(number);
    if (recorder::is_on(recorder::Family::collections)) [[unlikely]]
      recorder::record(recorder::Kind::work_end, 0, 0, number);
  });
}
// Joins the threads; the next collection makes new ones.
void stop_workers();

}  // namespace keyhole::gc
