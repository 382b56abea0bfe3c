// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Coalesced lock events under the model checker: threads that take one lock as they do in a recorded VM
// (runtime/sync/recording/recorded.cpp, coalescing.cpp), and a recording of the few events that matter.
//
// The holder of the lock writes `taken`: the threads that took the lock, in order. The events, in the order of their
// times, must show the same order. According to the events, no two threads may hold the lock at once. An event that
// counts pairs must follow an event of the same thread.
#include <algorithm>
#include <vector>

#include "runtime/sync/recording/coalescer_table.h"
#include "tests/model/protocol_check.h"

namespace keyhole::model {
namespace {

// A mutant of this file is linked into the same program. Because each of the two files has its own type W, the
// templates over W differ.
struct W : CheckedMachine {};

constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;
constexpr auto relaxed = std::memory_order_relaxed;

enum class Kind : u8 { enter, exit, pairs };

template <u32 threads> class Counting {
 public:
  static constexpr bool stops_the_world = true;

  // Takes the lock, polls, releases the lock, and polls again.
  void pair(u32 thread) {
    enter(thread);
    poll();
    exit(thread);
    poll();
  }
  void finish() {
    for (u32 thread = 0; thread < threads; ++thread) end_coalescing(thread);
    std::vector<Event> all;
    for (Log& log : logs_) {
      for (u32 i = 0; i < log.count.get(); ++i) all.push_back(log.events[i].get());
    }
    std::ranges::sort(all, {}, &Event::time);
    i32 holder = nobody;
    u32 takes = 0, before = threads;  // `before`: the thread of the previous event
    auto took = [&](u32 thread) {
      expect(takes < takes_.get() && taken_[takes].get() == thread, "the recording has another order of who took it");
      ++takes;
    };
    for (Event event : all) {
      expect(holder == (event.kind == Kind::exit ? event.thread : nobody), "the recording has another holder");
      expect(event.kind != Kind::pairs || before == event.thread, "a count follows another thread's event");
      before = event.thread;
      if (event.kind == Kind::enter) holder = event.thread;
      if (event.kind == Kind::exit) holder = nobody;
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
    u8 pairs;  // the number of enters that this event stands for
    Kind kind;
  };
  struct Log {
    W::Plain<Event> events[capacity];
    W::Plain<u32> count{0};
  };
  struct Counts {
    W::Plain<u32> are_coalesced{0};
    W::Plain<u32> pairs{0};
  };

  static void poll() {
    W::become_safe();
    W::become_managed(checked::Where::current());
  }
  u32 now() { return clock_.fetch_add(1, relaxed); }  // reads a clock that orders no memory
  void report(u32 thread, u32 time, Kind kind, u32 pairs) {
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
    if (counts_[thread].are_coalesced.get() != 0) {
      if (try_take(thread)) return;
      end_coalescing(thread);
    }
    typename Coalescers::Operation operation(coalescers_, thread + 1, number);
    if (operation.meets_coalescer()) {
      auto end_of = [](u32 target, void* self) { static_cast<Counting*>(self)->end_coalescing(target); };
      W::handshake_all(end_of, this, checked::Where::current());
    }
    while (!try_take(thread)) {  // the interpreter's handler retries
      W::become_safe();
      if (i32 holder = lock_.load(relaxed); holder != nobody) W::wait_on(lock_, holder, forever);
      W::become_managed(checked::Where::current());
    }
    operation.took();
    report(thread, now(), Kind::enter, 1);
  }
  void exit(u32 thread) {
    Counts& counts = counts_[thread];
    if (counts.are_coalesced.get() != 0) {
      free();
      counts.pairs.set(counts.pairs.get() + 1);
      return;
    }
    u32 time = now();
    free();
    report(thread, time, Kind::exit, 0);
    if (coalescers_.begin(thread + 1, number)) counts.are_coalesced.set(1);
  }
  void end_coalescing(u32 thread) {
    Counts& counts = counts_[thread];
    if (counts.are_coalesced.get() == 0) return;
    u32 time = now();
    if (u32 pairs = counts.pairs.get()) report(thread, time, Kind::pairs, pairs);
    if (lock_.load(acquire) == static_cast<i32>(thread)) report(thread, now(), Kind::enter, 1);
    counts.pairs.set(0);
    counts.are_coalesced.set(0);
    coalescers_.end(number);
  }

  using Coalescers = sync::CoalescerTable<W, 1>;
  Coalescers coalescers_;
  W::Atomic<i32> lock_{nobody};
  W::Atomic<u32> clock_{0};
  // The holder of the lock writes the number of takes, and which thread took the lock. A thread's counts and log are
  // written by the thread itself, or by a thread that has stopped it.
  W::Plain<u32> takes_{0}, taken_[capacity];
  Counts counts_[threads];
  Log logs_[threads];
};

// Thread A takes the lock more often than the other threads, so A's pairs are coalesced. The other threads arrive while
// the lock is free or held.
template <u32 threads, u32 pairs_of_a, u32 pairs_of_others> struct Meeting : Counting<threads> {
  void run(u32 thread) {
    for (u32 i = 0; i < (thread == 0 ? pairs_of_a : pairs_of_others); ++i) this->pair(thread);
  }
};

constexpr u64 states = 400'000;

constexpr ProtocolCheck checks[] = {
    {"coalescing-one-contender",
     "A counts pairs, B takes the lock once: by its snippet, or by the handler while A has it",
     program<Meeting<2, 3, 1>, 2>},
    {"coalescing-both-count", "A and B both count pairs when the other does not", program<Meeting<2, 2, 2>, 2>},
    {"coalescing-two-contenders", "A counts pairs, B and C take the lock once, each by its snippet or by the handler",
     program<Meeting<3, 2, 1>, 3>},
};
MODEL_PROTOCOL("coalescing", "pairs of enter and exit that a thread counts while locks are recorded", checks, states);

}  // namespace
}  // namespace keyhole::model
