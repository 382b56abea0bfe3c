// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The compile queue and the tier policy under the model checker, from the VM's own headers, beside a thread that stops
// the world to redefine methods or to unload their classes.
//
// The checks test the rules of jit/code (compile_queue_protocol.h, compile_requests.h, profiling_intervals.h,
// compile_budget.h, policy_protocol.h) and the table of states (tier_states.h), whose assertion is enabled here.
// Methods, units and profiles are memory of the execution. They are freed as unloading frees them, so the checker
// reports a pointer that is kept too long as a use of freed memory. `compiling` is a Plain cell, so two tasks that
// compile one method at a time are a race. A tier compares the bodies from which it made its code with the current
// ones. A thread that waits and is not Blocked keeps the world from stopping, which the checker reports as a deadlock.
#include "jit/code/compile_queue_protocol.h"
#include "jit/code/policy_protocol.h"

#include "runtime/base/platform/checked_world.h"
#include "runtime/base/platform/condition.h"
#include "tests/model/protocol_check.h"

namespace keyhole::model {
namespace {

constexpr u32 A = 0, B = 1, C = 2;
constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto release = std::memory_order_release;

// Data under a mutex is in containers, whose contents the checker does not see. The contents follow from the order in
// which threads held the mutex. That order is in a cell, which each thread observes when it takes the mutex (M4 of
// checked_engine.h).
class OrderedMutex {
 public:
  void lock() {
    mutex_.lock();
    before_ = order_.get();
  }
  void unlock() {
    order_.set(before_ * 5 + checked::engine().running_thread() + 1);
    mutex_.unlock();
  }

 private:
  CheckedMutex mutex_;
  CheckedWorld::Plain<u64> order_;
  u64 before_ = 0;  // the last value of order_; only the holder of the mutex uses it
};

struct World : CheckedWorld {
  using Mutex = OrderedMutex;
};

// A mutex with the interface of the VM's mutexes: a rank, and marks for the thread-safety analysis.
class CAPABILITY("mutex") RankedMutex {
 public:
  explicit RankedMutex(LockRank) {}
  void lock() ACQUIRE() { inner.lock(); }
  void unlock() RELEASE() { inner.unlock(); }
  OrderedMutex inner;
};
class SCOPED_CAPABILITY RankedLock {
 public:
  explicit RankedLock(RankedMutex& mutex) ACQUIRE(mutex) : mutex_(mutex) { mutex.lock(); }
  ~RankedLock() RELEASE() { mutex_.unlock(); }

 private:
  RankedMutex& mutex_;
};

struct Thread {};

struct Managed {
  Managed() { checked::engine().become_managed(checked::Where::current()); }
  ~Managed() { checked::engine().become_safe(); }
};
void poll() {
  checked::engine().become_safe();
  checked::engine().become_managed(checked::Where::current());
}

struct Tier;
struct Compiling;
Compiling* stage = nullptr;  // the state of the current execution

struct ToyWorld : World {
  struct Unit {
    Atomic<u32> pins{0};
  };
  struct MethodData {
    Atomic<i32> calls_left{0}, back_edges_left{0};
  };
  struct Method {
    Atomic<Unit*> unit{nullptr};
    Atomic<MethodData*> data{nullptr};
    Plain<u32> body{0};                           // redefinition changes the body while the world is stopped
    Plain<u32> compiling{0};                      // the thread that runs the method's task writes this
    Atomic<bool> has_code{false}, counts{false};  // whether there is baseline code, and whether it is profiled code
    std::string external_name() const { return "a method"; }
  };
  using Thread = model::Thread;
  using Tier = model::Tier;
  using Mutex = RankedMutex;
  using Lock = RankedLock;
  enum class Compilation { Installed, Impossible, NoRoom };

  class Condition {
   public:
    void wait(RankedMutex& mutex) REQUIRES(mutex) { condition_.wait(mutex.inner); }
    void notify_one() { condition_.notify_one(); }
    void notify_all() { condition_.notify_all(); }

   private:
    ConditionOf<World> condition_;
  };
  struct BlockedScope {
    explicit BlockedScope(Thread*) { checked::engine().become_safe(); }
    ~BlockedScope() { checked::engine().become_managed(checked::Where::current()); }
  };

