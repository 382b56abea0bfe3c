// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// main: reads the command line, starts the VM, runs the program and returns its exit code.
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "classlib/natives/java.base/io/io_support.h"
#include "classlib/natives/java.base/lang/shutdown.h"
#include "jit/snippets/snippets.h"
#include "runtime/base/controlled/system_calls.h"
#include "runtime/base/flag_listing.h"
#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/base/print.h"
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/thread_state.h"
#include "vm/classfile/java_home.h"
#include "vm/launcher/chosen_library.h"
#include "vm/launcher/command_line.h"
#include "vm/launcher/commit.h"
#include "vm/launcher/compile_world.h"
#include "vm/launcher/crash_report.h"
#include "vm/launcher/header_layout.h"
#include "vm/launcher/help.h"
#include "vm/launcher/launch.h"
#include "vm/launcher/main_stack.h"
#include "vm/launcher/source_file.h"
#include "vm/launcher/vm.h"
#include "vm/tools/compare/compare_locks.h"
#include "vm/tools/explain/explain.h"
#include "vm/tools/explore/explore.h"
#include "vm/tools/inspect/thread_dump.h"
#include "vm/tools/jdwp/options.h"
#include "vm/tools/lab/load.h"
#include "vm/tools/lab/lock_command.h"
#include "vm/tools/look/look.h"
#include "vm/tools/recording/show.h"
#include "vm/tools/step/step.h"
#include "vm/tools/version.h"

using namespace keyhole;

namespace {

constexpr int explore_usage_error = 3;  // of --explore and --step, where java's is 1

// The value of the last -Dname= on the command line, or empty.
std::string property(const CommandLine& line, std::string_view name) {
  std::string value;
  for (const auto& [key, text] : line.properties)
    if (key == name) value = text;
  return value;
}

// The temporary folder of classes that source-file mode uses without a cache. It is removed at the end. Empty: there is
// none. A controlled VM leaves it to the process that started it.
std::filesystem::path temporary_classes;

void remove_temporary_classes() {
  if (controlled::is_on()) return;
  std::error_code ignored;
  if (!temporary_classes.empty()) std::filesystem::remove_all(temporary_classes, ignored);
}

}  // namespace

