// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// CompileRequests: puts hot methods and loops into the compile queue, and ends their requests. Layer 2 of the tier
// policy (tier_records.h). The queue itself: compile_queue_protocol.h.
//
// P4: a method is queued once; P9 is the exception. A refused method is not sampled any more. When the optimised code
//     of a method retires, usually because speculations failed too often, the method becomes cold again. Its profile
//     covered too short a time, so the method and the methods that it calls get new profiling intervals.
// P7: each request has a number. A request ends once: compiled, refused, deferred, cancelled, or dropped by the full
//     queue. The end of a request changes the method's record only if the record still has the request's number. So it
//     does not change a newer record, which the method gets with a new body.
// P9: a method with optimised code is still sampled. When it is hot in frames that stay in a loop without OSR code,
//     this loop is queued alone. A loop of a method is queued once; it is queued again only if the queue dropped the
//     request or the request was over budget. When the request ends, the method is Compiled again, unless its code has
//     retired meanwhile. If the profile has not seen the loop iterate, because another loop ran in the method's
//     profiling interval, a profiling interval for this loop comes first. The policy also tells the tier about each
//     such method (note_hot_outside_code), because the sampled frames may have been deoptimized.
// P10: besides the method's entry, a request may name a loop for OSR: the loop in which the method was sampled. When no
//     call was counted in the profiling interval, a frame stays in the loop, and the loop is compiled before the entry.
//     When at least two calls were counted, frames end soon, and the request names no loop; if a frame stays in a loop
//     nevertheless, P9 applies. If only the loop is over budget, the loop is deferred and the entry is compiled.
// P12: a method that an earlier run has compiled (OptimisingTier::expected_loop_of) counts as profiled, and is queued
//     when it first gets baseline code. It has no samples then, so its budget is zero, and the tier installs only code
//     that the image contains. Without such code the method becomes cold again, and is queued as soon as it is hot.
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

  // P12: queues a method that an earlier run has compiled. `loop` is the loop that the earlier run compiled, or
  //     Request::no_loop.
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
  // Makes a request for the method and adds it to the queue. The caller has already set the method's state to Queued.
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
  // P9: queues a loop of a method that has optimised code, but was sampled in frames that do not run this code.
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
  // Sets the task's budget (compile_budget.h P11), and whether it may wait for profiles (policy_protocol.h P14). If the
  // tier has estimated the method's cost before, the budget is unlimited: the method was queued again only when its
  // budget had reached that cost.
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
  // P15: ends a request that the middle tier has compiled or refused. Later samples decide whether and for which loop
  //     the optimising tier compiles the method.
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
  // Ends a request whose method costs more than the budget (compile_budget.h P11).
  void defer(const Request& request, i64 cost) {
    Lock guard(mutex_);
    if (Record* record = record_of(request)) defer(request, *record, cost);
  }
  // Ends the request, and allows the method, or the request's loop, to be queued again.
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
  // Returns the record of the request's method. Returns null if the record belongs to a newer request, which this
  // request must not change (P7).
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
