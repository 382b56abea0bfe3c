// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Option by option, in java's spelling and with java's error texts.
#include "vm/launcher/command_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/base/platform/hardware_world.h"
#include "vm/classfile/class_file_parser.h"
#include "vm/classfile/class_path.h"
#include "vm/classfile/java_home.h"
#include "vm/launcher/environment_options.h"
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

  // The words of the command line, behind those of JDK_JAVA_OPTIONS.
  void parse_line(std::vector<std::string> words) {
    for (usize i = 0; i < words.size() && result_.error.empty(); ++i) {
      if (words[i].size() > 1 && words[i][0] == '@' && !expand_argument_file(words, i)) return;
      const std::string& word = words[i];
      if (word.empty() || word[0] != '-') return take_program(words, i);
      if (word == "-jar") {
        if (i + 1 == words.size()) return fail_plain("Error: -jar requires jar file specification\n" + help_text());
        result_.mode = CommandLine::Mode::Jar;
        return take_program(words, i + 1);
      }
      if (word == "-m" || word == "--module" || word.starts_with("--module=")) return take_module(words, i);
      i += option(words, i);
      if (result_.action != CommandLine::Action::Run) return;
    }
    if (names_source_version_ && result_.error.empty())
      fail_plain(is_for(25) ? help_text() : "error: no path for source file\n");
  }

  // Only options, from a variable. java's VM does not know its launcher's.
  void parse_options(const char* variable, bool launchers_too) {
    EnvironmentOptions found = options_of_environment(variable, result_.notices);
    if (found.unmatched_quote) return fail(fmt::format("Unmatched quote in {}\n", variable));
    look_ahead(found.words);
    for (usize i = 0; i < found.words.size() && result_.error.empty(); ++i) {
      if (!launchers_too && is_launcher_option(found.words[i]))
        return fail(fmt::format("Unrecognized option: {}\n", found.words[i]));
      if (found.words[i].starts_with('-')) i += option(found.words, i);
    }
  }

  // JDK_JAVA_OPTIONS: words in front of the command line.
  std::vector<std::string> launcher_words() {
    EnvironmentOptions found = options_of_environment("JDK_JAVA_OPTIONS", result_.notices);
    if (found.unmatched_quote)
      return fail_plain("Error: Unmatched quote in environment variable JDK_JAVA_OPTIONS\n"), found.words;
    bool is_value = false;
    for (usize i = 0; i < found.words.size(); ++i) {
      if (found.words[i].starts_with('@') && !expand_argument_file(found.words, i)) break;
      const std::string& word = found.words[i];
      if (ends_command_line(word))
        fail_plain(fmt::format("Error: Option {} is not allowed in environment variable JDK_JAVA_OPTIONS\n", word));
      if (!word.starts_with('-') && !is_value)
        fail_plain("Error: Cannot specify main class in environment variable JDK_JAVA_OPTIONS\n");
      is_value = takes_next_word(word);
    }
    return found.words;
  }

  // -XX:+IgnoreUnrecognizedVMOptions applies to the whole line.
  void look_ahead(const std::vector<std::string>& words) {
    for (const std::string& word : words) {
      if (word == "-XX:+IgnoreUnrecognizedVMOptions") ignore_unrecognized_ = true;
      if (word.empty() || word[0] != '-') break;
    }
  }

  bool finish() {
    if (!result_.error.empty()) result_.action = CommandLine::Action::Fail;
    return result_.error.empty();
  }

 private:
  void fail(std::string text) {
    if (result_.error.empty()) result_.error = std::move(text) + std::string(could_not_create);
  }
  void fail_plain(std::string text) {
    if (result_.error.empty()) result_.error = std::move(text);
  }

  bool expand_argument_file(std::vector<std::string>& words, usize at) {
    std::ifstream file(words[at].substr(1));
    if (!file) {
      fail_plain(fmt::format("Error: could not open `{}'\n", words[at].substr(1)));
      return false;
    }
    std::stringstream text;
    text << file.rdbuf();
    std::vector<std::string> inserted;
    split_words(text.str(), inserted);
    words.erase(words.begin() + static_cast<long>(at));
    words.insert(words.begin() + static_cast<long>(at), inserted.begin(), inserted.end());
    return at < words.size();
  }

  void take_program(const std::vector<std::string>& words, usize at) {
    result_.what = words[at];
    if (names_source_version_) {
      if (::access(result_.what.c_str(), F_OK) != 0)
        return fail_plain(fmt::format("error: source file not found: {}\n", result_.what));
      result_.mode = CommandLine::Mode::SourceFile;
    }
    if (result_.mode == CommandLine::Mode::MainClass && result_.what.ends_with(".java")) {
      if (FILE* file = fopen(result_.what.c_str(), "r")) {   // java: source-file mode only when the file is there
        fclose(file);
        result_.mode = CommandLine::Mode::SourceFile;
      }
    }
    result_.arguments.assign(words.begin() + static_cast<long>(at) + 1, words.end());
  }

  // -m module[/class]: the program, and the root of resolution.
  void take_module(const std::vector<std::string>& words, usize at) {
    bool joined = words[at].starts_with("--module=");
    if (joined ? words[at].size() == 9 : at + 1 == words.size())
      return fail_plain(fmt::format("Error: {} requires module name\n", words[at]));
    usize program = joined ? at : at + 1;
    result_.what = joined ? words[at].substr(9) : words[program];
    result_.mode = CommandLine::Mode::Module;
    result_.properties.emplace_back("jdk.module.main", result_.what.substr(0, result_.what.find('/')));
    result_.arguments.assign(words.begin() + static_cast<long>(program) + 1, words.end());
  }

  // -Xmx64m and friends go through the flag of the same meaning, so ranges are checked in one place.
  void size_option(const std::string& word, std::string_view value, std::string_view flag, std::string_view meaning) {
    if (!flags::parse(fmt::format("{}={}", flag, value)).empty()) fail(fmt::format("Invalid {}: {}\n", meaning, word));
  }

  // Handles words[at]; returns how many further words it used.
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
    if (word.starts_with("-XshowSettings") && (word.size() == 14 || word[14] == ':'))
      return result_.show_settings = word, 0;
    result_.vm_arguments.push_back(word);   // as java: all but what its launcher keeps
    if (starts("-D")) {
      std::string_view body = value_of("-D");
      usize equals = body.find('=');
      std::string name(body.substr(0, equals));
      if (is_reserved_for_module_options(name)) return warn_of_reserved_properties(), 0;
      std::string value(equals == std::string_view::npos ? "" : body.substr(equals + 1));
      result_.properties.emplace_back(std::move(name), std::move(value));
      return 0;
    }
    if (starts("-XX:")) {
      std::string complaint = flags::parse(value_of("-XX:"), &result_.notices);
      if (!complaint.empty() && !ignore_unrecognized_) fail(std::move(complaint));
      return 0;
    }
    if (starts("-javaagent:")) return result_.agents.emplace_back(value_of("-javaagent:")), 0;
    if (starts("-agentlib:") || starts("-agentpath:") || starts("-Xrun")) return native_agent(word), 0;
    if (starts("-Xlog")) {
      if (value_of("-Xlog") == ":help") return result_.action = CommandLine::Action::LogHelp, 0;
      std::string complaint = log::configure(value_of("-Xlog"));
      if (!complaint.empty()) {
        result_.output += "[0.000s][error][logging] " + complaint;
        fail(fmt::format("Invalid -Xlog option '{}', see error log for details.\n", word));
      }
      return 0;
    }
    if (starts("-Xmx")) return size_option(word, value_of("-Xmx"), "MaxHeapSize", "maximum heap size"), 0;
    if (starts("-Xmn")) {
      size_option(word, value_of("-Xmn"), "NewSize", "new generation size");
      return size_option(word, value_of("-Xmn"), "MaxNewSize", "new generation size"), 0;
    }
    if (starts("-Xms")) return size_option(word, value_of("-Xms"), "InitialHeapSize", "initial heap size"), 0;
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
    if (starts("-ea") || starts("-enableassertions") || starts("-da") || starts("-disableassertions") ||
        word == "-esa" || word == "-enablesystemassertions" || word == "-dsa" || word == "-disablesystemassertions") {
      result_.assertions.push_back(word);
      return 0;
    }
    if (word == "-verbose" || word == "-verbose:class") return log::configure(":class+load=info,class+unload=info"), 0;
    if (word == "-verbose:gc") return log::configure(":gc=info"), 0;
    if (word == "-verbose:jni" || word == "-verbose:module") return 0;
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

  // Agents that are libraries: there is one, and it is built in.
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
    result_.action = CommandLine::Action::Fail;   // java says no more
  }

  // Options of older VMs, and options without meaning here.
  bool retired_option(const std::string& word) {
    auto starts = [&](std::string_view prefix) { return word.starts_with(prefix); };
    if (starts("-Xbootclasspath:") || starts("-Xbootclasspath/p:")) {
      result_.output += fmt::format("{} is no longer a supported option.\n", word.substr(0, word.find(':')));
      return fail(""), true;
    }
    if (starts("-Xloggc:")) {
      std::string file = word.substr(sizeof "-Xloggc:" - 1);
      result_.notices +=
          fmt::format("[0.000s][warning][gc] -Xloggc is deprecated. Will use -Xlog:gc:{} instead.\n", file);
      if (std::string complaint = log::configure(fmt::format(":gc:{}", file)); !complaint.empty()) fail(complaint);
      return true;
    }
    // java 25 does not know these any more.
    if ((starts("-version:") || word == "-Xnoagent" || word == "-Xfuture") && is_for(25)) {
      fail(fmt::format("Unrecognized option: {}\n", word));
      return true;
    }
    if (word == "-Xdebug" && is_for(22)) {
      result_.notices += "Keyhole VM warning: Option -Xdebug was deprecated in JDK 22 and will likely be removed in a "
                         "future release.\n";
      return true;
    }
    if (starts("-version:")) {
      fail(fmt::format("Error: Specifying an alternate JDK/JRE version is no longer supported.\n"
                       "  The use of the flag '-version:' is no longer valid.\n"
                       "  Please download and execute the appropriate version.\nUnrecognized option: {}\n", word));
      return true;
    }
    if (word == "-Xfuture" || word == "-Xprof") {
      result_.notices += word == "-Xfuture"
                             ? "Warning: -Xfuture option is deprecated and may be removed in a future release.\n"
                             : "Keyhole VM warning: Ignoring option -Xprof; support was removed in 10.0\n";
      return true;
    }
    for (std::string_view same : {"-Xmixed", "-Xbatch", "-Xrs", "-server", "-client", "-Xdebug", "-Xnoagent",
                                  "-Xcheck:jni", "-Xshare:auto", "-Xshare:on", "-Xshare:off"}) {
      if (word == same) return true;   // accepted without effect, as on a java without that part
    }
    return starts("-splash:") || starts("--illegal-access=");
  }

  // Of the library that will be used, as far as the words read until now tell.
  bool is_for(u32 first_release) const {
    std::string wanted;
    for (const auto& [name, value] : result_.properties) {
      if (name == "java.home") wanted = value;
    }
    return home_is_within(find_library(wanted), first_release, ~0u);
  }

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
      result_.notices +=
          "Keyhole VM warning: Options -Xverify:none and -noverify were deprecated in JDK 13 and will likely be "
          "removed in a "
          "future release.\n";
    }
  }

  // Bytes on the command line, KiB in the flag, as in java.
  void stack_size(const std::string& word, std::string_view value) {
    u64 bytes = 0;
    if (!flags::parse_size(value, &bytes) || bytes > 1_GiB)
      return fail(fmt::format("Invalid thread stack size: {}\n", word));
    if (bytes != 0 && bytes < 136_KiB) {
      result_.output += "\nThe Java thread stack size specified is too small. Specify at least 136k\n";
      return fail("");
    }
    flags::ThreadStackSize = static_cast<i64>(bytes / 1_KiB);
  }

  CommandLine& result_;
  bool ignore_unrecognized_ = false;
  bool names_source_version_ = false;
};

