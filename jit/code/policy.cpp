// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tier policy: samples, windows, what goes to the queue.
#include "jit/code/policy.h"

#include <algorithm>

#include "jit/code/hot_loop.h"
#include "jit/code/print_compilation.h"
#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/base/platform/hardware_world.h"
#include "vm/interpreter/compiler.h"
#include "vm/interpreter/method_data.h"
#include "vm/link/frame_views.h"

namespace keyhole::tiers {

using Outcome = interpreter::Compiler::Outcome;

Settings Settings::of_flags() {
  Settings settings;
  settings.counts_decide = flags::is_set("Tier4InvocationThreshold") || flags::is_set("Tier4BackEdgeThreshold");
  settings.samples = static_cast<u32>(flags::Tier4Samples);
  if (settings.counts_decide) {
    settings.window_calls = static_cast<i32>(flags::Tier4InvocationThreshold);
    settings.window_back_edges = static_cast<i32>(flags::Tier4BackEdgeThreshold);
  }
  return settings;
}

// --- samples ---------------------------------------------------------------------------------------------------------

void RecentSamples::note(i64 now, u64 number, u32 bci, u32 capacity) {
  if (samples_.size() == capacity) samples_.erase(samples_.begin());
  samples_.push_back({now, number, bci});
}

bool RecentSamples::are_hot(i64 now, u64 number, const Settings& settings) const {
  if (samples_.size() < settings.samples) return false;
  const Sample& oldest = samples_.front();
  return now - oldest.at <= settings.hot_nanoseconds && samples_.size() * 100 >= number - oldest.number;
}

std::vector<u32> RecentSamples::bcis() const {
  std::vector<u32> found;
  for (const Sample& sample : samples_) found.push_back(sample.bci);
  return found;
}

void Policy::note_sample(JavaThread* thread) {
  Seen seen[3];
  usize count = 0;
  for (const FrameView& view : java_views(thread)) {
    if (view.is_native()) continue;
    seen[count++] = {view.method(), static_cast<u32>(view.bci())};
    if (count == std::size(seen)) break;
  }
  note(thread, std::span<const Seen>(seen, count), hardware::now_nanoseconds());
}

void Policy::note(JavaThread* thread, std::span<const Seen> seen, i64 now) {
  for (usize i = 0; i < seen.size(); ++i)
    KEYHOLE_LOG(trace, jit_sampling, "{} {} @ {}", i == 0 ? "sample:" : "  called by", seen[i].method->external_name(),
                seen[i].bci);
  Decisions decisions;
  {
    MutexLock guard(mutex_);
    ++sample_count_;
    for (usize i = 0; i < seen.size(); ++i) {
      Record& record = records_[seen[i].method];
      if (i > 0 && seen[i - 1].method != seen[i].method) {
        auto known = std::ranges::find(record.callees, seen[i - 1].method, &Callee::method);
        if (known != record.callees.end()) ++known->samples;
        else if (record.callees.size() < most_callees) record.callees.push_back({seen[i - 1].method, 1});
      }
      auto is_same = [&](const Seen& other) { return other.method == seen[i].method; };
      if (std::any_of(seen.begin(), seen.begin() + static_cast<i64>(i), is_same)) continue;   // it calls itself
      if (i == 0) {
        record.was_on_top = true;
        if (record.state == State::Cold || record.state == State::Counting)
          last_news_.store(now, std::memory_order_relaxed);
      } else if (record.is_outer) {
        continue;
      }
      ++record.samples;
      record.recent.note(now, sample_count_, seen[i].bci, settings_.samples);
      decide(record, seen[i].method, now, decisions);
    }
    if (records_.size() > records_before_cleaning) forget_cold_records(now);
  }
  for (Method* method : decisions.open) open_window(thread, method, now);
  for (Method* method : decisions.queue) put(method, false);
  for (Method* method : decisions.warm) queue_.warm(method, 1);
}

void Policy::decide(Record& record, Method* method, i64 now, Decisions& decisions) {
  switch (record.state) {
    case State::Cold: break;
    case State::Counting: record.is_hot = record.is_hot || record.recent.are_hot(now, sample_count_, settings_); return;
    case State::Queued: decisions.warm.push_back(method); return;
    case State::Compiled: case State::Refused: return;
  }
  if (!record.recent.are_hot(now, sample_count_, settings_)) return;
  if (record.is_profiled) {
    record.state = State::Queued;
    decisions.queue.push_back(method);
    return;
  }
  begin_window(record, method, /*is_hot=*/true, not_open);
  decisions.open.push_back(method);
  std::ranges::sort(record.callees, std::greater(), &Callee::samples);
  for (usize i = 0; i < record.callees.size() && i < callees_counted; ++i) {
    Record& callee = records_[record.callees[i].method];
    if (callee.state != State::Cold || callee.is_profiled || callee.is_outer) continue;
    begin_window(callee, record.callees[i].method, /*is_hot=*/false, not_open);
    decisions.open.push_back(record.callees[i].method);
  }
}

void Policy::forget_cold_records(i64 now) {
  std::erase_if(records_, [&](const auto& entry) {
    const Record& record = entry.second;
    return record.state == State::Cold && !record.is_profiled &&
           record.recent.are_older_than(now - settings_.hot_nanoseconds);
  });
}

// --- windows ---------------------------------------------------------------------------------------------------------

void Policy::begin_window(Record& record, Method* method, bool is_hot, i64 began) {
  record.state = State::Counting;
  record.is_hot = is_hot;
  record.window_began = began;
  counting_.push_back(method);
}

void Policy::set_countdown(MethodData* data) const {
  data->calls_left.store(settings_.window_calls, std::memory_order_relaxed);
  data->back_edges_left.store(settings_.window_back_edges, std::memory_order_relaxed);
}

bool Policy::has_counted(const MethodData* data) const {
  return data->calls_left.load(std::memory_order_relaxed) != settings_.window_calls ||
         data->back_edges_left.load(std::memory_order_relaxed) != settings_.window_back_edges;
}

// The state says Counting.
void Policy::open_window(JavaThread* thread, Method* method, i64 now) {
  KEYHOLE_LOG(debug, jit_sampling, "hot, or called by a hot method: {}", method->external_name());
  set_countdown(interpreter::make_method_data(method));
  {
    MutexLock guard(mutex_);
    if (auto found = records_.find(method); found != records_.end())
      found->second.window_began = now;   // P6
  }
  // What the code has inlined counts in it.
  const CompiledCode* code = newest_in_use(method->body.load(std::memory_order_acquire));
  for (u32 i = 0; code != nullptr && i < code->inlined_count; ++i) {
    Method* inlined = code->inlined[i];
    if (inlined->body.load(std::memory_order_acquire) != nullptr) interpreter::make_method_data(inlined);
  }
  Outcome outcome = interpreter::compiler()->compile_anew(thread, method);
  if (outcome == Outcome::Installed) return;
  MutexLock guard(mutex_);
  std::erase(counting_, method);
  Record& record = records_[method];
  record.state = outcome == Outcome::Impossible ? State::Refused : State::Cold;
  record.recent.clear();
}

bool Policy::close_window(JavaThread* thread, Method* method, bool by_back_edges, i64 now) {
  bool is_queued;
  i64 began;
  const MethodData* data = method->data.load(std::memory_order_acquire);
  {
    MutexLock guard(mutex_);
    auto found = records_.find(method);
    if (found == records_.end() || found->second.state != State::Counting) return false;
    Record& record = found->second;
    began = record.window_began;
    record.is_outer = !record.was_on_top && !has_counted(data);
    record.is_profiled = !record.is_outer;
    is_queued = record.is_hot && !record.is_outer;
    record.state = is_queued ? State::Queued : State::Cold;
    std::erase(counting_, method);
  }
  KEYHOLE_LOG(debug, jit_sampling, "counted {} us, {} calls left, {} backward branches left: {}", (now - began) / 1000,
              data->calls_left.load(std::memory_order_relaxed), data->back_edges_left.load(std::memory_order_relaxed),
              method->external_name());
  interpreter::compiler()->compile_anew(thread, method);   // P1
  if (is_queued) put(method, by_back_edges);
  return true;
}

void Policy::window_ended(JavaThread* thread, Method* method) {
  MethodData* data = method->data.load(std::memory_order_acquire);
  bool by_back_edges = data->back_edges_left.load(std::memory_order_relaxed) <= 0;
  close_window(thread, method, by_back_edges, hardware::now_nanoseconds());
  set_countdown(data);   // P2
  if (!flags::BackgroundCompilation) while (compile_next(thread)) {}
  else if (wants_threads_.load(std::memory_order_relaxed)) start_compiling_threads(thread);
  // There was no room for code that does not count.
  auto still_counts = [&] {
    const CompiledCode* code = newest_in_use(method->body.load(std::memory_order_acquire));
    return code != nullptr && code->counts_down && !is_counting(method);
  };
  if (!still_counts()) return;
  if (interpreter::compiler()->compile_anew(thread, method) == Outcome::NoRoom &&
      interpreter::compiler()->make_room(thread) && still_counts())
    interpreter::compiler()->compile_anew(thread, method);
}

void Policy::end_old_windows(JavaThread* thread, i64 now) {
  std::vector<Method*> old;
  {
    MutexLock guard(mutex_);
    for (Method* method : counting_) {
      if (now - records_[method].window_began >= settings_.window_nanoseconds) old.push_back(method);
    }
  }
  for (Method* method : old) close_window(thread, method, false, now);
  if (wants_threads_.load(std::memory_order_relaxed)) start_compiling_threads(thread);
}

// --- counts decide ---------------------------------------------------------------------------------------------------

void Policy::note_first_compilation(Method* method) {
  if (!settings_.counts_decide) return;
  {
    MutexLock guard(mutex_);
    if (records_.contains(method)) return;
  }
  // Before the state: code that counts needs them (P1). Another thread may do the same.
  set_countdown(interpreter::make_method_data(method));
  MutexLock guard(mutex_);
  auto [record, is_first] = records_.try_emplace(method);
  if (is_first) begin_window(record->second, method, /*is_hot=*/true, hardware::now_nanoseconds());
}

bool Policy::is_counting(const Method* method) const {
  return state_of(method) == State::Counting;
}

Policy::State Policy::state_of(const Method* method) const {
  MutexLock guard(mutex_);
  auto found = records_.find(method);
  return found == records_.end() ? State::Cold : found->second.state;
}

// --- the queue -------------------------------------------------------------------------------------------------------

// The state says Queued.
void Policy::put(Method* method, bool by_back_edges) {
  CompileRequest request{.method = method, .number = next_compilation_number()};
  std::vector<u32> bcis;
  {
    MutexLock guard(mutex_);
    const Record& record = records_[method];
    bcis = record.recent.bcis();
    request.samples = record.samples;
  }
  request.loop = !bcis.empty() ? loop_seen_most(method, bcis) : by_back_edges ? loop_run_most(method) : request.no_loop;
  KEYHOLE_LOG(debug, jit_queue, "queued: {}, {} samples, loop {}", method->external_name(), request.samples,
              request.loop);
  if (std::optional<CompileRequest> given_up = queue_.put(request)) {
    KEYHOLE_LOG(debug, jit_queue, "given up, the queue is full: {}", given_up->method->external_name());
    become_cold(given_up->method, false);
  }
  if (!has_threads_.load(std::memory_order_relaxed)) wants_threads_.store(true, std::memory_order_relaxed);
}

void Policy::become_cold(Method* method, bool is_refused) {
  MutexLock guard(mutex_);
  auto found = records_.find(method);
  if (found == records_.end()) return;   // another body: nothing is known of it yet
  found->second.state = is_refused ? State::Refused : State::Cold;
  found->second.samples = 0;
  found->second.was_on_top = false;
  found->second.recent.clear();
}

bool Policy::compile_next(JavaThread* thread) {
  std::unique_ptr<CompileTask> task = queue_.take();
  if (task == nullptr) return false;
  const CompileRequest& request = task->request();
  char kind = request.loop != CompileRequest::no_loop ? '%' : ' ';
  if (flags::PrintCompilation) print_compilation(request.number, request.method, kind, 4);
  OptimisingTier::Outcome outcome = OptimisingTier::Outcome::Refused;
  if (tier_ != nullptr) outcome = tier_->compile(thread, *task);
  constexpr const char* names[] = {"installed", "refused", "cancelled"};
  KEYHOLE_LOG(debug, jit_queue, "{}: {}", names[static_cast<usize>(outcome)], request.method->external_name());
  if (outcome != OptimisingTier::Outcome::Installed) {
    become_cold(request.method, outcome == OptimisingTier::Outcome::Refused && !task->is_cancelled());
  } else {
    MutexLock guard(mutex_);
    if (auto found = records_.find(request.method); found != records_.end()) found->second.state = State::Compiled;
  }
  queue_.finish(std::move(task));
  return true;
}

void Policy::forget(const std::function<bool(const Method*)>& is_gone) {
  {
    MutexLock guard(mutex_);
    std::erase_if(records_, [&](const auto& entry) { return is_gone(entry.first); });
    std::erase_if(counting_, is_gone);
    for (auto& [method, record] : records_)
      std::erase_if(record.callees, [&](const Callee& callee) { return is_gone(callee.method); });
  }
  queue_.forget(is_gone);
}

}  // namespace keyhole::tiers
