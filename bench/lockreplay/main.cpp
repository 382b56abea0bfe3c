// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// lockreplay LOAD CPUS ALGORITHM...: replays a lock load (vm/tools/compare/lock_load.h) on the simulated machine.
// `keyhole --compare-locks --simulated` starts it.
//
// When an algorithm has finished, prints a line such as "lightweight done 123456 parks=3 ...", with the simulated
// nanoseconds and the counters that are not 0. Otherwise the line is "... stuck", or "... unknown".
#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "bench/lockreplay/replay.h"
#include "runtime/base/platform/cost_model.h"

using namespace keyhole;

namespace {

constexpr std::string_view ends[] = {"done", "stuck", "unknown"};

int fail(std::string_view sentence) {
  fmt::print(stderr, "lockreplay: {}\n", sentence);
  return 2;
}

std::string line(std::string_view algorithm, const lockreplay::Replay& replay) {
  std::string text = fmt::format("{} {}", algorithm, ends[static_cast<usize>(replay.end)]);
  if (replay.end == lockreplay::Replay::End::done) {
    text += fmt::format(" {}", replay.nanoseconds);
    for (u32 i = 0; i < lock_counter_count; ++i) {
      if (replay.counters[i] != 0) text += fmt::format(" {}={}", lock_counter_names[i], replay.counters[i]);
    }
  }
  return text + "\n";
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count < 4) return fail("usage: lockreplay LOAD CPUS ALGORITHM...");
  std::ifstream file(arguments[1], std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) return fail(fmt::format("cannot read {}", arguments[1]));
  compare::LockLoad load;
  if (std::string problem = compare::parse_load(text.str(), load); !problem.empty())
    return fail(fmt::format("{}: {}", arguments[1], problem));
  std::string_view number = arguments[2];
  u32 cpus = 0;
  auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), cpus);
  if (error != std::errc() || end != number.data() + number.size() || cpus == 0 || cpus > cost_model::maximum_cpus)
    return fail(fmt::format("CPUS is a number from 1 to {}, not '{}'", cost_model::maximum_cpus, number));
  for (int i = 3; i < argument_count; ++i) {
    fmt::print("{}", line(arguments[i], lockreplay::replay(arguments[i], cpus, load)));
    fflush(stdout);
  }
  return 0;
}
