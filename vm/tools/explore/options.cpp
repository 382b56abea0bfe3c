// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses the command line.
#include "vm/tools/explore/options.h"

#include <fmt/format.h>

#include <charconv>

#include "runtime/base/flags.h"
#include "vm/tools/explore/jobs.h"

namespace keyhole::explore {

const std::string_view usage =
    "Usage: keyhole --explore [options] PROGRAM [args]\n"
    "PROGRAM is what java takes: options, then a class, a source file or -jar FILE.\n"
    "  --strategy=S       auto, bounded, dpor, pct, pos, surw or random (auto)\n"
    "  --bound=N          bounded: at most N preemptions\n"
    "  --depth=N          pct: the number of ordered steps that the bug needs (3)\n"
    "  --seed=N           of pct, pos, surw and random (1)\n"
    "  --for=SECONDS      when to stop (60)\n"
    "  --schedules=N      when to stop (no limit)\n"
    "  --jobs=N           worker processes (one for each processor)\n"
    "  --expect-exit=N    another exit code is a failure (0)\n"
    "  --expect-output=F  other output than the file's is a failure\n"
    "  --outcomes         count the different outputs\n"
    "  --memory=M         sc: a read sees the last write; tso: each thread has a\n"
    "                     store buffer; jmm: a read sees any write that the Java\n"
    "                     memory model permits (sc)\n"
    "  --strict           no quiet methods of the library\n"
    "  --schedule=FILE    replay this schedule\n"
    "  --save=FILE        where a failing schedule goes (NAME.khs)\n"
    "  --json=FILE        the result, for programs\n"
    "  --shard=I/N        the I-th of N parts of the schedules\n"
    "  --merge A B ...    one report of the parts' JSON files; no PROGRAM\n"
    "  --rollback=E       pages, fork, or rerun: a new VM for each schedule (pages)\n"
    "  --verify-rollback  pages: compare all memory after each schedule\n"
    "Exit code: 0 nothing fails, 1 something does, 2 something could not be\n"
    "controlled or decided by limits, 3 wrong usage.\n";

namespace {

template <typename Number> bool parse_number(std::string_view text, Number& number) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// Returns the only value that this version supports for an option, or an empty text for options with several values.
std::string_view only_value(std::string_view name) {
  if (name == "--locks") return "java";
  if (name == "--time") return "late";
  if (name == "--points") return "racy";
  return "";
}

std::string set(std::string_view name, std::string_view value, Options& options) {
  bool is_good = true;
  if (name == "--strategy") {
    if (value == "auto") options.strategy = Strategy::automatic;
    else if (value == "bounded") options.strategy = Strategy::bounded;
    else if (value == "dpor") options.strategy = Strategy::dpor;
    else if (value == "pct") options.strategy = Strategy::pct;
    else if (value == "pos") options.strategy = Strategy::pos;
    else if (value == "surw") options.strategy = Strategy::surw;
    else if (value == "random") options.strategy = Strategy::random;
    else return fmt::format("--strategy is auto, bounded, dpor, pct, pos, surw or random, not '{}'", value);
  } else if (name == "--bound") {
    u32 bound = 0;
    is_good = parse_number(value, bound) && bound < 1000;
    options.bound = bound;
  } else if (name == "--depth") {
    is_good = parse_number(value, options.depth) && options.depth >= 1 && options.depth <= 16;
  } else if (name == "--seed") {
    is_good = parse_number(value, options.seed);
  } else if (name == "--for") {
    is_good = parse_number(value, options.seconds) && options.seconds > 0;
  } else if (name == "--schedules") {
    is_good = parse_number(value, options.schedules) && options.schedules > 0;
  } else if (name == "--memory") {
    if (value == "sc") options.memory = controlled::Memory::sc;
    else if (value == "tso") options.memory = controlled::Memory::tso;
    else if (value == "jmm") options.memory = controlled::Memory::jmm;
    else return fmt::format("--memory is sc, tso or jmm, not '{}'", value);
  } else if (name == "--expect-exit") {
    is_good = parse_number(value, options.expected_exit) && options.expected_exit >= 0 && options.expected_exit < 256;
  } else if (name == "--expect-output") {
    options.expected_output_file = value;
  } else if (name == "--schedule") {
    options.schedule_file = value;
  } else if (name == "--save") {
    options.save_file = value;
  } else if (name == "--json") {
    options.json_file = value;
  } else if (name == "--shard") {
    usize slash = value.find('/');
    is_good = slash != std::string_view::npos && parse_number(value.substr(0, slash), options.shard) &&
              parse_number(value.substr(slash + 1), options.shards) && options.shard >= 1 &&
              options.shard <= options.shards;
    --options.shard;
  } else if (name == "--jobs") {
    u32 jobs = 0;
    is_good = parse_number(value, jobs) && jobs >= 1 && jobs <= max_jobs;
    options.jobs = jobs;
  } else if (name == "--rollback") {
    if (value == "fork") options.engine = Engine::Kind::fork;
    else if (value == "rerun") options.engine = Engine::Kind::rerun;
    else if (value == "pages") options.engine = Engine::Kind::pages;
    else return fmt::format("--rollback is pages, fork or rerun, not '{}'", value);
  } else if (std::string_view only = only_value(name); !only.empty()) {
    if (value != only) return fmt::format("{} is {}: this version has no {}", name, only, value);
  } else {
    return fmt::format("{} is not an option of --explore", name);
  }
  return is_good && !value.empty() ? "" : fmt::format("{} does not take '{}'", name, value);
}

}  // namespace

std::string parse_options(std::span<char*> words, Options& options) {
  usize next = 0;
  for (; next < words.size(); ++next) {
    std::string_view word = words[next];
    if (word == "--help") options.help = true;
    else if (word == "--outcomes") options.counts_outcomes = true;
    else if (word == "--strict") options.is_strict = true;
    else if (word == "--merge") {
      options.merged.assign(words.begin() + static_cast<i64>(next) + 1, words.end());
      return options.merged.empty() ? "--merge needs files" : "";
    } else if (word == "--verify-rollback") options.verifies_rollback = true;
    else if (usize equals = word.find('='); word.starts_with("--") && equals != std::string_view::npos) {
      std::string_view name = word.substr(0, equals);
      // These options belong to java, although they have the form of options of --explore. The first of them ends the
      // options of --explore: this word and all following words are java's command line.
      if (name == "--module-path" || name == "--add-modules" || name == "--add-opens" || name == "--add-exports" ||
          name == "--add-reads" || name == "--patch-module" || name == "--class-path" || name == "--source")
        break;
      if (std::string problem = set(name, word.substr(equals + 1), options); !problem.empty()) return problem;
    } else {
      constexpr std::string_view with_values[] = {"--strategy", "--bound",         "--depth",    "--seed",
                                                  "--for",      "--schedules",     "--schedule", "--save",
                                                  "--json",     "--expect-output", "--rollback", "--expect-exit",
                                                  "--shard",    "--memory",        "--jobs"};
      bool takes_value = false;
      for (std::string_view name : with_values) takes_value |= word == name;
      if (!takes_value) break;
      if (next + 1 == words.size()) return fmt::format("{} needs a value", word);
      if (std::string problem = set(word, words[++next], options); !problem.empty()) return problem;
    }
  }
  if (options.shards > 1 && options.strategy == Strategy::dpor)
    return "--shard: the tree of dpor grows while it is searched, and has no parts";
  if (options.shards > 1 && options.memory != controlled::Memory::sc)
    return "--shard: the parts of an exploration have neither store buffers nor old writes (--memory=sc)";
  if (options.jobs.value_or(1) > 1 && options.strategy == Strategy::dpor)
    return "--jobs: the tree of dpor grows while it is searched, and has no parts";
  if (options.jobs.value_or(1) > 1 && options.memory != controlled::Memory::sc)
    return "--jobs: the parts of an exploration have neither store buffers nor old writes (--memory=sc)";
  if (options.jobs.value_or(1) > 1 && options.shards > 1) return "--jobs and --shard: a shard has one process";
  options.program.assign(words.begin() + static_cast<i64>(next), words.end());
  return {};
}

std::vector<std::string> words_of_vm(const Options& options) {
  std::vector<std::string> words = {"-ea",
                                    "-Xint",
                                    "-XX:GCPlan=none",
                                    "-Xrs",
                                    "-XX:-UsePerfData",
                                    "-XX:+DisableAttachMechanism",
                                    "-XX:-VMContinuations",
                                    "-XX:ActiveProcessorCount=2"};
  words.insert(words.end(), options.program.begin(), options.program.end());
  return words;
}

std::string check_flags() {
  if (flags::TieredStopAtLevel != 0) return "--explore interprets: no option that compiles fits";
  if (flags::GCPlan != "none") return "--explore does not collect: no other -XX:GCPlan than none fits";
  if (flags::is_set("LockingMode"))
    return "--explore locks as the Java language defines it: no -XX:LockingMode fits (--locks=java)";
  if (!flags::StartRecording.empty()) return "--explore makes no recording";
  if (flags::DetectDataRaces) return "--explore has no detector of data races: no -XX:+DetectDataRaces fits";
  if (flags::VMContinuations) return "--explore runs each virtual thread on a strand of its own: -XX:-VMContinuations";
  return {};
}

}  // namespace keyhole::explore
