// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Shared by the parts of the checked machine: its state, and small steps of each operation. The parts:
//
//   checked_memory.cpp      loads, stores, read-modify-writes, fences, spinning, plain cells (M1, M3, M5)
//   checked_sleeping.cpp    parking, futexes, mutexes, stopping the world (M7, M9)
//   checked_scheduler.cpp   which steps are possible, and which comes next (M2, M4, M8)
//   checked_engine.cpp      an execution from start to end; names, failures, arenas (M6)
//
// Only these four files include it; the rules are in checked_engine.h.
#pragma once

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include "runtime/base/platform/checked_records.h"
#include "runtime/base/print.h"

namespace keyhole::checked {

inline u64 mix(u64 a, u64 b) {
  u64 x = (a ^ (b * 0x9E3779B97F4A7C15)) * 0xFF51AFD7ED558CCD;
  x ^= x >> 32;
  x *= 0xC4CEB9FE1A85EC53;
  return x ^ x >> 29;
}

inline u64 raw_read(const void* cell, u32 bytes) {
  u64 value = 0;
  return memcpy(&value, cell, bytes), value;
}
inline void raw_write(void* cell, u32 bytes, u64 value) { memcpy(cell, &value, bytes); }

inline bool acquires(Order order) {
  return order == Order::acquire || order == Order::acq_rel || order == Order::seq_cst;
}
inline bool releases(Order order) {
  return order == Order::release || order == Order::acq_rel || order == Order::seq_cst;
}

// A scope in which the thread runs the engine, until the operation is done.
struct Inside {
  const bool before = std::exchange(Engine::runs_code_under_check, false);
  ~Inside() { Engine::runs_code_under_check = before; }
};

struct Engine::Impl {
  explicit Impl(Engine& owner) : engine(owner), cells(std::make_unique<Cell[]>(cell_capacity)) {
    for (Thread& thread : threads) thread.fiber = std::make_unique<Fiber>(stack_bytes);
    for (Continuation& continuation : continuations) continuation.fiber = std::make_unique<Fiber>(stack_bytes);
  }

  static constexpr usize stack_bytes = 128 * 1024;
  Engine& engine;
  Fiber home;
  Thread threads[maximum_threads];
  Continuation continuations[maximum_continuations];
  std::unique_ptr<Cell[]> cells;
  u64 epoch = 0;
  u32 cells_used = 0;
  Program* program = nullptr;
  Oracle* oracle = nullptr;
  bool every_operation = false;
  bool alone = false;  // the operation of a stopped world runs
  static constexpr u32 cell_capacity = 1 << 16;
  static constexpr u32 no_thread = ~0u;
  u32 operator_thread = no_thread;  // the thread in the middle of a handshake with all (checked_engine.h M9)
  std::vector<Event>* trace = nullptr;
  Outcome outcome = Outcome::completed;
  u64 memory_hash = 0, queue_hash = 0;
  u64 sequence = 0;
  u32 steps = 0;
  u32 spurious_left = 0;
  u32 current = 0;                     // the thread that ran last
  const void* just_flushed = nullptr;  // the cell, if the last step was a flush
  u32 flushed_by = 0;
  std::vector<Step> log;
  char* arena_top[maximum_threads + 1] = {};
  struct Freed {
    const char* begin;
    const char* end;
  };
  std::vector<Freed> freed;
  struct Name {
    const char* begin;
    const char* end;
    std::string label;
  };
  std::vector<Name> names;

  bool is_direct() const { return !engine.is_running_ || alone; }
  Thread& running() { return threads[engine.running_]; }

  Cell& cell(const void* address) {
    uptr key = reinterpret_cast<uptr>(address);
    u32 index = static_cast<u32>(mix(key, 1)) % cell_capacity;
    while (cells[index].address != key) {
      if (cells[index].address == 0) {
        if (++cells_used > cell_capacity / 2) {
          print_text(stderr, "model checker: too many cells\n");
          abort();
        }
        cells[index].address = key;
        break;
      }
      index = (index + 1) % cell_capacity;
    }
    Cell& found = cells[index];
    if (found.epoch != epoch) {
      bool shared = found.is_shared;
      found = Cell{};
      found.address = key;
      found.epoch = epoch;
      found.is_shared = shared;
    }
    return found;
  }

