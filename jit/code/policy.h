// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tier policy: which methods go further than baseline code, and when.
//
//            hot: sampled often               window ends: enough seen, or 5 ms             taken, compiled
//     Cold ─────────────────────> Counting ──────────────────────────────────> Queued ───────────────────> Compiled
//       ^   (profiled before: at once to Queued)  |   not hot itself, but        |
//       |                                         |   called by one that is      ├──────────────────────> Refused
//       └─────────────────────────────────────────┴──────────────────────────────┘
//                                                    given up by the full queue, cancelled
//
// A *sample* is what a thread executes at a poll that the sampler has armed (sampler.h): top frame and two callers. A
// method that is in -XX:Tier4Samples of them within a tenth of a second, and in one percent of all meanwhile, is hot.
//
// A *window* is a time in which baseline code counts: the hot method, and what it calls most, is compiled once more,
// with MethodData, and goes back to code that does not count when the window ends. So each window costs two baseline
// compilations, microseconds each, and counting is paid for some milliseconds, however long the queue is.
//
// With -XX:Tier4InvocationThreshold or -XX:Tier4BackEdgeThreshold *counts decide*: the window opens when a method is
// first compiled, ends when one of the thresholds is reached, and the method is queued. Nothing depends on the clock.
//
// P1: the state of a method says whether its code counts. Baseline asks is_counting() under its own lock when it makes
//     code; whoever changes the answer compiles the method anew afterwards. So the newest code of a method is, in the
//     end, what its state says, whoever compiles at the same time.
// P2: frames go over by themselves: at an armed poll, and when a countdown runs out, which it does again and again in
//     code of a window that has ended.
// P3: what is known of a method is weak: forget() drops it, world stopped, when its class dies or its body changes.
//     Methods are used outside of the lock until the thread's next safepoint only.
// P4: a method goes to the queue once: a refused or compiled one is not sampled any more.
// P5: what is seen as a caller only, and counts nothing in its window, merely waits for what it has called: main, say.
//     It stays cold, and from then on samples count for it only with its own frame on top.
// P6: a window can end once it is open, that is, once its method has MethodData; until then it is as young as can be.
// P7: nothing is decided under the lock that compiles, allocates in a class unit, or puts into the queue.
//
// Only with an optimising tier, or with -XX:+SampleHotMethods, is there a policy; otherwise no poll is armed and
// nothing is counted. -Xlog:jit+sampling=debug shows what becomes hot, =trace each sample; -Xlog:jit+queue=debug what
// is queued.
#pragma once

#include <atomic>
#include <limits>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "jit/code/compile_queue.h"
#include "runtime/base/mutex.h"
#include "vm/interpreter/tier_policy.h"

namespace keyhole::tiers {

struct Settings {
  bool counts_decide = false;
  u32 samples = 5;                             // within hot_nanoseconds
  i32 window_calls = 200, window_back_edges = 2000;
  i64 window_nanoseconds = 5'000'000;
  i64 hot_nanoseconds = 100'000'000;
  u32 queue_capacity = 64;

  static Settings of_flags();
};

// One activation in a sample.
struct Seen {
  Method* method;
  u32 bci;
};

// The last samples that a method was in.
class RecentSamples {
 public:
  // `number`: of all samples, from 1.
  void note(i64 now, u64 number, u32 bci, u32 capacity);
  bool are_hot(i64 now, u64 number, const Settings& settings) const;
  void clear() { samples_.clear(); }
  bool are_older_than(i64 time) const { return samples_.empty() || samples_.back().at < time; }
  std::vector<u32> bcis() const;

 private:
  struct Sample {
    i64 at;
    u64 number;
    u32 bci;
  };
  std::vector<Sample> samples_;   // oldest first
};

class Policy final : public interpreter::TierPolicy {
 public:
  enum class State : u8 { Cold, Counting, Queued, Compiled, Refused };

