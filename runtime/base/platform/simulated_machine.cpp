// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The simulated machine: caches, CPUs, the kernel's futexes, and the event queue that orders them in time. Rules:
// simulated_machine.h.
#include "runtime/base/platform/simulated_machine.h"

#include <algorithm>

#include "runtime/base/check.h"
#include "runtime/base/platform/fiber_switch.h"
#include "runtime/base/types.h"

namespace keyhole {

using namespace cost_model;

SimulatedMachine* SimulatedMachine::current_ = nullptr;

SimulatedMachine::SimulatedMachine(u32 cpu_count, u64 seed, u32 cores_per_socket)
    : cores_per_socket_(cores_per_socket), random_state_(seed * 0x9E3779B97F4A7C15 + 0x2545F4914F6CDD1D) {
  const u32 cores = sockets * cores_per_socket;
  KEYHOLE_CHECK(cores <= 64, "{} cores: sharers are a set of 64 bits", cores);
  cpu_count = std::clamp(cpu_count, 1u, cores * threads_per_core);
  for (u32 i = 0; i < cpu_count; ++i) {
    u32 core = i % cores;
    u32 other = i < cores ? i + cores : i - cores;
    cpus_.emplace_back(core, other < cpu_count ? other : i);
  }
  // Threads are placed on both sockets in turn, as the kernel spreads new threads; second hyperthreads come last.
  for (u32 round = 0; round < threads_per_core; ++round) {
    for (u32 i = 0; i < cores_per_socket; ++i) {
      for (u32 socket = 0; socket < sockets; ++socket) {
        u32 cpu = round * cores + socket * cores_per_socket + i;
        if (cpu < cpu_count) placement_.push_back(cpu);
      }
    }
  }
  current_ = this;
}

SimulatedMachine::~SimulatedMachine() { current_ = nullptr; }

u64 SimulatedMachine::random() {
  random_state_ ^= random_state_ << 13;
  random_state_ ^= random_state_ >> 7;
  random_state_ ^= random_state_ << 17;
  return random_state_;
}

// --- threads ---------------------------------------------------------------------------------------------------------

void SimulatedMachine::add_thread(std::function<void()> body) {
  auto thread = std::make_unique<Thread>();
  thread->machine = this;
  thread->index = static_cast<u32>(threads_.size());
  thread->body = std::move(body);
  thread->fiber = std::make_unique<Fiber>(Fiber::default_stack_bytes);
  thread->fiber->start(thread_body, thread.get());
  thread->cpu = placement_[thread->index % placement_.size()];
  threads_.push_back(std::move(thread));
}

Fiber* SimulatedMachine::thread_body(void* argument) {
  Thread* thread = static_cast<Thread*>(argument);
  SimulatedMachine* machine = thread->machine;
  thread->body();
  --machine->alive_;
  machine->give_up_cpu(thread);
  return machine->next_fiber();
}

bool SimulatedMachine::run() {
  alive_ = static_cast<u32>(threads_.size());
  for (auto& thread : threads_) {
    Cpu& cpu = cpus_[thread->cpu];
    if (cpu.thread == nullptr) {
      cpu.thread = thread.get();
      cpu.slice_end = end_of_slice(0);
      schedule(thread.get(), 0);
    } else {
      cpu.ready.push_back(thread.get());
    }
  }
  Fiber* first = next_fiber();
  if (first != &home_) Fiber::switch_between(home_, *first);
  running_ = nullptr;
  return alive_ == 0;
}

void SimulatedMachine::schedule(Thread* thread, Picoseconds time) {
  events_.push({time, next_order_++, thread, ++thread->epoch});
}

// The fiber of the earliest event, whose thread becomes the running thread; `home` when there is no event.
Fiber* SimulatedMachine::next_fiber() {
  while (!events_.empty()) {
    Event event = events_.top();
    events_.pop();
    if (event.epoch != event.thread->epoch) continue;
    now_ = event.time;
    running_ = event.thread;
    return running_->fiber.get();
  }
  running_ = nullptr;
  return &home_;
}

void SimulatedMachine::switch_away() {
  Thread* self = running_;
  Fiber* next = next_fiber();
  if (next != self->fiber.get()) Fiber::switch_between(*self->fiber, *next);
}

// The running thread continues at `time`; others run meanwhile. At the end of its slice it yields the CPU to a ready
// thread.
void SimulatedMachine::advance_to(Picoseconds time) {
  Thread* self = running_;
  for (;;) {
    Cpu& cpu = cpus_[self->cpu];
    bool preempted = !cpu.ready.empty() && time > cpu.slice_end;
    Picoseconds until = preempted ? std::max(now_, cpu.slice_end) : time;
    Picoseconds left = time - until;
    if (!preempted && (events_.empty() || until < events_.top().time)) {
      now_ = until;  // because there is no earlier event
      return;
    }
    schedule(self, until);
    switch_away();
    if (!preempted) return;
    Cpu& here = cpus_[self->cpu];
    if (here.ready.empty()) {  // an idle CPU took the ready thread in between
      time = now_ + left;
      continue;
    }
    yield_to_ready_threads();
    time = now_ + left;
  }
}

void SimulatedMachine::yield_to_ready_threads() {
  Thread* self = running_;
  cpus_[self->cpu].ready.push_back(self);
  ++self->epoch;
  give_up_cpu(self);
  switch_away();
}

void SimulatedMachine::yield() {
  if (running_ == nullptr) return;
  advance_to(now_ + cost_model::system_call);
  if (!cpus_[running_->cpu].ready.empty()) yield_to_ready_threads();
}

// The CPU takes its next ready thread, or the one that has waited longest elsewhere.
void SimulatedMachine::give_up_cpu(Thread* thread) {
  Cpu& cpu = cpus_[thread->cpu];
  cpu.thread = nullptr;
  std::deque<Thread*>* queue = &cpu.ready;
  if (queue->empty()) {
    for (Cpu& other : cpus_) {
      if (other.ready.size() > queue->size()) queue = &other.ready;
    }
  }
  if (queue->empty()) return;
  Thread* next = queue->front();
  queue->pop_front();
  next->cpu = static_cast<u32>(&cpu - cpus_.data());
  cpu.thread = next;
  next->is_deferred_unpark = false;
  const Picoseconds cost = are_virtual_ ? carrier_switch : context_switch;
  cpu.slice_end = end_of_slice(now_ + cost);
  schedule(next, now_ + cost);
}

// Finds an idle CPU: the one where the thread ran last, otherwise one of an idle core, otherwise any.
std::optional<u32> SimulatedMachine::find_idle_cpu(const Thread* thread) const {
  auto idle = [&](u32 cpu) { return cpus_[cpu].thread == nullptr; };
  if (idle(thread->cpu)) return thread->cpu;
  for (u32 cpu : placement_) {
    if (idle(cpu) && idle(cpus_[cpu].sibling)) return cpu;
  }
  auto found = std::ranges::find_if(placement_, idle);
  if (found == placement_.end()) return {};
  return *found;
}

void SimulatedMachine::start_on(u32 cpu, Thread* thread, Picoseconds latency) {
  thread->cpu = cpu;
  cpus_[cpu].thread = thread;
  cpus_[cpu].slice_end = end_of_slice(now_ + latency);
  schedule(thread, now_ + latency);
}

// Makes a sleeping thread ready.
void SimulatedMachine::make_ready(Thread* thread) {
  thread->resumed_at = now_;
  if (std::optional<u32> cpu = find_idle_cpu(thread)) return start_on(*cpu, thread, wake_latency);
  cpus_[thread->cpu].ready.push_back(thread);
}

void SimulatedMachine::call_awake(Thread* thread) {
  advance_to(now_ + wake_call);
  make_ready(thread);
}

// Defers the unpark of `thread` (R6). The waker is running.
void SimulatedMachine::defer_unpark(Thread* thread) {
  advance_to(now_ + deferred_unpark);
  thread->is_deferred_unpark = true;
  thread->resumed_at = now_;
  thread->cpu = running_->cpu;
  cpus_[thread->cpu].ready.push_back(thread);
  schedule(thread, now_ + unblocker_interval);
}

// Finds an idle carrier for a thread that was woken and that no carrier has taken (R6).
void SimulatedMachine::look_for_idle_carrier(Thread* thread) {
  std::optional<u32> cpu = find_idle_cpu(thread);
  if (!cpu) return schedule(thread, now_ + unblocker_interval);
  std::erase(cpus_[thread->cpu].ready, thread);
  thread->is_deferred_unpark = false;
  start_on(*cpu, thread, 2 * wake_latency);
}

void SimulatedMachine::compute(Picoseconds cost) {
  if (running_ == nullptr) return;
  const Cpu& cpu = cpus_[running_->cpu];
  const Cpu& sibling = cpus_[cpu.sibling];
  // A sibling that spins with PAUSE leaves the core to this thread.
  if (&sibling != &cpu && sibling.thread != nullptr && !sibling.thread->spinning)
    cost = cost * sibling_slowdown_percent / 100;
  advance_to(now_ + cost);
}

// --- memory ----------------------------------------------------------------------------------------------------------

bool SimulatedMachine::on_socket_of(u32 core, u64 set) const {
  return (set & cores_of_socket(socket_of_core(core))) != 0;
}

SimulatedMachine::Picoseconds SimulatedMachine::jittered(Picoseconds cost) {
  return cost + cost * (static_cast<i64>(random() % (2 * jitter_percent + 1)) - jitter_percent) / 100;
}

// The cost of bringing a line that this core does not have.
SimulatedMachine::Picoseconds SimulatedMachine::fetch_cost(const Line& line, u32 core) {
  if (line.owner != no_core)
    return jittered(socket_of_core(line.owner) == socket_of_core(core) ? transfer : cross_socket_transfer);
  return jittered(line.sharers == 0 || on_socket_of(core, line.sharers) ? shared_read : cross_socket_read);
}
// The cost of invalidating a line in the cores that share it.
SimulatedMachine::Picoseconds SimulatedMachine::invalidation_cost(const Line& line, u32 core) {
  return jittered((line.sharers & ~cores_of_socket(socket_of_core(core))) != 0 ? cross_socket_invalidation
                                                                               : invalidation);
}

// The cost of taking a line that other cores have.
SimulatedMachine::Picoseconds SimulatedMachine::write_cost(const Line& line, u32 core) {
  if ((line.sharers & (u64{1} << core)) != 0) return invalidation_cost(line, core);
  if (!are_shared_writes_dear_ || line.owner != no_core || line.sharers == 0) return fetch_cost(line, core);
  const bool crosses = (line.sharers & ~cores_of_socket(socket_of_core(core))) != 0;
  return jittered(crosses ? cross_socket_transfer : transfer);
}

// Lets the thread's core keep using the line for a moment (R5).
void SimulatedMachine::keep(Thread* thread, const Line& line, Picoseconds used_at, bool exclusive) {
  Picoseconds until = used_at + static_cast<Picoseconds>(random() % static_cast<u64>(2 * invalidation));
  for (Recent& recent : thread->recent) {
    if (recent.line == &line) {
      recent = {&line, until, exclusive};
      return;
    }
  }
  thread->recent[thread->next_recent++ % std::size(thread->recent)] = {&line, until, exclusive};
}
bool SimulatedMachine::kept(const Thread* thread, const Line& line, Picoseconds until, bool exclusive) const {
  for (const Recent& recent : thread->recent) {
    if (recent.line == &line) return until <= recent.until && (recent.exclusive || !exclusive);
  }
  return false;
}

SimulatedMachine::Step SimulatedMachine::step_of_load(const Line& line, u32 core) const {
  if ((line.sharers & (u64{1} << core)) != 0) return Step::own;
  if (line.owner != no_core)
    return socket_of_core(line.owner) == socket_of_core(core) ? Step::other_core : Step::other_socket;
  return line.sharers == 0 || on_socket_of(core, line.sharers) ? Step::shared : Step::other_socket;
}
SimulatedMachine::Step SimulatedMachine::step_of_write(const Line& line, u32 core) const {
  const u64 own = u64{1} << core;
  if (line.sharers == own) return Step::own;
  if ((line.sharers & own) == 0) return step_of_load(line, core);
  return (line.sharers & ~cores_of_socket(socket_of_core(core))) != 0 ? Step::other_socket : Step::shared;
}

// Requests the line for the thread's core; returns the time when it arrives.
SimulatedMachine::Picoseconds SimulatedMachine::queue_load(Thread* thread, Line& line) {
  u32 core = core_of(thread);
  Picoseconds begin = std::max(now_, line.free_at);
  Picoseconds done = begin + fetch_cost(line, core);
  line.free_at = line.owner != no_core ? done : begin + read_occupancy;
  line.owner = no_core;
  line.sharers |= u64{1} << core;
  keep(thread, line, done, false);
  return done;
}

void SimulatedMachine::load(const void* address) {
  if (running_ == nullptr) return;
  ++accesses_;
  Line& line = line_of(address);
  u64 own = u64{1} << core_of(running_);
  const Picoseconds begin = now_;
  Step step = Step::own;
  if ((line.sharers & own) != 0) {
    advance_to(now_ + l1_hit);
    keep(running_, line, now_, line.sharers == own);
  } else if (kept(running_, line, now_, false)) {
    advance_to(now_ + l1_hit);
  } else {
    step = step_of_load(line, core_of(running_));
    advance_to(queue_load(running_, line));
  }
  tell(running_, step, begin);
}

void SimulatedMachine::begin_store(void* address) {
  if (running_ == nullptr) return;
  ++accesses_;
  const Picoseconds begin = now_;
  advance_to(now_ + store_issue);
  u32 core = core_of(running_);
  Line& line = line_of(address);
  u64 own = u64{1} << core;
  if (line.sharers == own) {
    line.owner = core;
    keep(running_, line, now_, true);
    return tell(running_, Step::own, begin);
  }
  if (kept(running_, line, now_, true)) return tell(running_, Step::own, begin);
  tell(running_, step_of_write(line, core), begin);
  // R2: the line is on its way. Own stores become visible in order.
  Picoseconds cost = write_cost(line, core);
  Picoseconds done = std::max(std::max(now_, line.free_at) + cost, running_->drained_at);
  line.free_at = done;
  line.owner = core;
  line.sharers = own;
  running_->drained_at = done;
  keep(running_, line, done, true);
}

void SimulatedMachine::begin_locked_operation(void* address) {
  if (running_ == nullptr) return;
  ++accesses_;
  u32 core = core_of(running_);
  Line& line = line_of(address);
  u64 own = u64{1} << core;
  const Picoseconds called = now_;
  Picoseconds begin = std::max(now_, running_->drained_at);
  Step step = Step::own;
  if (line.sharers != own) {
    if (kept(running_, line, begin + cost_model::locked_operation, true)) {
      advance_to(begin + cost_model::locked_operation);
      return tell(running_, step, called);
    }
    step = step_of_write(line, core);
    begin = std::max(begin, line.free_at);
    begin += write_cost(line, core);
  }
  Picoseconds done = begin + cost_model::locked_operation;
  line.owner = core;
  line.sharers = own;
  line.free_at = std::max(line.free_at, done);
  keep(running_, line, done, true);
  advance_to(done);
  tell(running_, step, called);
}

void SimulatedMachine::fence() {
  if (running_ == nullptr) return;
  const Picoseconds begin = now_;
  advance_to(std::max(now_, running_->drained_at) + cost_model::fence);
  tell(running_, Step::other, begin);
}

// --- spinning --------------------------------------------------------------------------------------------------------

bool SimulatedMachine::watch(const void* address, Picoseconds deadline) {
  if (running_ == nullptr || deadline <= now_) return false;
  Thread* self = running_;
  Line& line = line_of(address);
  self->watched = &line;
  self->next_watcher = line.watchers;
  line.watchers = self;
  self->spinning = true;
  self->timed_out = true;
  schedule(self, deadline);
  switch_away();
  self->spinning = false;
  if (self->timed_out) {
    stop_watching(self);
    self->resumed_at = now_;
  }
  tell_resumed(self);
  if (!self->timed_out) tell(self, self->resumed_by, self->resumed_at);
  return !self->timed_out;
}

void SimulatedMachine::stop_watching(Thread* thread) {
  Thread** place = &thread->watched->watchers;
  while (*place != thread) place = &(*place)->next_watcher;
  *place = thread->next_watcher;
  thread->watched = nullptr;
}

// Lets the watchers of a line read it again (R3).
void SimulatedMachine::notify_watchers(const void* address) {
  if (running_ == nullptr) return;
  Line& line = line_of(address);
  if (line.watchers == nullptr) return;
  woken_.clear();
  for (Thread* watcher = line.watchers; watcher != nullptr; watcher = watcher->next_watcher) woken_.push_back(watcher);
  line.watchers = nullptr;
  for (usize i = woken_.size(); i > 1; --i) std::swap(woken_[i - 1], woken_[random() % i]);
  for (Thread* watcher : woken_) {
    watcher->timed_out = false;
    watcher->watched = nullptr;
    // A hyperthread of the writer's core finds the line where it is.
    bool here = (line.sharers & (u64{1} << core_of(watcher))) != 0;
    watcher->resumed_at = now_;
    watcher->resumed_by = step_of_load(line, core_of(watcher));
    schedule(watcher, here ? now_ + l1_hit : queue_load(watcher, line));
  }
}

// --- the kernel ------------------------------------------------------------------------------------------------------

// Threads take the bucket's lock in turn: a thread that arrives while others are inside waits for them and for the line
// of the lock. A virtual thread does not enter the kernel (R6).
void SimulatedMachine::enter_kernel_bucket(Bucket& bucket) {
  if (are_virtual_) return;
  Picoseconds begin = now_ + system_call;
  if (bucket.free_at > begin) begin = bucket.free_at + transfer;
  bucket.free_at = begin + futex_bucket_hold;
  advance_to(begin + futex_bucket_hold);
}

void SimulatedMachine::sleep_on(const void* cell, const std::function<bool()>& unchanged, i64 nanoseconds) {
  if (running_ == nullptr) return;
  Bucket& bucket = buckets_[cell];
  Thread* self = running_;
  const Picoseconds begin = now_;
  enter_kernel_bucket(bucket);
  tell(self, Step::kernel, begin);
  if (!unchanged()) return;
  bucket.sleepers.push_back(self);
  self->sleeps_on = cell;
  ++self->epoch;
  if (nanoseconds >= 0) {
    // A deadline beyond the range of time never comes.
    Picoseconds limit = nanoseconds < INT64_MAX / 2000 ? now_ + nanoseconds * 1000 + timer_lateness : INT64_MAX;
    if (limit != INT64_MAX) schedule(self, limit);
  }
  give_up_cpu(self);
  switch_away();
  if (self->sleeps_on != nullptr) {
    // The deadline has passed: the thread first gets back onto a CPU.
    self->sleeps_on = nullptr;
    std::erase(bucket.sleepers, self);
    ++self->epoch;
    make_ready(self);
    switch_away();
  }
  while (self->is_deferred_unpark) {
    look_for_idle_carrier(self);
    switch_away();
  }
  tell_resumed(self);
  tell(self, Step::kernel, self->resumed_at);
}

void SimulatedMachine::wake(const void* cell, u32 count) {
  if (running_ == nullptr) return;
  Bucket& bucket = buckets_[cell];
  const Picoseconds begin = now_;
  enter_kernel_bucket(bucket);
  while (count-- != 0 && !bucket.sleepers.empty()) {
    Thread* sleeper = bucket.sleepers.front();
    bucket.sleepers.pop_front();
    sleeper->sleeps_on = nullptr;
    ++sleeper->epoch;
    if (are_virtual_) defer_unpark(sleeper);
    else call_awake(sleeper);
  }
  tell(running_, Step::kernel, begin);
}

}  // namespace keyhole