  static Unit* mortal_unit_of(const Method* method) { return method->unit.load(relaxed); }
  static void pin(Unit* unit) { unit->pins.fetch_add(1, relaxed); }
  static void unpin(Unit* unit) { unit->pins.fetch_sub(1, relaxed); }

  static MethodData* make_method_data(Method* method) {
    if (MethodData* data = method->data.load(std::memory_order_acquire)) return data;
    auto* made = new MethodData;
    MethodData* none = nullptr;
    return method->data.compare_exchange_strong(none, made, std::memory_order_acq_rel) ? made : none;
  }
  static void make_data_of_inlined(const Method*) {}
  static Compilation recompile(Thread* thread, Method* method);
  static bool make_room(Thread*) { return false; }
  static bool has_profiled_code(const Method* method) { return method->counts.load(relaxed); }
  static i32 loop_of(const Method*, std::span<const u32> bcis, bool) {
    return bcis.empty() ? -1 : static_cast<i32>(bcis.back());
  }
  static bool has_gone_round(const Method*, i32 loop) { return loop != loop_without_profile; }
  static constexpr i32 loop_without_profile = 9;
  static void note_hot_outside_code(const Method*) {}
  static u32 next_number();
  static void announce(u32, const Method*, bool, u8) {}
  static void announce_end(const Method*, std::string_view, u8) {}
};

using Method = ToyWorld::Method;
using Queue = tiers::CompileQueueOf<ToyWorld>;
using Task = tiers::CompileTaskOf<ToyWorld>;
using Policy = tiers::PolicyOf<ToyWorld>;
using Request = tiers::CompileRequestOf<ToyWorld>;

void stop_world(const std::function<void()>& operation) {
  auto run = [](void* context) { (*static_cast<const std::function<void()>*>(context))(); };
  checked::engine().stop_world(run, const_cast<std::function<void()>*>(&operation), checked::Where::current());
}

// --- the queue -------------------------------------------------------------------------------------------------------

template <u32 capacity, u32 samples_in_all = 0> struct Queueing {
  Queue queue{capacity};
  Thread thread;
  Method x, y;
  World::Atomic<u32> ended{0};  // the sum of the samples of all tasks that were compiled or given up

  void put(Method& method, u32 samples) {
    auto given_up = queue.put({.method = &method, .samples = samples});
    if (given_up) ended.fetch_add(given_up->samples, relaxed);
    if (given_up) expect(given_up->samples <= samples, "a hotter method is given up than the new one");
  }
  // Does what a compiling thread does, except generating code.
  void compile(std::unique_ptr<Task> task) {
    if (task == nullptr) return;
    Method* method = task->method();
    expect(method->compiling.get() == 0, "two tasks of one method");
    method->compiling.set(1);
    poll();
    method->compiling.set(0);
    ended.fetch_add(task->request().samples, relaxed);
    queue.finish(std::move(task));
  }
  void finish() {
    auto contents = queue.contents();
    expect(contents.running.empty(), "a task is left");
    expect(contents.waiting.size() <= capacity, "more wait than there is room for");
    u32 left = 0;
    for (const auto& request : contents.waiting) left += request.samples;
    expect(samples_in_all == 0 || left + ended.load() == samples_in_all, "a request was lost, or doubled");
  }
};

// Three methods compete for two places: one in the queue, and the place of the running task.
struct FullQueue : Queueing<1, 18> {
  Method z;
  void run(u32 number) {
    Managed managed;
    if (number == A) {
      put(x, 5);
      return put(z, 6);
    }
    if (number == B) return put(y, 7);
    queue.wait(&thread);
    compile(queue.take());
  }
};
struct SameMethod : Queueing<2, 12> {
  void run(u32 number) {
    Managed managed;
    if (number == A) return put(x, 5);
    if (number == B) return put(x, 7);
    compile(queue.take());  // the policy's queue may still be empty here
  }
};
// Thread C is about to end, and the compiling thread D replaces it. Whether C or D gets method x from the queue, x is
// compiled (compile_queue_protocol.h Q7).
struct Replaced : Queueing<1, 5> {
  World::Atomic<bool> is_enough{false}, is_compiled{false};
  void run(u32 number) {
    Managed managed;
    if (number == A) return put(x, 5);
    if (number == B) {
      is_enough.store(true, relaxed);
      return queue.wake_all();
    }
    const World::Atomic<bool>& ends = number == C ? is_enough : is_compiled;
    while (!ends.load(relaxed)) {
      queue.wait(&thread, ends);
      std::unique_ptr<Task> task = queue.take();
      if (task == nullptr) continue;
      compile(std::move(task));
      is_compiled.store(true, relaxed);
      queue.wake_all();
    }
  }
};
// The queue has one place for each tier, and each tier has a compiling thread. Methods of the two tiers are compiled.
struct Levels : Queueing<1, 12> {
  void run(u32 number) {
    Managed managed;
    u8 level = number % 2 == 0 ? middle_level : optimised_level;
    if (number >= C) {
      queue.wait(&thread, level);
      std::unique_ptr<Task> task = queue.take(level);
      expect(task != nullptr, "woken up, and nothing waits");
      return compile(std::move(task));
    }
    Method& method = number == A ? x : y;
    u32 samples = number == A ? 5 : 7;
    if (auto given_up = queue.put({.method = &method, .samples = samples, .level = level}))
      ended.fetch_add(given_up->samples, relaxed);
  }
  void finish() {
    Queueing::finish();
    expect(ended.load() == 12, "a method has no compiler");
  }
};
// Thread A queues method x. Thread C compiles x, and reads method y to inline it. Thread B redefines x or y. Code made
// from an old body may not be installed.
template <bool changes_root> struct Redefining : Queueing<2> {
  static constexpr bool stops_the_world = true;
  void run(u32 number) {
    if (number == B) {
      Method& changed = changes_root ? x : y;
      stop_world([&] {
        changed.body.set(changed.body.get() + 1);
        queue.forget([&](const Method* method) { return method == &changed; });
      });
      Managed managed;
      put(x, 9);  // a second request, for which C waits if the first request was dropped
      return;
    }
    Managed managed;
    if (number == A) return put(x, 5);
    queue.wait(&thread);
    std::unique_ptr<Task> task = queue.take();
    if (task == nullptr) return;
    u32 body_of_x = x.body.get();
    poll();
    task->look_at(&y);
    u32 body_of_y = y.body.get();
    poll();
    if (!task->is_cancelled())  // the task polls only after the installation (compile_queue_protocol.h Q5)
      expect(x.body.get() == body_of_x && y.body.get() == body_of_y, "code of an old body is installed");
    queue.finish(std::move(task));
  }
};
// The class of method x dies as soon as nothing keeps the class alive. A frame of thread A keeps the class alive until
// x is queued. From then on the task of x keeps the class alive.
struct Unloading : Queueing<2> {
  static constexpr bool stops_the_world = true;
  Method* const mortal = new Method;
  ToyWorld::Unit* const unit = new ToyWorld::Unit;
  World::Plain<bool> is_in_use{true}, is_dead{false};
  Unloading() { mortal->unit.store(unit, relaxed); }
  void run(u32 number) {
    if (number == B) {
      stop_world([&] {
        if (is_in_use.get() || unit->pins.load() != 0) return;
        is_dead.set(true);
        queue.forget([&](const Method* method) { return method == mortal; });
        checked::engine().release(mortal, sizeof *mortal);
        checked::engine().release(unit, sizeof *unit);
      });
      Managed managed;
      return put(y, 7);
    }
    Managed managed;
    if (number == A) {
      put(*mortal, 9);
      is_in_use.set(false);
      return;
    }
    for (Method* method = nullptr; method != &y;) {
      queue.wait(&thread);
      std::unique_ptr<Task> task = queue.take();
      if (task == nullptr) continue;
      method = task->method();
      compile(std::move(task));
    }
  }
  void finish() {
    Queueing::finish();
    if (!is_dead.get()) expect(unit->pins.load() == 0, "a unit is kept alive that nobody needs");
  }
};

// --- the policy ------------------------------------------------------------------------------------------------------

struct Tier {
  enum class Outcome : u8 { Installed, Refused, Cancelled, OverBudget, Unprofiled };
  Outcome (*answer)(Compiling& stage, Task& task) = nullptr;
  Outcome compile(Thread*, Task& task) { return answer(*stage, task); }
};

struct Compiling {
  Tier tier;
  Policy policy;
  Thread thread;
  Method x, y;
  RankedMutex compiler_lock{LockRank::compiler};
  World::Atomic<u32> numbers{0};

