// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tier policy: decides which methods get code beyond baseline code, and when. Layer 4 of four (tier_records.h).
// tier_states.h has the states and their transitions.
//
//   note                samples ──> hot methods ──> profiling intervals, or the compile queue
//   compile_next        compile queue ──> optimising tier ──> Compiled, Refused, or deferred
//   note_retirement     optimised code retires ──> Cold
//   forget              methods die, or get other bodies
//
// A *sample* is what a thread executes at a poll that the sampler has armed (sampler.h): the top frame and two callers.
// A method that is in -XX:Tier4Samples of them within a tenth of a second, and in one percent of all samples meanwhile,
// is *hot* (recent_samples.h).
//
// P15: with a middle tier, a method is compiled twice. It is *warm* after -XX:Tier2Samples samples, however far apart,
//     and the middle tier compiles it then. The code is sampled, so the method is still Cold, and is compiled for the
//     highest level when it is hot and within its budget. Both compilations use the profile of one interval. When the
//     middle tier refuses a method, the method stays in baseline code until it is hot. When its code retires, the
//     method begins again. The middle tier has compiling threads of its own, so no warm method waits for LLVM.
// P14: a method that would inline a callee without a profile is deferred, because the receivers in the callee are
//     unknown. It is queued again when the callee's profiling interval has ended and the method has become hot once
//     more. It is deferred in this way once for each of its codes. The samples do not find such a callee: it is small,
//     so it returns before it reaches a poll.
//
// The layers and the queue are templates over a world: the VM (tier_world.h), or the model checker's small one
// (tests/model/protocol_compiling.cpp). The policy asks of it, besides what the queue does:
//
//   W::MethodData                     has calls_left and back_edges_left; Method::data points to it, null at first
//   W::make_method_data(method)       W::make_data_of_inlined(method)
//   W::recompile(thread, method)      compiles by the baseline tier, which asks is_profiling; returns a W::Compilation:
//                                     Installed, Impossible, NoRoom
//   W::has_profiled_code(method)      its newest code is profiled
//   W::make_room(thread)              after NoRoom
//   W::loop_of(method, bcis, by_back_edges), W::has_gone_round(method, loop)
//   W::next_number(), W::announce(number, method, is_loop, level), W::announce_end(method, outcome, level)
//   W::note_hot_outside_code(method)  to the tier
//   W::now_nanoseconds()
//   W::Tier                           compile(thread, task); an Outcome: Installed, Refused, Cancelled, OverBudget,
//                                     Unprofiled
#pragma once

#include "jit/code/profiling_intervals.h"

