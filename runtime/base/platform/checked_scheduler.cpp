// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The scheduler of the checked machine: the possible next steps, and the choice among them. Rules: checked_engine.h.
#include "runtime/base/platform/checked_machine.h"
#include "runtime/base/platform/fiber_switch.h"

namespace keyhole::checked {

namespace {
constexpr u32 timeouts_at_will = 2;
}

bool Engine::Impl::predicate_holds(const Thread& thread) const {
  const Pending& pending = thread.pending;
  const Thread::Buffered* own = thread.newest_store(pending.footprint.cell);
  return pending.predicate(pending.context,
                           own != nullptr ? own->value : raw_read(pending.footprint.cell, pending.bytes));
}
// checked_engine.h M9.
bool Engine::Impl::awaits_its_operation(u32 id) const {
  Pending::Condition condition = threads[id].pending.condition;
  return (condition == Pending::Condition::world_safe || condition == Pending::Condition::thread_safe) &&
         operator_thread != id;
}
bool Engine::Impl::is_safe(u32 id) const { return threads[id].is_safe || awaits_its_operation(id); }
bool Engine::Impl::is_out_of_the_way(u32 id) const {
  return (threads[id].is_finished || is_safe(id)) && !threads[id].has_stores();
}
bool Engine::Impl::may_operate(u32 id) const { return operator_thread == no_thread || operator_thread == id; }
bool Engine::Impl::condition_holds(u32 id) const {
  const Thread& thread = threads[id];
  const Pending& pending = thread.pending;
  switch (pending.condition) {
    case Pending::Condition::none: return true;
    case Pending::Condition::free_mutex: return raw_read(pending.footprint.cell, 8) == 0;
    case Pending::Condition::permit: return thread.has_permit;
    case Pending::Condition::woken: return thread.is_woken;
    case Pending::Condition::thread_safe: return may_operate(id) && is_out_of_the_way(pending.target);
    case Pending::Condition::spin: return predicate_holds(thread);
    case Pending::Condition::world_safe:
      if (!may_operate(id)) return false;
      for (u32 other = 0; other < engine.thread_count_; ++other) {
        if (other != id && !is_out_of_the_way(other)) return false;
      }
      return true;
  }
  return true;
}
bool Engine::Impl::can_run(u32 id) const {
  const Thread& thread = threads[id];
  return !thread.is_finished && condition_holds(id);
}
// --- checked_engine.h M8: which threads a flushed store concerns ----------------------------------------------------
// Whether the thread's stop of the world, or handshake, waits for nothing but empty buffers.
bool Engine::Impl::waits_for_flushes(u32 id) const {
  const Thread& thread = threads[id];
  if (thread.is_finished) return false;
  if (thread.pending.condition == Pending::Condition::thread_safe) return is_safe(thread.pending.target);
  if (thread.pending.condition != Pending::Condition::world_safe) return false;
  for (u32 other = 0; other < engine.thread_count_; ++other) {
    if (other != id && !threads[other].is_finished && !is_safe(other)) return false;
  }
  return true;
}
// Whether thread `id` is about to do something that depends on `address`.
bool Engine::Impl::is_about_to_touch(u32 id, const void* address) const {
  const Thread& thread = threads[id];
  if (thread.is_finished) return false;
  return thread.pending.footprint.cell == address ||
         (thread.pending.needs_empty_buffer && thread.newest_store(address) != nullptr);
}
bool Engine::Impl::flush_matters(u32 id) const {
  const Thread& thread = threads[id];
  for (u32 other = 0; other < engine.thread_count_; ++other) {
    if (other == id) continue;
    if (waits_for_flushes(other)) return true;
    for (u32 i = thread.buffer_begin; i != thread.buffer_end; ++i) {
      if (is_about_to_touch(other, thread.buffer[i].cell) ||
          threads[other].newest_store(thread.buffer[i].cell) != nullptr)
        return true;
    }
  }
  return false;
}
// After a flush, keeps only the steps that depend on it, or lead to one that does.
void Engine::Impl::keep_what_follows_a_flush(Choice& choice) const {
  if (just_flushed == nullptr) return;
  bool somebody_waits = false;
  for (u32 id = 0; id < engine.thread_count_; ++id) somebody_waits |= waits_for_flushes(id);
  Step kept[step_count];
  u32 count = 0;
  for (u32 i = 0; i < choice.count; ++i) {
    u32 id = thread_of(choice.steps[i]);
    bool follows = kind_of(choice.steps[i]) == StepKind::flush
                       ? id == flushed_by || somebody_waits || threads[id].newest_store(just_flushed) != nullptr
                       : id != flushed_by && (is_about_to_touch(id, just_flushed) || waits_for_flushes(id));
    if (follows) kept[count++] = choice.steps[i];
  }
  if (count == 0) return;  // the thread for which the flush was made cannot run yet
  memcpy(choice.steps, kept, sizeof kept);
  choice.count = count;
}

void Engine::Impl::collect(Choice& choice) {
  u32 count = engine.thread_count_;
  for (u32 id = 0; id < count; ++id) flush_unseen(id);
  choice.count = 0;
  choice.current = current;
  // Flushes come first, which makes the first finding easier to read.
  for (u32 id = 0; id < count; ++id) {
    if (threads[id].has_stores() && (every_operation || flush_matters(id)))
      choice.steps[choice.count++] = step_of(StepKind::flush, id);
  }
  const Thread& last = threads[current];
  choice.current_can_go_on = !last.is_finished && condition_holds(current);
  // Switching away from a spin that found nothing is not a preemption (checked_engine.h M3).
  if (choice.current_can_go_on && last.pending.action == Action::spin && !predicate_holds(last))
    choice.current_can_go_on = false;
  if (can_run(current)) choice.steps[choice.count++] = step_of(StepKind::program, current);
  for (u32 id = 0; id < count; ++id) {
    if (id != current && can_run(id)) choice.steps[choice.count++] = step_of(StepKind::program, id);
  }
  for (u32 id = 0; id < count; ++id) {
    const Thread& thread = threads[id];
    if (thread.is_finished) continue;
    if (thread.pending.may_time_out && thread.timeouts < timeouts_at_will)
      choice.steps[choice.count++] = step_of(StepKind::timeout, id);
    if (thread.pending.may_end_for_nothing && spurious_left != 0 && !condition_holds(id))
      choice.steps[choice.count++] = step_of(StepKind::spurious, id);
  }
  if (!every_operation) keep_what_follows_a_flush(choice);
  // If no other step is possible, the remaining stores reach memory, in any order.
  for (u32 id = 0; id < count && choice.count == 0; ++id) {
    if (threads[id].has_stores()) choice.steps[choice.count++] = step_of(StepKind::flush, id);
  }
  // A thread that has timed out often does so again only when no other step is possible.
  for (u32 id = 0; id < count && (choice.count == 0 || every_operation); ++id) {
    const Thread& thread = threads[id];
    if (!thread.is_finished && thread.pending.may_time_out && thread.timeouts >= timeouts_at_will)
      choice.steps[choice.count++] = step_of(StepKind::timeout, id);
  }
  u64 hash = mix(memory_hash, queue_hash);
  for (u32 id = 0; id < count; ++id) {
    const Thread& thread = threads[id];
    u64 status = (thread.has_permit ? 1 : 0) | (thread.is_woken ? 2 : 0) | (thread.is_finished ? 4 : 0) |
                 u64{thread.flushes} << 8;
    hash = mix(hash, mix(thread.history, status));
  }
  choice.state = mix(mix(hash, spurious_left), reinterpret_cast<uptr>(just_flushed));
}

void Engine::Impl::look_between_steps() {
  bool stores_are_held = false;
  for (u32 id = 0; id < engine.thread_count_; ++id) stores_are_held |= threads[id].has_stores();
  alone = true;
  std::string wrong = program->look_between_steps(stores_are_held);
  alone = false;
  if (!wrong.empty()) engine.fail(wrong);
}

// Chooses the next step. The running thread has set its pending operation, or has ended. Returns when it is chosen.
void Engine::Impl::schedule() {
  for (;;) {
    Choice choice;
    collect(choice);
    look_between_steps();
    ++engine.choices_seen_;
    if (choice.count == 0) {
      finish_execution();
      return;
    }
    int chosen = oracle->choose(engine, choice);
    if (chosen == Oracle::prune) {
      leave(Outcome::pruned);
      return;
    }
    Step step = choice.steps[chosen];
    u32 id = thread_of(step);
    if (kind_of(step) == StepKind::flush) {
      just_flushed = threads[id].buffer[threads[id].buffer_begin].cell;
      flushed_by = id;
      flush(id);
      continue;
    }
    just_flushed = nullptr;
    if (threads[id].pending.needs_empty_buffer) {
      while (threads[id].has_stores()) flush(id);
    }
    if (++steps > longest_execution)
      engine.fail("the execution does not end: a livelock, or a wait without spin_until");
    threads[id].arrived_by = kind_of(step);
    if (kind_of(step) == StepKind::spurious) --spurious_left;
    current = id;
    if (id == engine.running_) return;
    u32 self = engine.running_;
    engine.running_ = id;
    Fiber::switch_between(*threads[self].stack, *threads[id].stack);
    return;
  }
}

void Engine::Impl::finish_execution() {
  std::string stuck;
  for (u32 id = 0; id < engine.thread_count_; ++id) {
    const Thread& thread = threads[id];
    if (thread.is_finished) continue;
    const char* what = "cannot go on";
    switch (thread.pending.condition) {
      case Pending::Condition::permit: what = "is parked, and nobody will wake it"; break;
      case Pending::Condition::woken: what = "sleeps on a cell, and nobody will wake it"; break;
      case Pending::Condition::free_mutex: what = "waits for a mutex"; break;
      case Pending::Condition::spin: what = "spins for ever"; break;
      case Pending::Condition::world_safe:
      case Pending::Condition::thread_safe: what = "waits for threads to become safe"; break;
      case Pending::Condition::none: break;
    }
    stuck += fmt::format("{}{} {}", stuck.empty() ? "" : "; ", static_cast<char>('A' + id), what);
  }
  if (!stuck.empty()) engine.fail(stuck);
  leave(Outcome::completed);
}

void Engine::Impl::leave(Outcome how) {
  outcome = how;
  Fiber::switch_between(*threads[engine.running_].stack, home);
}

}  // namespace keyhole::checked