  static tiers::Settings settings(bool uses_thresholds, u32 capacity, i32 interval_calls, bool has_middle_tier) {
    return {.uses_thresholds = uses_thresholds,
            .samples = 1,
            .interval_calls = interval_calls,
            .interval_back_edges = 1,
            .interval_nanoseconds = 10,
            .empty_interval_nanoseconds = 20,
            .hot_nanoseconds = 1'000'000,
            .queue_capacity = capacity,
            .sample_nanoseconds = 1,
            .has_middle_tier = has_middle_tier};
  }
  explicit Compiling(bool uses_thresholds = false, u32 capacity = 4, i32 interval_calls = 1,
                     bool has_middle_tier = false)
      : policy(settings(uses_thresholds, capacity, interval_calls, has_middle_tier), &tier) {
    stage = this;
  }
  ~Compiling() { stage = nullptr; }

  void sample(Method& top, i64 now, u32 bci = 0) {
    Policy::Seen seen[] = {{&top, bci}};
    policy.note(&thread, seen, now);
  }
  void sample(Method& top, Method& caller, i64 now) {
    Policy::Seen seen[] = {{&top, 0}, {&caller, 0}};
    policy.note(&thread, seen, now);
  }
  // The method's profiling interval ends, and all queued methods are compiled.
  void be_hot(Method& method, i64 now) {
    sample(method, now);
    policy.end_expired_intervals(&thread, now + 20);
    while (policy.compile_next(&thread)) {
    }
  }
  // Makes baseline code for the method, as the baseline compiler does, under a lock of its own.
  void make(Method& method) {
    RankedLock guard(compiler_lock);
    install(method);
  }
  void compile_first(Method& method) {
    policy.note_first_compilation(&method);
    RankedLock guard(compiler_lock);
    if (!method.has_code.load(relaxed)) install(method);
  }
  void install(Method& method) REQUIRES(compiler_lock) {
    bool counts = policy.is_profiling(&method);
    method.has_code.store(true, relaxed);
    method.counts.store(counts, release);
  }
  // Calls the method. If its code is profiled code, the countdown ends at once.
  void call(Method& method) {
    if (!method.counts.load(std::memory_order_acquire)) return;
    expect(method.data.load(std::memory_order_acquire) != nullptr, "code counts where there is no profile");
    policy.countdown_ended(&thread, &method);
    policy.replace_profiled_code(&thread, &method);
  }
  bool waits(const Method& method) {
    auto waiting = policy.queue().contents().waiting;
    return std::any_of(waiting.begin(), waiting.end(), [&](const auto& each) { return each.method == &method; });
  }
  void check(Method& method) {
    Policy::State state = policy.state_of(&method);
    expect(method.counts.load() == (state == Policy::State::Profiling), "the newest code is not what the state says");
    expect(waits(method) == (state == Policy::State::Queued), "whether it waits is not what the state says");
  }
  void finish() {
    expect(policy.queue().contents().running.empty(), "a task is left");
    check(x);
    check(y);
  }
};

ToyWorld::Compilation ToyWorld::recompile(Thread*, Method* method) {
  stage->make(*method);
  return Compilation::Installed;
}
u32 ToyWorld::next_number() { return stage->numbers.fetch_add(1, relaxed) + 1; }

// A sample by thread A makes method x hot. Meanwhile a frame of another thread calls x, and B, the sampler, ends
// profiling intervals.
template <bool has_caller> struct Intervals : Compiling {
  void run(u32 number) {
    Managed managed;
    if (number == A) {
      if (has_caller) sample(x, y, 1000);
      else sample(x, 1000);
    } else if (number == B) {
      policy.end_expired_intervals(&thread, 1020);
    } else {
      call(x);
    }
  }
};
// A sample by thread A makes method x hot. Thread C makes an iteration of a loop in x, calls x twice, and makes another
// iteration. Only the iteration after the calls may end the profiling interval (profiling_intervals.h P10), unless B,
// the sampler, ends it.
template <bool has_sampler> struct LoopIntervals : Compiling {
  static constexpr i32 calls = 3;
  static constexpr u32 bci_of_loop = 7;
  World::Plain<bool> has_calls{false};

  LoopIntervals() : Compiling(false, 4, calls) {}
  void run(u32 number) {
    Managed managed;
    const i64 now = ToyWorld::now_nanoseconds();  // the clock does not move: all iterations read the same time
    if (number == A) return sample(x, now, bci_of_loop);
    if (number == B) {
      if (has_sampler) policy.end_expired_intervals(&thread, now + 20);
      return;
    }
    turn();
    poll();
    has_calls.set(count_calls(2));
    poll();
    turn();
  }
  // Makes one iteration of the loop, in which the countdown of back edges reaches 0.
  void turn() {
    if (!x.counts.load(std::memory_order_acquire)) return;
    ToyWorld::MethodData* data = x.data.load(std::memory_order_acquire);
    data->back_edges_left.store(0, relaxed);
    policy.countdown_ended(&thread, &x);
    expect(data->back_edges_left.load(relaxed) > 0, "nobody asks at the next turn");
    policy.replace_profiled_code(&thread, &x);
    bool counts = policy.state_of(&x) == Policy::State::Profiling;
    if (has_calls.get()) expect(!counts, "calls were counted, and the interval waits for more");
    else if (!has_sampler) expect(counts, "a profiling interval has ended in which no call was counted");
  }
  bool count_calls(i32 count) {
    if (!x.counts.load(std::memory_order_acquire)) return false;
    x.data.load(std::memory_order_acquire)->calls_left.fetch_sub(count, relaxed);
    return true;
  }
  void finish() {
    Compiling::finish();
    auto waiting = policy.queue().contents().waiting;
    if (waiting.empty()) return;
    bool has_short_frames = has_calls.get();
    expect(has_short_frames || has_sampler, "queued, though its profiling interval waits");
    if (!has_sampler) expect(waiting[0].loop == Request::no_loop, "its frames are short, and its loop is compiled");
    if (!has_short_frames) expect(waiting[0].loop == i32{bci_of_loop}, "its frames are long, and its loop is left out");
  }
};
// Two threads compile method x for the first time, and run it.
struct FirstCompilations : Compiling {
  FirstCompilations() : Compiling(true) {}
  void run(u32) {
    Managed managed;
    compile_first(x);
    call(x);
  }
};

// An earlier run of the VM has compiled method x. Two threads compile x for the first time in this run, and one of them
// is sampled in x, while thread C finds that the earlier run's code is not available. x needs no profiling interval
// (compile_requests.h P12).
struct Expected : Compiling {
  Expected() {
    tier.answer = [](Compiling&, Task& task) {
      task.set_cost(1);
      return Tier::Outcome::OverBudget;
    };
  }
  void run(u32 number) {
    Managed managed;
    if (number == C) return void(policy.compile_next(&thread));
    policy.queue_expected(&x, Request::no_loop);
    make(x);
    if (number == A) sample(x, 1000);
  }
  void finish() {
    Compiling::finish();
    expect(x.data.load() == nullptr, "what is profiled has a profiling interval");
    expect(numbers.load() <= 3, "it was queued twice as expected");
  }
};

// At the start, method x is hot and already in the queue.
struct Queued : Compiling {
  explicit Queued(u32 capacity = 4) : Compiling(false, capacity) {
    sample(x, 1000);
    policy.end_expired_intervals(&thread, 1020);
  }
};
// The tier has cancelled the task of method x, and x is sampled while this task ends.
struct SampledAtTheEnd : Queued {
  SampledAtTheEnd() {
    tier.answer = [](Compiling&, Task&) { return Tier::Outcome::Cancelled; };
  }
  void run(u32 number) {
    Managed managed;
    if (number == A) sample(x, 2000);
    else policy.compile_next(&thread);
  }
};
// Method x has code, and is hot in a loop without code when its code is retired. That loop is compiled, or is over
// budget. Afterwards x is cold.
template <bool is_over_budget> struct RetiredMeanwhile : Queued {
  static constexpr bool stops_the_world = true;
  World::Plain<bool> has_code{true};

  RetiredMeanwhile() {
    tier.answer = [](Compiling&, Task&) { return Tier::Outcome::Installed; };
    policy.compile_next(&thread);
    tier.answer = [](Compiling& compiling, Task& task) {
      poll();
      auto& stage = static_cast<RetiredMeanwhile&>(compiling);
      if (is_over_budget && task.request().is_loop_alone) task.set_cost(100);
      if (task.request().is_loop_alone) return is_over_budget ? Tier::Outcome::OverBudget : Tier::Outcome::Refused;
      stage.has_code.set(true);
      return Tier::Outcome::Installed;
    };
  }
  void run(u32 number) {
    Managed managed;
    if (number == A) return sample(x, 2000, 7);
    if (number == C) return void(policy.compile_next(&thread));
    checked::engine().become_safe();
    stop_world([&] {
      has_code.set(false);
      policy.note_retirement(&x);
    });
    checked::engine().become_managed(checked::Where::current());
  }
  void finish() {
    Compiling::finish();
    if (policy.state_of(&x) == Policy::State::Compiled) expect(has_code.get(), "it is compiled, and has no code");
  }
};
// The code of method x is retired while x is hot in a loop. This loop has not iterated while x was profiled. So the
// loop first gets a profiling interval, which may end when x is already cold.
struct UnknownLoop : RetiredMeanwhile<false> {
  void run(u32 number) {
    if (number != A) return RetiredMeanwhile::run(number);
    Managed managed;
    sample(x, 2000, ToyWorld::loop_without_profile);
    poll();
    policy.end_expired_intervals(&thread, 2020);
  }
};
// Method x has code, and is hot in a loop without code. The queue may have no place for this loop. As soon as the queue
// has a place, the loop is compiled.
struct LoopGivenUp : Queued {
  World::Plain<bool> has_loop{false};

