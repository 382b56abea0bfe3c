// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// CompileRequests: puts hot methods and loops into the compile queue, and ends their requests. Layer 2 of the tier
// policy (tier_records.h). The queue itself: compile_queue_protocol.h.
//
// P4: a method is queued once. A refused method is not sampled any more. A compiled method is cold again when its code
//     has retired, because a speculation has failed: its profile covered too short a time. So the method and the
//     methods that it calls get new profiling intervals. P9 is the exception to queueing once.
// P7: a request has a number and ends once: compiled, refused, deferred, cancelled, or given up by the full queue. Its
//     end changes the record with that number only, so it does not touch the record of a body that has come since.
// P9: a compiled method is still sampled. When it is hot in frames that are in a loop without OSR code, that loop is
//     queued alone. This happens once per method and loop, and once more only after the queue gave the loop up or its
//     budget did not suffice. The method stays Compiled unless its code retires meanwhile. If the profile has not seen
//     the loop iterate, because another loop ran in the method's interval, the loop has an interval of its own first.
//     The policy tells the tier about each such hot method (note_hot_outside_code), because its frames may have been
//     deoptimized.
// P10: a request names a loop besides the method's entry: the one in which the method was sampled, for frames that stay
//     in it. When no call was counted in the profiling interval, the loop is compiled first. When calls were counted,
//     no loop is named, because such frames end soon; if a frame stays all the same, P9 applies. A loop that is over
//     budget is deferred alone, and the entry is compiled.
// P12: a method that an earlier run has compiled (OptimisingTier::expected_loop_of) counts as profiled, and is queued
//     when baseline code is first made for it. It has no samples then, so its budget is zero: the tier installs code
//     only if the image has it. Otherwise the method is cold again, and is queued as soon as it is hot.
#pragma once

#include "jit/code/compile_queue_protocol.h"
#include "jit/code/tier_records.h"
#include "runtime/base/log.h"

