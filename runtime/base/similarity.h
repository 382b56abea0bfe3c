// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Suggestions for misspelt names, by java's measure.
#pragma once

#include <span>
#include <string_view>

#include "runtime/base/types.h"

namespace keyhole {

// The number of common letter pairs in relation to the number of letters; below 1.
inline double similarity(std::string_view a, std::string_view b) {
  if (a.size() < 2 || b.size() < 2) return 0;
  usize hits = 0;
  for (usize i = 0; i + 1 < a.size(); ++i) {
    if (b.find(a.substr(i, 2)) != std::string_view::npos) ++hits;
  }
  return 2.0 * static_cast<double>(hits) / static_cast<double>(a.size() + b.size());
}

// The candidate that is most like the name, or empty when none reaches the least similarity.
inline std::string_view most_similar(std::string_view name, std::span<const std::string_view> candidates,
                                     double least) {
  std::string_view nearest;
  for (std::string_view candidate : candidates) {
    double score = similarity(name, candidate);
    if (score >= least && (nearest.empty() || score > least)) least = score, nearest = candidate;
  }
  return nearest;
}

}  // namespace keyhole
