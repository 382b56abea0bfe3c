// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// ProfilingIntervals: begins and ends the intervals in which a hot method runs in profiled baseline code. Layer 3 of
// the tier policy (tier_records.h).
//
//   start_profiling    recompiled with MethodData ──> counts ──┬─ countdown at zero: countdown_ended
//                      (level 3)                               └─ old enough: end_expired_intervals
//   end_profiling      recompiled without (level 1) ──> into the queue, if the method is hot
//
// An interval costs two baseline compilations of some microseconds each. Profiled code runs for some milliseconds only,
// and does not wait for the compile queue.
//
// With -XX:Tier4InvocationThreshold or -XX:Tier4BackEdgeThreshold, *thresholds decide* instead of samples and time: the
// interval of a method begins when the method is first compiled, and ends when a counter reaches its threshold. Then
// the method is queued.
//
// P1: a method's state determines whether its baseline code is profiled. The baseline compiler calls is_profiling()
//     under the compiler's lock when it makes code. A thread that changes the state recompiles the method afterwards.
//     So the newest code finally agrees with the state, even if several threads compile the method at the same time.
// P2: a frame in profiled code switches to the newest code at an armed poll, and when a countdown reaches zero. The
//     countdown is set again when the interval ends, so it also reaches zero in frames that still run the old profiled
//     code.
// P5: a method that was sampled only as a caller, and counts nothing in its interval, merely waits for its callees (for
//     example main). It becomes cold again, and from then on only samples with its own frame on top count for it.
// P6: the time of an interval starts when its method has MethodData. Before that the interval cannot expire. If nothing
//     has been counted, an interval of a loop, or of a method that has been on top in a sample, lasts up to
//     empty_interval_nanoseconds: its thread may not have run, because there are more threads than processors. If the
//     interval ended without a profile, the optimising tier would make code that inlines nothing, and nothing would
//     replace that code. An interval of a warm method (policy_protocol.h P15) lasts until
//     Settings::middle_interval_calls calls are counted, but at most middle_interval_nanoseconds.
// P10: when backward branches have reached their limit, the interval continues until two calls are counted or its time
//     is over. The number of calls shows whether frames of the method end soon (compile_requests.h P10).
#pragma once

#include "jit/code/compile_requests.h"

