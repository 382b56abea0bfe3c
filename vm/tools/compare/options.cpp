// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses the command line.
#include "vm/tools/compare/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <ranges>

#include "runtime/base/platform/cost_model.h"
#include "vm/tools/lab/modes.h"

namespace keyhole::compare {

const std::string_view usage =
    "Usage: keyhole --compare-locks [options] PROGRAM [args]\n"
    "PROGRAM is what java takes: options, then a class, a source file or -jar FILE.\n"
    "  --modes A,B       only these locking modes (see -XX:+PrintLockingModes);\n"
    "                    the first one is the base, unless lightweight is among them;\n"
    "                    ./FILE.h is a lock of your own (keyhole lock --help)\n"
    "  --variant NAME=FLAGS   every mode with these flags of the VM as well, as\n"
    "                    --variant \"tiny=-XX:+UseTinyObjectHeaders\"; may be repeated\n"
    "  --runs N          how often the program runs in each mode (7, or as many as a\n"
    "                    significant difference needs)\n"
    "  --timeout N       ends a run after N seconds, and says if it is a deadlock\n"
    "  --no-hotspot      without the row for HotSpot, the java of the library's JDK\n"
    "  --simulated N     what the recorded locks would do on N CPUs: a simulation\n"
    "  --json FILE       all figures, for programs\n"
    "  --csv FILE        a row for each run, for a spreadsheet\n"
    "  --saved A B       compares two files that --json wrote: no program is run\n"
    "  --page FILE       all figures, as a page for a browser\n"
    "  --input FILE      what each run reads from standard input (nothing)\n"
    "  --no-recording    without the further run of each mode that is recorded\n"
    "  --any-output      compare runs although they print different things\n";

namespace {

constexpr u32 most_runs = 1000, most_seconds = 86'400;

// Parses a number from 1 to `most`.
bool parse_number(std::string_view text, u32 most, u32& number) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number != 0 && number <= most;
}

// Parses a variant, NAME=FLAGS, with blanks between the flags. Returns an empty string, or the error.
std::string add_variant(std::string_view text, std::vector<Variant>& variants) {
  constexpr usize longest_name = 16;  // longest name for which a row of the report has room
  usize end = text.find('=');
  std::string_view name = text.substr(0, end);
  auto is_good = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.'; };
  if (end == std::string_view::npos || name.empty() || name.size() > longest_name ||
      !std::ranges::all_of(name, is_good))
    return fmt::format("--variant takes NAME=FLAGS, with a name of at most {} letters, digits, '.' and '-', not '{}'",
                       longest_name, text);
  if (std::ranges::find(variants, name, &Variant::name) != variants.end())
    return fmt::format("two variants have the name {}", name);
  Variant variant{std::string(name), {}};
  for (auto flag : std::views::split(text.substr(end + 1), ' ')) {
    if (!flag.empty()) variant.flags.emplace_back(flag.begin(), flag.end());
  }
  if (variant.flags.empty()) return fmt::format("the variant {} has no flags", name);
  for (const std::string& flag : variant.flags) {
    if (!flag.starts_with('-')) return fmt::format("the variant {} has '{}', which is not a flag", name, flag);
    if (std::string problem = check_flag(flag); !problem.empty()) return problem;
  }
  variants.push_back(std::move(variant));
  return {};
}

}  // namespace

std::string check_flag(std::string_view flag) {
  for (std::string_view chosen : {"-XX:LockingMode=", "-XX:StartRecording=", "-XX:LockStatisticsFile="}) {
    if (flag.starts_with(chosen))
      return fmt::format("{} is chosen by --compare-locks itself{}", flag,
                         chosen == "-XX:LockingMode=" ? "; --modes says which modes are compared" : "");
  }
  return {};
}

std::string parse_options(std::span<char*> words, Options& options) {
  usize next = 0;
  std::string_view word;
  // Takes the option's value, after "=" or from the next word. Returns false if the value is missing, or if the next
  // word is another option.
  auto value_of = [&](std::string_view name, std::string_view& value) {
    if (word == name) {
      if (next == words.size()) return false;
      value = words[next++];
      return true;
    }
    value = word.substr(name.size() + 1);
    return true;
  };
  auto is = [&](std::string_view name) { return word == name || (word.starts_with(name) && word[name.size()] == '='); };
  while (next < words.size()) {
    word = words[next];
    std::string_view value;
    bool good = true;
    ++next;
    if (is("--modes")) {
      good = value_of("--modes", value);
      if (std::string problem = good ? lab::parse_modes(value, options.modes) : ""; !problem.empty()) return problem;
    } else if (is("--variant")) {
      good = value_of("--variant", value);
      if (std::string problem = good ? add_variant(value, options.variants) : ""; !problem.empty()) return problem;
    } else if (is("--runs")) {
      good = value_of("--runs", value);
      if (good && !parse_number(value, most_runs, options.runs))
        return fmt::format("--runs takes a number from 1 to {}, not '{}'", most_runs, value);
    } else if (is("--simulated")) {
      good = value_of("--simulated", value);
      if (good && !parse_number(value, cost_model::maximum_cpus, options.simulated_cpus))
        return fmt::format("--simulated takes a number of CPUs from 1 to {}, not '{}'", cost_model::maximum_cpus,
                           value);
    } else if (is("--timeout")) {
      good = value_of("--timeout", value);
      if (good && !parse_number(value, most_seconds, options.timeout))
        return fmt::format("--timeout takes a number of seconds from 1 to {}, not '{}'", most_seconds, value);
    } else if (word == "--saved") {
      if (words.size() - next < 2) return "--saved needs two files";
      options.saved = {words[next], words[next + 1]};
      next += 2;
    } else if (is("--csv")) {
      good = value_of("--csv", value);
      options.csv_file = value;
    } else if (is("--json")) {
      good = value_of("--json", value);
      options.json_file = value;
    } else if (is("--page")) {
      good = value_of("--page", value);
      options.page_file = value;
    } else if (is("--input")) {
      good = value_of("--input", value);
      options.input_file = value;
    } else if (word == "--no-hotspot") options.hotspot = false;
    else if (word == "--no-recording") options.recorded = false;
    else if (word == "--any-output") options.any_output = true;
    else if (word == "--help" && options.program.empty()) options.help = true;
    else {
      options.program.assign(words.begin() + static_cast<i64>(next) - 1, words.end());
      break;
    }
    if (!good) return fmt::format("{} needs a value", word);
  }
  if (options.simulated_cpus != 0 && !options.recorded) return "--simulated needs the recording";
  if (!options.saved.empty() && !options.program.empty()) return "--saved compares files, and runs no program";
  return {};
}

}  // namespace keyhole::compare