namespace keyhole::tiers {

template <typename W> class CompileRequestsOf : public TierRecordsOf<W> {
  using Base = TierRecordsOf<W>;

 public:
  using typename Base::Lock, typename Base::Method, typename Base::Record, typename Base::State;
  using Queue = CompileQueueOf<W>;
  using Request = CompileRequestOf<W>;

  Queue& queue() { return queue_; }
  // compile_budget.h P13
  bool needs_threads() const { return needs_threads_.load(std::memory_order_relaxed); }
  bool should_prepare_tier() const { return should_prepare_tier_.load(std::memory_order_relaxed); }

  // P12: queues the method. `loop` is the loop that the earlier run compiled, or Request::no_loop.
  void queue_expected(Method* method, i32 loop) {
    if (settings_.uses_thresholds) return;
    Request request{.method = method,
                    .loop = loop,
                    .level = settings_.level,
                    .number = W::next_number(),
                    .since = W::now_nanoseconds()};
    {
      Lock guard(mutex_);
      auto [known, is_first] = records_.try_emplace(method);
      if (!is_first) return;
      Record& record = known->second;
      record.change(State::Queued);
      record.is_profiled = true;
      record.number = request.number;
      if (loop != Request::no_loop) record.loops.push_back(loop);
    }
    submit(request);
  }

 protected:
  using Base::settings_, Base::mutex_, Base::records_, Base::sample_count_, Base::find, Base::find_in;

  explicit CompileRequestsOf(const Settings& settings) : Base(settings), queue_(settings.queue_capacity) {}
  ~CompileRequestsOf() = default;

  void let_tier_prepare() {
    for (auto* wish : {&should_prepare_tier_, &needs_threads_}) wish->store(true, std::memory_order_relaxed);
  }

  // --- begin ---------------------------------------------------------------------------------------------------------
  // Queues the method. Its state is Queued already.
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
      request.level = record.is_for_middle ? middle_level : settings_.level;
      record.number = request.number;
    }
    if (!has_short_frames) request.loop = W::loop_of(method, bcis, by_back_edges);  // P10
    if (request.loop != Request::no_loop) {
      Lock guard(mutex_);
      records_[method].loops.push_back(request.loop);
    }
    submit(request);
  }
  // P9: queues a loop of a method that has optimised code, but was sampled in frames that are not in that code.
  void put_loop(Method* method) {
    Request request{.method = method, .level = settings_.level, .since = W::now_nanoseconds(), .is_loop_alone = true};
    std::vector<u32> bcis;
    {
      Lock guard(mutex_);
      Record* record = find_in(State::Compiled, method);
      if (record == nullptr) return;
      bcis = record->recent.bcis();
      record->recent.clear();
    }
    W::note_hot_outside_code(method);
    request.loop = W::loop_of(method, bcis, /*by_back_edges=*/false);
    if (request.loop == Request::no_loop) return;
    request.number = W::next_number();
    {
      Lock guard(mutex_);
      Record* record = find_in(State::Compiled, method);
      if (record == nullptr || std::ranges::find(record->loops, request.loop) != record->loops.end()) return;
      record->loops.push_back(request.loop);
      record->change(State::Queued);
      record->number = request.number;
      request.samples = record->samples;
      request.samples_on_top = record->samples_on_top;
    }
    submit(request);
  }
  // Sets the task's limits. The budget is that of compile_budget.h P11; once the tier has estimated the method's cost,
  // the task may cost anything, because the method was queued again only when its budget had reached that cost. Sets
  // also whether the task may wait for profiles (policy_protocol.h P14).
  void set_limits(CompileTaskOf<W>& task) {
    Lock guard(mutex_);
    const Record* record = find(task.request().method);
    if (record == nullptr) return;
    i64 budget = budget_of(*record, sample_count_, settings_);
    task.set_budget(record->cost == 0 ? budget : std::numeric_limits<i64>::max());
    task.let_wait_for_profiles(!settings_.uses_thresholds && !record->has_waited);
  }

  // --- end -----------------------------------------------------------------------------------------------------------
  void end_request(const Request& request, State state) {
    Lock guard(mutex_);
    if (Record* record = record_of(request))
      record->reset(request.is_loop_alone && record->has_retired_code ? State::Cold : state);
  }
  // P15: ends a request that the middle tier has compiled or refused. What the optimising tier is asked for is judged
  // from the samples that follow.
  void end_middle(const Request& request) {
    Lock guard(mutex_);
    Record* record = record_of(request);
    if (record == nullptr) return;
    record->change(State::Cold);
    record->is_middle_done = !record->has_retired_code;
    record->is_for_middle = record->has_retired_code = record->has_waited = false;
    record->cost = 0;
    record->loops.clear();
    record->recent.clear();
  }
  // Ends the request, because its cost is over the budget (compile_budget.h P11).
  void defer(const Request& request, i64 cost) {
    Lock guard(mutex_);
    if (Record* record = record_of(request)) defer(request, *record, cost);
  }
  // Ends the request in a way that lets the method be queued again.
  static void defer(const Request& request, Record& record, i64 cost) {
    bool is_cold = !request.is_loop_alone || record.has_retired_code;
    if (is_cold) record.loops.clear();
    else std::erase(record.loops, request.loop);
    record.change(is_cold ? State::Cold : State::Compiled);
    record.has_retired_code = record.is_for_middle = false;
    record.cost = cost;
  }
  // P9: allows the request's loop to be queued again.
  void allow_loop_again(const Request& request) {
    Lock guard(mutex_);
    if (Record* record = record_of(request)) std::erase(record->loops, request.loop);
  }
  // The record that the request may change. Null if the method has another body by now, whose record is not this
  // request's (P7).
  Record* record_of(const Request& request) REQUIRES(mutex_) {
    Record* record = find(request.method);
    return record == nullptr || record->number != request.number ? nullptr : record;
  }

 private:
  void submit(const Request& request) {
    KEYHOLE_LOG(debug, jit_queue, "queued: {}, {} samples, loop {}", request.method->external_name(), request.samples,
                request.loop);
    if (std::optional<Request> given_up = queue_.put(request)) {
      KEYHOLE_LOG(debug, jit_queue, "given up: {}", given_up->method->external_name());
      give_up(*given_up);
    }
    needs_threads_.store(true, std::memory_order_relaxed);
  }
  void give_up(const Request& request) {
    if (request.is_loop_alone) allow_loop_again(request);
    end_request(request, request.is_loop_alone ? State::Compiled : State::Cold);
  }

  Queue queue_;
  typename W::template Atomic<bool> needs_threads_{false}, should_prepare_tier_{false};
};

}  // namespace keyhole::tiers
