// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the flag -XX:PrintIR, and prints graphs and functions.
#include "jit/optimised/print_ir.h"

#include <algorithm>
#include <cstdio>

#include "jit/graph/pipeline.h"
#include "runtime/base/flags.h"
#include "runtime/base/print.h"

namespace keyhole::optimised {
namespace {

// The words that -XX:PrintIR accepts besides the names of the phases in jit/graph/pipeline.cpp.
constexpr std::string_view other_words[] = {"build", "optimise", "lower", "before", "after", "all", "dot"};

// Calls is_it with each word of -XX:PrintIR until is_it returns true. Returns whether it has returned true.
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

bool draws_graphs() {
  return find_listed([](std::string_view listed) { return listed == "dot"; });
}

void draw_ir(std::string_view phase, const std::function<std::string()>& picture) {
  if (!prints_ir(phase)) return;
  print_text("{}", picture());
  fflush(stdout);
}

void print_ir(std::string_view method, std::string_view phase, const std::function<std::string()>& text) {
  if (!prints_ir(phase)) return;
  print_text("--- {}: {} ---\n{}\n", method, phase, text());
  fflush(stdout);  // flushes stdio, so that the IR comes in order with the Java program's output, which bypasses stdio
}

std::string unknown_phases() {
  std::string unknown;
  find_listed([&](std::string_view listed) {
    if (graph::find_phase(listed) == nullptr && std::ranges::find(other_words, listed) == std::end(other_words))
      unknown += (unknown.empty() ? "" : ", ") + std::string(listed);
    return false;
  });
  return unknown;
}

}  // namespace keyhole::optimised
