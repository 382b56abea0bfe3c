// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The system calls behind HardwareWorld: futex, clock.
#include "runtime/base/platform/hardware_world.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/controlled/system_calls.h"
#include "runtime/base/platform/wall_clock.h"

namespace keyhole::hardware {

void futex_wait(std::atomic<i32>& cell, i32 expected, i64 nanoseconds) {
  if (controlled::is_on()) [[unlikely]] {
    if (cell.load() == expected) controlled::sleep_on(&cell, nanoseconds);
    return;
  }
  timespec timeout;
  timespec* limit = nullptr;
  if (nanoseconds >= 0) {
    timeout.tv_sec = nanoseconds / 1'000'000'000;
    timeout.tv_nsec = nanoseconds % 1'000'000'000;
    limit = &timeout;
  }
  // FUTEX_WAIT counts a relative timeout on CLOCK_MONOTONIC.
  syscall(SYS_futex, reinterpret_cast<i32*>(&cell), FUTEX_WAIT_PRIVATE, expected, limit, nullptr, 0);
}

void futex_wake(std::atomic<i32>& cell, i32 count) {
  if (controlled::is_on()) [[unlikely]]
    return controlled::wake(&cell, count);
  syscall(SYS_futex, reinterpret_cast<i32*>(&cell), FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

void yield() {
  if (controlled::is_on()) [[unlikely]]
    return controlled::yield();
  sched_yield();
}

i64 now_nanoseconds() {
  if (controlled::is_on()) [[unlikely]]
    return controlled::now_nanoseconds();
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return i64{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

i64 wall_clock_nanoseconds() {
  constexpr i64 controlled_epoch = 1'767'225'600'000'000'000;  // the first moment of 2026
  if (controlled::is_on()) [[unlikely]]
    return controlled_epoch + controlled::now_nanoseconds();
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return i64{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

u64 random() {
  if (controlled::is_on()) [[unlikely]]
    return controlled::random();
  static std::atomic<u64> seeds{0x9E3779B97F4A7C15};
  thread_local u64 state = 0;
  if (state == 0) {
    state = seeds.fetch_add(0x9E3779B97F4A7C15, std::memory_order_relaxed) ^ static_cast<u64>(now_nanoseconds());
    if (state == 0) state = 1;
  }
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

u64 current_thread_token() {
  thread_local u64 token = static_cast<u64>(syscall(SYS_gettid));
  return token;
}

}  // namespace keyhole::hardware