  // Records that the running thread accesses a cell. True: others can see an operation on it (checked_engine.h M2).
  bool touch(const void* address, bool writes) {
    Cell& found = cell(address);
    u32 bit = 1u << engine.running_;
    if (writes) found.writers |= bit;
    else found.readers |= bit;
    u32 all = found.readers | found.writers;
    if (!found.is_shared && found.writers != 0 && (all & (all - 1)) != 0) {
      found.is_shared = true;
      engine.news_ = true;
    }
    return found.is_shared;
  }
  bool is_hint(const void* address) const {
    return std::find(engine.hints_.begin(), engine.hints_.end(), address) != engine.hints_.end();
  }

  void check_alive(const void* address) {
    for (const Freed& range : freed) {
      if (address >= range.begin && address < range.end)
        engine.fail(fmt::format("{} is used after it was freed", engine.name_of(address)));
    }
  }

  void event(Action action, const void* address, u32 bytes, u64 before, u64 after, Where where,
             const char* text = nullptr) {
    if (trace != nullptr)
      trace->push_back({engine.running_, action, address, static_cast<u8>(bytes), before, after, where, text});
  }

  // --- store buffers (checked_engine.h M1) ---------------------------------------------------------------------------
  void write_memory(void* address, u32 bytes, u64 value) {
    u64 before = raw_read(address, bytes);
    u64 key = reinterpret_cast<uptr>(address);
    memory_hash ^= mix(key, before) ^ mix(key, value);
    raw_write(address, bytes, value);
  }
  void flush(u32 id) {
    Thread& thread = threads[id];
    const Thread::Buffered& entry = thread.buffer[thread.buffer_begin];
    if (!entry.is_into_freed) check_alive(entry.cell);
    if (trace != nullptr)
      trace->push_back({id, Action::flush, entry.cell, static_cast<u8>(entry.bytes), raw_read(entry.cell, entry.bytes),
                        entry.value, entry.where, nullptr});
    write_memory(entry.cell, entry.bytes, entry.value);
    cell(entry.cell).release = entry.clock;
    if (++thread.buffer_begin == thread.buffer_end) thread.buffer_begin = thread.buffer_end = 0;
    ++thread.flushes;
    log.push_back(step_of(StepKind::flush, id));
  }
  // Flushes stores at the head of the buffer to cells that no other thread uses; that needs no choice.
  void flush_unseen(u32 id) {
    Thread& thread = threads[id];
    while (!every_operation && thread.has_stores() && !cell(thread.buffer[thread.buffer_begin].cell).is_shared)
      flush(id);
  }

  // --- the scheduler: checked_scheduler.cpp --------------------------------------------------------------------------
  bool predicate_holds(const Thread& thread) const;
  bool awaits_its_operation(u32 id) const;
  bool is_safe(u32 id) const;
  bool is_out_of_the_way(u32 id) const;
  bool may_operate(u32 id) const;
  bool condition_holds(u32 id) const;
  bool can_run(u32 id) const;
  bool waits_for_flushes(u32 id) const;
  bool is_about_to_touch(u32 id, const void* address) const;
  bool flush_matters(u32 id) const;
  void keep_what_follows_a_flush(Choice& choice) const;
  void collect(Choice& choice);
  void look_between_steps();
  void schedule();
  void finish_execution();
  void leave(Outcome how);

  // Called by the running thread before an operation; returns when the thread is chosen.
  void yield(const Pending& pending) {
    Thread& thread = running();
    thread.pending = pending;
    if (pending.needs_empty_buffer) flush_unseen(engine.running_);
    schedule();
  }
  // Called after each operation, with what it has observed.
  void tick(u64 observed, const void* cell = nullptr) {
    Thread& thread = running();
    log.push_back(step_of(thread.arrived_by, engine.running_));
    thread.arrived_by = StepKind::program;
    thread.history = mix(thread.history, mix(observed, reinterpret_cast<uptr>(cell)));
    ++engine.operations_;
    if (log.size() > longest_execution)
      engine.fail("the execution does not end: a livelock, or a wait without spin_until");
  }
  bool must_yield(bool visible, bool needs_empty) {
    if (every_operation || visible) return true;
    if (!needs_empty) return false;
    flush_unseen(engine.running_);
    return running().has_stores();
  }

  void learn(Thread& thread, const Cell& from, Order order) {
    if (acquires(order)) thread.clock.join(from.release);
    else thread.to_acquire.join(from.release);
  }
  Clock released(Thread& thread, Order order) {
    Clock clock = releases(order) ? thread.clock : thread.fence_release;
    if (releases(order)) ++thread.clock.of[engine.running_];
    return clock;
  }

  // --- checked_engine.cpp --------------------------------------------------------------------------------------------
  static Fiber* thread_body(void* argument);
  static Fiber* continuation_body(void* argument);
  static void on_fault(int, siginfo_t* info, void*);
};

}  // namespace keyhole::checked
