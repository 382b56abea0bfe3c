// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// An execution of the checked machine from its beginning to its end: threads, arenas, names, failures. Rules:
// checked_engine.h.
#include "runtime/base/platform/checked_engine.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include "runtime/base/platform/checked_machine.h"
#include "runtime/base/platform/fiber_switch.h"

namespace keyhole::checked {

namespace {
constexpr u32 hint_capacity = 1024;
}

Engine::Engine() : impl_(nullptr) {
  arena_ = mmap(reinterpret_cast<void*>(arena_address), arena_bytes, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (arena_ == MAP_FAILED) {
    print_text(stderr, "model checker: no memory for arenas\n");
    abort();
  }
  impl_ = new Impl(*this);
  // The stack of the fault handler, which reports wild pointers and ends the execution. It needs one of its own,
  // because the fault may be the overflow of a fiber's stack.
  static char signal_stack[64 * 1024];
  stack_t stack{.ss_sp = signal_stack, .ss_flags = 0, .ss_size = sizeof signal_stack};
  sigaltstack(&stack, nullptr);
  struct sigaction action{};
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
  hints_.reserve(hint_capacity);  // reserved here, because later it would grow in an arena
  failure_.clear();
  for (u32 i = 0; i <= maximum_threads; ++i) impl.arena_top[i] = static_cast<char*>(arena_) + i * arena_of_thread_bytes;
  thread_count_ = program.thread_count();
  running_ = maximum_threads;  // the arena of set_up
  is_running_ = false;
  program.set_up();
  for (u32 id = 0; id < thread_count_; ++id) {
    Thread& thread = impl.threads[id];
    std::unique_ptr<Fiber> fiber = std::move(thread.fiber);
    thread = Thread{};
    thread.fiber = std::move(fiber);
    thread.stack = thread.fiber.get();
    thread.history = id + 1;
    thread.clock.of[id] = 1;
    thread.random_state = 0x9E3779B97F4A7C15 * (id + 1);
    thread.fiber->start(Impl::thread_body, reinterpret_cast<void*>(static_cast<uptr>(id)));
  }
  if (failure_.empty()) {
    is_running_ = true;
    running_ = 0;
    impl.current = 0;
    // The first choice is made here, on the home stack; later ones by the running thread.
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
  if (failure_.empty()) failure_.assign(text);  // a copy: the text may lie in an arena
  if (is_running_) impl_->leave(Outcome::failed);
}

void Engine::forget_shared_cells() {
  for (u32 i = 0; i < Impl::cell_capacity; ++i) impl_->cells[i] = Cell{};
  impl_->cells_used = 0;
  news_ = false;
}

Footprint Engine::footprint(Step step) const {
  const Thread& thread = impl_->threads[thread_of(step)];
  if (kind_of(step) == StepKind::flush) return {.cell = thread.buffer[thread.buffer_begin].cell, .writes = true};
  if (kind_of(step) == StepKind::spurious) return {.everything = true};  // all spurious steps share spurious_left
  if (thread.pending.needs_empty_buffer && thread.has_stores())
    return {.everything = true};  // empties the buffer first
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
  impl_->names.push_back(
      {static_cast<const char*>(begin), static_cast<const char*>(begin) + bytes, std::string(label.c_str())});
}
std::string Engine::name_of(const void* cell) const {
  // Searched from the newest name, because an address is named again when another object moves there.
  for (usize i = impl_->names.size(); i-- != 0;) {
    const Impl::Name& name = impl_->names[i];
    if (cell < name.begin || cell >= name.end) continue;
    auto offset = static_cast<const char*>(cell) - name.begin;
    return offset == 0 ? name.label : fmt::format("{}+{}", name.label, offset);
  }
  for (u32 id = 0; id < thread_count_; ++id) {
    if (impl_->threads[id].fiber->contains(cell)) return fmt::format("a local of {}", static_cast<char>('A' + id));
  }
  for (u32 i = 0; i < maximum_continuations; ++i) {
    const Continuation& continuation = impl_->continuations[i];
    if (continuation.fiber->contains(cell)) return fmt::format("a local of continuation {}", i + 1);
  }
  return fmt::format("{}", cell);
}

Fiber* Engine::Impl::thread_body(void* argument) {
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

void Engine::start_continuation(u32 number, void (*body)(void*), void* argument) {
  Inside inside;
  Continuation& continuation = impl_->continuations[number];
  continuation.body = body;
  continuation.argument = argument;
  continuation.history = number;
  continuation.fiber->start(Impl::continuation_body, &continuation);
}

void Engine::mount(u32 number) {
  Thread& thread = impl_->running();
  Continuation& continuation = impl_->continuations[number];
  thread.history = mix(thread.history, continuation.history);
  thread.stack = continuation.fiber.get();
  Fiber::switch_between(*thread.fiber, *continuation.fiber);
}

void Engine::unmount(u32 number) {
  Thread& thread = impl_->running();
  Continuation& continuation = impl_->continuations[number];
  continuation.history = thread.history;
  thread.stack = thread.fiber.get();
  Fiber::switch_between(*continuation.fiber, *thread.fiber);
}

Fiber* Engine::Impl::continuation_body(void* argument) {
  Continuation& self = *static_cast<Continuation*>(argument);
  self.body(self.argument);
  Thread& thread = instance().impl_->running();  // perhaps not the thread that began the body
  thread.stack = thread.fiber.get();
  return thread.stack;
}

void Engine::Impl::on_fault(int, siginfo_t* info, void*) {
  Engine& engine = instance();
  if (engine.is_running_) engine.fail(fmt::format("touches memory at {} that is not there", info->si_addr));
  signal(SIGSEGV, SIG_DFL);
  raise(SIGSEGV);
}

i64 Engine::now_nanoseconds() const {
  return is_running_ ? 1'000'000'000 + impl_->running().elapsed_nanoseconds : 1'000'000'000;
}

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
      if (thread.buffer[i].cell >= memory && thread.buffer[i].cell < begin + bytes)
        thread.buffer[i].is_into_freed = true;
    }
  }
  impl_->freed.push_back({begin, begin + bytes});
}

}  // namespace keyhole::checked