  LoopGivenUp() : Queued(1) {
    tier.answer = [](Compiling& compiling, Task& task) {
      if (task.request().is_loop_alone) static_cast<LoopGivenUp&>(compiling).has_loop.set(true);
      return Tier::Outcome::Installed;
    };
    policy.compile_next(&thread);
  }
  void run(u32 number) {
    Managed managed;
    if (number == A) return sample(x, 2000, 7);
    if (number == C) return void(policy.compile_next(&thread));
    sample(y, 2000);
    policy.end_expired_intervals(&thread, 2020);
  }
  void finish() {
    Compiling::finish();
    while (policy.compile_next(&thread)) {
    }
    sample(x, 3000, 7);
    while (policy.compile_next(&thread)) {
    }
    expect(has_loop.get(), "a loop that was given up is never compiled");
  }
};
// Method y is inlined in method x. Either x or y is redefined while x is compiled, and x may become hot before its task
// has ended.
template <bool changes_root> struct RedefinedMeanwhile : Queued {
  static constexpr bool stops_the_world = true;
  World::Plain<bool> is_installed{false};  // whether code of the current bodies is installed

  RedefinedMeanwhile() {
    tier.answer = [](Compiling& compiling, Task& task) {
      task.look_at(&compiling.y);
      poll();
      if (task.is_cancelled()) return Tier::Outcome::Cancelled;
      static_cast<RedefinedMeanwhile&>(compiling).is_installed.set(true);
      poll();
      return Tier::Outcome::Installed;
    };
  }
  void run(u32 number) {
    Managed managed;
    if (number == C) {
      policy.compile_next(&thread);
    } else if (number == A) {
      sample(x, 2000);
      poll();
      sample(x, 2001);
    } else {
      checked::engine().become_safe();
      Method& changed = changes_root ? x : y;
      stop_world([&] {
        if (is_installed.get()) policy.note_retirement(&x);
        is_installed.set(false);
        policy.forget([&](const Method* method) { return method == &changed; });
        changed.has_code.store(false, relaxed);
        changed.counts.store(false, relaxed);
      });
      checked::engine().become_managed(checked::Where::current());
    }
  }
  void finish() {
    Compiling::finish();
    if (policy.state_of(&x) == Policy::State::Compiled) expect(is_installed.get(), "it is compiled, and has no code");
  }
};

// Method x is over budget until it has been sampled three times. Its cost is estimated once, unless x is redefined.
struct PaidFor : Queued {
  static constexpr bool stops_the_world = true;
  static constexpr i64 cost = 4;  // ns; the budget is 3 ns after two samples, 7 ns after three
  World::Plain<u32> bodies{1}, costs{0};

