// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses option by option, in java's spelling and with java's error texts.
#include "vm/launcher/command_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/base/log_option.h"
#include "runtime/base/platform/hardware_world.h"
#include "runtime/base/platform/processors.h"
#include "vm/classfile/class_file_parser.h"
#include "vm/classfile/class_path.h"
#include "vm/classfile/java_home.h"
#include "vm/launcher/environment_options.h"
#include "vm/launcher/flags/flag_options.h"
#include "vm/launcher/flags/hotspot_flags.h"
#include "vm/launcher/flags/option_files.h"
#include "vm/launcher/help.h"
#include "vm/launcher/module_options.h"

namespace keyhole {
namespace {

constexpr std::string_view could_not_create =
    "Error: Could not create the Java Virtual Machine.\n"
    "Error: A fatal exception has occurred. Program will exit.\n";

class Parser {
 public:
  explicit Parser(CommandLine& result) : result_(result) {}

  // Parses the words of the command line, which follow those of JDK_JAVA_OPTIONS.
  void parse_line(const std::vector<std::string>& words) {
    begin_container("cmd_line_args");
    for (usize i = 0; i < words.size() && result_.error.empty(); ++i) {
      const std::string& word = words[i];
      if (word.empty() || word[0] != '-') return take_program(words, i);
      if (word == "-jar") {
        if (i + 1 == words.size()) return fail_plain("Error: -jar requires jar file specification\n" + help_text());
        result_.mode = CommandLine::Mode::Jar;
        continue;  // further options may follow
      }
      if (word == "-m" || word == "--module" || word.starts_with("--module=")) return take_module(words, i);
      i += option(words, i);
      if (result_.action != CommandLine::Action::Run) return;
    }
    if (names_source_version_ && result_.error.empty())
      fail_plain(is_for(HotSpot::v25) ? help_text() : "error: no path for source file\n");
  }

  // The words of an environment variable.
  std::vector<std::string> words_of(const char* variable) {
    std::string notice;
    EnvironmentOptions found = options_of_environment(variable, notice);
    if (!notice.empty()) flag_options_.add_notice(notice);
    if (found.unmatched_quote) {
      if (std::string_view(variable) != "JDK_JAVA_OPTIONS") fail(fmt::format("Unmatched quote in {}\n", variable));
      else fail_plain("Error: Unmatched quote in environment variable JDK_JAVA_OPTIONS\n");
    }
    for (std::string_view word : found.words) {
      if (word.starts_with("-XX:LockingMode=") && word.contains('/') && variable != keyhole_options)
        result_.refusal = fmt::format("{} loads code: it is taken from the command line and {}, not from {}.", word,
                                      keyhole_options, variable);
    }
    return found.words;
  }

  // Parses options from an environment variable. Only java's launcher knows its own options, so the variables that
  // java's VM reads may not contain them.
  void parse_options(const char* variable, const std::vector<std::string>& words, bool launchers_too) {
    begin_container(fmt::format("env_var='{}'", variable));
    take_vm_words(words, launchers_too);
  }

  std::vector<std::string> with_argument_files(const std::vector<std::string>& words) {
    std::string complaint;
    auto hotspot = [this] { return flag_options_.hotspot(); };
    std::vector<std::string> expanded = expand_argument_files(words, hotspot, complaint);
    if (!complaint.empty()) fail_plain(complaint);
    return expanded;
  }

  // The words of JDK_JAVA_OPTIONS, which precede those of the command line.
  std::vector<std::string> launcher_words() {
    std::vector<std::string> words = with_argument_files(words_of("JDK_JAVA_OPTIONS"));
    bool is_value = false;
    for (const std::string& word : words) {
      if (ends_command_line(word))
        fail_plain(fmt::format("Error: Option {} is not allowed in environment variable JDK_JAVA_OPTIONS\n", word));
      if (!word.starts_with('-') && !is_value)
        fail_plain("Error: Cannot specify main class in environment variable JDK_JAVA_OPTIONS\n");
      is_value = takes_next_word(word);
    }
    return words;
  }

  // Notes the options that apply to the whole line.
  void look_ahead(const std::vector<std::string>& words) {
    bool is_value = false;
    for (const std::string& word : words) {
      if (!is_value && (word.empty() || word[0] != '-')) break;
      flag_options_.look_at(word);
      is_value = takes_next_word(word);
    }
  }

