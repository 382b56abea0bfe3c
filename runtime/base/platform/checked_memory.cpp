// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Operations on cells in the checked machine: what each sees, and how others see it. Rules: checked_engine.h.
#include "runtime/base/platform/checked_machine.h"

namespace keyhole::checked {

namespace {
constexpr u32 vain_spins_until_waiting = 64;
}

u64 Engine::load(const void* cell, u32 bytes, Order order, Where where) {
  Inside inside;
  Impl& impl = *impl_;
  if (impl.is_direct()) return raw_read(cell, bytes);
  Thread& thread = impl.running();
  if (impl.is_hint(cell)) {
    u64 value = raw_read(cell, bytes);
    thread.history = mix(thread.history, value);
    return value;
  }
  if (impl.must_yield(impl.touch(cell, false), false))
    impl.yield({.action = Action::load, .footprint = {.cell = cell}});
  impl.check_alive(cell);
  const Thread::Buffered* own = thread.newest_store(cell);
  u64 value = own != nullptr ? own->value : raw_read(cell, bytes);
  if (own == nullptr) impl.learn(thread, impl.cell(cell), order);
  impl.tick(value, cell);
  impl.event(Action::load, cell, bytes, value, value, where);
  return value;
}

void Engine::store(void* cell, u32 bytes, u64 value, Order order, Where where) {
  Inside inside;
  Impl& impl = *impl_;
  if (impl.is_direct() || impl.is_hint(cell)) {
    raw_write(cell, bytes, value);
    return;
  }
  Thread& thread = impl.running();
  if (stores_at_once) {
    if (impl.must_yield(impl.touch(cell, true), false))
      impl.yield({.action = Action::store, .footprint = {.cell = cell, .writes = true}});
  } else {
    if (impl.must_yield(false, false)) impl.yield({.action = Action::store, .footprint = {}});
    impl.touch(cell, true);
  }
  impl.check_alive(cell);
  if (thread.stack->contains(cell)) {
    // A store into the thread's own stack is not held back: the frame could be gone when it arrives.
    impl.write_memory(cell, bytes, value);
    impl.cell(cell).release = impl.released(thread, order);
    thread.vain_spins = 0;
    impl.tick(2, cell);
    return;
  }
  if (thread.buffer_end == Thread::buffer_capacity)
    fail("a store buffer overflows: more stores than any processor holds back");
  thread.buffer[thread.buffer_end++] = {cell, bytes, value, impl.released(thread, order), where};
  thread.vain_spins = 0;
  impl.tick(2, cell);
  impl.event(Action::store, cell, bytes, raw_read(cell, bytes), value, where);
  if (stores_at_once) impl.flush(running_);  // a step of its own, so that the schedule can be replayed without the flag
}

u64 Engine::begin_modify(void* cell, u32 bytes) {
  Inside inside;
  Impl& impl = *impl_;
  if (impl.is_direct() || impl.is_hint(cell)) return raw_read(cell, bytes);
  if (impl.must_yield(impl.touch(cell, true), true))
    impl.yield({.action = Action::rmw, .needs_empty_buffer = true, .footprint = {.cell = cell, .writes = true}});
  impl.check_alive(cell);
  return raw_read(cell, bytes);
}

void Engine::end_modify(void* cell, u32 bytes, u64 before, u64 after, bool writes, Order order, Where where) {
  Inside inside;
  Impl& impl = *impl_;
  if (impl.is_direct() || impl.is_hint(cell)) {
    if (writes) raw_write(cell, bytes, after);
    return;
  }
  Thread& thread = impl.running();
  Cell& meta = impl.cell(cell);
  impl.learn(thread, meta, order);
  if (writes) {
    impl.write_memory(cell, bytes, after);
    meta.release.join(impl.released(thread, order));  // because the release sequence continues
  }
  thread.vain_spins = 0;
  impl.tick(mix(before, writes), cell);
  impl.event(Action::rmw, cell, bytes, before, after, where, writes ? nullptr : "fails");
}

void Engine::fence(Where where) {
  Inside inside;
  Impl& impl = *impl_;
  if (impl.is_direct()) return;
  Thread& thread = impl.running();
  if (impl.must_yield(false, true)) impl.yield({.action = Action::fence, .needs_empty_buffer = true, .footprint = {}});
  thread.clock.join(thread.to_acquire);
  thread.fence_release = thread.clock;
  ++thread.clock.of[running_];
  impl.tick(3);
  impl.event(Action::fence, nullptr, 0, 0, 0, where);
}

bool Engine::spin(const void* cell, u32 bytes, bool (*predicate)(const void*, u64), const void* context, Where where) {
  Inside inside;
  Impl& impl = *impl_;
  if (impl.is_direct()) return predicate(context, raw_read(cell, bytes));
  Thread& thread = impl.running();
  bool visible = impl.touch(cell, false);
  bool again = thread.vain_spins != 0 && thread.vain_cell == cell && thread.vain_place.line() == where.line() &&
               thread.vain_place.file_name() == where.file_name();
  bool waits = again && thread.vain_spins >= vain_spins_until_waiting;  // checked_engine.h M3
  if (impl.every_operation || waits || (visible && !again)) {
    impl.yield({.action = Action::spin,
                .condition = waits ? Pending::Condition::spin : Pending::Condition::none,
                .footprint = {.cell = cell},
                .bytes = bytes,
                .predicate = predicate,
                .context = context});
  }
  impl.check_alive(cell);
  const Thread::Buffered* own = thread.newest_store(cell);
  u64 value = own != nullptr ? own->value : raw_read(cell, bytes);
  bool found = predicate(context, value);
  if (own == nullptr) impl.learn(thread, impl.cell(cell), Order::acquire);
  if (found) {
    thread.vain_spins = 0;
  } else {
    thread.vain_spins = again ? thread.vain_spins + 1 : 1;
    thread.vain_cell = cell;
    thread.vain_place = where;
  }
  impl.tick(value, cell);
  impl.event(Action::spin, cell, bytes, value, value, where, found ? nullptr : "in vain");
  return found;
}

void Engine::plain_read(const void* cell, u64 value, Where where) {
  Inside inside;
  Impl& impl = *impl_;
  if (impl.is_direct()) return;
  impl.check_alive(cell);
  Cell& meta = impl.cell(cell);
  Thread& thread = impl.running();
  thread.history = mix(thread.history, value);  // checked_engine.h M4
  if (meta.plain_write_time > thread.clock.of[meta.plain_writer]) {
    fail(fmt::format("a race: {} reads {} ({}:{}), which {} wrote ({}:{}), and nothing orders the two",
                     static_cast<char>('A' + running_), name_of(cell), where.file_name(), where.line(),
                     static_cast<char>('A' + meta.plain_writer), meta.plain_write_file, meta.plain_write_line));
  }
  meta.plain_reads.of[running_] = thread.clock.of[running_];
}

void Engine::plain_write(const void* cell, u64 before, u64 after, Where where) {
  Inside inside;
  Impl& impl = *impl_;
  if (impl.is_direct()) return;
  plain_read(cell, 0, where);
  u64 key = reinterpret_cast<uptr>(cell);
  impl.memory_hash ^= mix(key, before) ^ mix(key, after);
  Cell& meta = impl.cell(cell);
  Thread& thread = impl.running();
  for (u32 other = 0; other < thread_count_; ++other) {
    if (meta.plain_reads.of[other] > thread.clock.of[other]) {
      fail(fmt::format("a race: {} writes {} ({}:{}), which {} reads, and nothing orders the two",
                       static_cast<char>('A' + running_), name_of(cell), where.file_name(), where.line(),
                       static_cast<char>('A' + other)));
    }
  }
  meta.plain_writer = running_;
  meta.plain_write_time = thread.clock.of[running_];
  meta.plain_write_file = where.file_name();
  meta.plain_write_line = where.line();
}

void Engine::cell_begins(const void* cell) {
  Inside inside;
  Impl& impl = *impl_;
  if (!is_running_) return;
  Cell& meta = impl.cell(cell);
  bool shared = meta.is_shared;
  meta = Cell{};
  meta.address = reinterpret_cast<uptr>(cell);
  meta.epoch = impl.epoch;
  meta.is_shared = shared;
}

}  // namespace keyhole::checked