// home/bin/jshell: options after -J are the VM's, the others jshell's. The user's code runs in a second VM,
// home/bin/java, which jshell drives as a debugger (jdwp/).
std::vector<std::string> words_of_jshell(const std::vector<std::string>& given) {
  std::vector<std::string> words;
  for (const std::string& word : given) if (word.starts_with("-J")) words.push_back(word.substr(2));
  words.insert(words.end(), {"-m", "jdk.jshell/jdk.internal.jshell.tool.JShellToolProvider"});
  for (const std::string& word : given) if (!word.starts_with("-J")) words.push_back(word);
  return words;
}

// Effects of some flags on others, and on the log.
void settle_flags(CommandLine& line) {
  if (flags::PrintMethodData) {
    if (!flags::is_set("ProfileInterpreter")) flags::ProfileInterpreter = true;
    if (!flags::is_set("ProfileBaseline")) flags::ProfileBaseline = true;
  }
  // -Xcomp: by the baseline tier, which takes microseconds; with -XX:TieredStopAtLevel=4 by the optimising tier as
  // well, by whoever calls, as soon as what the method names is resolved.
  bool at_first_call = flags::Tier3InvocationThreshold == 1 && flags::Tier3BackEdgeThreshold == 1;
  if (at_first_call && !flags::is_set("TieredStopAtLevel")) {
    flags::TieredStopAtLevel = std::min<i64>(flags::TieredStopAtLevel, 1);
  }
  if (at_first_call && flags::TieredStopAtLevel == 4) {
    if (!flags::is_set("BackgroundCompilation")) flags::BackgroundCompilation = false;
    if (!flags::is_set("Tier4InvocationThreshold")) flags::parse("Tier4InvocationThreshold=3");
    if (!flags::is_set("Tier4BackEdgeThreshold")) flags::parse("Tier4BackEdgeThreshold=100");
  }
  if (flags::PrintGC || flags::PrintGCDetails) {
    const char *flag = flags::PrintGCDetails ? "PrintGCDetails" : "PrintGC", *selector = flags::PrintGCDetails ? "gc*" : "gc";
    line.notices +=
        fmt::format("[0.000s][warning][gc] -XX:+{} is deprecated. Will use -Xlog:{} instead.\n", flag, selector);
    log::configure(fmt::format(":{}", selector));
  }
  if (flags::ActiveProcessorCount > 0) hardware::count_on_processors(static_cast<u32>(flags::ActiveProcessorCount));
}

}  // namespace