  void take_settings_file() {
    if (std::string complaint = flag_options_.take_settings_file(); !complaint.empty()) fail(complaint);
  }

  // Completes the result when all options are known.
  void finish() {
    if (result_.error.empty()) settle();
    result_.notices = flag_options_.notices();
    result_.output = flag_options_.listing + result_.output;
    result_.prints_initial_flags = flag_options_.prints_initial_flags;
    result_.prints_flag_ranges = flag_options_.prints_flag_ranges;
    result_.reduces_signal_usage = flag_options_.reduces_signal_usage;
    result_.command_on_error = flag_options_.command_on_error;
    if (!result_.error.empty()) result_.action = CommandLine::Action::Fail;
  }

 private:
  static constexpr std::string_view keyhole_options = "KEYHOLE_OPTIONS";

  void fail(std::string text) {
    if (result_.error.empty()) result_.error = std::move(text) + std::string(could_not_create);
  }
  void fail_plain(std::string text) {
    if (result_.error.empty()) result_.error = std::move(text);
  }

  // Ends with the message that java prints on stdout when its VM does not start.
  void fail_initialization(std::string_view reason) {
    result_.output += fmt::format("Error occurred during initialization of VM\n{}\n", reason);
    result_.action = CommandLine::Action::Fail;
  }

  void begin_container(std::string_view name) {
    container_ = name;
    options_file_.clear();
  }

  void take_vm_words(const std::vector<std::string>& words, bool launchers_too) {
    for (usize i = 0; i < words.size() && result_.error.empty(); ++i) {
      if (!launchers_too && is_launcher_option(words[i]))
        return fail(fmt::format("Unrecognized option: {}\n", words[i]));
      if (words[i].starts_with('-')) i += option(words, i);
    }
  }

  // Reads the file of -XX:VMOptionsFile=. Each container of options may name one such file; the file may name none.
  void take_options_file(const std::string& word) {
    if (is_in_options_file_) {
      return fail(
          fmt::format("A VM options file may not refer to a VM options file. Specification of "
                      "'-XX:VMOptionsFile=<file-name>' in the "
                      "options file '{}' in options container '{}' is an error.\n",
                      options_file_, container_));
    }
    if (!options_file_.empty()) {
      return fail(fmt::format(
          "The option '{}' is already specified in the options container '{}' so the specification of '{}' in the "
          "same options container is an error.\n",
          options_file_, container_, word));
    }
    options_file_ = word;
    std::string complaint;
    std::vector<std::string> words = read_options_file(word.substr(word.find('=') + 1), complaint);
    if (!complaint.empty()) return fail(complaint);
    is_in_options_file_ = true;
    take_vm_words(words, false);
    is_in_options_file_ = false;
  }

  void take_program(const std::vector<std::string>& words, usize at) {
    result_.what = words[at];
    result_.has_program = true;
    if (names_source_version_) {
      if (::access(result_.what.c_str(), F_OK) != 0)
        return fail_plain(fmt::format("error: source file not found: {}\n", result_.what));
      result_.mode = CommandLine::Mode::SourceFile;
    }
    if (result_.mode == CommandLine::Mode::MainClass && result_.what.ends_with(".java")) {
      if (FILE* file = fopen(result_.what.c_str(), "r")) {  // java: source-file mode only when the file is there
        fclose(file);
        result_.mode = CommandLine::Mode::SourceFile;
      }
    }
    result_.arguments.assign(words.begin() + static_cast<long>(at) + 1, words.end());
  }

  // Handles -m module[/class]: the program, and the root module of resolution.
  void take_module(const std::vector<std::string>& words, usize at) {
    bool joined = words[at].starts_with("--module=");
    if (joined ? words[at].size() == 9 : at + 1 == words.size())
      return fail_plain(fmt::format("Error: {} requires module name\n", words[at]));
    usize program = joined ? at : at + 1;
    result_.what = joined ? words[at].substr(9) : words[program];
    result_.has_program = true;
    result_.mode = CommandLine::Mode::Module;
    result_.properties.emplace_back("jdk.module.main", result_.what.substr(0, result_.what.find('/')));
    result_.arguments.assign(words.begin() + static_cast<long>(program) + 1, words.end());
  }

