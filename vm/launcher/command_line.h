// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The command line: java's options to a plain struct, with java's error messages.
//
//   keyhole [options] Main [arguments]          a class on the class path
//   keyhole [options] -jar file.jar [arguments]
//   keyhole [options] -m module[/Main] [arguments]
//   keyhole [options] File.java [arguments]     source-file mode (source_file.h)
//
// Options also come from the environment: environment_options.h.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vm/tools/program_command.h"

namespace keyhole {

struct CommandLine {
  enum class Action { Run, Version, FullVersion, Help, Usage, ExtraHelp, LogHelp, Nothing, Fail };
  enum class Mode { MainClass, Jar, Module, SourceFile };
  enum class ModuleQuestion { None, List, Describe, Validate };

  Action action = Action::Run;
  std::string error;   // Fail: complete text for stderr
  std::string output;  // for stdout, before it
  // Text for stderr, printed in any case: options from the environment, flags without effect.
  std::string notices;
  std::vector<std::string> gc_warnings;  // for the log
  std::string refusal;                   // one sentence, for exit code 2; empty: none
  bool prints_initial_flags = false;     // instead of running anything
  bool prints_flag_ranges = false;
  bool reduces_signal_usage = false;                      // -Xrs: signals that end the process are not handled
  std::string command_on_error;                           // -XX:OnError=
  bool show_version = false;                              // print the version, then run
  bool help_to_stdout = false;                            // --help, --version; -help goes to stderr
  std::string show_settings;                              // -XshowSettings..., as given; empty: not given
  std::string code_listings;                              // --code-listings=, as given: FILE[:PATTERN]
  bool dry_run = false;                                   // all but the call of main
  bool shows_traces = false;                              // -Xdiag
  ModuleQuestion module_question = ModuleQuestion::None;  // printed instead of running anything
  std::string module_asked_about;                         // Describe
  Mode mode = Mode::MainClass;
  bool has_program = false;
  std::string what;                         // class name, jar file, module[/class] or source file
  std::vector<std::string> source_options;  // --source N and --enable-preview, for javac
  std::vector<std::string> arguments;       // for the program
  std::string class_path;
  std::string boot_class_path;  // -Xbootclasspath/a, joined
  bool class_path_given = false;
  std::vector<std::pair<std::string, std::string>> properties;
  std::vector<std::string> agents;        // -javaagent: "x.jar" or "x.jar=options", in order
  std::vector<std::string> debuggers;     // the options of -agentlib:jdwp=, -Xrunjdwp:
  std::vector<std::string> assertions;    // "-ea", "-da:pkg...", in order
  std::vector<std::string> vm_arguments;  // the VM's options as given; Java can query them
};

// Parses, and sets the flags and the log.
CommandLine parse_command_line(int argument_count, char** arguments);
// Parses the command line of a tool that starts a program.
ProgramCommand read_program_command(std::span<const std::string> words);

}  // namespace keyhole