  PaidFor() {
    tier.answer = [](Compiling& compiling, Task& task) {
      poll();
      if (task.is_cancelled()) return Tier::Outcome::Cancelled;
      auto& stage = static_cast<PaidFor&>(compiling);
      i64 asked = cost + 2 * stage.costs.get();
      if (task.request().budget < asked) {
        stage.costs.set(stage.costs.get() + 1);
        task.set_cost(asked);
        return Tier::Outcome::OverBudget;
      }
      expect(task.request().samples >= 3 || task.request().budget < max, "compiled over its budget");
      return Tier::Outcome::Installed;
    };
  }
  static constexpr i64 max = std::numeric_limits<i64>::max();
  void run(u32 number) {
    Managed managed;
    if (number == A) {
      sample(x, 2000);
      poll();
      sample(x, 2001);
    } else if (number == C) {
      while (policy.compile_next(&thread)) poll();
    } else {
      checked::engine().become_safe();
      stop_world([&] {
        bodies.set(bodies.get() + 1);
        policy.forget([&](const Method* method) { return method == &x; });
        x.has_code.store(false, relaxed);
        x.counts.store(false, relaxed);
      });
      checked::engine().become_managed(checked::Where::current());
    }
  }
  void finish() {
    Compiling::finish();
    for (i64 now = 3000; now < 3400; now += 40) be_hot(x, now);
    expect(policy.state_of(&x) == Policy::State::Compiled, "it is never compiled");
    expect(costs.get() <= bodies.get(), "its cost was estimated twice");
  }
};

// Method x inlines method y, which has no counts yet. So x waits for the profiling interval of y, which ends by a call
// or by the clock. Meanwhile x becomes hot once more.
struct WaitsForProfiles : Queued {
  World::Plain<u32> waits_for_y{0};