  // Handles options with a size, such as -Xmx64m.
  void size_option(const std::string& word, std::string_view value, std::string_view flag, std::string_view meaning,
                   u64 least) {
    auto number = hotspot_flags::parse_number(value);
    if (!number || number->negative || number->magnitude < least)
      return fail(fmt::format("Invalid {}: {}\n", meaning, word));
    flag_options_.set_number(*flags::find_row(flag), *number, word);
  }

  void take_flag(const std::string& word) {
    constexpr std::string_view heap = "-XX:MaxHeapSize=", options_file = "-XX:VMOptionsFile=";
    if (word.starts_with(options_file)) return take_options_file(word);
    if (word.starts_with(heap))
      return size_option(word, std::string_view(word).substr(heap.size()), "MaxHeapSize", "maximum heap size", 1);
    std::string complaint = flag_options_.take(std::string_view(word).substr(sizeof "-XX:" - 1));
    if (!complaint.empty()) fail(std::move(complaint));
  }

  // Handles options with a share of the heap, such as -Xminf0.3.
  void free_ratio(const std::string& word, std::string_view flag, std::string_view which) {
    std::string value = word.substr(sizeof "-Xminf" - 1);
    char* end = nullptr;
    double share = strtod(value.c_str(), &end);
    if (value.empty() || *end != '\0') return fail(fmt::format("Bad {} heap free percentage size: {}\n", which, word));
    std::string complaint = flag_options_.take(fmt::format("{}={}", flag, static_cast<i64>(share * 100)));
    if (!complaint.empty()) fail(complaint.substr(0, complaint.find('\n') + 1));
  }

  void log_option(const std::string& word) {
    constexpr std::string_view invalid = "Invalid -Xlog option '{}', see error log for details.\n";
    std::string_view specification = std::string_view(word).substr(sizeof "-Xlog" - 1);
    if (specification == ":help") {
      result_.action = CommandLine::Action::LogHelp;
      return;
    }
    if (!specification.empty() && specification.front() != ':') return fail(fmt::format(invalid, word));
    log::Outcome outcome = log::configure_option(specification, flag_options_.hotspot());
    result_.output += outcome.messages;
    if (!outcome.is_valid) return fail(fmt::format(invalid, word));
    if (specification.starts_with(":async")) flag_options_.say_without_effect(word, "lines are written at once");
  }

