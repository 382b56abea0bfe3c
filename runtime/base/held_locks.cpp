// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Keeps a short list for each OS thread, because locks of the VM belong to OS threads, not to Java threads.
#include "runtime/base/held_locks.h"

#include "runtime/base/check.h"
#include "runtime/base/lock_order.h"

#if KEYHOLE_DEBUG

namespace keyhole::held_locks {

namespace {

struct Held {
  const void* mutex;
  LockRank rank;
  std::source_location where;
};

constexpr u32 capacity = 16;
thread_local Held held[capacity];
thread_local u32 count = 0;
thread_local bool ignored = false;

std::string describe(const std::source_location& where) {
  return fmt::format("{}:{} in {}", where.file_name(), where.line(), where.function_name());
}

std::string describe(const Held& lock) {
  return fmt::format("{} is held, taken at {}", lock_ranks::name_of(lock.rank), describe(lock.where));
}

[[noreturn]] void report(const std::string& message) {
  ignored = true;  // because the report takes locks that the order forbids here
  KEYHOLE_FATAL("{}", message);
}

}  // namespace

void check_order(LockRank rank, const std::source_location& where) {
  if (ignored) return;
  for (u32 i = 0; i < count; ++i) {
    if (lock_ranks::may_take(held[i].rank, rank)) continue;
    report(fmt::format("lock order: {} is taken at {}\n#  while {};\n#  runtime/lock_ranks.def does not nest them so",
                       lock_ranks::name_of(rank), describe(where), describe(held[i])));
  }
}

void add(const void* mutex, LockRank rank, const std::source_location& where) {
  if (ignored) return;
  if (count == capacity) report(fmt::format("more than {} locks are held at {}", capacity, describe(where)));
  held[count++] = {mutex, rank, where};
}

void remove(const void* mutex) {
  if (ignored) return;
  for (u32 i = count; i-- != 0;) {
    if (held[i].mutex != mutex) continue;
    for (; i + 1 < count; ++i) held[i] = held[i + 1];
    --count;
    return;
  }
  report("a lock is released by a thread that does not hold it");
}

void check_held(const void* mutex, LockRank rank) {
  if (ignored) return;
  for (u32 i = 0; i < count; ++i) {
    if (held[i].mutex == mutex) return;
  }
  report(fmt::format("{} is not held", lock_ranks::name_of(rank)));
}

void check_only(const void* mutex, const std::source_location& where) {
  if (ignored) return;
  for (u32 i = 0; i < count; ++i) {
    if (held[i].mutex == mutex) continue;
    report(fmt::format("a condition is waited for at {}\n#  while {}", describe(where), describe(held[i])));
  }
}

void check_none(const char* what) {
  if (ignored) return;
  for (u32 i = 0; i < count; ++i) {
    if (held[i].rank == LockRank::operations) continue;
    report(fmt::format("{} while {}", what, describe(held[i])));
  }
}

void ignore_from_now_on() { ignored = true; }

}  // namespace keyhole::held_locks

#endif
