// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Making the gang from its flags.
#include "gc/workers.h"

#include <fmt/format.h>

#include "runtime/base/check.h"
#include "runtime/base/flags.h"
#include "runtime/base/platform/hardware_world.h"

namespace keyhole::gc {
namespace {

WorkerGang* the_gang = nullptr;  // never destroyed, because exit() may run while a worker sleeps
std::string made_with;

u32 default_threads() {
  u32 processors = hardware::processors();
  return processors <= 8 ? processors : 8 + (processors - 8) * 5 / 8;
}

}  // namespace

std::string initialize_workers() {
  std::string wakeup = flags::GCWorkerWakeup;
  // HotSpot's flag means the broadcast protocol when it is off.
  if (!flags::UseSemaphoreGCThreadsSynchronization && wakeup == "semaphore") wakeup = "broadcast";
  u32 threads = flags::ParallelGCThreads != 0 ? static_cast<u32>(flags::ParallelGCThreads) : default_threads();
  std::string wanted = fmt::format("{} {}", wakeup, threads);
  if (the_gang != nullptr && wanted == made_with) return {};
  std::unique_ptr<GangProtocol> protocol = make_gang_protocol(wakeup);
  if (protocol == nullptr) return fmt::format("Unknown GCWorkerWakeup '{}': semaphore, monitor or broadcast", wakeup);
  delete the_gang;
  the_gang = new WorkerGang("GC Thread", threads, std::move(protocol));
  made_with = wanted;
  return {};
}

WorkerGang& gang() { return *the_gang; }
u32 maximum_workers() { return the_gang == nullptr ? 1 : the_gang->maximum_workers(); }

u32 workers_for(u64 items, u64 items_per_worker) {
  u32 wanted =
      flags::UseDynamicNumberOfGCThreads ? the_gang->workers_for(items, items_per_worker) : the_gang->maximum_workers();
  return the_gang->available(wanted);
}

void stop_workers() {
  if (the_gang != nullptr) the_gang->stop();
}

}  // namespace keyhole::gc