  // Handles the option words[at]. Returns how many of the following words it used.
  usize option(const std::vector<std::string>& words, usize at) {
    const std::string& word = words[at];
    auto value_of = [&](std::string_view prefix) { return std::string_view(word).substr(prefix.size()); };
    auto starts = [&](std::string_view prefix) { return word.starts_with(prefix); };
    if (word == "-cp" || word == "-classpath" || word == "--class-path") {
      if (at + 1 == words.size() || words[at + 1].starts_with('-')) {
        fail_plain(fmt::format("Error: {} requires class path specification\n", word));
        return 0;
      }
      set_class_path(words[at + 1]);
      return 1;
    }
    if (starts("--class-path=")) return set_class_path(std::string(value_of("--class-path="))), 0;
    if (word == "--source") {
      if (at + 1 == words.size() || words[at + 1].starts_with('-'))
        return fail_plain("Error: --source requires source version\n"), 0;
      result_.source_options.insert(result_.source_options.end(), {"--source", words[at + 1]});
      names_source_version_ = true;
      return 1;
    }
    if (word == "-Xdiag") {
      result_.properties.emplace_back("sun.java.launcher.diag", "true");  // the library's launcher reads this property
      return result_.shows_traces = true, 0;
    }
    if (word.starts_with("-XshowSettings") && (word.size() == 14 || word[14] == ':'))
      return result_.show_settings = word, 0;
    result_.vm_arguments.push_back(word);  // as in java: all options but those of its launcher
    if (starts("-D")) {
      std::string_view body = value_of("-D");
      usize equals = body.find('=');
      std::string name(body.substr(0, equals));
      if (is_reserved_for_module_options(name)) return warn_of_reserved_properties(), 0;
      std::string value(equals == std::string_view::npos ? "" : body.substr(equals + 1));
      if (name == "java.class.path") return set_class_path(std::move(value)), 0;  // the last of these and -cp counts
      result_.properties.emplace_back(std::move(name), std::move(value));
      return 0;
    }
    if (starts("-XX:")) return take_flag(word), 0;
    if (starts("-javaagent:")) return result_.agents.emplace_back(value_of("-javaagent:")), 0;
    if (starts("-agentlib:") || starts("-agentpath:") || starts("-Xrun")) return native_agent(word), 0;
    if (starts("-Xloggc:")) return log_of_collections(word), 0;
    if (starts("-Xlog")) return log_option(word), 0;
    if (starts("-Xmx")) return size_option(word, value_of("-Xmx"), "MaxHeapSize", "maximum heap size", 1), 0;
    if (starts("-Xmn")) {
      size_option(word, value_of("-Xmn"), "NewSize", "initial young generation size", 1);
      return size_option(word, value_of("-Xmn"), "MaxNewSize", "initial young generation size", 1), 0;
    }
    if (starts("-Xms")) return size_option(word, value_of("-Xms"), "InitialHeapSize", "initial heap size", 0), 0;
    if (starts("-Xminf")) return free_ratio(word, "MinHeapFreeRatio", "min"), 0;
    if (starts("-Xmaxf")) return free_ratio(word, "MaxHeapFreeRatio", "max"), 0;
    if (starts("-Xmaxjitcodesize")) return code_cache_size(word), 0;
    if (starts("-Xss")) return stack_size(word, value_of("-Xss")), 0;
    if (word == "-version" || word == "--version" || word == "-fullversion" || word == "--full-version") {
      result_.action = word.ends_with("-version") && !word.ends_with("-full-version")
                           ? CommandLine::Action::Version
                           : CommandLine::Action::FullVersion;
      result_.help_to_stdout = starts("--");
      return 0;
    }
    if (starts("--code-listings=")) return result_.code_listings = value_of("--code-listings="), 0;
    if (word == "-showversion" || word == "--show-version") return result_.show_version = true, 0;
    if (word == "-help" || word == "-h" || word == "-?" || word == "--help") {
      result_.action = CommandLine::Action::Help;
      result_.help_to_stdout = starts("--");
      return 0;
    }
    if (word == "-X" || word == "--help-extra") return result_.action = CommandLine::Action::ExtraHelp, 0;
    if (is_assertion_option(word)) return result_.assertions.push_back(word), 0;
    if (word == "-verbose" || word == "-verbose:class") return log::configure(":class+load=info,class+unload=info"), 0;
    if (word == "-verbose:gc") return log::configure(":gc=info"), 0;
    if (starts("-verbose")) return 0;  // jni and module have no effect; java takes any ending
    if (word == "-Xint") return flags::TieredStopAtLevel = 0, 0;
    if (word == "-Xcomp") {
      if (flags::TieredStopAtLevel == 0) flags::TieredStopAtLevel = 1;
      flags::Tier3InvocationThreshold = flags::Tier3BackEdgeThreshold = 1;
      flags::RecompilationThreshold = 4;
      return 0;
    }
    if (starts("-Xbootclasspath/a:")) {
      if (!result_.boot_class_path.empty()) result_.boot_class_path += ':';
      result_.boot_class_path += value_of("-Xbootclasspath/a:");
      return 0;
    }
    if (starts("-Xverify") || word == "-noverify") return verification(word), 0;
    if (word == "-Xnoclassgc") return flags::ClassUnloading = false, 0;
    if (word == "--enable-preview") {
      result_.source_options.push_back(word);
      preview_features_enabled = true;
      return 0;
    }
    if (word == "-Xinternalversion")
      return result_.action = CommandLine::Action::FullVersion, result_.help_to_stdout = true, 0;
    if (retired_option(word)) return 0;
    if (ModuleOption option = take_module_option(words, at, result_); option.recognized) {
      if (!option.complaint.empty()) fail_plain(option.complaint);
      if (!option.vm_complaint.empty()) result_.output += option.vm_complaint, fail("");
      return option.words_used;
    }
    fail(fmt::format("Unrecognized option: {}\n", word));
    return 0;
  }

