// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes latencies of requests in the two ways of DaCapo.
//
//   simple    end - start of each request: a pause affects the requests that it interrupts
//   metered   end - when the request would have come, had requests come at a steady rate over the whole run ("full
//             smoothing"), but not later than it did start: a pause also affects those that queue after it
#pragma once

#include <algorithm>
#include <vector>

#include "bench/allocbench/load.h"

namespace keyhole::allocbench {

struct Percentiles {
  f64 p50, p90, p99, p999, p9999, max;  // microseconds
};

inline Percentiles percentiles(std::vector<i64> nanoseconds) {
  if (nanoseconds.empty()) return {};
  std::sort(nanoseconds.begin(), nanoseconds.end());
  auto at = [&](f64 part) {
    usize index = static_cast<usize>(part * static_cast<f64>(nanoseconds.size()));
    return static_cast<f64>(nanoseconds[std::min(index, nanoseconds.size() - 1)]) / 1e3;
  };
  return {at(0.5), at(0.9), at(0.99), at(0.999), at(0.9999), at(1.0)};
}

inline Percentiles simple_latency(const std::vector<Event>& events) {
  std::vector<i64> latencies;
  for (const Event& event : events) latencies.push_back(event.end - event.start);
  return percentiles(std::move(latencies));
}

inline Percentiles metered_latency(std::vector<Event> events) {
  if (events.empty()) return {};
  std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.start < b.start; });
  i64 first = events.front().start, last = 0;
  for (const Event& event : events) last = std::max(last, event.end);
  std::vector<i64> latencies;
  f64 interval = static_cast<f64>(last - first) / static_cast<f64>(events.size());
  for (usize i = 0; i < events.size(); ++i) {
    i64 due = first + static_cast<i64>(interval * static_cast<f64>(i));
    latencies.push_back(events[i].end - std::min(due, events[i].start));
  }
  return percentiles(std::move(latencies));
}

}  // namespace keyhole::allocbench
