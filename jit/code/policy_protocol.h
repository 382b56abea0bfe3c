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
// A *sample* is the top frame of a thread and its two callers, taken at a poll that the sampler has armed (sampler.h).
// A method is *hot* if -XX:Tier4Samples samples within a tenth of a second contain it, and these are at least one
// percent of all samples taken meanwhile (recent_samples.h).
//
// P15: with a middle tier, a method is compiled twice after baseline code. A method is *warm* after -XX:Tier2Samples
//     samples at any distance, and the middle tier compiles warm methods. Code of the middle tier is sampled, so its
//     method is in the state Cold again; the optimising tier compiles the method when it is hot and within its budget.
//     Both compilations use the profile of the same interval. If the middle tier refuses a method, the method stays in
//     baseline code until it is hot. If the middle tier's code retires, the method is profiled again and compiled by
//     the middle tier again. The middle tier has a compiling thread of its own, so no warm method waits for LLVM.
// P14: if a callee to be inlined has no profile, the compilation is deferred, because the receiver types in the callee
//     are unknown. A profiling interval begins for the callee. The method is queued again when this interval has ended
//     and the method has become hot once more. A method is deferred for this reason only once until its code retires.
//     Samples alone would not find such a callee: it is small and returns before it reaches a poll.
//
// The four layers and the queue are templates over a world W: the VM (tier_world.h), or the model checker's small world
// (tests/model/protocol_compiling.cpp). The policy needs the following of W, besides the requirements of the queue:
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
  // One activation (frame or inlined frame) of a sample.
  struct Seen {
    Method* method;
    u32 bci;
  };

  // If `tier` is null, every queued method is refused.
  PolicyOf(const Settings& settings, typename W::Tier* tier) : Base(settings), tier_(tier) {}

  // --- from the sampled thread; `seen` begins with the innermost activation ------------------------------------------
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
        // a recursive method counts once per sample
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
  // The time of the latest sample whose top method is being profiled or may become hot. A method's only sample within a
  // tenth of a second does not count, because even an idle program runs some methods now and then.
  i64 last_news() const { return last_news_.load(std::memory_order_relaxed); }

  // --- compiling threads ---------------------------------------------------------------------------------------------
  // Takes one method for the level from the queue and compiles it. Returns false if no such method waits.
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
  // Notes that code of the method for this level has retired.
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
  // Removes methods that are gone from the records and the queue. The world is stopped.
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

  // The methods that note() profiles, queues or defers after it has released the lock (tier_records.h P8).
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
  // P14: defers a request whose compilation would inline unprofiled methods, and begins profiling intervals for these
  //      methods.
  void wait_for_profiles(Thread* thread, const Request& request, const std::vector<Method*>& unprofiled) {
    // The record gets this compile cost, so that the budget neither delays nor ends the method's next request: the
    // present request was within its budget. Every budget reaches a cost of 1. A cost of 0 would mean that the cost is
    // unknown, and then the next request would have a budget (set_limits).
    constexpr i64 any_cost = 1;
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
