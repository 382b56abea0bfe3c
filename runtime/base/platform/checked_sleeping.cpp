// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Threads of the checked machine that sleep, wait for a mutex, or stop the others. Rules: checked_engine.h.
#include "runtime/base/platform/checked_machine.h"

namespace keyhole::checked {

bool Engine::park(u32 id, i64 nanoseconds, Where where) {
  Inside inside;
  Impl& impl = *impl_;
  if (impl.is_direct()) return true;
  Thread& thread = impl.running();
  if (id != running_) fail("a thread parks on another one's parker");
  impl.yield({.action = Action::park,
              .condition = Pending::Condition::permit,
              .needs_empty_buffer = true,
              .may_time_out = nanoseconds >= 0,
              .may_end_for_nothing = true,
              .footprint = {.cell = &thread.has_permit, .writes = true}});
  StepKind by = thread.arrived_by;
  if (by == StepKind::timeout) {
    thread.elapsed_nanoseconds += nanoseconds;
    ++thread.timeouts;
  }
  bool had_permit = thread.has_permit;
  if (had_permit) thread.clock.join(thread.permit_clock);
  thread.has_permit = false;
  thread.vain_spins = 0;
  impl.tick(mix(static_cast<u64>(by), had_permit));
  impl.event(Action::park, nullptr, 0, 0, 0, where,
             by == StepKind::timeout    ? "times out"
             : by == StepKind::spurious ? "returns for no reason"
                                        : "returns: has a permit");
  return by == StepKind::program;
}

void Engine::unpark(u32 id, Where where) {
  Inside inside;
  Impl& impl = *impl_;
  if (impl.is_direct()) return;
  Thread& thread = impl.running();
  Thread& target = impl.threads[id];
  impl.yield({.action = Action::unpark,
              .needs_empty_buffer = true,
              .footprint = {.cell = &target.has_permit, .writes = true}});
  target.has_permit = true;
  target.permit_clock.join(thread.clock);
  ++thread.clock.of[running_];
  thread.vain_spins = 0;
  impl.tick(4);
  static constexpr const char* texts[] = {"unparks A", "unparks B", "unparks C", "unparks D"};
  impl.event(Action::unpark, nullptr, 0, 0, 0, where, texts[id]);
}

void Engine::wait_on(const void* cell, i32 expected, i64 nanoseconds, Where where) {
  Inside inside;
  Impl& impl = *impl_;
  if (impl.is_direct()) return;
  Thread& thread = impl.running();
  impl.touch(cell, true);
  impl.yield({.action = Action::wait, .needs_empty_buffer = true, .footprint = {.cell = cell, .writes = true}});
  impl.check_alive(cell);
  i32 now = static_cast<i32>(raw_read(cell, 4));
  impl.tick(static_cast<u64>(now == expected));
  impl.event(Action::wait, cell, 4, static_cast<u32>(now), static_cast<u32>(now), where,
             now == expected ? "sleeps" : "does not sleep");
  thread.vain_spins = 0;
  if (now != expected) return;
  thread.waits_on = cell;
  thread.waits_since = ++impl.sequence;
  thread.is_woken = false;
  impl.queue_hash = mix(impl.queue_hash, reinterpret_cast<uptr>(cell) + running_);
  impl.yield({.action = Action::wait,
              .condition = Pending::Condition::woken,
              .may_time_out = nanoseconds >= 0,
              .may_end_for_nothing = true,
              .footprint = {.cell = cell, .writes = true}});
  StepKind by = thread.arrived_by;
  if (by == StepKind::timeout) {
    thread.elapsed_nanoseconds += nanoseconds;
    ++thread.timeouts;
  }
  thread.waits_on = nullptr;
  thread.is_woken = false;
  impl.tick(mix(5, static_cast<u64>(by)));
  impl.event(Action::wait, nullptr, 0, 0, 0, where,
             by == StepKind::timeout    ? "times out"
             : by == StepKind::spurious ? "wakes for no reason"
                                        : "wakes");
}

void Engine::wake(const void* cell, i32 count, Where where) {
  Inside inside;
  Impl& impl = *impl_;
  if (impl.is_direct()) return;
  impl.yield({.action = Action::wake, .needs_empty_buffer = true, .footprint = {.cell = cell, .writes = true}});
  u64 woken = 0;
  // Wakes the threads that have slept longest first, as futexes do.
  for (; count > 0; --count) {
    Thread* longest = nullptr;
    for (u32 id = 0; id < thread_count_; ++id) {
      Thread& other = impl.threads[id];
      if (other.waits_on == cell && !other.is_woken && (longest == nullptr || other.waits_since < longest->waits_since))
        longest = &other;
    }
    if (longest == nullptr) break;
    longest->is_woken = true;
    woken = mix(woken, longest->waits_since);
  }
  impl.queue_hash = mix(impl.queue_hash, reinterpret_cast<uptr>(cell));
  impl.tick(6);
  impl.event(Action::wake, cell, 0, 0, 0, where);
}

void Engine::lock(u64* mutex, Where where) {
  Inside inside;
  Impl& impl = *impl_;
  if (impl.is_direct()) return;
  impl.touch(mutex, true);
  impl.yield({.action = Action::lock,
              .condition = Pending::Condition::free_mutex,
              .needs_empty_buffer = true,
              .footprint = {.cell = mutex, .writes = true}});
  impl.check_alive(mutex);
  impl.write_memory(mutex, 8, running_ + 1);
  impl.learn(impl.running(), impl.cell(mutex), Order::acquire);
  impl.tick(7);
  impl.event(Action::lock, mutex, 8, 0, 0, where);
}

bool Engine::try_lock(u64* mutex, Where where) {
  u64 owner = running_ + 1;
  if (impl_->is_direct()) return true;
  return modify(mutex, 8, Order::acquire, Order::relaxed, where,
                [&](u64 before, u64* after) { return before == 0 ? (*after = owner, true) : false; }) == 0;
}

void Engine::unlock(u64* mutex, Where where) {
  Inside inside;
  Impl& impl = *impl_;
  if (impl.is_direct()) return;
  impl.yield({.action = Action::unlock, .needs_empty_buffer = true, .footprint = {.cell = mutex, .writes = true}});
  impl.check_alive(mutex);
  if (raw_read(mutex, 8) != running_ + 1) fail("a mutex is unlocked by a thread that does not hold it");
  impl.write_memory(mutex, 8, 0);
  impl.cell(mutex).release = impl.released(impl.running(), Order::release);
  impl.tick(8);
  impl.event(Action::unlock, mutex, 8, 0, 0, where);
}

// --- the world -------------------------------------------------------------------------------------------------------

void Engine::become_safe() {
  if (!impl_->is_direct()) impl_->running().is_safe = true;
}

void Engine::become_managed(Where where) {
  Inside inside;
  Impl& impl = *impl_;
  if (impl.is_direct()) return;
  Thread& thread = impl.running();
  if (impl.program->stops_the_world()) {
    impl.yield({.action = Action::managed, .footprint = {.everything = true}});
    impl.tick(9);
  }
  thread.is_safe = false;
}

void Engine::stop_world(void (*operation)(void*), void* context, Where where) {
  Inside inside;
  Impl& impl = *impl_;
  impl.yield({.action = Action::stop_world,
              .condition = Pending::Condition::world_safe,
              .needs_empty_buffer = true,
              .footprint = {.everything = true}});
  Thread& thread = impl.running();
  for (u32 id = 0; id < thread_count_; ++id) thread.clock.join(impl.threads[id].clock);
  impl.event(Action::stop_world, nullptr, 0, 0, 0, where, "the world is stopped");
  impl.alone = runs_code_under_check = true;
  operation(context);
  impl.alone = runs_code_under_check = false;
  ++thread.clock.of[running_];
  for (u32 id = 0; id < thread_count_; ++id) {
    if (id != running_) impl.threads[id].clock.join(thread.clock);
  }
  // The operation changed memory without the hash. The change is a function of the state before, so a constant
  // suffices.
  impl.queue_hash = mix(impl.queue_hash, 10);
  impl.tick(10);
}

void Engine::handshake_all(void (*operation)(u32, void*), void* context, Where where) {
  Inside inside;
  Impl& impl = *impl_;
  for (u32 id = 0; id < thread_count_; ++id) {
    if (id == running_) continue;
    impl.yield({.action = Action::handshake,
                .condition = Pending::Condition::thread_safe,
                .needs_empty_buffer = true,
                .footprint = {.everything = true},
                .target = id});
    impl.operator_thread = running_;
    Thread& thread = impl.running();
    thread.clock.join(impl.threads[id].clock);
    impl.alone = runs_code_under_check = true;
    operation(id, context);
    impl.alone = runs_code_under_check = false;
    ++thread.clock.of[running_];
    impl.threads[id].clock.join(thread.clock);
    impl.queue_hash = mix(impl.queue_hash, id);
    impl.tick(11);
  }
  impl.event(Action::handshake, nullptr, 0, 0, 0, where, "handshake with all");
  impl_->operator_thread = Impl::no_thread;
}

}  // namespace keyhole::checked
