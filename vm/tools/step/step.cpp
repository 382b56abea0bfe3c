// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements --step: creates a machine from the command line, and drives it by commands, by the debug adapter or for a
// page.
#include "vm/tools/step/step.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>

#include "runtime/base/print.h"
#include "vm/tools/explore/engine.h"
#include "vm/tools/explore/token.h"
#include "vm/tools/step/commands.h"
#include "vm/tools/step/dap.h"
#include "vm/tools/step/page.h"

namespace keyhole::step {

namespace {

constexpr int misfit = 2, usage_error = 3;

Machine* interruptible = nullptr;

int fail(int exit_code, const std::string& problem) {
  fflush(stdout);
  print_text(stderr, "keyhole: {}\n", problem);
  return exit_code;
}

// Returns where to search for sources: the folders given by option, the program's source file, then "src" and ".".
std::vector<std::string> places_of_sources(const Options& options, const Program& program) {
  std::vector<std::string> places = options.sources;
  if (!program.source_file.empty()) places.push_back(program.source_file);
  for (const char* folder : {"src", "."}) places.emplace_back(folder);
  return places;
}

int write_page(Stepper& stepper, Sources& sources, const std::string& file, const std::string& program) {
  u32 steps = 0;
  std::string text = page_text(stepper, sources, program, steps);
  std::ofstream page(file, std::ios::binary);
  page << text;
  page.close();
  if (!page) return fail(usage_error, fmt::format("cannot write {}", file));
  print_text("{}: {} steps, {} KB. {}\n", file, steps, (text.size() + 1023) / 1024, stepper.end_text());
  return 0;
}

}  // namespace

int step(const Options& options, const Program& program) {
  explore::Token token;
  if (!options.schedule_file.empty()) {
    std::ifstream file(options.schedule_file, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file) return fail(usage_error, fmt::format("cannot read {}", options.schedule_file));
    if (std::string problem = explore::read_token(text.str(), token); !problem.empty())
      return fail(usage_error, fmt::format("{} is no schedule: {}", options.schedule_file, problem));
    if (token.memory != controlled::Memory::sc)
      return fail(usage_error, fmt::format("{0} is a schedule of --memory={1}, and in --step reads see the last write; "
                                           "`keyhole --explore --schedule={0} ...` prints it",
                                           options.schedule_file, controlled::name_of(token.memory)));
  }
  std::ifstream script;
  if (!options.script_file.empty()) {
    script.open(options.script_file);
    if (!script) return fail(usage_error, fmt::format("cannot read {}", options.script_file));
  }
  bool is_interactive = options.script_file.empty() && !options.is_debug_adapter && isatty(STDIN_FILENO) != 0;
  // Schedule tokens are written and compared in a VM of --explore's engine, not in the stepper's VM. A token has a hash
  // of the execution. The hash depends on the addresses that malloc reuses, and the stepper's requests change these
  // addresses.
  auto execute = [&](const std::vector<controlled::Step>& script, auto use) {
    explore::Engine engine(explore::Engine::Kind::rerun, token.is_strict, program.run);
    return use(engine.run({.steps = script}), engine);
  };
  auto rehearsal = std::make_unique<explore::Rehearsal>();
  std::string difference = execute(token.schedule.steps, [&](const auto& execution, const auto& engine) {
    *rehearsal = engine.rehearsal();
    return options.schedule_file.empty() ? std::string() : explore::compare_with(token, execution);
  });
  if (!difference.empty()) return fail(misfit, fmt::format("the schedule does not fit the program: {}", difference));
  Machine machine(token.schedule.steps, token.is_strict, *rehearsal, program.run);
  // the program ended before its first instruction, for example because it has no main class
  if (machine.has_ended()) {
    fflush(stdout);
    print_text(stderr, "{}", machine.output());
    return machine.execution().exit_code == 0 ? 1 : machine.execution().exit_code;
  }
  if (is_interactive) {
    interruptible = &machine;
    struct sigaction action{};
    action.sa_handler = [](int) { interruptible->interrupt(); };
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, nullptr);
    print_text("help lists the commands, q ends.\n");
  }
  Sources sources(places_of_sources(options, program));
  Stepper stepper(machine);
  stepper.begin();
  if (options.is_debug_adapter) return serve_debug_adapter(stepper, sources);
  if (!options.page_file.empty()) return write_page(stepper, sources, options.page_file, program.what);
  Commands commands(stepper, sources, [&](const auto& script) {
    return execute(script, [](const auto& execution, const auto&) { return explore::token_text(execution); });
  });
  return commands.run(options.script_file.empty() ? std::cin : script, is_interactive, !is_interactive);
}

}  // namespace keyhole::step