CommandLine parse_command_line(int argument_count, char** arguments) {
  CommandLine result;
  Parser parser(result);
  std::vector<std::string> words = parser.launcher_words();
  if (invoked_tool() == "jshell") words = words_of_jshell({arguments + 1, arguments + argument_count});
  else words.insert(words.end(), arguments + 1, arguments + argument_count);
  parser.look_ahead(words);
  if (result.error.empty()) parser.parse_options("JAVA_TOOL_OPTIONS", false);
  if (result.error.empty()) parser.parse_options("KEYHOLE_OPTIONS", true);
  if (result.error.empty() && result.action == CommandLine::Action::Run) parser.parse_line(std::move(words));
  if (result.error.empty()) parser.parse_options("_JAVA_OPTIONS", false);
  if (!parser.finish()) return result;
  settle_flags(result);
  if (result.action == CommandLine::Action::Run && result.what.empty()) {
    // -XX:+PrintFlagsFinal and -showversion are useful without a program.
    bool asks = flags::PrintFlagsFinal || flags::PrintCommandLineFlags || flags::PrintLockingModes ||
                !flags::SnippetBitcodeFile.empty() ||
                result.show_version || result.module_question != CommandLine::ModuleQuestion::None ||
                !result.show_settings.empty();
    if (!asks) result.action = CommandLine::Action::Help;
  }
  if (!result.class_path_given) {
    const char* environment = getenv("CLASSPATH");
    result.class_path = environment != nullptr && *environment != '\0' ? environment
                        : result.mode == CommandLine::Mode::Module     ? ""
                                                                       : ".";
  }
  return result;
}

}  // namespace keyhole
