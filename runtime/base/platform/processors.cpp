// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts the processors that this process can use.
#include "runtime/base/platform/processors.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "runtime/base/platform/control_group.h"
#include "runtime/base/platform/hardware_world.h"

namespace keyhole::hardware {
namespace {

constexpr i64 quota_lifetime_ns = 20'000'000;

u32 commanded_processors = 0;  // 0: not set
bool uses_control_group = true;

u32 processors_of_mask() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return static_cast<u32>(CPU_COUNT(&set));
  return static_cast<u32>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

// The quota in processors; 0: none. Two threads may read it at the same time.
u32 current_quota() {
  static const ControlGroup& group = *new ControlGroup(ControlGroup::of_process());
  static std::atomic<i64> next_read = INT64_MIN;
  static std::atomic<u32> quota = 0;
  i64 now = now_nanoseconds();
  if (now >= next_read.load(std::memory_order_acquire)) {
    quota.store(group.quota_in_processors(), std::memory_order_relaxed);
    next_read.store(now + quota_lifetime_ns, std::memory_order_release);
  }
  return quota.load(std::memory_order_relaxed);
}

}  // namespace

void count_on_processors(u32 count) { commanded_processors = count; }
void ignore_control_group() { uses_control_group = false; }

u32 available_processors() {
  if (commanded_processors != 0) return commanded_processors;
  u32 count = processors_of_mask();
  if (count == 1 || !uses_control_group) return count;  // a quota cannot lower one processor
  u32 quota = current_quota();
  return quota == 0 ? count : std::min(count, quota);
}

// A VM with one processor (a container, taskset) must not spin, so this is not the number of the machine's processors.
u32 processors() {
  static const u32 count = available_processors();
  return count;
}

}  // namespace keyhole::hardware
