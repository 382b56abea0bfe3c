// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the counters of deopt points, decides which speculations have failed, and retires their code.
#include "jit/optimised/failed_speculations.h"

#include <algorithm>

#include "jit/code/method_codes.h"
#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "vm/metadata/method.h"

namespace keyhole::optimised {
namespace {

u32 count_of(const u32& counter) { return __atomic_load_n(&counter, __ATOMIC_RELAXED); }

}  // namespace

FailedSpeculations::Counters FailedSpeculations::make_counters(graph::Lowered& lowered) {
  Counters counters = std::make_unique<u32[]>(lowered.deopts.size() + 1);
  lowered.symbols[std::string(graph::deopt_counters_symbol)] = reinterpret_cast<uptr>(counters.get());
  return counters;
}

void FailedSpeculations::watch(CompiledCode* code, Counters counters, const graph::Lowered& lowered, i64 cost) {
  std::vector<u32> logged(lowered.deopts.size());
  watched_.push_back({code, std::move(counters), lowered.deopts, lowered.pruned_handlers, std::move(logged), cost});
}

// Removes code from `watched_`, because the code is being freed. If this code has deoptimized since the last
// log_exits(), these deoptimizations are not logged: the log would name methods that may be unloaded.
void FailedSpeculations::forget(const void* resource) {
  std::erase_if(watched_, [resource](const Watched& watched) { return watched.code->resource == resource; });
}

void FailedSpeculations::log_exits() {
  if (!log::enabled(log::TagSet::deoptimization, log::Level::debug)) return;
  for (Watched& watched : watched_) {
    for (usize i = 0; i < watched.exits.size(); ++i) {
      u32 count = count_of(watched.counters[i]), before = std::exchange(watched.logged[i], count);
      const graph::CountedDeopt& exit = watched.exits[i];
      if (count == before) continue;
      KEYHOLE_LOG(debug, deoptimization, "deoptimized {} times: code {} of {}, at bci {} of {}: {}", count - before,
                  watched.code->number, watched.code->method->external_name(), exit.bci, exit.method->external_name(),
                  graph::name(exit.reason));
    }
  }
}

bool FailedSpeculations::deoptimizes_too_often(const Watched& watched) const {
  i64 all = 0, most = 0;
  for (usize i = 0; i < watched.exits.size(); ++i) {
    i64 count = watched.exits[i].is_speculation ? count_of(watched.counters[i]) : 0;
    most = std::max(most, count);
    all += count;
  }
  bool has_failed = most >= flags::PerBytecodeTrapLimit || all >= flags::PerMethodTrapLimit;
  bool is_hot_outside = hot_outside_code_.contains(watched.code->method);
  return has_failed && (all * nanoseconds_of_an_exit >= watched.cost || is_hot_outside);
}

bool FailedSpeculations::misses_handler(const Watched& watched) {
  return std::ranges::any_of(watched.pruned, [&](const graph::PrunedHandler& handler) {
    const MethodCode* body = handler.method->body.load(std::memory_order_acquire);
    if (handler.number >= handler.method->handler_count || body->handler_entries == nullptr) return false;
    u32 entries = body->handler_entries[handler.number].load(std::memory_order_relaxed);
    if (entries < static_cast<u64>(flags::PerMethodTrapLimit)) return false;
    KEYHOLE_LOG(debug, jit, "entered {} times: handler {} of {}, which code {} has not", entries, handler.number,
                handler.method->external_name(), watched.code->number);
    return true;
  });
}

// F2: adds each speculation that has deoptimized -XX:PerBytecodeTrapLimit times to the failed speculations. If no
//     speculation has, adds the speculation that has deoptimized most often.
void FailedSpeculations::note_failures(const Watched& watched) {
  u32 most = 0;
  for (usize i = 0; i < watched.exits.size(); ++i) {
    if (watched.exits[i].is_speculation) most = std::max(most, count_of(watched.counters[i]));
  }
  u32 limit = std::min(most, static_cast<u32>(flags::PerBytecodeTrapLimit));
  for (usize i = 0; i < watched.exits.size(); ++i) {
    u32 count = count_of(watched.counters[i]);
    const graph::CountedDeopt& exit = watched.exits[i];
    if (count == 0 || count < limit || !exit.is_speculation) continue;
    failed_.insert({exit.method, exit.bci, exit.reason});
    KEYHOLE_LOG(debug, jit, "deoptimized {} times: code {} of {}, at bci {} of {}: {}", count, watched.code->number,
                watched.code->method->external_name(), exit.bci, exit.method->external_name(),
                graph::name(exit.reason));
  }
}

// LIFE(deoptimization) 10/10: code is retired when its speculations have failed too often
u32 FailedSpeculations::retire() {
  log_exits();
  u32 count = 0;
  usize left = hot_outside_code_.empty() ? std::min(watched_.size(), most_at_once) : watched_.size();
  for (; left > 0; --left) {
    if (next_ >= watched_.size()) next_ = 0;
    const Watched& watched = watched_[next_++];
    if (watched.code->is_retired()) continue;
    bool has_failed = deoptimizes_too_often(watched);
    if (!has_failed && !misses_handler(watched)) continue;
    if (has_failed) {
      note_failures(watched);
      ++retired_codes_[watched.code->method];
    }
    ++count;
    method_codes::retire(watched.code, Retired::Failing);
  }
  hot_outside_code_.clear();
  return count;
}

bool FailedSpeculations::has_failed(const Method* root, const Method* method, u32 bci,
                                    graph::DeoptReason reason) const {
  auto lost = retired_codes_.find(root);
  if (lost != retired_codes_.end() && lost->second >= most_codes) return true;
  return failed_.contains({method, bci, reason});
}

}  // namespace keyhole::optimised
