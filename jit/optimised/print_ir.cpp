// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The flag, read.
#include "jit/optimised/print_ir.h"

#include <algorithm>
#include <cstdio>

#include "runtime/base/flags.h"
#include "runtime/base/print.h"

namespace keyhole::optimised {
namespace {

constexpr std::string_view phases[] = {"build",        "simplify",      "number_values", "eliminate_allocations",
                                       "nested_locks", "coarsen_locks", "hoist",         "strip_mine",
                                       "place_boxes",  "optimise",      "unrecorded_locks", "contended_enters",
                                       "lower",        "before",        "after"};

// Until it says true.
bool find_listed(const auto& is_it) {
  std::string_view rest = flags::PrintIR;
  while (!rest.empty()) {
    usize comma = std::min(rest.find(','), rest.size());
    if (is_it(rest.substr(0, comma))) return true;
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return false;
}

}  // namespace

bool prints_ir(std::string_view phase) {
  return find_listed([phase](std::string_view listed) { return listed == phase || listed == "all"; });
}

void print_ir(std::string_view method, std::string_view phase, const std::function<std::string()>& text) {
  if (!prints_ir(phase)) return;
  print_text("--- {}: {} ---\n{}\n", method, phase, text());
  fflush(stdout);   // what the program prints does not go through here
}

std::string unknown_phases() {
  std::string unknown;
  find_listed([&](std::string_view listed) {
    if (listed != "all" && std::ranges::find(phases, listed) == std::end(phases))
      unknown += (unknown.empty() ? "" : ", ") + std::string(listed);
    return false;
  });
  return unknown;
}

}  // namespace keyhole::optimised
