// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Turns figures into conclusions in words, by the rules of rules.h.
#include "vm/tools/compare/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vm/tools/compare/significance.h"

namespace keyhole::compare {

namespace {

const LockProfile nothing;  // if no run was recorded

const Rule rules[] = {
#define RULE(name, nanoseconds, expression, sentence)                                \
  {#name, nanoseconds,                                                               \
   []([[maybe_unused]] const ModeFigures& m) -> u64 {                                \
     [[maybe_unused]] const LockStatistics s = m.statistics();                       \
     [[maybe_unused]] const LockProfile& profile = m.profile ? *m.profile : nothing; \
     return expression;                                                              \
   },                                                                                \
   sentence},
#include "vm/tools/compare/rules.def"
#undef RULE
};

constexpr f64 least_difference = 0.03;           // R1
constexpr f64 least_part_explained = 0.1;        // R2
constexpr f64 least_processor_difference = 0.2;  // R3

f64 wall_of(const ModeFigures& mode) { return median(mode.wall()); }
f64 cpu_of(const ModeFigures& mode) { return median(mode.cpu()); }
bool runs(const ModeFigures& mode) { return mode.has_run(); }

std::string quoted(const std::string& mode) { return fmt::format("`{}`", mode); }

// Joins words: "a", "a and b", "a, b and c".
std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (usize i = 0; i < words.size(); ++i) text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

std::string percent(f64 share) { return fmt::format("{:.{}f} %", share * 100, share < 0.0995 ? 1 : 0); }

// Groups modes that are slower (or faster) due to the same cause, so that one sentence names them together.
class Groups {
 public:
  void add(const Rule* rule, const ModeFigures* mode) {
    for (auto& [known, modes] : groups_) {
      if (known == rule) return modes.push_back(mode);
    }
    groups_.push_back({rule, {mode}});
  }
  // Calls write(rule, modes) for each group, in the order of rules.def. Unexplained differences come last.
  template <typename Write> void for_each(Write write) {
    for (const Rule& rule : rules) {
      for (const auto& [known, modes] : groups_)
        if (known == &rule) write(&rule, modes);
    }
    for (const auto& [known, modes] : groups_)
      if (known == nullptr) write(known, modes);
  }

