// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The checked machine's records: of each cell, of each thread, and of a thread's pending operation. Only for the parts
// of checked_machine.h; the rules are in checked_engine.h.
#pragma once

#include <memory>

#include "runtime/base/platform/checked_engine.h"
#include "runtime/base/platform/fiber.h"

namespace keyhole::checked {

struct Engine::Cell {
  uptr address = 0;
  u64 epoch = 0;
  bool is_shared = false;  // kept from execution to execution (checked_engine.h M2)
  u32 readers = 0, writers = 0;
  Clock release;  // the clock that an acquire load of the current value joins
  // For plain cells: the last write, and each thread's last read since then.
  u32 plain_writer = 0, plain_write_time = 0;
  Clock plain_reads;
  const char* plain_write_file = nullptr;
  u32 plain_write_line = 0;
};

struct Engine::Pending {
  enum class Condition : u8 { none, free_mutex, permit, woken, world_safe, thread_safe, spin };
  Action action = Action::begin;
  Condition condition = Condition::none;
  bool needs_empty_buffer = false;
  bool may_time_out = false, may_end_for_nothing = false;
  Footprint footprint;
  u32 bytes = 0;
  u32 target = 0;
  bool (*predicate)(const void*, u64) = nullptr;
  const void* context = nullptr;
};

struct Engine::Thread {
  static constexpr u32 buffer_capacity = 64;
  std::unique_ptr<Fiber> fiber;
  Fiber* stack = nullptr;  // the stack that it runs on: its own, or a continuation's (checked_engine.h M10)
  bool is_finished = false, is_safe = true;
  Pending pending;
  StepKind arrived_by = StepKind::program;
  u64 history = 0;  // checked_engine.h M4
  struct Buffered {
    void* cell;
    u32 bytes;
    u64 value;
    Clock clock;
    Where where;
    bool is_into_freed = false;  // the thread itself has freed the memory since
  } buffer[buffer_capacity];
  u32 buffer_begin = 0, buffer_end = 0;  // a queue that never wraps: once empty, it starts at 0 again
  u32 flushes = 0;
  Clock clock, to_acquire, fence_release;
  bool has_permit = false;
  Clock permit_clock;
  const void* waits_on = nullptr;
  u64 waits_since = 0;
  bool is_woken = false;
  i64 elapsed_nanoseconds = 0;
  u32 timeouts = 0;
  u64 random_state = 0;
  const void* vain_cell = nullptr;
  Where vain_place;
  u32 vain_spins = 0;

  bool has_stores() const { return buffer_begin != buffer_end; }
  const Buffered* newest_store(const void* cell) const {
    for (u32 i = buffer_end; i != buffer_begin; --i) {
      if (buffer[i - 1].cell == cell) return &buffer[i - 1];
    }
    return nullptr;
  }
};

struct Engine::Continuation {
  std::unique_ptr<Fiber> fiber;
  u64 history = 0;  // what had been observed on it when it was unmounted
  void (*body)(void* argument) = nullptr;
  void* argument = nullptr;
};

}  // namespace keyhole::checked
