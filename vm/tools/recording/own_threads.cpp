// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Has the list of the names of library threads, and finds the carriers of virtual threads.
#include "vm/tools/recording/own_threads.h"

#include <algorithm>

namespace keyhole::recording {

OwnThreads::OwnThreads(const recorder::Recording& recording) : recording_(recording) {
  for (const recorder::Entry& entry : recording.entries) {
    if (entry.kind != recorder::Kind::mounted) continue;
    carriers_.insert(entry.thread);
    virtual_.insert(entry.a);
  }
  // The reader may attribute an event `mounted` to the virtual thread instead of the carrier. So this loop removes the
  // virtual threads from the set of carriers.
  for (u32 each : virtual_) carriers_.erase(each);
}

bool OwnThreads::has(u32 thread) const {
  if (recorder::is_os_thread(thread) || carriers_.contains(thread)) return false;
  if (virtual_.contains(thread)) return true;
  if (!recording_.threads.contains(thread)) return false;  // it has no name
  std::string name = recording_.thread_name(thread);
  constexpr std::string_view names[] = {
      "Sampler",         "Execution Sampler",   "Reference Handler", "Finalizer",      "Signal Dispatcher",
      "Attach Listener", "Notification Thread", "GC Service",        "Common-Cleaner", "process reaper",
      "SIGHUP handler",  "SIGINT handler",      "SIGTERM handler"};
  constexpr std::string_view beginnings[] = {
      "C1 Compiler", "C2 Compiler", "Compiler Thread", "Monitor Deflation", "Cleaner-", "VirtualThread-", "JDWP "};
  constexpr std::string_view timers_of_pools = "-delayScheduler";
  return std::ranges::find(names, name) == std::end(names) && !name.ends_with(timers_of_pools) &&
         std::ranges::none_of(beginnings, [&](std::string_view each) { return name.starts_with(each); });
}

}  // namespace keyhole::recording