 private:
  std::vector<std::pair<const Rule*, std::vector<const ModeFigures*>>> groups_;
};

std::string names_of(const std::vector<const ModeFigures*>& modes) {
  std::vector<std::string> names;
  for (const ModeFigures* mode : modes) names.push_back(quoted(mode->name()));
  return listed(names);
}

std::string sentence_of(const Rule& rule, const std::vector<const ModeFigures*>& slow,
                        const std::vector<const ModeFigures*>& fast) {
  auto counts = [&](const std::vector<const ModeFigures*>& modes) {
    std::vector<std::string> texts;
    for (const ModeFigures* mode : modes) texts.push_back(grouped(rule.count(*mode)));
    return listed(texts);
  };
  std::string others = fmt::format("{}: {}", names_of(fast), counts(fast));
  return fmt::format(fmt::runtime(rule.sentence), names_of(slow), counts(slow), others);
}

}  // namespace

std::string grouped(u64 number) {
  std::string digits = std::to_string(number);
  for (usize at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

Chances chances_of(const Comparison& comparison) {
  const ModeFigures* base = comparison.find(comparison.base);
  Chances chances{std::vector<f64>(comparison.modes.size(), 1), std::vector<f64>(comparison.modes.size(), 1)};
  if (base == nullptr || !runs(*base)) return chances;
  std::vector<usize> compared;
  std::vector<f64> wall, cpu;
  for (usize i = 0; i < comparison.modes.size(); ++i) {
    const ModeFigures& mode = comparison.modes[i];
    if (&mode == base || !runs(mode)) continue;
    compared.push_back(i);
    wall.push_back(probability_of_chance(base->wall(), mode.wall()));
    cpu.push_back(probability_of_chance(base->cpu(), mode.cpu()));
  }
  wall = corrected(wall);
  cpu = corrected(cpu);
  for (usize i = 0; i < compared.size(); ++i) chances.wall[compared[i]] = wall[i], chances.cpu[compared[i]] = cpu[i];
  return chances;
}

const Rule* cause_of(const ModeFigures& slow, const ModeFigures& fast) {
  const Rule* most = nullptr;
  f64 longest = 0;
  for (const Rule& rule : rules) {
    u64 more = rule.count(slow), less = rule.count(fast);
    if (more == 0 || more < 2 * less) continue;
    f64 nanoseconds = static_cast<f64>(more - less) * rule.nanoseconds;
    if (nanoseconds > longest) longest = nanoseconds, most = &rule;
  }
  f64 wall = wall_of(slow) - wall_of(fast), cpu = cpu_of(slow) - cpu_of(fast);
  f64 least = least_part_explained * std::max(0.0, wall > 0 && cpu > 0 ? std::min(wall, cpu) : std::max(wall, cpu));
  return longest / 1e6 >= least ? most : nullptr;
}

namespace {

std::string rate_of_locks(const ModeFigures& base) {
  if (!base.profile) return {};
  const LockProfile& profile = *base.profile;
  f64 microseconds = wall_of(base) * 1e3;
  if (profile.enters == 0) return "The program takes no lock.";
  f64 each = static_cast<f64>(profile.enters) / microseconds;
  std::string rate = each >= 0.1
                         ? fmt::format("{:.1f} per microsecond", each)
                         : fmt::format("one in {} microseconds", grouped(static_cast<u64>(std::round(1 / each))));
  f64 contended = static_cast<f64>(profile.contended) / static_cast<f64>(profile.enters);
  return fmt::format("The program takes {} locks, {}; {} of them were held by another thread.", grouped(profile.enters),
                     rate,
                     profile.contended == 0 ? "none"
                     : contended < 0.001    ? "less than 0.1 %"
                                            : percent(contended));
}

std::string times_of(const std::vector<const ModeFigures*>& modes, const ModeFigures& base) {
  std::vector<std::string> texts;
  for (const ModeFigures* mode : modes)
    texts.push_back(fmt::format("{} takes {:.2f} times as long", quoted(mode->name()), wall_of(*mode) / wall_of(base)));
  return listed(texts);
}

}  // namespace

std::vector<std::string> what_decided(const Comparison& comparison) {
  std::vector<std::string> words;
  const ModeFigures* base = comparison.find(comparison.base);
  if (base == nullptr || !runs(*base)) return words;
  std::string base_name = quoted(base->mode);
  Chances chances = chances_of(comparison);
  std::vector<const ModeFigures*> slower, faster, hungrier, thriftier;
  usize compared = 0;
  for (usize i = 0; i < comparison.modes.size(); ++i) {
    const ModeFigures& mode = comparison.modes[i];
    if (&mode == base || !runs(mode)) continue;
    ++compared;
    f64 ratio = wall_of(mode) / wall_of(*base);
    bool differs = chances.wall[i] < significant && std::abs(ratio - 1) >= least_difference;  // R1
    if (differs && mode.mode == "none") continue;                                             // said below
    if (differs) (ratio > 1 ? slower : faster).push_back(&mode);
    f64 processor = cpu_of(mode) / cpu_of(*base);
    if (!differs && mode.mode != "none" && chances.cpu[i] < significant &&
        std::abs(processor - 1) >= least_processor_difference)  // R3
      (processor > 1 ? hungrier : thriftier).push_back(&mode);
  }
  if (std::string rate = rate_of_locks(*base); !rate.empty()) words.push_back(rate);
  if (compared != 0 && slower.empty() && faster.empty())
    words.push_back(fmt::format("No mode takes more or less time than {} by more than the runs themselves differ{}.",
                                base_name,
                                base->runs.size() < needed_runs(compared) ? ": too few runs to tell" : ""));  // R4
  // Writes a sentence for each group of modes: that they differ from the base, and the cause. `doing` is the verb
  // phrase for one mode ("is slower"), `done` the one for several modes ("are slower").
  auto explain = [&](const std::vector<const ModeFigures*>& modes, bool base_is_slow, std::string_view doing,
                     std::string_view done) {
    Groups groups;
    for (const ModeFigures* mode : modes)
      groups.add(base_is_slow ? cause_of(*base, *mode) : cause_of(*mode, *base), mode);
    groups.for_each([&](const Rule* rule, const std::vector<const ModeFigures*>& named) {
      if (rule == nullptr)
        words.push_back(
            fmt::format("Nothing that is counted says why {} {}.", names_of(named), named.size() == 1 ? doing : done));
      else words.push_back(base_is_slow ? sentence_of(*rule, {base}, named) : sentence_of(*rule, named, {base}));
    });
  };
  auto say_times = [&](const std::vector<const ModeFigures*>& modes) {
    if (!modes.empty()) words.push_back(fmt::format("{}.", times_of(modes, *base)));
  };
  auto say_processor = [&](const std::vector<const ModeFigures*>& modes, std::string_view much) {
    if (!modes.empty())
      words.push_back(fmt::format("{} {} as long as {}, but {} processor time.", names_of(modes),
                                  modes.size() == 1 ? "takes" : "take", base_name, much));
  };
  say_times(slower);
  explain(slower, false, "is slower", "are slower");
  say_times(faster);
  explain(faster, true, "is faster", "are faster");
  say_processor(hungrier, "more");
  explain(hungrier, false, "takes more of it", "take more of it");
  say_processor(thriftier, "less");
  explain(thriftier, true, "takes less of it", "take less of it");
  for (usize i = 0; i < comparison.modes.size(); ++i) {  // R5
    const ModeFigures& none = comparison.modes[i];
    if (none.mode != "none" || !none.variant.empty() || &none == base || !runs(none)) continue;
    f64 saved = 1 - wall_of(none) / wall_of(*base);
    words.push_back(saved >= least_difference && chances.wall[i] < significant
                        ? fmt::format("Without locks (`none`) it would take {} less time.", percent(saved))
                        : "Without locks (`none`) it takes as long.");
  }
  return words;
}

}  // namespace keyhole::compare