  // Handles native agent libraries. Only jdwp exists, and it is built in.
  void native_agent(const std::string& word) {
    bool is_old = word.starts_with("-Xrun"), is_path = word.starts_with("-agentpath:");
    std::string body = word.substr(is_old ? sizeof "-Xrun" - 1 : word.find(':') + 1);
    usize end = body.find(is_old ? ':' : '=');
    std::string name = body.substr(0, end);
    if (name == "jdwp" && !is_path) {
      result_.debuggers.push_back(end == std::string::npos ? "" : body.substr(end + 1));
      return;
    }
    std::string file = is_path ? name : fmt::format("lib{}.so", name);
    result_.output += fmt::format(
        "Error occurred during initialization of VM\n"
        "Could not find agent library {} {}, with error: {}: cannot open shared object file: No such file or "
        "directory\n",
        name, is_path ? "in absolute path" : "on the library path", file);
    result_.action = CommandLine::Action::Fail;  // java says no more
  }

  // Handles options of older VMs, and options that have no meaning here.
  bool retired_option(const std::string& word) {
    auto starts = [&](std::string_view prefix) { return word.starts_with(prefix); };
    if (starts("-Xbootclasspath:") || starts("-Xbootclasspath/p:")) {
      result_.output += fmt::format("{} is no longer a supported option.\n", word.substr(0, word.find(':')));
      return fail(""), true;
    }
    // java 25 does not know these options any more.
    if ((starts("-version:") || word == "-Xnoagent" || word == "-Xfuture") && is_for(HotSpot::v25)) {
      fail(fmt::format("Unrecognized option: {}\n", word));
      return true;
    }
    if (word == "-Xdebug" && is_for(HotSpot::v25)) {
      flag_options_.warn("Option -Xdebug was deprecated in JDK 22 and will likely be removed in a future release.");
      return true;
    }
    if (starts("-version:")) {
      fail(
          fmt::format("Error: Specifying an alternate JDK/JRE version is no longer supported.\n"
                      "  The use of the flag '-version:' is no longer valid.\n"
                      "  Please download and execute the appropriate version.\nUnrecognized option: {}\n",
                      word));
      return true;
    }
    if (word == "-Xfuture" || word == "-Xprof") {
      if (word == "-Xprof") flag_options_.warn("Ignoring option -Xprof; support was removed in 10.0");
      else flag_options_.add_notice("Warning: -Xfuture option is deprecated and may be removed in a future release.\n");
      return true;
    }
    if (starts("-Xcheck") && word != "-Xcheck:jni")
      return fail(fmt::format("Unrecognized check option: {}\n", word)), true;
    if (word == "-Xshare:dump") {
      flag_options_.say_without_effect(word, "classes are read from the library at each start");
      return result_.action = CommandLine::Action::Nothing, true;
    }
    if (word == "-Xrs") return flag_options_.reduces_signal_usage = true, true;
    for (std::string_view same : {"-Xmixed", "-Xbatch", "-server", "-client", "-Xdebug", "-Xnoagent", "-Xcheck:jni",
                                  "-Xshare:auto", "-Xshare:on", "-Xshare:off"}) {
      if (word == same) return true;  // accepted without effect, as on a java without that part
    }
    return starts("-splash:") || starts("--illegal-access=");
  }

  bool is_for(HotSpot first) { return flag_options_.hotspot() >= first; }

  void set_class_path(std::string path) {
    result_.class_path = std::move(path);
    result_.class_path_given = true;
  }

  void verification(const std::string& word) {
    bool none = word == "-noverify" || word == "-Xverify:none", all = word == "-Xverify:all" || word == "-Xverify";
    if (!none && !all && word != "-Xverify:remote")
      return fail(fmt::format("Unrecognized verification option: {}\n", word));
    flags::BytecodeVerificationLocal = all;
    flags::BytecodeVerificationRemote = !none;
    if (none) {
      flag_options_.warn(
          "Options -Xverify:none and -noverify were deprecated in JDK 13 and will likely be removed in a future "
          "release.");
    }
  }