  WaitsForProfiles() {
    make(y);
    tier.answer = [](Compiling& compiling, Task& task) {
      task.look_at(&compiling.y);
      poll();
      if (!task.request().may_wait_for_profiles) return Tier::Outcome::Installed;
      auto& stage = static_cast<WaitsForProfiles&>(compiling);
      stage.waits_for_y.set(stage.waits_for_y.get() + 1);
      task.note_unprofiled(&compiling.y);
      return Tier::Outcome::Unprofiled;
    };
  }
  void run(u32 number) {
    Managed managed;
    if (number == A) {
      sample(x, 2000);
      poll();
      call(y);
    } else if (number == C) {
      while (policy.compile_next(&thread)) poll();
    } else {
      policy.end_expired_intervals(&thread, 2020);
    }
  }
  void finish() {
    Compiling::finish();
    for (i64 now = 3000; now < 3120; now += 40) be_hot(x, now);
    expect(policy.state_of(&x) == Policy::State::Compiled, "it waits for profiles for ever");
    expect(waits_for_y.get() == 1, "it waits twice");
    expect(y.data.load() != nullptr, "what it inlines never counts");
  }
};

// The middle tier compiles method x before the optimising tier does. Its code of x may be retired (policy_protocol.h
// P15).
struct MiddleFirst : Compiling {
  static constexpr bool stops_the_world = true;
  World::Plain<u32> middle_codes{0}, level{0};