int main(int argument_count, char** arguments) {
  report_exhausted_memory();
  natives::io::survive_failed_writes();
  if (std::string problem = choose_library(argument_count, arguments); !problem.empty()) {
    print_text(stderr, "keyhole: {}\n", problem);
    return 2;
  }
  if (argument_count > 1 && arguments[1] == std::string_view("--show"))
    return recording::show({arguments + 2, arguments + argument_count});
  if (argument_count > 1 && arguments[1] == std::string_view("--compare-locks"))
    return compare::compare_locks({arguments + 2, arguments + argument_count}, read_program_command);
  if (argument_count > 1 && arguments[1] == std::string_view("--look"))
    return look::look({arguments + 2, arguments + argument_count}, read_program_command);
  if (argument_count > 1 && arguments[1] == std::string_view("--explain"))
    return explain::explain({arguments + 2, arguments + argument_count});
  if (argument_count > 2 && arguments[1] == std::string_view("lock") && lab::is_lock_command(arguments[2]))
    return lab::lock_command({arguments + 2, arguments + argument_count});
  char** const given_arguments = arguments;
  std::optional<explore::Options> explored;  // of --explore: the rest of the command line is the program's
  std::optional<step::Options> stepped;      // of --step
  std::vector<char*> controlled_arguments;
  auto take_words = [&](std::vector<std::string>& words) {  // the command line of the VM
    controlled_arguments.push_back(arguments[0]);
    for (std::string& word : words) controlled_arguments.push_back(word.data());
    argument_count = static_cast<int>(controlled_arguments.size());
    controlled_arguments.push_back(nullptr);
    arguments = controlled_arguments.data();
  };
  if (argument_count > 1 && arguments[1] == std::string_view("--explore")) {
    explored.emplace();
    if (std::string problem = explore::parse_options({arguments + 2, arguments + argument_count}, *explored);
        !problem.empty() || explored->help || (explored->program.empty() && explored->merged.empty())) {
      if (problem.empty() && !explored->help) problem = "--explore needs a program";
      print_text(explored->help ? stdout : stderr, "{}{}", problem.empty() ? "" : "keyhole: " + problem + "\n",
                 explore::usage);
      return explored->help ? 0 : explore_usage_error;
    }
    if (!explored->merged.empty()) return explore::merge(*explored);
    explored->program = explore::words_of_vm(*explored);
    take_words(explored->program);
  } else if (argument_count > 1 && arguments[1] == std::string_view("--step")) {
    stepped.emplace();
    std::string problem = step::parse_options({arguments + 2, arguments + argument_count}, *stepped);
    if (problem.empty() && !stepped->help && stepped->program.empty()) problem = "--step needs a program";
    if (!problem.empty() || stepped->help) {
      print_text(stepped->help ? stdout : stderr, "{}{}", problem.empty() ? "" : "keyhole: " + problem + "\n",
                 step::usage);
      return problem.empty() ? 0 : explore_usage_error;
    }
    stepped->program = step::words_of_vm(*stepped);
    take_words(stepped->program);
  }
  CommandLine line = parse_command_line(argument_count, arguments);
  if ((explored || stepped) && line.action == CommandLine::Action::Run) {
    const char* option = explored ? "--explore" : "--step";
    std::string problem = explored ? explore::check_flags() : step::check_flags();
    if (!line.has_program) problem = fmt::format("{} needs a program", option);
    if (!line.agents.empty() || !line.debuggers.empty())
      problem = fmt::format("{} runs no agents and no debugger", option);
    if (!problem.empty()) {
      print_text(stderr, "keyhole: {}\n", problem);
      return explore_usage_error;
    }
  }
  if (line.action != CommandLine::Action::Fail) {
    if (std::string problem = become_executable_of_layout(given_arguments); !problem.empty()) {
      print_text(stderr, "{}", problem);
      return 1;
    }
  }
  if (!line.debuggers.empty() && line.debuggers.front() == "help" && line.action == CommandLine::Action::Run) {
    print_text("{}", jdwp::help_text());
    return 0;
  }
  // Printed after the layout is chosen, so that only the executable that goes on prints it.
  print_text(stderr, "{}", line.notices);
  for (const std::string& warning : line.gc_warnings) KEYHOLE_LOG(warning, gc, "{}", warning);
  print_text("{}", line.output);
  switch (line.action) {
    case CommandLine::Action::Fail:
      fflush(stdout);
      print_text(stderr, "{}", line.error);
      return 1;
    case CommandLine::Action::Help: print_text(line.help_to_stdout ? stdout : stderr, "{}", help_text()); return 0;
    case CommandLine::Action::Usage:  // for want of a program
      print_text(stderr, "{}", help_text());
      return 1;
    case CommandLine::Action::ExtraHelp: print_text("{}", extra_help_text()); return 0;
    case CommandLine::Action::LogHelp: print_text("{}", log::help_text()); return 0;
    case CommandLine::Action::Nothing: return 0;
    case CommandLine::Action::FullVersion:
      return print_full_version(line.help_to_stdout ? stdout : stderr, property(line, "java.home"));
    case CommandLine::Action::Version:
    case CommandLine::Action::Run: break;
  }
  if (line.prints_initial_flags || line.prints_flag_ranges) {
    print_text("{}", line.prints_initial_flags ? flags::initial_text() : flags::ranges_text());
    return 0;
  }
  std::string refusal = line.refusal.empty() ? lab::load_lock() : line.refusal;
  if (!refusal.empty()) {
    print_text(stderr, "keyhole: {}\n", refusal);
    return 2;
  }
  if (flags::PrintLockingModes) sync::print_locking_modes();
  if (!flags::SnippetBitcodeFile.empty()) {
    if (std::string problem = snippets::write_bitcode(flags::SnippetBitcodeFile); !problem.empty()) {
      print_text(stderr, "Error: {}\n", problem);
      return 1;
    }
  }
  using enum CommandLine::ModuleQuestion;

  std::string main_class = line.what;
  CompiledSource source;
  bool jar_has_agent = false;
  if (line.mode == CommandLine::Mode::Jar && line.has_program) {
    RunnableJar jar = read_runnable_jar(line.what, property(line, "java.home"));
    if (!jar.problem.empty()) {
      print_text(stderr, "{}\n", jar.problem);
      return 1;
    }
    main_class = jar.main_class;
    jar_has_agent = jar.has_agent;
    line.class_path = line.what;
  } else if (line.mode == CommandLine::Mode::SourceFile) {
    if (stepped) line.source_options.push_back("-g");  // names of variables
    std::string library = find_library(property(line, "java.home"));
    if (has_image(library))
      source =
          compile_source_file(line.what, library, line.class_path_given ? line.class_path : "", line.source_options);
    if (source.exit_code != 0) return source.exit_code;
    if (source.temporary) temporary_classes = std::filesystem::path(source.class_folder).parent_path();
    main_class = source.main_class;
    line.class_path = line.class_path_given ? source.class_folder + ":" + line.class_path : source.class_folder;
  }

  StartOptions options;
  options.java_home = property(line, "java.home");
  options.class_path = line.class_path;
  options.boot_class_path = line.boot_class_path;
  options.has_class_path = !line.class_path.empty() || line.mode != CommandLine::Mode::Module;
  options.properties = line.properties;
  options.assertions = line.assertions;
  options.vm_arguments = line.vm_arguments;
  options.agents = line.agents;
  options.debuggers = line.debuggers;
  options.code_listings = line.code_listings;
  options.reduces_signal_usage = line.reduces_signal_usage;
  options.command_on_error = line.command_on_error;
  options.command = line.what;
  for (const std::string& argument : line.arguments) options.command += " " + argument;
  auto run = [&] {
    JavaThread* thread = start_vm(options);
    if (thread == nullptr) {
      remove_temporary_classes();
      remove_files_of_process();
      fflush(nullptr);
      _exit(1);  // threads of a half-started VM may still run
    }
    thread_state::assert_managed(thread);  // as start_vm leaves it
    natives::before_halt = [](JavaThread* halting) MAY_SAFEPOINT {
      report_deadlocks_at_exit(halting);
      report_the_end(halting);
      remove_temporary_classes();
    };
    if (jar_has_agent && !start_agent_of_jar(thread, line.what)) {
      remove_temporary_classes();
      fflush(nullptr);
      _exit(1);
    }
    if (!line.show_settings.empty()) show_settings(thread, line.show_settings);
    bool version_alone = line.action == CommandLine::Action::Version;
    if (version_alone || line.show_version)
      print_version(version_alone && line.help_to_stdout ? stdout : stderr, commit_of_build());
    int exit_code = 0;  // for Validate, too: the boot layer has already validated the modules
    if (!version_alone) switch (line.module_question) {
        case None:
          // Only the flags, or the version, were requested.
          if (!line.has_program && !flags::CompileTheWorld) break;
          exit_code = flags::CompileTheWorld ? compile_the_world(thread)
                                             : run_program(thread, {main_class, line.mode == CommandLine::Mode::Module,
                                                                    line.mode == CommandLine::Mode::SourceFile,
                                                                    line.dry_run, line.shows_traces, line.arguments});
          break;
        case List: exit_code = list_modules(thread); break;
        case Describe: exit_code = describe_module(thread, line.module_asked_about); break;
        case Validate: break;
      }
    exit_code = stop_vm(thread, exit_code);
    remove_temporary_classes();
    fflush(nullptr);
    _exit(exit_code);  // daemon threads may still run: no static destructors
  };
  if (explored) {
    std::string source_file = line.mode == CommandLine::Mode::SourceFile ? line.what : "";
    int exit_code = explore::explore(*explored, {line.what, source_file, [&] { run_on_main_stack(run); }});
    remove_temporary_classes();
    return exit_code;
  }
  if (stepped) {
    std::string source_file = line.mode == CommandLine::Mode::SourceFile ? line.what : "";
    int exit_code = step::step(*stepped, {line.what, source_file, [&] { run_on_main_stack(run); }});
    remove_temporary_classes();
    return exit_code;
  }
  run_on_main_stack(run);
}