  // Handles a stack size: bytes on the command line, KiB in the flag, as in java.
  void stack_size(const std::string& word, std::string_view value) {
    auto bytes = hotspot_flags::parse_number(value);
    if (!bytes || bytes->negative || bytes->magnitude > 1_GiB) {
      bool is_too_large = bytes && !bytes->negative;
      std::string_view too_large = is_too_large ? "The specified size exceeds the maximum representable size.\n" : "";
      return fail(fmt::format("Invalid thread stack size: {}\n{}", word, too_large));
    }
    flags::ThreadStackSize = static_cast<i64>((bytes->magnitude + 1_KiB - 1) / 1_KiB);
  }

  void code_cache_size(const std::string& word) {
    std::string_view value = std::string_view(word).substr(sizeof "-Xmaxjitcodesize" - 1);
    if (value.starts_with('=')) value.remove_prefix(1);
    auto bytes = hotspot_flags::parse_number(value);
    if (!bytes || bytes->negative || bytes->magnitude < 4_KiB)
      return fail(fmt::format("Invalid maximum code cache size: {}.\n", word));
    flag_options_.set_number(*flags::find_row("ReservedCodeCacheSize"), *bytes, word);
  }

  // Handles -Xloggc:FILE.
  void log_of_collections(const std::string& word) {
    std::string file = word.substr(sizeof "-Xloggc:" - 1);
    result_.gc_warnings.push_back(fmt::format("-Xloggc is deprecated. Will use -Xlog:gc:{} instead.", file));
    log::Outcome outcome = log::configure_option(fmt::format(":gc:{}", file), flag_options_.hotspot());
    result_.output += outcome.messages;
    if (!outcome.is_valid) fail("");
  }

  static bool is_assertion_option(const std::string& word) {
    for (std::string_view name : {"-ea", "-enableassertions", "-da", "-disableassertions"}) {
      if (word.starts_with(name) && (word.size() == name.size() || word[name.size()] == ':')) return true;
    }
    return word == "-esa" || word == "-enablesystemassertions" || word == "-dsa" || word == "-disablesystemassertions";
  }

  void settle() {
    flag_options_.settle();
    if (flag_options_.selects_several_collectors()) return fail_initialization("Multiple garbage collectors selected");
    if (flags::ThreadStackSize == 0 || flags::ThreadStackSize >= 136) return;
    result_.output += "\nThe Java thread stack size specified is too small. Specify at least 136k\n";
    fail("");
  }

