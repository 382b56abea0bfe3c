// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Compile budgets: the time that compiling a method may take, depending on the time that the program has spent in it.
//
// P11: a method is compiled when it is hot and its compile budget has reached its expected compile cost. The budget is
//     the time spent in the method, times a credit of 1 to 8 (budget_of). For example, with a credit of 1 a method that
//     takes 20 ms to compile is queued after the program has spent 20 ms in it. Then compiling costs at most as much
//     time as the program has already spent in slower code, however soon the program ends.
//     The tier estimates the cost when it has built the method's graph. Without an estimate a method is queued as soon
//     as it is hot. If the estimate is then over the budget, the request ends: the method returns to its state before
//     the request, and keeps its samples and the estimate. The method is queued again when its budget has reached the
//     estimate, and that request has no budget.
//     The time spent in a method includes its callees: every sample that contains the method counts. If nothing would
//     be inlined, compiling speeds up only the method's own code, that is, the samples with the method on top. So the
//     tier then multiplies the cost by the ratio (samples that contain the method) / (samples with the method on top).
//     Code of the middle tier is faster than baseline code, so optimised code saves less time. So after the middle
//     tier's compilation the time spent is divided by Settings::middle_gain_divisor.
// P13: compiling threads start with the first request. When a request is almost certain to come, they start earlier and
//     prepare the tier, which takes some milliseconds. A request is almost certain in two cases: one method is in most
//     of the samples and its budget has reached the cost of preparing; or a profiling interval has ended, by its
//     counters, within a fifth of its time (profiling_intervals.h).
#pragma once

#include <algorithm>
#include <limits>

#include "jit/code/method_record.h"

namespace keyhole::tiers {

// Returns the number of samples, of all methods, since this method's first sample, which is included.
template <typename Method> i64 samples_since_first(const MethodRecord<Method>& record, u64 sample_count) {
  return static_cast<i64>(sample_count - record.first_sample) + 1;
}

// P11: returns the budget in nanoseconds: the time spent in the method, times a credit of 1 to 8. Each sample counts as
//     a millisecond spent in the method. The credit is twenty times the method's share of all samples since its first
//     one, because a method with a large share is expected to stay hot. While there are few samples, `few_samples`
//     makes the share count less.
template <typename Method>
i64 budget_of(const MethodRecord<Method>& record, u64 sample_count, const Settings& settings) {
  constexpr i64 one_in_credit = 20, few_samples = 20;
  constexpr f64 most_credit = 8;
  if (settings.uses_thresholds || settings.payback_percent == 0) return std::numeric_limits<i64>::max();
  i64 samples = record.samples, all = samples_since_first(record, sample_count) + few_samples;
  i64 spent = samples * settings.sample_nanoseconds * 100 / settings.payback_percent;
  if (record.is_middle_done) spent /= settings.middle_gain_divisor;
  f64 credit = static_cast<f64>(one_in_credit * samples) / static_cast<f64>(all);
  return static_cast<i64>(static_cast<f64>(spent) * std::clamp(credit, 1.0, most_credit));
}

// P15: whether the method's next compilation is by the middle tier.
template <typename Method> bool is_for_middle(const MethodRecord<Method>& record, const Settings& settings) {
  return settings.has_middle_tier && !record.is_middle_done;
}
// P15: whether the middle tier should compile the method: it is warm, its budget has reached its cost, and its frame
//      was on top in at least one sample. Without such a sample, the method's profiling interval could end before it
//      has counted anything (profiling_intervals.h P6).
template <typename Method>
bool is_warm_and_affordable(const MethodRecord<Method>& record, u64 sample_count, const Settings& settings) {
  return record.recent.are_warm(settings) && record.samples_on_top != 0 &&
         budget_of(record, sample_count, settings) >= record.cost;
}

template <typename Method>
bool is_hot_and_affordable(const MethodRecord<Method>& record, i64 now, u64 sample_count, const Settings& settings) {
  return record.recent.are_hot(now, sample_count, settings) && budget_of(record, sample_count, settings) >= record.cost;
}

// P13: whether the optimising tier should be prepared: the method is in more than half of the samples, and its budget
//      has reached the cost of the preparation.
template <typename Method>
bool is_worth_preparing(const MethodRecord<Method>& record, u64 sample_count, const Settings& settings) {
  return i64{record.samples} * 2 > samples_since_first(record, sample_count) &&
         budget_of(record, sample_count, settings) >= Settings::preparation_nanoseconds;
}

}  // namespace keyhole::tiers
