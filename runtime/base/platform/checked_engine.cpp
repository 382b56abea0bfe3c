// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The machine of the checked world: operations of threads, store buffers, happens-before, arenas. Rules: checked_engine.h.
#include "runtime/base/platform/checked_engine.h"

#include <fmt/format.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include "runtime/base/platform/checked_records.h"
#include "runtime/base/print.h"

namespace keyhole::checked {

namespace {

constexpr u32 cell_capacity = 1 << 16, vain_spins_until_waiting = 64, timeouts_at_will = 2, hint_capacity = 1024;

u64 mix(u64 a, u64 b) {
  u64 x = (a ^ (b * 0x9E3779B97F4A7C15)) * 0xFF51AFD7ED558CCD;
  x ^= x >> 32;
  x *= 0xC4CEB9FE1A85EC53;
  return x ^ x >> 29;
}

u64 raw_read(const void* cell, u32 bytes) {
  u64 value = 0;
  return memcpy(&value, cell, bytes), value;
}
void raw_write(void* cell, u32 bytes, u64 value) { memcpy(cell, &value, bytes); }

bool acquires(Order order) { return order == Order::acquire || order == Order::acq_rel || order == Order::seq_cst; }
bool releases(Order order) { return order == Order::release || order == Order::acq_rel || order == Order::seq_cst; }

}  // namespace

// Inside the engine, until the operation is done.
struct Inside {
  const bool before = std::exchange(Engine::runs_code_under_check, false);
  ~Inside() { Engine::runs_code_under_check = before; }
};

struct Engine::Impl {
  explicit Impl(Engine& owner) : engine(owner), cells(std::make_unique<Cell[]>(cell_capacity)) {
    for (Thread& thread : threads) thread.fiber = std::make_unique<Fiber>(usize{128} * 1024);
  }

  Engine& engine;
  Fiber home;
  Thread threads[maximum_threads];
  std::unique_ptr<Cell[]> cells;
  u64 epoch = 0;
  u32 cells_used = 0;
  Program* program = nullptr;
  Oracle* oracle = nullptr;
  bool every_operation = false;
  bool alone = false;            // a stopped world's operation runs
  static constexpr u32 no_thread = ~0u;
  u32 operator_thread = no_thread;   // M9: in the middle of a handshake with all
  std::vector<Event>* trace = nullptr;
  Outcome outcome = Outcome::completed;
  u64 memory_hash = 0, queue_hash = 0;
  u64 sequence = 0;
  u32 steps = 0;
  u32 spurious_left = 0;
  u32 current = 0;               // who ran last
  const void* just_flushed = nullptr;   // the step before was a flush of that cell
  u32 flushed_by = 0;
  std::vector<Step> log;
  char* arena_top[maximum_threads + 1] = {};
  struct Freed { const char* begin; const char* end; };
  std::vector<Freed> freed;
  struct Name { const char* begin; const char* end; std::string label; };
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

  // Notes who comes to a cell; true when an operation on it is seen by others (M2).
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
  bool is_hint(const void* address) const { return std::find(engine.hints_.begin(), engine.hints_.end(), address) != engine.hints_.end(); }

  void check_alive(const void* address) {
    for (const Freed& range : freed) {
      if (address >= range.begin && address < range.end)
        engine.fail(fmt::format("{} is used after it was freed", engine.name_of(address)));
    }
  }

  void event(Action action, const void* address, u32 bytes, u64 before, u64 after, Where where, const char* text = nullptr) {
    if (trace != nullptr) trace->push_back({engine.running_, action, address, static_cast<u8>(bytes), before, after, where, text});
  }

  // --- store buffers (M1) ------------------------------------------------------------------------------------------------
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
      trace->push_back({id, Action::flush, entry.cell, static_cast<u8>(entry.bytes), raw_read(entry.cell, entry.bytes), entry.value, entry.where, nullptr});
    write_memory(entry.cell, entry.bytes, entry.value);
    cell(entry.cell).release = entry.clock;
    if (++thread.buffer_begin == thread.buffer_end) thread.buffer_begin = thread.buffer_end = 0;
    ++thread.flushes;
    log.push_back(step_of(StepKind::flush, id));
  }
  // Stores that nobody else looks at leave a buffer's head by themselves.
  void flush_unseen(u32 id) {
    Thread& thread = threads[id];
    while (!every_operation && thread.has_stores() && !cell(thread.buffer[thread.buffer_begin].cell).is_shared) flush(id);
  }

