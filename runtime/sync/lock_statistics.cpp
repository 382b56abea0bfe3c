// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Sums up the threads' counters.
#include "runtime/sync/lock_statistics.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "runtime/base/flags.h"
#include "runtime/base/mutex.h"
#include "runtime/base/print.h"
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/continuations/continuation.h"
#include "runtime/threads/threads.h"

namespace keyhole::sync::statistics {

namespace {

Mutex ended_mutex{LockRank::lock_counters};
LockCounters ended_threads;  // written under ended_mutex

constexpr std::array<std::string_view, lock_counter_count> meanings = {
#define LOCK_COUNTER(name, meaning) meaning,
#include "runtime/threads/lock_counters.def"
#undef LOCK_COUNTER
};

}  // namespace

// A continuation adds its counters to those of its mounter without a lock, because continuation and mounter run on the
// same OS thread.
void thread_exits(JavaThread* thread) {
  if (thread->lock_counters.is_clear()) return;
  if (thread->continuation == nullptr) {
    MutexLock guard(ended_mutex);
    ended_threads.add(thread->lock_counters);
  } else if (JavaThread* mounter = thread->continuation->mounter; mounter != nullptr) {
    mounter->lock_counters.add(thread->lock_counters);
  }
  thread->lock_counters.clear();
}

u64 total(LockCounter counter) {
  u64 sum;
  {
    MutexLock guard(ended_mutex);
    sum = ended_threads.get(counter);
  }
  threads::for_each([&](JavaThread* thread) { sum += thread->lock_counters.get(counter); });
  return sum;
}

void print(FILE* out) {
  print_text(out, "Lock statistics, LockingMode={}:\n", flags::LockingMode);
  for (u32 i = 0; i < lock_counter_count; ++i) {
    if (u64 count = total(static_cast<LockCounter>(i)))
      print_text(out, "  {:>14}  {:<18} {}\n", count, lock_counter_names[i], meanings[i]);
  }
  print_text(out, "  {:>14}  {:<18} {}\n", in_use(), "in_use", "monitors, elements or mutexes that objects have now");
  print_text(out, "  {:>14}  {:<18} {}\n", monitor_bytes(), "monitor_bytes",
             "reserved for monitors: the most there ever was");
  print_text(out, "  {:>14}  {:<18} {}\n", element_bytes(), "element_bytes",
             "reserved for lock elements: the most there ever was");
}

void write(const std::string& path) {
  FILE* file = fopen(path.c_str(), "we");
  if (file != nullptr) print(file);
  if (file == nullptr || fclose(file) != 0)
    print_text(stderr, "[warning] cannot write {}: {}\n", path, strerror(errno));
}

}  // namespace keyhole::sync::statistics
