// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tier policy: which methods go further than baseline code, and when.
//
//            hot: sampled often               interval ends: enough seen, or 5 ms             taken, compiled
//     Cold ─────────────────────> Counting ──────────────────────────────────> Queued ───────────────────> Compiled
//       ^   (profiled before: at once to Queued)  |   not hot itself, but        |
//       |                                         |   called by one that is      ├──────────────────────> Refused
//       └─────────────────────────────────────────┴──────────────────────────────┘
//                                         given up by the full queue, cancelled, over budget (P11), unprofiled callee (P14)
//
// A *sample* is what a thread executes at a poll that the sampler has armed (sampler.h): top frame and two callers. A
// method that is in -XX:Tier4Samples of them within a tenth of a second, and in one percent of all meanwhile, is hot.
//
// A *profiling interval* is a time in which baseline code counts: the hot method, and what it calls most, is compiled once more,
// with MethodData, and goes back to code that does not count when the interval ends. So each interval costs two
// baseline compilations, microseconds each, and counting is paid for some milliseconds, however long the queue is.
//
// With -XX:Tier4InvocationThreshold or -XX:Tier4BackEdgeThreshold *counts decide*: the interval opens when a method is
// first compiled, ends when one of the thresholds is reached, and the method is queued. Nothing depends on the clock.
//
// P1: the state of a method says whether its code counts. Baseline asks is_profiling() under its own lock when it makes
//     code; whoever changes the answer compiles the method anew afterwards. So the newest code of a method is, in the
//     end, what its state says, whoever compiles at the same time.
// P2: frames go over by themselves: at an armed poll, and when a countdown runs out, which it does again and again in
//     code of a profiling interval that has ended.
// P3: what is known of a method is weak: forget() drops it, world stopped, when its class dies or its body changes.
//     Methods are used outside of the lock until the thread's next safepoint only.
// P4: a method goes to the queue once: a refused one is not sampled any more, a compiled one not until its code has
//     retired. Then it is cold, and has a profiling interval again, with what it calls: what its code has guessed did
//     not hold, so the profile was of too short a time. P9 is the exception.
// P5: what is seen as a caller only, and counts nothing in its profiling interval, merely waits for what it has called:
//     main, say. It stays cold, and from then on samples count for it only with its own frame on top.
// P6: a profiling interval can end once it is open, that is, once its method has MethodData; until then it is as young
//     as can be. One of a loop, or of a method that has been on top, stays open for longer than others while it has
//     counted nothing: where there are more threads than processors, it has not run. Code that is made without a
//     profile calls what it could inline, and stays as it is.
// P7: a request to compile has a number, and ends once: compiled, refused, put off, cancelled. Its end changes the
//     state of the method that was queued with it, and not what has become known since of another body.
// P8: nothing is decided under the lock that compiles, allocates in a class unit, or puts into the queue.
// P9: a compiled method that is hot again is in frames of another loop than those that it has code for. That loop goes
//     to the queue, each of a method's once, unless it is given up or has to wait. Whatever comes of it, the method
//     stays compiled, unless its code has retired meanwhile. A loop that the profile has not seen go round, because
//     another one ran while the method counted, has a profiling interval of its own first. The tier hears of it,
//     because such frames may have left its code.
// P10: beside the method's entry, the loop that it is seen in is compiled at once, for frames that stay in it, and
//     first if no call was counted: not where calls were, whose frames end soon. A frame that stays all the same is
//     P9's, and so is a loop that has to wait where the entry need not. So a profiling interval in which a loop has
//     gone round often enough stays open until calls are counted, too, or its time is over.
// P11: nobody knows how long a program will run, so a method pays for its compilation in advance, with the time in
//     which it was seen: what costs 20 ms goes to the queue when 20 ms have been spent in it. Then compiling costs at
//     most as much as it could have saved. The tier estimates the cost of what it has translated; before that a method
//     is queued when it is hot. A method over budget returns to its state before the request, and keeps its samples and
//     its cost. A method that is most of what runs gets a larger budget (budget_of). The cost is estimated once for
//     each code. Where nothing would be inlined, the cost is multiplied by samples / samples on top: time in which the
//     method waits for its callees is not going to be saved.
//
// P12: a method that an earlier run has compiled (OptimisingTier::expected_loop_of) is profiled, and goes to the queue
//     when baseline code is first made for it. It has no samples then, and no budget: the tier takes it if its
//     code is at hand. Otherwise it is cold again, and goes to the queue as soon as it is hot.
// P13: compiling threads start with the first request, and the tier prepares for the first whose budget allows it
//     besides its cost. Both happen earlier, while methods count, when it is sure that there will be one: one method is
//     most of what runs, for so long as preparing takes; or a profiling interval has counted enough in a fifth of its
//     time.
// P14: a method that would inline another one, which has counted nothing and whose receivers are unknown, waits for
//     that one's interval, and is hot again afterwards: once for each code. What is small ends before a poll, and so is
//     in no sample, nor in the interval of what calls it.
//
// A template over a world, as the queue is, with these besides:
//
//   W::MethodData                     calls_left, back_edges_left; Method::data, null at first
//   W::make_method_data(method)       W::make_data_of_inlined(method)
//   W::recompile(thread, method)   asks is_profiling (P1); a W::Compilation: Installed, Impossible, NoRoom
//   W::is_profiled(method)            its newest code does
//   W::make_room(thread)              after NoRoom
//   W::loop_of(method, bcis, by_back_edges), W::has_gone_round(method, loop)
//   W::next_number(), W::announce(number, method, is_loop), W::announce_end(method, outcome)
//   W::note_hot_outside_code(method)         on its way to the tier (P9)
//   W::now_nanoseconds()
//   W::Tier                           compile(thread, task); an Outcome: Installed, Refused, Cancelled, OverBudget
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <unordered_map>