  // Without a tier everything is refused.
  Policy(const Settings& settings, OptimisingTier* tier)
      : settings_(settings), tier_(tier), queue_(settings.queue_capacity) {}

  // --- from the interpreter ------------------------------------------------------------------------------------------
  void note_sample(JavaThread* thread) override;
  void window_ended(JavaThread* thread, Method* method) MAY_SAFEPOINT override;
  void forget(const std::function<bool(const Method*)>& is_gone) override;

  // --- from the baseline compiler ------------------------------------------------------------------------------------
  void note_first_compilation(Method* method);
  bool is_counting(const Method* method) const;

  // --- from the sampler: innermost activation first ------------------------------------------------------------------
  void note(JavaThread* thread, std::span<const Seen> seen, i64 now);
  void end_old_windows(JavaThread* thread, i64 now) MAY_SAFEPOINT;
  // When a method was on top last that may become hot, or counts.
  i64 last_news() const { return last_news_.load(std::memory_order_relaxed); }

  // --- compiling threads ---------------------------------------------------------------------------------------------
  // Takes one method and compiles it; false when none waits.
  bool compile_next(JavaThread* thread) MAY_SAFEPOINT;
  CompileQueue& queue() { return queue_; }

  State state_of(const Method* method) const;

 private:
  static constexpr usize most_callees = 8, callees_counted = 4, records_before_cleaning = 1024;
  static constexpr i64 not_open = std::numeric_limits<i64>::max();   // P6

  struct Callee {
    Method* method;
    u32 samples;
  };
  struct Record {
    State state = State::Cold;
    bool is_hot = false;         // Counting: it goes to the queue afterwards
    bool is_profiled = false;    // a window of it has ended
    bool was_on_top = false;     // since it was cold
    bool is_outer = false;       // P5
    i64 window_began = not_open;
    u32 samples = 0;             // since it was cold
    RecentSamples recent;
    std::vector<Callee> callees;
  };
  // What is to be done outside of the lock.
  struct Decisions {
    std::vector<Method*> open, queue, warm;
  };

  void decide(Record& record, Method* method, i64 now, Decisions& decisions) REQUIRES(mutex_);
  void begin_window(Record& record, Method* method, bool is_hot, i64 began) REQUIRES(mutex_);
  void forget_cold_records(i64 now) REQUIRES(mutex_);
  void open_window(JavaThread* thread, Method* method, i64 now);
  void set_countdown(MethodData* data) const;
  // Has anything been counted since set_countdown?
  bool has_counted(const MethodData* data) const;
  // False: none is open.
  bool close_window(JavaThread* thread, Method* method, bool by_back_edges, i64 now);
  void put(Method* method, bool by_back_edges);
  void become_cold(Method* method, bool is_refused);
  void start_compiling_threads(JavaThread* thread) MAY_SAFEPOINT;

  const Settings settings_;
  OptimisingTier* const tier_;
  CompileQueue queue_;
  std::atomic<bool> has_threads_{false}, wants_threads_{false};
  std::atomic<i64> last_news_{0};
  mutable Mutex mutex_{LockRank::tier_policy};
  u64 sample_count_ GUARDED_BY(mutex_) = 0;
  std::unordered_map<const Method*, Record> records_ GUARDED_BY(mutex_);
  std::vector<Method*> counting_ GUARDED_BY(mutex_);   // their windows are open
};

// --- the one of this process -----------------------------------------------------------------------------------------

// Before initialize(). The tier compiles what the policy finds.
void register_tier(OptimisingTier* tier);
// Once, behind the baseline compiler. Registers the policy with the interpreter if anybody wants one.
void initialize();
// The first thread is there: sampling begins, unless counts decide.
void start(JavaThread* thread) MAY_SAFEPOINT;
// Of no effect without a policy.
void note_first_compilation(Method* method);
bool is_counting(const Method* method);
// As jcmd's Compiler.queue prints it. Managed thread.
std::string describe_queue();

}  // namespace keyhole::tiers