  // --- the scheduler -----------------------------------------------------------------------------------------------------
  bool predicate_holds(const Thread& thread) const {
    const Pending& pending = thread.pending;
    const Thread::Buffered* own = thread.newest_store(pending.footprint.cell);
    return pending.predicate(pending.context, own != nullptr ? own->value : raw_read(pending.footprint.cell, pending.bytes));
  }
  // M9.
  bool awaits_its_operation(u32 id) const {
    Pending::Condition condition = threads[id].pending.condition;
    return (condition == Pending::Condition::world_safe || condition == Pending::Condition::thread_safe) && operator_thread != id;
  }
  bool is_safe(u32 id) const { return threads[id].is_safe || awaits_its_operation(id); }
  bool is_out_of_the_way(u32 id) const { return (threads[id].is_finished || is_safe(id)) && !threads[id].has_stores(); }
  bool may_operate(u32 id) const { return operator_thread == no_thread || operator_thread == id; }
  bool condition_holds(u32 id) const {
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
  bool can_run(u32 id) const {
    const Thread& thread = threads[id];
    return !thread.is_finished && condition_holds(id);
  }
  // --- M8: whom a store concerns that leaves its buffer ------------------------------------------------------------------------
  // A stopped world or a handshake needs empty buffers; it waits for nothing else.
  bool waits_for_flushes(u32 id) const {
    const Thread& thread = threads[id];
    if (thread.is_finished) return false;
    if (thread.pending.condition == Pending::Condition::thread_safe) return is_safe(thread.pending.target);
    if (thread.pending.condition != Pending::Condition::world_safe) return false;
    for (u32 other = 0; other < engine.thread_count_; ++other) {
      if (other != id && !threads[other].is_finished && !is_safe(other)) return false;
    }
    return true;
  }
  // `id` is about to do something that depends on `address`.
  bool is_about_to_touch(u32 id, const void* address) const {
    const Thread& thread = threads[id];
    if (thread.is_finished) return false;
    return thread.pending.footprint.cell == address || (thread.pending.needs_empty_buffer && thread.newest_store(address) != nullptr);
  }
  bool flush_matters(u32 id) const {
    const Thread& thread = threads[id];
    for (u32 other = 0; other < engine.thread_count_; ++other) {
      if (other == id) continue;
      if (waits_for_flushes(other)) return true;
      for (u32 i = thread.buffer_begin; i != thread.buffer_end; ++i) {
        if (is_about_to_touch(other, thread.buffer[i].cell) || threads[other].newest_store(thread.buffer[i].cell) != nullptr) return true;
      }
    }
    return false;
  }
  // After a flush: only what depends on it, or goes on to something that does.
  void keep_what_follows_a_flush(Choice& choice) const {
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
    if (count == 0) return;   // who was about to look cannot yet
    memcpy(choice.steps, kept, sizeof kept);
    choice.count = count;
  }

  void collect(Choice& choice) {
    u32 count = engine.thread_count_;
    for (u32 id = 0; id < count; ++id) flush_unseen(id);
    choice.count = 0;
    choice.current = current;
    // Early flushes first: what is found first then reads naturally.
    for (u32 id = 0; id < count; ++id) {
      if (threads[id].has_stores() && (every_operation || flush_matters(id))) choice.steps[choice.count++] = step_of(StepKind::flush, id);
    }
    const Thread& last = threads[current];
    choice.current_can_go_on = !last.is_finished && condition_holds(current);
    // Spinning in vain gives way (M3).
    if (choice.current_can_go_on && last.pending.action == Action::spin && !predicate_holds(last)) choice.current_can_go_on = false;
    if (can_run(current)) choice.steps[choice.count++] = step_of(StepKind::program, current);
    for (u32 id = 0; id < count; ++id) {
      if (id != current && can_run(id)) choice.steps[choice.count++] = step_of(StepKind::program, id);
    }
    for (u32 id = 0; id < count; ++id) {
      const Thread& thread = threads[id];
      if (thread.is_finished) continue;
      if (thread.pending.may_time_out && thread.timeouts < timeouts_at_will) choice.steps[choice.count++] = step_of(StepKind::timeout, id);
      if (thread.pending.may_end_for_nothing && spurious_left != 0 && !condition_holds(id))
        choice.steps[choice.count++] = step_of(StepKind::spurious, id);
    }
    if (!every_operation) keep_what_follows_a_flush(choice);
    // What is left when nobody can do anything reaches memory at last, in any order.
    for (u32 id = 0; id < count && choice.count == 0; ++id) {
      if (threads[id].has_stores()) choice.steps[choice.count++] = step_of(StepKind::flush, id);
    }
    // Whoever has timed out often does so again only where nothing else happens.
    for (u32 id = 0; id < count && (choice.count == 0 || every_operation); ++id) {
      const Thread& thread = threads[id];
      if (!thread.is_finished && thread.pending.may_time_out && thread.timeouts >= timeouts_at_will) choice.steps[choice.count++] = step_of(StepKind::timeout, id);
    }
    u64 hash = mix(memory_hash, queue_hash);
    for (u32 id = 0; id < count; ++id) {
      const Thread& thread = threads[id];
      u64 status = (thread.has_permit ? 1 : 0) | (thread.is_woken ? 2 : 0) | (thread.is_finished ? 4 : 0) | u64{thread.flushes} << 8;
      hash = mix(hash, mix(thread.history, status));
    }
    choice.state = mix(mix(hash, spurious_left), reinterpret_cast<uptr>(just_flushed));
  }

  // The running thread has said what it will do next, or has ended. Returns when it is its turn.
  void schedule() {
    for (;;) {
      Choice choice;
      collect(choice);
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
      if (++steps > longest_execution) engine.fail("the execution does not end: a livelock, or a wait without spin_until");
      threads[id].arrived_by = kind_of(step);
      if (kind_of(step) == StepKind::spurious) --spurious_left;
      current = id;
      if (id == engine.running_) return;
      u32 self = engine.running_;
      engine.running_ = id;
      Fiber::switch_between(*threads[self].fiber, *threads[id].fiber);
      return;
    }
  }

  void finish_execution() {
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
        case Pending::Condition::world_safe: case Pending::Condition::thread_safe: what = "waits for threads to become safe"; break;
        case Pending::Condition::none: break;
      }
      stuck += fmt::format("{}{} {}", stuck.empty() ? "" : "; ", static_cast<char>('A' + id), what);
    }
    if (!stuck.empty()) engine.fail(stuck);
    leave(Outcome::completed);
  }

  void leave(Outcome how) {
    outcome = how;
    Fiber::switch_between(*threads[engine.running_].fiber, home);
  }

  // The running thread is about to do something; comes back when it is chosen to.
  void yield(const Pending& pending) {
    Thread& thread = running();
    thread.pending = pending;
    if (pending.needs_empty_buffer) flush_unseen(engine.running_);
    schedule();
  }
  // After each operation: what it has observed.
  void tick(u64 observed, const void* cell = nullptr) {
    Thread& thread = running();
    log.push_back(step_of(thread.arrived_by, engine.running_));
    thread.arrived_by = StepKind::program;
    thread.history = mix(thread.history, mix(observed, reinterpret_cast<uptr>(cell)));
    ++engine.operations_;
    if (log.size() > longest_execution) engine.fail("the execution does not end: a livelock, or a wait without spin_until");
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

  static Fiber* thread_body(void* argument) {
    Engine& engine = instance();
    u32 id = static_cast<u32>(reinterpret_cast<uptr>(argument));
    Impl& self = *engine.impl_;
    self.tick(1);
    runs_code_under_check = true;
    engine.impl_->program->run(id);
    runs_code_under_check = false;
    self.event(Action::end, nullptr, 0, 0, 0, Where::current(), "ends");
    Thread& thread = self.threads[id];
    thread.is_finished = true;
    thread.is_safe = true;
    self.schedule();
    print_text(stderr, "model checker: a finished thread was run\n");
    abort();
  }

  static void on_fault(int, siginfo_t* info, void*) {
    Engine& engine = instance();
    if (engine.is_running_) engine.fail(fmt::format("touches memory at {} that is not there", info->si_addr));
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
  }
};