#include "jit/code/compile_queue_protocol.h"
#include "jit/code/method_record.h"
#include "runtime/base/log.h"

namespace keyhole::tiers {

template <typename W> class PolicyOf {
 public:
  using Method = typename W::Method;
  using MethodData = typename W::MethodData;
  using Thread = typename W::Thread;
  using Lock = typename W::Lock;
  using Queue = CompileQueueOf<W>;
  using Request = CompileRequestOf<W>;

  using Record = MethodRecord<Method>;
  using State = typename Record::State;
  // One activation in a sample.
  struct Seen {
    Method* method;
    u32 bci;
  };

  // Without a tier everything is refused.
  PolicyOf(const Settings& settings, typename W::Tier* tier)
      : settings_(settings), tier_(tier), queue_(settings.queue_capacity) {}

  // --- from the sampler: innermost activation first ------------------------------------------------------------------
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
        if (std::any_of(seen.begin(), seen.begin() + static_cast<i64>(i), is_same)) continue;   // it calls itself
        if (i == 0) ++record.samples_on_top;
        else if (record.is_outer) continue;
        if (record.samples++ == 0) record.first_sample = sample_count_;
        if (i == 0 && should_prepare_tier(record)) let_tier_prepare();   // P13
        record.recent.note(now, sample_count_, seen[i].bci, settings_.samples);
        if (i == 0 && is_news(record, now)) last_news_.store(now, std::memory_order_relaxed);
        decide(record, seen[i].method, now, decisions);
      }
      if (records_.size() > records_before_cleaning) forget_cold_records(now);
    }
    for (Method* method : decisions.open) start_profiling(thread, method, now);
    for (Method* method : decisions.queue) put(method, false);
    for (Method* method : decisions.loops) {
      if (!profile_loop_first(thread, method, now)) put_loop(method);
    }
    for (Method* method : decisions.warm) queue_.warm(method, 1);
  }
  void end_expired_intervals(Thread* thread, i64 now) {
    std::vector<Method*> old;
    {
      Lock guard(mutex_);
      for (Method* method : profiled_) {
        if (is_old(method, records_[method], now)) old.push_back(method);
      }
    }
    for (Method* method : old) end_profiling(thread, method, false, now);
  }
  // When a method was on top last that may become hot, or counts. Seen once in a while, it is one of the many that run
  // now and then, in a program that has come to rest, too.
  i64 last_news() const { return last_news_.load(std::memory_order_relaxed); }

  // --- from the baseline compiler ------------------------------------------------------------------------------------
  // Counts decide: its profiling interval opens.
  void note_first_compilation(Method* method) {
    if (!settings_.uses_thresholds) return;
    {
      Lock guard(mutex_);
      if (records_.contains(method)) return;
    }
    // Before the state: code that counts needs them (P1). Another thread may do the same.
    set_countdown(W::make_method_data(method));
    Lock guard(mutex_);
    auto [record, is_first] = records_.try_emplace(method);
    if (is_first) begin_interval(record->second, method, /*is_hot=*/true, W::now_nanoseconds());
  }
  bool is_profiling(const Method* method) const { return state_of(method) == State::Profiling; }
  // P12. `loop`: that it was compiled for, or Request::no_loop.
  void queue_expected(Method* method, i32 loop) {
    if (settings_.uses_thresholds) return;
    Request request{.method = method, .loop = loop, .number = W::next_number(), .since = W::now_nanoseconds()};
    {
      Lock guard(mutex_);
      auto [known, is_first] = records_.try_emplace(method);
      if (!is_first) return;
      Record& record = known->second;
      record.state = State::Queued;
      record.is_profiled = true;
      record.number = request.number;
      if (loop != Request::no_loop) record.loops.push_back(loop);
    }
    put(request);
  }

  // --- from code that counts, when its countdown runs out ------------------------------------------------------------
  void countdown_ended(Thread* thread, Method* method) {
    MethodData* data = method->data.load(std::memory_order_acquire);
    bool by_back_edges = data->back_edges_left.load(std::memory_order_relaxed) <= 0;
    i64 now = W::now_nanoseconds();
    if (by_back_edges && waits_for_calls(method, data, now)) {
      data->back_edges_left.store(settings_.interval_back_edges, std::memory_order_relaxed);
      return;
    }
    end_profiling(thread, method, by_back_edges, now);
    set_countdown(data);   // P2
  }
  // There was no room for code that does not count.
  void replace_profiled_code(Thread* thread, Method* method) MAY_SAFEPOINT {
    auto still_counts = [&] { return W::is_profiled(method) && !is_profiling(method); };
    if (!still_counts()) return;
    if (W::recompile(thread, method) == W::Compilation::NoRoom && W::make_room(thread) && still_counts())
      W::recompile(thread, method);
  }

  // --- compiling threads ---------------------------------------------------------------------------------------------
  // Takes one method and compiles it; false when none waits.
  bool compile_next(Thread* thread) MAY_SAFEPOINT {
    std::unique_ptr<CompileTaskOf<W>> task = queue_.take();
    if (task == nullptr) return false;
    const Request& request = task->request();
    W::announce(request.number, request.method, request.loop != Request::no_loop);
    using Outcome = typename W::Tier::Outcome;
    Outcome outcome = Outcome::Refused;
    tell_task(*task);
    if (tier_ != nullptr) outcome = tier_->compile(thread, *task);
    constexpr const char* names[] = {"installed", "refused", "cancelled", "over budget", "waits for profiles"};
    W::announce_end(request.method, names[static_cast<usize>(outcome)]);
    State state = outcome == Outcome::Installed || request.is_loop_alone ? State::Compiled : State::Refused;
    if (outcome == Outcome::OverBudget && !task->is_cancelled()) wait_for_budget(request, task->cost());
    else if (outcome == Outcome::Unprofiled && !task->is_cancelled())
      wait_for_profiles(thread, request, task->unprofiled());
    else end_request(request, outcome == Outcome::Cancelled || task->is_cancelled() ? State::Cold : state);
    if (task->has_left_out_loop()) leave_out_loop(request);
    queue_.finish(std::move(task));
    return true;
  }
  Queue& queue() { return queue_; }
  // P13
  bool needs_threads() const { return needs_threads_.load(std::memory_order_relaxed); }
  bool should_prepare_tier() const { return should_prepare_tier_.load(std::memory_order_relaxed); }

  // Its optimised code must not be entered any more.
  void note_retirement(const Method* method) {
    Lock guard(mutex_);
    auto found = records_.find(method);
    if (found == records_.end()) return;
    Record& record = found->second;
    if (record.state == State::Compiled) record.reset(State::Cold);
    else record.has_retired_code = true;
    record.is_profiled = record.has_waited = false;
    for (const typename Record::Callee& callee : record.callees) {
      auto called = records_.find(callee.method);
      if (called != records_.end() && called->second.state == State::Cold) called->second.is_profiled = false;
    }
  }
  // World stopped.
  void forget(const typename Queue::IsGone& is_gone) {
    {
      Lock guard(mutex_);
      std::erase_if(records_, [&](const auto& entry) { return is_gone(entry.first); });
      std::erase_if(profiled_, is_gone);
      for (auto& [method, record] : records_)
        std::erase_if(record.callees, [&](const auto& callee) { return is_gone(callee.method); });
    }
    queue_.forget(is_gone);
  }

  State state_of(const Method* method) const {
    Lock guard(mutex_);
    auto found = records_.find(method);
    return found == records_.end() ? State::Cold : found->second.state;
  }

 private:
  static constexpr usize callees_counted = 4, records_before_cleaning = 1024;
  static constexpr i32 calls_of_short_frames = 2;   // P10
  static constexpr i64 one_in_credit = 20, few_samples = 20;   // P11
  static constexpr f64 most_credit = 8;
  static constexpr i64 not_open = Record::not_open;   // P6

  // What is to be done outside of the lock.
  struct Decisions {
    std::vector<Method*> open, queue, loops, warm;
  };

  void decide(Record& record, Method* method, i64 now, Decisions& decisions) REQUIRES(mutex_) {
    switch (record.state) {
      case State::Cold: break;
      case State::Profiling:
        record.is_hot = record.is_hot || record.recent.are_hot(now, sample_count_, settings_);
        return;
      case State::Queued: decisions.warm.push_back(method); return;
      case State::Compiled:
        if (is_hot_and_affordable(record, now)) decisions.loops.push_back(method);
        return;
      case State::Refused: return;
    }
    if (!is_hot_and_affordable(record, now)) return;
    if (record.is_profiled) {
      record.state = State::Queued;
      decisions.queue.push_back(method);
      return;
    }
    begin_intervals(record, method, decisions.open);
  }
  // Its own, and those of what it calls most.
  void begin_intervals(Record& record, Method* method, std::vector<Method*>& begun) REQUIRES(mutex_) {
    begin_interval(record, method, /*is_hot=*/true, not_open);
    begun.push_back(method);
    std::ranges::sort(record.callees, std::greater(), &Record::Callee::samples);
    for (usize i = 0; i < record.callees.size() && i < callees_counted; ++i) {
      Record& callee = records_[record.callees[i].method];
      if (callee.state != State::Cold || callee.is_profiled || callee.is_outer) continue;
      begin_interval(callee, record.callees[i].method, /*is_hot=*/false, not_open);
      begun.push_back(record.callees[i].method);
    }
  }
  bool is_hot_and_affordable(const Record& record, i64 now) const REQUIRES(mutex_) {
    return record.recent.are_hot(now, sample_count_, settings_) && budget_of(record) >= record.cost;
  }
  // P11. A sample stands for a millisecond. Of what is in more than one of twenty samples there will be more: up to
  // eight times what has been, unless too few samples say so.
  i64 budget_of(const Record& record) const REQUIRES(mutex_) {
    if (settings_.uses_thresholds || settings_.payback_percent == 0) return std::numeric_limits<i64>::max();
    i64 samples = record.samples, all = all_since_first(record) + few_samples;
    i64 spent = samples * settings_.sample_nanoseconds * 100 / settings_.payback_percent;
    f64 credit = static_cast<f64>(one_in_credit * samples) / static_cast<f64>(all);
    return static_cast<i64>(static_cast<f64>(spent) * std::clamp(credit, 1.0, most_credit));
  }
  i64 all_since_first(const Record& record) const REQUIRES(mutex_) {
    return static_cast<i64>(sample_count_ - record.first_sample) + 1;
  }
  bool is_news(const Record& record, i64 now) const REQUIRES(mutex_) {
    if (record.state == State::Cold) return record.recent.is_seen_again(now, settings_);
    return record.state == State::Profiling;
  }
  bool should_prepare_tier(const Record& record) const REQUIRES(mutex_) {   // P13
    return i64{record.samples} * 2 > all_since_first(record) && budget_of(record) >= Settings::preparation_nanoseconds;
  }
  void let_tier_prepare() {
    for (auto* wish : {&should_prepare_tier_, &needs_threads_}) wish->store(true, std::memory_order_relaxed);
  }
  void begin_interval(Record& record, Method* method, bool is_hot, i64 began) REQUIRES(mutex_) {
    record.state = State::Profiling;
    record.is_hot = is_hot;
    record.interval_began = began;
    profiled_.push_back(method);
  }
  void forget_cold_records(i64 now) REQUIRES(mutex_) {
    std::erase_if(records_, [&](const auto& entry) {
      const Record& record = entry.second;
      return record.state == State::Cold && !record.is_profiled &&
             record.recent.are_older_than(now - settings_.hot_nanoseconds);
    });
  }

  // P6
  bool is_old(const Method* method, const Record& record, i64 now) const REQUIRES(mutex_) {
    i64 age = now - record.interval_began;
    if (age < settings_.interval_nanoseconds) return false;
    return (record.samples_on_top == 0 && !record.has_code) || age >= settings_.empty_interval_nanoseconds ||
           has_counted(method->data.load(std::memory_order_acquire));
  }

  void set_countdown(MethodData* data) const {
    data->calls_left.store(settings_.interval_calls, std::memory_order_relaxed);
    data->back_edges_left.store(settings_.interval_back_edges, std::memory_order_relaxed);
  }
  // Has anything been counted since set_countdown?
  bool has_counted(const MethodData* data) const {
    return data->calls_left.load(std::memory_order_relaxed) != settings_.interval_calls ||
           data->back_edges_left.load(std::memory_order_relaxed) != settings_.interval_back_edges;
  }

  // P10. Since set_countdown; 0 where counts decide.
  i32 calls_in_interval(const MethodData* data) const {
    return settings_.uses_thresholds ? 0 : settings_.interval_calls - data->calls_left.load(std::memory_order_relaxed);
  }
  // P10. Its loops have gone round often enough.
  bool waits_for_calls(const Method* method, const MethodData* data, i64 now) const {
    if (settings_.uses_thresholds || calls_in_interval(data) >= calls_of_short_frames) return false;
    Lock guard(mutex_);
    auto found = records_.find(method);
    return found != records_.end() && now - found->second.interval_began < settings_.interval_nanoseconds;
  }

  // The state says Profiling.
  void start_profiling(Thread* thread, Method* method, i64 now) {
    KEYHOLE_LOG(debug, jit_sampling, "hot, or called by a hot method: {}", method->external_name());
    set_countdown(W::make_method_data(method));
    {
      Lock guard(mutex_);
      if (auto found = records_.find(method); found != records_.end())
        found->second.interval_began = now;   // P6
    }
    W::make_data_of_inlined(method);
    auto outcome = W::recompile(thread, method);
    if (outcome == W::Compilation::Installed) return;
    Lock guard(mutex_);
    auto found = records_.find(method);
    if (found == records_.end() || found->second.state != State::Profiling) return;   // it was closed meanwhile
    std::erase(profiled_, method);
    Record& record = found->second;
    if (record.has_code && !record.has_retired_code) record.state = State::Compiled;
    else record.state = outcome == W::Compilation::Impossible ? State::Refused : State::Cold;
    record.has_code = record.has_retired_code = false;
    record.recent.clear();
  }
  // P9. False: its profile has what there is to know of the loop that it is seen in.
  bool profile_loop_first(Thread* thread, Method* method, i64 now) {
    if (settings_.uses_thresholds) return false;
    std::vector<u32> bcis;
    {
      Lock guard(mutex_);
      auto found = records_.find(method);
      if (found == records_.end() || found->second.state != State::Compiled) return true;   // it is too late
      bcis = found->second.recent.bcis();
    }
    i32 loop = W::loop_of(method, bcis, /*by_back_edges=*/false);
    if (loop == Request::no_loop || W::has_gone_round(method, loop)) return false;
    std::vector<Method*> begun;
    {
      Lock guard(mutex_);
      auto found = records_.find(method);
      if (found == records_.end() || found->second.state != State::Compiled) return true;
      Record& record = found->second;
      if (std::ranges::find(record.loops, loop) != record.loops.end()) return false;
      record.has_code = true;
      record.has_retired_code = false;
      begin_intervals(record, method, begun);
    }
    for (Method* opened : begun) start_profiling(thread, opened, now);
    return true;
  }
  // Nothing if none is open.
  void end_profiling(Thread* thread, Method* method, bool by_back_edges, i64 now) {
    bool is_queued, is_for_loop;
    i64 began;
    const MethodData* data = method->data.load(std::memory_order_acquire);
    {
      Lock guard(mutex_);
      auto found = records_.find(method);
      if (found == records_.end() || found->second.state != State::Profiling) return;
      Record& record = found->second;
      began = record.interval_began;
      is_for_loop = record.has_code && !record.has_retired_code;
      record.is_outer = !record.has_code && record.samples_on_top == 0 && !has_counted(data);
      record.is_profiled = !record.is_outer;
      record.has_short_frames = !record.has_code && calls_in_interval(data) >= calls_of_short_frames;
      record.has_no_calls = !settings_.uses_thresholds && calls_in_interval(data) == 0;
      is_queued = record.is_hot && !record.is_outer && !is_for_loop;
      record.state = is_for_loop ? State::Compiled : is_queued ? State::Queued : State::Cold;
      record.has_code = record.has_retired_code = false;
      std::erase(profiled_, method);
    }
    bool is_early = began != not_open && now - began <= settings_.interval_nanoseconds / 5;
    if (is_early && !settings_.uses_thresholds) let_tier_prepare();   // P13
    KEYHOLE_LOG(debug, jit_sampling, "counted {} us, {} calls left, {} backward branches left: {}",
                (now - began) / 1000, data->calls_left.load(std::memory_order_relaxed),
                data->back_edges_left.load(std::memory_order_relaxed), method->external_name());
    W::recompile(thread, method);   // P1
    if (is_for_loop) put_loop(method);
    else if (is_queued) put(method, by_back_edges);
  }

  // The state says Queued.
  void put(Method* method, bool by_back_edges) {
    Request request{.method = method, .number = W::next_number(), .since = W::now_nanoseconds()};
    std::vector<u32> bcis;
    bool has_short_frames;
    {
      Lock guard(mutex_);
      Record& record = records_[method];
      bcis = record.recent.bcis();
      has_short_frames = record.has_short_frames;
      request.samples = record.samples;
      request.samples_on_top = record.samples_on_top;
      request.is_loop_first = record.has_no_calls;
      record.number = request.number;
    }
    if (!has_short_frames) request.loop = W::loop_of(method, bcis, by_back_edges);   // P10
    if (request.loop != Request::no_loop) {
      Lock guard(mutex_);
      records_[method].loops.push_back(request.loop);
    }
    put(request);
  }
  // It has optimised code, and was sampled in frames that are not in it, or have left it (P9).
  void put_loop(Method* method) {
    Request request{.method = method, .since = W::now_nanoseconds(), .is_loop_alone = true};
    std::vector<u32> bcis;
    {
      Lock guard(mutex_);
      auto found = records_.find(method);
      if (found == records_.end() || found->second.state != State::Compiled) return;
      bcis = found->second.recent.bcis();
      found->second.recent.clear();
    }
    W::note_hot_outside_code(method);
    request.loop = W::loop_of(method, bcis, /*by_back_edges=*/false);
    if (request.loop == Request::no_loop) return;
    request.number = W::next_number();
    {
      Lock guard(mutex_);
      auto found = records_.find(method);
      if (found == records_.end() || found->second.state != State::Compiled) return;
      Record& record = found->second;
      if (std::ranges::find(record.loops, request.loop) != record.loops.end()) return;
      record.loops.push_back(request.loop);
      record.state = State::Queued;
      record.number = request.number;
      request.samples = record.samples;
      request.samples_on_top = record.samples_on_top;
    }
    put(request);
  }
  // P11: any cost, once it has paid one. P14.
  void tell_task(CompileTaskOf<W>& task) const {
    Lock guard(mutex_);
    auto found = records_.find(task.request().method);
    if (found == records_.end()) return;
    const Record& record = found->second;
    task.set_budget(record.cost == 0 ? budget_of(record) : std::numeric_limits<i64>::max());
    task.let_wait_for_profiles(!settings_.uses_thresholds && !record.has_waited);
  }
  void put(const Request& request) {
    KEYHOLE_LOG(debug, jit_queue, "queued: {}, {} samples, loop {}", request.method->external_name(), request.samples,
                request.loop);
    if (std::optional<Request> given_up = queue_.put(request)) {
      KEYHOLE_LOG(debug, jit_queue, "given up: {}", given_up->method->external_name());
      give_up(*given_up);
    }
    needs_threads_.store(true, std::memory_order_relaxed);
  }
  void leave_out_loop(const Request& request) {
    Lock guard(mutex_);
    if (Record* record = record_of(request)) std::erase(record->loops, request.loop);   // P9: it may be queued again
  }
  void give_up(const Request& request) {
    if (request.is_loop_alone) leave_out_loop(request);
    end_request(request, request.is_loop_alone ? State::Compiled : State::Cold);
  }
  // Null: the method has another body, whose record is not this request's (P7).
  Record* record_of(const Request& request) REQUIRES(mutex_) {
    auto found = records_.find(request.method);
    if (found == records_.end() || found->second.number != request.number) return nullptr;
    return &found->second;
  }
  // P11
  void wait_for_budget(const Request& request, i64 cost) {
    Lock guard(mutex_);
    if (Record* record = record_of(request)) let_wait(request, *record, cost);
  }
  static void let_wait(const Request& request, Record& record, i64 cost) {
    bool is_cold = !request.is_loop_alone || record.has_retired_code;
    if (is_cold) record.loops.clear();
    else std::erase(record.loops, request.loop);
    record.state = is_cold ? State::Cold : State::Compiled;
    record.has_retired_code = false;
    record.cost = cost;
  }
  // P14
  void wait_for_profiles(Thread* thread, const Request& request, const std::vector<Method*>& unprofiled) {
    std::vector<Method*> begun;
    {
      Lock guard(mutex_);
      Record* waiting = record_of(request);
      if (waiting == nullptr) return;
      let_wait(request, *waiting, 1);   // any cost: it was within its budget
      waiting->has_waited = true;
      waiting->recent.clear();
      for (Method* method : unprofiled) {
        Record& record = records_[method];
        if (record.state != State::Cold || record.is_profiled) continue;
        begin_interval(record, method, /*is_hot=*/false, not_open);
        begun.push_back(method);
      }
    }
    for (Method* method : begun) start_profiling(thread, method, W::now_nanoseconds());
  }
  void end_request(const Request& request, State state) {
    Lock guard(mutex_);
    if (Record* record = record_of(request))
      record->reset(request.is_loop_alone && record->has_retired_code ? State::Cold : state);
  }

  const Settings settings_;
  typename W::Tier* const tier_;
  Queue queue_;
  typename W::template Atomic<bool> needs_threads_{false}, should_prepare_tier_{false};
  typename W::template Atomic<i64> last_news_{0};
  mutable typename W::Mutex mutex_{LockRank::tier_policy};
  u64 sample_count_ GUARDED_BY(mutex_) = 0;
  std::unordered_map<const Method*, Record> records_ GUARDED_BY(mutex_);
  std::vector<Method*> profiled_ GUARDED_BY(mutex_);   // their profiling intervals are open
};

}  // namespace keyhole::tiers