namespace keyhole::tiers {

template <typename W> class ProfilingIntervalsOf : public CompileRequestsOf<W> {
  using Base = CompileRequestsOf<W>;

 public:
  using typename Base::Lock, typename Base::Method, typename Base::Record, typename Base::Request, typename Base::State;
  using MethodData = typename W::MethodData;
  using Thread = typename W::Thread;

  // --- from the sampler ----------------------------------------------------------------------------------------------
  void end_expired_intervals(Thread* thread, i64 now) {
    std::vector<Method*> expired;
    {
      Lock guard(mutex_);
      for (Method* method : profiled_) {
        if (has_expired(method, records_[method], now)) expired.push_back(method);
      }
    }
    for (Method* method : expired) end_profiling(thread, method, false, now);
  }

  // --- from the baseline compiler ------------------------------------------------------------------------------------
  // Called when the baseline compiler has compiled the method for the first time. If thresholds replace samples
  // (Settings::uses_thresholds), begins the method's profiling interval; otherwise does nothing.
  void note_first_compilation(Method* method) {
    if (!settings_.uses_thresholds) return;
    {
      Lock guard(mutex_);
      if (records_.contains(method)) return;
    }
    // Sets the method's countdown before its state changes, because its code is profiled as soon as the state has
    // changed (P1). Another thread may set the same countdown meanwhile.
    set_countdown(W::make_method_data(method));
    Lock guard(mutex_);
    auto [record, is_first] = records_.try_emplace(method);
    if (is_first) begin_interval(record->second, method, /*is_hot=*/true, W::now_nanoseconds());
  }
  bool is_profiling(const Method* method) const { return this->state_of(method) == State::Profiling; }

  // --- called by profiled code when its countdown runs out -----------------------------------------------------------
  void countdown_ended(Thread* thread, Method* method) {
    MethodData* data = method->data.load(std::memory_order_acquire);
    bool by_back_edges = data->back_edges_left.load(std::memory_order_relaxed) <= 0;
    i64 now = W::now_nanoseconds();
    if (by_back_edges && waits_for_calls(method, data, now)) {
      data->back_edges_left.store(settings_.interval_back_edges, std::memory_order_relaxed);
      return;
    }
    end_profiling(thread, method, by_back_edges, now);
    set_countdown(data);  // P2
  }
  // Recompiles the method without profiling if its profiled code is still in use after the profiling interval. This is
  // so if end_profiling found no room in the code cache for the new code. If there is still no room, the function makes
  // room and tries once more.
  void replace_profiled_code(Thread* thread, Method* method) MAY_SAFEPOINT {
    auto is_still_profiled = [&] { return W::has_profiled_code(method) && !is_profiling(method); };
    if (!is_still_profiled()) return;
    if (W::recompile(thread, method) == W::Compilation::NoRoom && W::make_room(thread) && is_still_profiled())
      W::recompile(thread, method);
  }

 protected:
  using Base::settings_, Base::mutex_, Base::records_, Base::find, Base::find_in, Base::put, Base::put_loop;
  explicit ProfilingIntervalsOf(const Settings& settings) : Base(settings) {}
  ~ProfilingIntervalsOf() = default;

  // --- begin ---------------------------------------------------------------------------------------------------------
  // Begins profiling intervals for the method and for the methods that it calls most. Adds these methods to `begun`;
  // the caller must call start_profiling for each of them.
  void begin_intervals(Record& record, Method* method, std::vector<Method*>& begun) REQUIRES(mutex_) {
    begin_interval(record, method, /*is_hot=*/true, Record::not_open);
    begun.push_back(method);
    std::ranges::sort(record.callees, std::greater(), &Record::Callee::samples);
    for (usize i = 0; i < record.callees.size() && i < callees_profiled; ++i) {
      Record& callee = records_[record.callees[i].method];
      if (callee.state != State::Cold || callee.is_profiled || callee.is_outer) continue;
      begin_interval(callee, record.callees[i].method, /*is_hot=*/false, Record::not_open);
      begun.push_back(record.callees[i].method);
    }
  }
  void begin_interval(Record& record, Method* method, bool is_hot, i64 began) REQUIRES(mutex_) {
    record.change(State::Profiling);
    record.is_hot = is_hot;
    record.interval_began = began;
    profiled_.push_back(method);
  }
  // Compiles profiled code for a method whose state is already Profiling. If this fails, ends the interval.
  void start_profiling(Thread* thread, Method* method, i64 now) {
    KEYHOLE_LOG(debug, jit_sampling, "hot, or called by a hot method: {}", method->external_name());
    set_countdown(W::make_method_data(method));
    {
      Lock guard(mutex_);
      if (Record* record = find(method)) record->interval_began = now;  // P6
    }
    W::make_data_of_inlined(method);
    auto outcome = W::recompile(thread, method);
    if (outcome == W::Compilation::Installed) return;
    Lock guard(mutex_);
    Record* record = find_in(State::Profiling, method);
    if (record == nullptr) return;  // another thread has ended the interval during the compilation
    std::erase(profiled_, method);
    if (record->is_for_loop && !record->has_retired_code) record->change(State::Compiled);
    else record->change(outcome == W::Compilation::Impossible ? State::Refused : State::Cold);
    record->is_for_loop = record->has_retired_code = false;
    record->recent.clear();
  }
  // compile_requests.h P9: begins a profiling interval for the loop in which a compiled method is hot. Returns false if
  // the profile has already counted iterations of the loop. No interval is needed then, and the caller queues the loop.
  bool profile_loop_first(Thread* thread, Method* method, i64 now) {
    if (settings_.uses_thresholds) return false;
    std::vector<u32> bcis;
    {
      Lock guard(mutex_);
      Record* record = find_in(State::Compiled, method);
      // The method's state has changed since it was sampled, so it needs no interval.
      if (record == nullptr) return true;
      bcis = record->recent.bcis();
    }
    i32 loop = W::loop_of(method, bcis, /*by_back_edges=*/false);
    if (loop == Request::no_loop || W::has_gone_round(method, loop)) return false;
    std::vector<Method*> begun;
    {
      Lock guard(mutex_);
      Record* record = find_in(State::Compiled, method);
      if (record == nullptr) return true;
      if (std::ranges::find(record->loops, loop) != record->loops.end()) return false;
      record->is_for_loop = true;
      record->has_retired_code = false;
      begin_intervals(*record, method, begun);
    }
    for (Method* opened : begun) start_profiling(thread, opened, now);
    return true;
  }

  // --- end -----------------------------------------------------------------------------------------------------------
  // If the method is in state Profiling, ends its profiling interval.
  void end_profiling(Thread* thread, Method* method, bool by_back_edges, i64 now) {
    bool is_queued, is_for_loop;
    i64 began;
    const MethodData* data = method->data.load(std::memory_order_acquire);
    {
      Lock guard(mutex_);
      Record* record = find_in(State::Profiling, method);
      if (record == nullptr) return;
      began = record->interval_began;
      is_for_loop = record->is_for_loop && !record->has_retired_code;
      record->is_outer = !record->is_for_loop && record->samples_on_top == 0 && !has_counted(data);
      record->is_profiled = !record->is_outer;
      record->has_short_frames = !record->is_for_loop && calls_in_interval(data) >= calls_of_short_frames;
      record->has_no_calls = !settings_.uses_thresholds && calls_in_interval(data) == 0;
      is_queued = record->is_hot && !record->is_outer && !is_for_loop;
      record->is_for_middle = is_queued && is_for_middle(*record, settings_);
      record->change(is_for_loop ? State::Compiled : is_queued ? State::Queued : State::Cold);
      record->is_for_loop = record->has_retired_code = false;
      std::erase(profiled_, method);
    }
    bool is_early = began != Record::not_open && now - began <= settings_.interval_nanoseconds / 5;
    if (is_early && !settings_.uses_thresholds) this->let_tier_prepare();  // compile_budget.h P13
    KEYHOLE_LOG(debug, jit_sampling, "counted {} us, {} calls left, {} backward branches left: {}",
                (now - began) / 1000, data->calls_left.load(std::memory_order_relaxed),
                data->back_edges_left.load(std::memory_order_relaxed), method->external_name());
    W::recompile(thread, method);  // P1
    if (is_for_loop) put_loop(method);
    else if (is_queued) put(method, by_back_edges);
  }
  void forget_intervals(const auto& is_gone) REQUIRES(mutex_) { std::erase_if(profiled_, is_gone); }

 private:
  static constexpr usize callees_profiled = 4;
  static constexpr i32 calls_of_short_frames = 2;  // compile_requests.h P10

  // P6: whether the time of the method's profiling interval is over.
  bool has_expired(const Method* method, const Record& record, i64 now) const REQUIRES(mutex_) {
    i64 age = now - record.interval_began;
    if (age < settings_.interval_nanoseconds) return false;
    if (record.is_for_middle && !record.recent.are_hot(now, this->sample_count_, settings_))
      return age >= settings_.middle_interval_nanoseconds || has_counted_enough(method->data.load());
    return (record.samples_on_top == 0 && !record.is_for_loop) || age >= settings_.empty_interval_nanoseconds ||
           has_counted(method->data.load(std::memory_order_acquire));
  }
  // P6: whether a profiling interval for the middle tier has counted enough calls. Ten backward branches count as one
  //     call.
  bool has_counted_enough(const MethodData* data) const {
    constexpr i32 back_edges_of_a_call = 10;
    i32 back_edges = settings_.interval_back_edges - data->back_edges_left.load(std::memory_order_relaxed);
    return calls_in_interval(data) + back_edges / back_edges_of_a_call >= settings_.middle_interval_calls;
  }
  // Called when a profiling interval has counted all its backward branches. Returns true if the interval continues
  // nevertheless, because it has counted fewer than two calls and its time is not over (P10).
  bool waits_for_calls(const Method* method, const MethodData* data, i64 now) {
    if (settings_.uses_thresholds || calls_in_interval(data) >= calls_of_short_frames) return false;
    Lock guard(mutex_);
    const Record* record = find(method);
    return record != nullptr && now - record->interval_began < settings_.interval_nanoseconds;
  }

  // --- the countdown -------------------------------------------------------------------------------------------------
  void set_countdown(MethodData* data) const {
    data->calls_left.store(settings_.interval_calls, std::memory_order_relaxed);
    data->back_edges_left.store(settings_.interval_back_edges, std::memory_order_relaxed);
  }
  // Whether any call or backward branch has been counted since set_countdown.
  bool has_counted(const MethodData* data) const {
    return data->calls_left.load(std::memory_order_relaxed) != settings_.interval_calls ||
           data->back_edges_left.load(std::memory_order_relaxed) != settings_.interval_back_edges;
  }
  // The number of calls counted since set_countdown. It is 0 if thresholds replace samples (Settings::uses_thresholds).
  i32 calls_in_interval(const MethodData* data) const {
    return settings_.uses_thresholds ? 0 : settings_.interval_calls - data->calls_left.load(std::memory_order_relaxed);
  }

  std::vector<Method*> profiled_ GUARDED_BY(mutex_);  // their intervals are open
};

}  // namespace keyhole::tiers