// --- life -------------------------------------------------------------------------------------------------------------------------

Engine::Engine() : impl_(nullptr) {
  arena_ = mmap(reinterpret_cast<void*>(arena_address), arena_bytes, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (arena_ == MAP_FAILED) {
    print_text(stderr, "model checker: no memory for arenas\n");
    abort();
  }
  impl_ = new Impl(*this);
  // A wild pointer ends the execution and is reported; fibers have guard pages, so the handler needs a stack of its own.
  static char signal_stack[64 * 1024];
  stack_t stack{.ss_sp = signal_stack, .ss_flags = 0, .ss_size = sizeof signal_stack};
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = Impl::on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigaction(SIGSEGV, &action, nullptr);
  sigaction(SIGBUS, &action, nullptr);
}

Engine::~Engine() { delete impl_; }

Engine& Engine::instance() {
  static Engine engine;
  return engine;
}

Outcome Engine::execute(Program& program, Oracle& oracle, bool every_operation, std::vector<Event>* trace) {
  Impl& impl = *impl_;
  ++impl.epoch;
  impl.program = &program;
  impl.oracle = &oracle;
  impl.every_operation = every_operation;
  impl.trace = trace;
  impl.outcome = Outcome::completed;
  impl.memory_hash = impl.queue_hash = impl.sequence = 0;
  impl.steps = 0;
  impl.spurious_left = program.spurious_wakeups();
  impl.alone = false;
  impl.operator_thread = Impl::no_thread;
  impl.just_flushed = nullptr;
  impl.log.clear();
  impl.freed.clear();
  impl.names.clear();
  hints_.clear();
  hints_.reserve(hint_capacity);   // grows no more: it would grow in an arena
  failure_.clear();
  for (u32 i = 0; i <= maximum_threads; ++i) impl.arena_top[i] = static_cast<char*>(arena_) + i * arena_of_thread_bytes;
  thread_count_ = program.thread_count();
  running_ = maximum_threads;   // the arena of set_up
  is_running_ = false;
  program.set_up();
  for (u32 id = 0; id < thread_count_; ++id) {
    Thread& thread = impl.threads[id];
    std::unique_ptr<Fiber> fiber = std::move(thread.fiber);
    thread = Thread{};
    thread.fiber = std::move(fiber);
    thread.history = id + 1;
    thread.clock.of[id] = 1;
    thread.random_state = 0x9E3779B97F4A7C15 * (id + 1);
    thread.fiber->start(Impl::thread_body, reinterpret_cast<void*>(static_cast<uptr>(id)));
  }
  if (failure_.empty()) {
    is_running_ = true;
    running_ = 0;
    impl.current = 0;
    // The first choice is made here, on the home stack; afterwards by whichever thread runs.
    Choice choice;
    impl.collect(choice);
    int chosen = oracle.choose(*this, choice);
    if (chosen == Oracle::prune) {
      impl.outcome = Outcome::pruned;
    } else {
      running_ = impl.current = thread_of(choice.steps[chosen]);
      Fiber::switch_between(impl.home, *impl.threads[running_].fiber);
    }
  }
  is_running_ = false;
  runs_code_under_check = false;
  running_ = maximum_threads;
  if (impl.outcome == Outcome::completed && failure_.empty()) program.finish();
  if (!failure_.empty()) impl.outcome = Outcome::failed;
  program.tear_down();
  return impl.outcome;
}

void Engine::fail(const std::string& text) {
  Inside inside;
  if (failure_.empty()) failure_.assign(text);   // a copy: the text may lie in an arena
  if (is_running_) impl_->leave(Outcome::failed);
}

void Engine::forget_shared_cells() {
  for (u32 i = 0; i < cell_capacity; ++i) impl_->cells[i] = Cell{};
  impl_->cells_used = 0;
  news_ = false;
}

Footprint Engine::footprint(Step step) const {
  const Thread& thread = impl_->threads[thread_of(step)];
  if (kind_of(step) == StepKind::flush) return {.cell = thread.buffer[thread.buffer_begin].cell, .writes = true};
  if (kind_of(step) == StepKind::spurious) return {.everything = true};   // they share what is left of them
  if (thread.pending.needs_empty_buffer && thread.has_stores()) return {.everything = true};   // empties it first
  return thread.pending.footprint;
}

std::string Engine::schedule() const {
  std::string text;
  const std::vector<Step>& log = impl_->log;
  for (usize i = 0; i < log.size();) {
    usize begin = i++;
    StepKind kind = kind_of(log[begin]);
    text += static_cast<char>((kind == StepKind::flush ? 'a' : 'A') + thread_of(log[begin]));
    if (kind == StepKind::timeout || kind == StepKind::spurious) text += kind == StepKind::timeout ? '!' : '?';
    if (kind != StepKind::program) continue;
    while (i < log.size() && log[i] == log[begin]) ++i;
    text += std::to_string(i - begin);
  }
  return text;
}

void Engine::name(const void* begin, usize bytes, const std::string& label) {
  Inside inside;
  impl_->names.push_back({static_cast<const char*>(begin), static_cast<const char*>(begin) + bytes, std::string(label.c_str())});
}
std::string Engine::name_of(const void* cell) const {
  // The newest first: addresses are named again when objects move in.
  for (usize i = impl_->names.size(); i-- != 0;) {
    const Impl::Name& name = impl_->names[i];
    if (cell < name.begin || cell >= name.end) continue;
    auto offset = static_cast<const char*>(cell) - name.begin;
    return offset == 0 ? name.label : fmt::format("{}+{}", name.label, offset);
  }
  for (u32 id = 0; id < thread_count_; ++id) {
    if (impl_->threads[id].fiber->contains(cell)) return fmt::format("a local of {}", static_cast<char>('A' + id));
  }
  return fmt::format("{}", cell);
}

// --- operations -----------------------------------------------------------------------------------------------------------------------

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
  if (impl.must_yield(impl.touch(cell, false), false)) impl.yield({.action = Action::load, .footprint = {.cell = cell}});
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
    if (impl.must_yield(impl.touch(cell, true), false)) impl.yield({.action = Action::store, .footprint = {.cell = cell, .writes = true}});
  } else {
    if (impl.must_yield(false, false)) impl.yield({.action = Action::store, .footprint = {}});
    impl.touch(cell, true);
  }
  impl.check_alive(cell);
  if (thread.fiber->contains(cell)) {
    // A store into the own stack is not held back: the frame could be gone when it arrives, and what lies there now is not in the buffer.
    impl.write_memory(cell, bytes, value);
    impl.cell(cell).release = impl.released(thread, order);
    thread.vain_spins = 0;
    impl.tick(2, cell);
    return;
  }
  if (thread.buffer_end == Thread::buffer_capacity) fail("a store buffer overflows: more stores than any processor holds back");
  thread.buffer[thread.buffer_end++] = {cell, bytes, value, impl.released(thread, order), where};
  thread.vain_spins = 0;
  impl.tick(2, cell);
  impl.event(Action::store, cell, bytes, raw_read(cell, bytes), value, where);
  if (stores_at_once) impl.flush(running_);   // two steps all the same: the schedule can be replayed without the flag
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
    meta.release.join(impl.released(thread, order));   // the release sequence goes on
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
  bool waits = again && thread.vain_spins >= vain_spins_until_waiting;   // M3
  if (impl.every_operation || waits || (visible && !again)) {
    impl.yield({.action = Action::spin, .condition = waits ? Pending::Condition::spin : Pending::Condition::none,
                .footprint = {.cell = cell}, .bytes = bytes, .predicate = predicate, .context = context});
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
  thread.history = mix(thread.history, value);   // M4
  if (meta.plain_write_time > thread.clock.of[meta.plain_writer]) {
    fail(fmt::format("a race: {} reads {} ({}:{}), which {} wrote ({}:{}), and nothing orders the two", static_cast<char>('A' + running_), name_of(cell),
                     where.file_name(), where.line(), static_cast<char>('A' + meta.plain_writer), meta.plain_write_file, meta.plain_write_line));
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
      fail(fmt::format("a race: {} writes {} ({}:{}), which {} reads, and nothing orders the two", static_cast<char>('A' + running_), name_of(cell),
                       where.file_name(), where.line(), static_cast<char>('A' + other)));
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

// --- sleeping ---------------------------------------------------------------------------------------------------------------------------

bool Engine::park(u32 id, i64 nanoseconds, Where where) {
  Inside inside;
  Impl& impl = *impl_;
  if (impl.is_direct()) return true;
  Thread& thread = impl.running();
  if (id != running_) fail("a thread parks on another one's parker");
  impl.yield({.action = Action::park, .condition = Pending::Condition::permit, .needs_empty_buffer = true, .may_time_out = nanoseconds >= 0,
              .may_end_for_nothing = true, .footprint = {.cell = &thread.has_permit, .writes = true}});
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
             by == StepKind::timeout ? "times out" : by == StepKind::spurious ? "returns for no reason" : "returns: has a permit");
  return by == StepKind::program;
}

void Engine::unpark(u32 id, Where where) {
  Inside inside;
  Impl& impl = *impl_;
  if (impl.is_direct()) return;
  Thread& thread = impl.running();
  Thread& target = impl.threads[id];
  impl.yield({.action = Action::unpark, .needs_empty_buffer = true, .footprint = {.cell = &target.has_permit, .writes = true}});
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
  impl.event(Action::wait, cell, 4, static_cast<u32>(now), static_cast<u32>(now), where, now == expected ? "sleeps" : "does not sleep");
  thread.vain_spins = 0;
  if (now != expected) return;
  thread.waits_on = cell;
  thread.waits_since = ++impl.sequence;
  thread.is_woken = false;
  impl.queue_hash = mix(impl.queue_hash, reinterpret_cast<uptr>(cell) + running_);
  impl.yield({.action = Action::wait, .condition = Pending::Condition::woken, .may_time_out = nanoseconds >= 0, .may_end_for_nothing = true,
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
             by == StepKind::timeout ? "times out" : by == StepKind::spurious ? "wakes for no reason" : "wakes");
}

void Engine::wake(const void* cell, i32 count, Where where) {
  Inside inside;
  Impl& impl = *impl_;
  if (impl.is_direct()) return;
  impl.yield({.action = Action::wake, .needs_empty_buffer = true, .footprint = {.cell = cell, .writes = true}});
  u64 woken = 0;
  // Those that sleep longest first, as futexes do.
  for (; count > 0; --count) {
    Thread* eldest = nullptr;
    for (u32 id = 0; id < thread_count_; ++id) {
      Thread& other = impl.threads[id];
      if (other.waits_on == cell && !other.is_woken && (eldest == nullptr || other.waits_since < eldest->waits_since)) eldest = &other;
    }
    if (eldest == nullptr) break;
    eldest->is_woken = true;
    woken = mix(woken, eldest->waits_since);
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
  impl.yield({.action = Action::lock, .condition = Pending::Condition::free_mutex, .needs_empty_buffer = true, .footprint = {.cell = mutex, .writes = true}});
  impl.check_alive(mutex);
  impl.write_memory(mutex, 8, running_ + 1);
  impl.learn(impl.running(), impl.cell(mutex), Order::acquire);
  impl.tick(7);
  impl.event(Action::lock, mutex, 8, 0, 0, where);
}

bool Engine::try_lock(u64* mutex, Where where) {
  u64 owner = running_ + 1;
  if (impl_->is_direct()) return true;
  return modify(mutex, 8, Order::acquire, Order::relaxed, where, [&](u64 before, u64* after) { return before == 0 ? (*after = owner, true) : false; }) == 0;
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

// --- the world ---------------------------------------------------------------------------------------------------------------------------

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
  impl.yield({.action = Action::stop_world, .condition = Pending::Condition::world_safe, .needs_empty_buffer = true, .footprint = {.everything = true}});
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
  impl.queue_hash = mix(impl.queue_hash, 10);   // memory was changed behind the hash: its value is a function of the state before
  impl.tick(10);
}

void Engine::handshake_all(void (*operation)(u32, void*), void* context, Where where) {
  Inside inside;
  Impl& impl = *impl_;
  for (u32 id = 0; id < thread_count_; ++id) {
    if (id == running_) continue;
    impl.yield({.action = Action::handshake, .condition = Pending::Condition::thread_safe, .needs_empty_buffer = true, .footprint = {.everything = true},
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

i64 Engine::now_nanoseconds() const { return is_running_ ? 1'000'000'000 + impl_->running().elapsed_nanoseconds : 1'000'000'000; }

u64 Engine::random() {
  static u64 alone_state = 88172645463325252;
  u64& state = is_running_ ? impl_->running().random_state : (alone_state = 88172645463325252);
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

void Engine::note(const char* text, Where where) {
  Inside inside;
  if (!impl_->is_direct()) impl_->event(Action::note, nullptr, 0, 0, 0, where, text);
}

void* Engine::allocate(usize bytes, usize alignment) {
  char*& top = impl_->arena_top[running_];
  uptr begin = (reinterpret_cast<uptr>(top) + alignment - 1) & ~(uptr{alignment} - 1);
  top = reinterpret_cast<char*>(begin + bytes);
  if (running_ < maximum_threads && top > static_cast<char*>(arena_) + (running_ + 1) * arena_of_thread_bytes) {
    print_text(stderr, "model checker: an arena is used up\n");
    abort();
  }
  return reinterpret_cast<void*>(begin);
}

void Engine::release(void* memory, usize bytes) {
  Inside inside;
  const char* begin = static_cast<const char*>(memory);
  if (is_running_) {
    impl_->check_alive(begin);
    Thread& thread = impl_->running();
    for (u32 i = thread.buffer_begin; i != thread.buffer_end; ++i) {
      if (thread.buffer[i].cell >= memory && thread.buffer[i].cell < begin + bytes) thread.buffer[i].is_into_freed = true;
    }
  }
  impl_->freed.push_back({begin, begin + bytes});
}

}  // namespace keyhole::checked
