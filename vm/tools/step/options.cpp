// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses the command line.
#include "vm/tools/step/options.h"

#include <fmt/format.h>

#include "vm/tools/explore/options.h"
#include "vm/tools/step/dap.h"

namespace keyhole::step {

const std::string_view usage =
    "Usage: keyhole --step [options] PROGRAM [args]\n"
    "PROGRAM is what java takes: options, then a class, a source file or -jar FILE.\n"
    "  --schedule=FILE    step through this schedule of --explore\n"
    "  --script=FILE      take the commands from a file, and print what they show\n"
    "  --page=FILE        all steps as one file for a browser\n"
    "  --dap              speak the Debug Adapter Protocol on standard input and output\n"
    "  --sources=DIR      where to look for source files, too (may be repeated)\n"
    "Commands: help lists them. Exit code: 0, 2 the schedule does not fit the\n"
    "program, 3 wrong usage.\n";

std::string parse_options(std::span<char*> words, Options& options) {
  usize next = 0;
  for (; next < words.size(); ++next) {
    std::string_view word = words[next];
    if (word == "--help" || word == "--dap") {
      (word == "--help" ? options.help : options.is_debug_adapter) = true;
      continue;
    }
    usize equals = word.find('=');
    std::string name(word.substr(0, equals));
    if (name != "--schedule" && name != "--script" && name != "--page" && name != "--sources") break;
    std::string value(equals == std::string_view::npos ? "" : word.substr(equals + 1));
    if (equals == std::string_view::npos && next + 1 < words.size()) value = words[++next];
    if (value.empty()) return fmt::format("{} needs a value", name);
    if (name == "--schedule") options.schedule_file = value;
    else if (name == "--script") options.script_file = value;
    else if (name == "--page") options.page_file = value;
    else options.sources.push_back(value);
  }
  if (int{options.is_debug_adapter} + int{!options.script_file.empty()} + int{!options.page_file.empty()} > 1)
    return "only one of --script, --page and --dap is possible";
  options.program.assign(words.begin() + static_cast<i64>(next), words.end());
  if (options.is_debug_adapter && options.program.empty() && !options.help) return read_launch(options.program);
  return {};
}

std::vector<std::string> words_of_vm(const Options& options) {
  explore::Options explored;
  explored.program = options.program;
  return explore::words_of_vm(explored);
}

std::string check_flags() {
  std::string problem = explore::check_flags();
  for (usize at; (at = problem.find("--explore")) != std::string::npos;) problem.replace(at, 9, "--step");
  return problem;
}

}  // namespace keyhole::step