  MiddleFirst() : Compiling(false, 4, 1, true) {
    tier.answer = [](Compiling& compiling, Task& task) {
      poll();
      if (task.is_cancelled()) return Tier::Outcome::Cancelled;
      auto& stage = static_cast<MiddleFirst&>(compiling);
      if (task.request().is_loop_alone) {
        expect(stage.level.get() == optimised_level, "a loop alone has better code");
        return Tier::Outcome::Refused;
      }
      bool is_middle = task.request().level == middle_level;
      if (is_middle) stage.middle_codes.set(stage.middle_codes.get() + 1);
      expect(stage.middle_codes.get() != 0, "the middle tier is left out");
      stage.level.set(task.request().level);
      return Tier::Outcome::Installed;
    };
    sample(x, 1000);
    policy.end_expired_intervals(&thread, 1020);
  }
  void compile_all() {
    while (policy.compile_next(&thread, middle_level)) poll();
    while (policy.compile_next(&thread)) poll();
  }
  void run(u32 number) {
    Managed managed;
    if (number == A) return sample(x, 2000);
    if (number == C) return compile_all();
    checked::engine().become_safe();
    stop_world([&] {
      if (level.get() != middle_level) return;
      level.set(0);
      policy.note_retirement(&x, middle_level);
    });
    checked::engine().become_managed(checked::Where::current());
  }
  void finish() {
    Compiling::finish();
    for (i64 now = 3000; now < 3400; now += 40) {
      sample(x, now);
      policy.end_expired_intervals(&thread, now + 20);
      while (policy.compile_next(&thread, middle_level) || policy.compile_next(&thread)) {
      }
    }
    expect(policy.state_of(&x) == Policy::State::Compiled, "it is never compiled");
    expect(level.get() == optimised_level, "it stays in the middle tier");
  }
};

constexpr u64 states = 20'000;

constexpr ProtocolCheck queue_checks[] = {
    {"queue-full", "two threads put three methods where there is room for one, C compiles", program<FullQueue, 3>},
    {"queue-same", "two threads put the same method, two compile", program<SameMethod, 4>},
    {"queue-replaced", "a thread that compiles is to end, another one takes its place", program<Replaced, 4>},
    {"queue-levels", "two threads put methods for two tiers, each with a thread", program<Levels, 4>},
    {"queue-redefined", "the method gets another body while it waits or is compiled", program<Redefining<true>, 3>},
    {"queue-inlined", "the same happens to a method that is inlined in it", program<Redefining<false>, 3>},
    {"queue-unloaded", "the method's class dies while it waits or is compiled", program<Unloading, 3>},
};
MODEL_PROTOCOL("compile-queue", "methods that wait for the optimising tier", queue_checks, states);

constexpr ProtocolCheck policy_checks[] = {
    {"policy-interval", "a profiling interval opens, and ends by the clock and by a count",
     program<Intervals<false>, 3>},
    {"policy-intervals", "the same with the interval of a caller", program<Intervals<true>, 3>},
    {"policy-loop-interval", "an interval in which a loop goes round waits for calls",
     program<LoopIntervals<false>, 3>},
    {"policy-loop-intervals", "the same, and it ends by the clock", program<LoopIntervals<true>, 3>},
    {"policy-counts", "thresholds decide: two threads compile a method for the first time",
     program<FirstCompilations, 2>},
    {"policy-expected", "a method that an earlier run has compiled is compiled for the first time",
     program<Expected, 3>},
    {"policy-sampled", "a method becomes hot once more while its task ends", program<SampledAtTheEnd, 2>},
    {"policy-loops", "a method's code retires while another loop of it is compiled",
     program<RetiredMeanwhile<false>, 3>},
    {"policy-expensive-loops", "the same, and the loop is over budget", program<RetiredMeanwhile<true>, 3>},
    {"policy-unknown-loop", "the same, and the loop has a profiling interval first", program<UnknownLoop, 3>},
    {"policy-full", "another loop of a compiled method is hot, and the queue is full", program<LoopGivenUp, 3>},
    {"policy-redefined", "a method gets another body while it is compiled, and becomes hot once more",
     program<RedefinedMeanwhile<true>, 3>},
    {"policy-inlined", "the same happens to a method that is inlined in it", program<RedefinedMeanwhile<false>, 3>},
    {"policy-expensive", "a method is over budget while it is sampled, and gets another body", program<PaidFor, 3>},
    {"policy-unprofiled", "a method waits for the interval of one that it inlines", program<WaitsForProfiles, 3>},
    {"policy-middle", "the middle tier compiles a method first, whose code may retire", program<MiddleFirst, 3>},
};
MODEL_PROTOCOL("tier-policy", "profiling intervals of methods, and what becomes of them", policy_checks, states);

}  // namespace
}  // namespace keyhole::model