namespace keyhole::tiers {

template <typename W> class PolicyOf : public ProfilingIntervalsOf<W> {
  using Base = ProfilingIntervalsOf<W>;

 public:
  using typename Base::Lock, typename Base::Method, typename Base::Queue, typename Base::Record;
  using typename Base::Request, typename Base::State, typename Base::Thread;
  // One activation that is in a sample.
  struct Seen {
    Method* method;
    u32 bci;
  };

  // `tier` is null if there is none; then every method is refused.
  PolicyOf(const Settings& settings, typename W::Tier* tier) : Base(settings), tier_(tier) {}

  // --- from the sampled thread: innermost activation first -----------------------------------------------------------
  void note(Thread* thread, std::span<const Seen> seen, i64 now) {
    for (usize i = 0; i < seen.size(); ++i)
      KEYHOLE_LOG(trace, jit_sampling, "{} {} @ {}", i == 0 ? "sample:" : "  called by",
                  seen[i].method->external_name(), seen[i].bci);
    Decisions decisions;
    {
      Lock guard(mutex_);
      ++sample_count_;
      for (usize i = 0; i < seen.size(); ++i) {
        Record& record = records_[seen[i].method];
        if (i > 0 && seen[i - 1].method != seen[i].method) record.note_call(seen[i - 1].method);
        auto is_same = [&](const Seen& other) { return other.method == seen[i].method; };
        // a method that calls itself counts once
        if (std::any_of(seen.begin(), seen.begin() + static_cast<i64>(i), is_same)) continue;
        if (i == 0) ++record.samples_on_top;
        else if (record.is_outer) continue;
        if (record.samples++ == 0) record.first_sample = sample_count_;
        if (i == 0 && is_worth_preparing(record, sample_count_, settings_)) this->let_tier_prepare();
        record.recent.note(now, sample_count_, seen[i].bci, settings_.samples);
        if (i == 0 && is_news(record, now)) last_news_.store(now, std::memory_order_relaxed);
        decide(record, seen[i].method, now, decisions);
      }
      this->forget_cold_records(now);
    }
    for (Method* method : decisions.profile) this->start_profiling(thread, method, now);
    for (Method* method : decisions.queue) this->put(method, false);
    for (Method* method : decisions.loops) {
      if (!this->profile_loop_first(thread, method, now)) this->put_loop(method);
    }
    for (Method* method : decisions.waiting) this->queue().warm(method, 1);
  }
  // The time of the last sample whose top method is being profiled or may become hot. A method that is sampled only
  // once in a while does not count, because even an idle program runs some methods now and then.
  i64 last_news() const { return last_news_.load(std::memory_order_relaxed); }

  // --- compiling threads ---------------------------------------------------------------------------------------------
  // Takes one method from the queue and compiles it. Returns false if no method waits for the level.
  bool compile_next(Thread* thread) MAY_SAFEPOINT { return compile_next(thread, settings_.level); }
  bool compile_next(Thread* thread, u8 level) MAY_SAFEPOINT {
    std::unique_ptr<CompileTaskOf<W>> task = this->queue().take(level);
    if (task == nullptr) return false;
    const Request& request = task->request();
    W::announce(request.number, request.method, request.loop != Request::no_loop, level);
    using Outcome = typename W::Tier::Outcome;
    Outcome outcome = Outcome::Refused;
    this->set_limits(*task);
    if (tier_ != nullptr) outcome = tier_->compile(thread, *task);
    constexpr const char* names[] = {"installed", "refused", "cancelled", "over budget", "waits for profiles"};
    W::announce_end(request.method, names[static_cast<usize>(outcome)], level);
    State state = outcome == Outcome::Installed || request.is_loop_alone ? State::Compiled : State::Refused;
    if (outcome == Outcome::OverBudget && !task->is_cancelled()) this->defer(request, task->cost());
    else if (outcome == Outcome::Unprofiled && !task->is_cancelled())
      wait_for_profiles(thread, request, task->unprofiled());
    else if (level != settings_.level && outcome != Outcome::Cancelled && !task->is_cancelled())
      this->end_middle(request);
    else this->end_request(request, outcome == Outcome::Cancelled || task->is_cancelled() ? State::Cold : state);
    if (task->has_deferred_loop()) this->allow_loop_again(request);
    this->queue().finish(std::move(task));
    return true;
  }

  // --- when code or methods change -----------------------------------------------------------------------------------
  // Notes that the method's optimised code of this level has retired.
  void note_retirement(const Method* method, u8 level = optimised_level) {
    Lock guard(mutex_);
    Record* record = this->find(method);
    if (record == nullptr) return;
    if (record->state == State::Compiled && level < settings_.level) return;  // it has better code
    if (record->state == State::Compiled) record->reset(State::Cold);
    else record->has_retired_code = true;
    record->is_profiled = record->has_waited = record->is_middle_done = false;
    for (const typename Record::Callee& callee : record->callees) {
      if (Record* called = this->find_in(State::Cold, callee.method)) called->is_profiled = false;
    }
  }
  // Drops methods that are gone. The world is stopped.
  void forget(const typename Queue::IsGone& is_gone) {
    {
      Lock guard(mutex_);
      this->forget_records(is_gone);
      this->forget_intervals(is_gone);
    }
    this->queue().forget(is_gone);
  }

 private:
  using Base::settings_, Base::mutex_, Base::records_, Base::sample_count_;

  // The decisions that note() carries out after it has released the lock (tier_records.h P8).
  struct Decisions {
    std::vector<Method*> profile, queue, loops, waiting;
  };

  void decide(Record& record, Method* method, i64 now, Decisions& decisions) REQUIRES(mutex_) {
    switch (record.state) {
      case State::Cold: break;
      case State::Profiling:
        record.is_hot = record.is_hot || record.recent.are_hot(now, sample_count_, settings_) ||
                        (is_for_middle(record, settings_) && record.recent.are_warm(settings_));
        return;
      case State::Queued: decisions.waiting.push_back(method); return;
      case State::Compiled:
        if (is_hot_and_affordable(record, now, sample_count_, settings_)) decisions.loops.push_back(method);
        return;
      case State::Refused: return;
    }
    record.is_for_middle = is_for_middle(record, settings_);
    bool is_due = record.is_for_middle ? is_warm_and_affordable(record, sample_count_, settings_)
                                       : is_hot_and_affordable(record, now, sample_count_, settings_);
    if (!is_due) return;
    record.has_retired_code = false;
    if (record.is_profiled) {
      record.change(State::Queued);
      decisions.queue.push_back(method);
      return;
    }
    this->begin_intervals(record, method, decisions.profile);
  }
  bool is_news(const Record& record, i64 now) const REQUIRES(mutex_) {
    if (record.state == State::Cold && record.is_middle_done)
      return record.recent.are_hot(now, sample_count_, settings_);
    if (record.state == State::Cold) return record.recent.is_seen_again(now, settings_);
    return record.state == State::Profiling;
  }
  // P14: defers the request until the unprofiled methods have profiles.
  void wait_for_profiles(Thread* thread, const Request& request, const std::vector<Method*>& unprofiled) {
    constexpr i64 any_cost = 1;  // the record's cost: the method was within its budget, so each later budget suffices
    std::vector<Method*> begun;
    {
      Lock guard(mutex_);
      Record* waiting = this->record_of(request);
      if (waiting == nullptr) return;
      this->defer(request, *waiting, any_cost);
      waiting->has_waited = true;
      waiting->recent.clear();
      for (Method* method : unprofiled) {
        Record& record = records_[method];
        if (record.state != State::Cold || record.is_profiled) continue;
        this->begin_interval(record, method, /*is_hot=*/false, Record::not_open);
        begun.push_back(method);
      }
    }
    for (Method* method : begun) this->start_profiling(thread, method, W::now_nanoseconds());
  }

  typename W::Tier* const tier_;
  typename W::template Atomic<i64> last_news_{0};
};

}  // namespace keyhole::tiers
