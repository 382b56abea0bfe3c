// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs of locks under the model checker: threads that take one lock as a recorded VM has them do it
// (runtime/sync/recording/recorded.cpp, lock_runs.cpp), and a recording of the few events that matter.
//
// `taken` is written by who holds the lock: who took it, one after the other. What was told, in the order of its times,
// must say the same; nobody may be told to hold what somebody else is told to hold; and pairs follow an event of their
// own thread, so that they lie between the two.
#include <algorithm>
#include <vector>

#include "runtime/sync/recording/lock_run_claims.h"
#include "tests/model/protocol_check.h"

namespace keyhole::model {
namespace {

struct W : CheckedMachine {};   // of this file alone, so that a mutant's templates are its own

constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;
constexpr auto relaxed = std::memory_order_relaxed;

enum class Told : u8 { enter, exit, pairs };

template <u32 threads> class Counting {
 public:
  static constexpr bool stops_the_world = true;

  // A thread takes the lock and releases it; between the two, and behind them, it polls.
  void pair(u32 thread) {
    enter(thread);
    poll();
    exit(thread);
    poll();
  }
  void finish() {
    for (u32 thread = 0; thread < threads; ++thread) end_run(thread);
    std::vector<Event> all;
    for (Log& log : logs_) {
      for (u32 i = 0; i < log.count.get(); ++i) all.push_back(log.events[i].get());
    }
    std::ranges::sort(all, {}, &Event::time);
    i32 holder = nobody;
    u32 takes = 0, before = threads;   // whose the event before is
    auto took = [&](u32 thread) {
      expect(takes < takes_.get() && taken_[takes].get() == thread, "the recording has another order of who took it");
      ++takes;
    };
    for (Event event : all) {
      expect(holder == (event.kind == Told::exit ? event.thread : nobody), "the recording has another holder");
      expect(event.kind != Told::pairs || before == event.thread, "pairs are told behind another thread's event");
      before = event.thread;
      if (event.kind == Told::enter) holder = event.thread;
      if (event.kind == Told::exit) holder = nobody;
      for (u32 i = 0; i < event.pairs; ++i) took(event.thread);
    }
    expect(takes == takes_.get(), "the recording has lost an enter");
  }

 private:
  static constexpr i32 nobody = -1;
  static constexpr u32 number = 1, capacity = 16;
  struct Event {
    u8 time;
    u8 thread;
    u8 pairs;   // enters of the thread that this event stands for
    Told kind;
  };
  struct Log {
    W::Plain<Event> events[capacity];
    W::Plain<u32> count{0};
  };
  struct Run {
    W::Plain<u32> lasts{0};
    W::Plain<u32> pairs{0};
  };

  static void poll() {
    W::become_safe();
    W::become_managed(checked::Where::current());
  }
  u32 now() { return clock_.fetch_add(1, relaxed); }   // orders nothing
  void tell(u32 thread, u32 time, Told kind, u32 pairs) {
    Log& log = logs_[thread];
    u32 count = log.count.get();
    expect(count < capacity, "too many events for this check");
    log.events[count].set({static_cast<u8>(time), static_cast<u8>(thread), static_cast<u8>(pairs), kind});
    log.count.set(count + 1);
  }

  // --- the lock, and its snippet -------------------------------------------------------------------------------------
  bool try_take(u32 thread) {
    i32 free = nobody;
    if (!lock_.compare_exchange_strong(free, static_cast<i32>(thread), acquire)) return false;
    u32 takes = takes_.get();
    taken_[takes].set(thread);
    takes_.set(takes + 1);
    return true;
  }
  void free() {
    lock_.store(nobody, release);
    W::wake(lock_, threads);
  }

  // --- recorded.cpp --------------------------------------------------------------------------------------------------
  void enter(u32 thread) {
    if (runs_[thread].lasts.get() != 0) {
      if (try_take(thread)) return;
      end_run(thread);
    }
    typename Claims::Operation operation(claims_, thread + 1, number);
    if (operation.meets_run()) {
      auto end_of = [](u32 target, void* self) { static_cast<Counting*>(self)->end_run(target); };
      W::handshake_all(end_of, this, checked::Where::current());
    }
    while (!try_take(thread)) {   // by the handler
      W::become_safe();
      if (i32 holder = lock_.load(relaxed); holder != nobody) W::wait_on(lock_, holder, forever);
      W::become_managed(checked::Where::current());
    }
    operation.took();
    tell(thread, now(), Told::enter, 1);
  }
  void exit(u32 thread) {
    Run& run = runs_[thread];
    if (run.lasts.get() != 0) {
      free();
      run.pairs.set(run.pairs.get() + 1);
      return;
    }
    u32 time = now();
    free();
    tell(thread, time, Told::exit, 0);
    if (claims_.begin(thread + 1, number)) run.lasts.set(1);
  }
  void end_run(u32 thread) {
    Run& run = runs_[thread];
    if (run.lasts.get() == 0) return;
    u32 time = now();
    if (u32 pairs = run.pairs.get()) tell(thread, time, Told::pairs, pairs);
    if (lock_.load(acquire) == static_cast<i32>(thread)) tell(thread, now(), Told::enter, 1);
    run.pairs.set(0);
    run.lasts.set(0);
    claims_.end(number);
  }

  using Claims = sync::LockRunClaims<W, 1>;
  Claims claims_;
  W::Atomic<i32> lock_{nobody};
  W::Atomic<u32> clock_{0};
  W::Plain<u32> takes_{0}, taken_[capacity];   // by who holds the lock
  Run runs_[threads];                          // its own, or of who has stopped it
  Log logs_[threads];                          // the same
};

// A takes it more often than the others, and so counts; they come while it is free, or held.
template <u32 threads, u32 pairs_of_a, u32 pairs_of_others> struct Meeting : Counting<threads> {
  void run(u32 thread) {
    for (u32 i = 0; i < (thread == 0 ? pairs_of_a : pairs_of_others); ++i) this->pair(thread);
  }
};

constexpr u64 states = 400'000;

constexpr ProtocolCheck checks[] = {
    {"runs-one-contender", "A counts pairs, B takes the lock once: by its snippet, or by the handler while A has it",
     program<Meeting<2, 3, 1>, 2>},
    {"runs-both-count", "A and B both count pairs when the other one does not", program<Meeting<2, 2, 2>, 2>},
    {"runs-two-contenders", "A counts pairs, B and C take the lock once, each by its snippet or by the handler",
     program<Meeting<3, 2, 1>, 3>},
};
MODEL_PROTOCOL("runs", "pairs of enter and exit that a thread counts while locks are recorded", checks, states);

}  // namespace
}  // namespace keyhole::model