  CommandLine& result_;
  FlagOptions flag_options_;
  bool names_source_version_ = false;
  std::string container_;     // java's name of the container of options
  std::string options_file_;  // the option that names the container's file; empty: none yet
  bool is_in_options_file_ = false;
};

// The command line of home/bin/jshell: options after -J are for the VM, all others for jshell. jshell runs the user's
// code in a second VM, home/bin/java, which it drives as a debugger (jdwp/).
std::vector<std::string> words_of_jshell(const std::vector<std::string>& given) {
  std::vector<std::string> words;
  for (const std::string& word : given)
    if (word.starts_with("-J")) words.push_back(word.substr(2));
  words.insert(words.end(), {"-m", "jdk.jshell/jdk.internal.jshell.tool.JShellToolProvider"});
  for (const std::string& word : given)
    if (!word.starts_with("-J")) words.push_back(word);
  return words;
}

// Applies the effects of flags on other flags and on the log.
void settle_flags(CommandLine& line) {
  if (flags::PrintMethodData) {
    if (!flags::is_set("ProfileInterpreter")) flags::ProfileInterpreter = true;
    if (!flags::is_set("ProfileBaseline")) flags::ProfileBaseline = true;
  }
  // -Xcomp compiles with the baseline tier, which takes microseconds. With -XX:TieredStopAtLevel=2, 3 or 4 it also
  // compiles with the middle or the optimising tier, on the calling thread, as soon as what the method refers to is
  // resolved.
  bool at_first_call = flags::Tier3InvocationThreshold == 1 && flags::Tier3BackEdgeThreshold == 1;
  if (at_first_call && !flags::is_set("TieredStopAtLevel")) {
    flags::TieredStopAtLevel = std::min<i64>(flags::TieredStopAtLevel, 1);
  }
  if (at_first_call && flags::TieredStopAtLevel >= 2) {
    if (!flags::is_set("BackgroundCompilation")) flags::BackgroundCompilation = false;
    if (!flags::is_set("Tier4InvocationThreshold")) flags::parse("Tier4InvocationThreshold=3");
    if (!flags::is_set("Tier4BackEdgeThreshold")) flags::parse("Tier4BackEdgeThreshold=100");
  }
  if (flags::DetectDataRaces) {
    flags::TieredStopAtLevel = 0;
    KEYHOLE_LOG(info, races, "The detector of data races watches interpreted code: nothing is compiled");
  }
  if (flags::PrintGC || flags::PrintGCDetails) {
    const char* flag = flags::PrintGCDetails ? "PrintGCDetails" : "PrintGC";
    const char* selector = flags::PrintGCDetails ? "gc*" : "gc";
    line.gc_warnings.push_back(fmt::format("-XX:+{} is deprecated. Will use -Xlog:{} instead.", flag, selector));
    log::configure(fmt::format(":{}", selector));
  }
  if (!flags::UseContainerSupport) hardware::ignore_control_group();
  if (flags::ActiveProcessorCount > 0) hardware::count_on_processors(static_cast<u32>(flags::ActiveProcessorCount));
}

}  // namespace

CommandLine parse_command_line(int argument_count, char** arguments) {
  CommandLine result;
  Parser parser(result);
  std::vector<std::string> words = parser.launcher_words(), given(arguments + 1, arguments + argument_count);
  if (invoked_tool() == "jshell") words = words_of_jshell(given);
  else
    for (std::string& word : parser.with_argument_files(given)) words.push_back(std::move(word));
  struct Variable {
    const char* name;
    bool has_launcher_options;
    std::vector<std::string> words;
  };
  Variable before[] = {{"JAVA_TOOL_OPTIONS", false, {}}, {"KEYHOLE_OPTIONS", true, {}}};
  Variable after{"_JAVA_OPTIONS", false, {}};
  auto has_failed = [&] { return !result.error.empty() || result.action == CommandLine::Action::Fail; };
  for (Variable* variable : {&before[0], &before[1], &after}) {
    if (has_failed()) break;
    variable->words = parser.words_of(variable->name);
    parser.look_ahead(variable->words);
  }
  parser.look_ahead(words);
  if (!has_failed()) parser.take_settings_file();
  for (Variable& variable : before) {
    if (!has_failed()) parser.parse_options(variable.name, variable.words, variable.has_launcher_options);
  }
  if (!has_failed() && result.action == CommandLine::Action::Run) parser.parse_line(words);
  if (!has_failed()) parser.parse_options(after.name, after.words, after.has_launcher_options);
  parser.finish();
  if (result.action == CommandLine::Action::Fail) return result;
  settle_flags(result);
  if (result.action == CommandLine::Action::Run && !result.has_program) {
    // -XX:+PrintFlagsFinal and -showversion are useful without a program.
    bool asks = flags::PrintFlagsFinal || flags::PrintCommandLineFlags || flags::PrintLockingModes ||
                result.prints_initial_flags || result.prints_flag_ranges || !flags::SnippetBitcodeFile.empty() ||
                result.show_version || result.module_question != CommandLine::ModuleQuestion::None ||
                !result.show_settings.empty();
    if (!asks) result.action = CommandLine::Action::Usage;
  }
  if (!result.class_path_given) {
    const char* environment = getenv("CLASSPATH");
    result.class_path = environment != nullptr && *environment != '\0' ? environment
                        : result.mode == CommandLine::Mode::Module     ? ""
                                                                       : ".";
  }
  return result;
}

ProgramCommand read_program_command(std::span<const std::string> words) {
  std::vector<char*> arguments{const_cast<char*>("keyhole")};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  CommandLine line = parse_command_line(static_cast<int>(arguments.size()), arguments.data());
  return {.is_valid = line.action != CommandLine::Action::Fail,
          .output = line.output,
          .error = line.error,
          .starts_program = line.action == CommandLine::Action::Run && !line.what.empty(),
          .what = line.what,
          .is_source_file = line.mode == CommandLine::Mode::SourceFile,
          .is_jar = line.mode == CommandLine::Mode::Jar,
          .vm_arguments = line.vm_arguments};
}

}  // namespace keyhole
