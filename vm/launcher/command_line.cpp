// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Option by option, in java's spelling and with java's error texts.
#include "vm/launcher/command_line.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/base/print.h"
#include "vm/launcher/module_options.h"

namespace keyhole {
namespace {

constexpr std::string_view could_not_create =
    "Error: Could not create the Java Virtual Machine.\n"
    "Error: A fatal exception has occurred. Program will exit.\n";

// Words of a string, with '...' and "..." kept together.
std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (char c : text) {
    if (quote != 0) {
      if (c == quote) quote = 0;
      else word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      if (in_word) words.push_back(std::move(word)), word.clear(), in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word) words.push_back(std::move(word));
  return words;
}

class Parser {
 public:
  explicit Parser(CommandLine& result) : result_(result) {}

  void parse(std::vector<std::string> words, bool options_only) {
    for (usize i = 0; i < words.size() && result_.error.empty(); ++i) {
      const std::string& word = words[i];
      if (!options_only && word.size() > 1 && word[0] == '@' && !expand_argument_file(words, i)) return;
      if (words[i].empty() || words[i][0] != '-') {
        if (options_only) continue;
        take_program(words, i);
        return;
      }
      if (word == "-jar" && !options_only) {
        if (i + 1 == words.size()) return fail_plain("Error: -jar requires jar file specification\n" + help_text());
        result_.mode = CommandLine::Mode::Jar;
        take_program(words, i + 1);
        return;
      }
      if ((word == "-m" || word == "--module" || word.starts_with("--module=")) && !options_only) {
        take_module(words, i);
        return;
      }
      i += option(words, i);
      if (result_.action != CommandLine::Action::Run) return;
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
    std::vector<std::string> inserted = split_words(text.str());
    words.erase(words.begin() + static_cast<long>(at));
    words.insert(words.begin() + static_cast<long>(at), inserted.begin(), inserted.end());
    return at < words.size();
  }

  void take_program(const std::vector<std::string>& words, usize at) {
    result_.what = words[at];
    if (result_.mode == CommandLine::Mode::MainClass && result_.what.ends_with(".java")) {
      if (FILE* file = fopen(result_.what.c_str(), "r")) {   // java: source-file mode only when the file is there
        fclose(file);
        result_.mode = CommandLine::Mode::SourceFile;
      }
    }
    result_.arguments.assign(words.begin() + static_cast<long>(at) + 1, words.end());
  }

  // -m module[/class]: the program, and the root of what is resolved.
  void take_module(const std::vector<std::string>& words, usize at) {
    bool joined = words[at].starts_with("--module=");
    if (joined ? words[at].size() == 9 : at + 1 == words.size()) return fail_plain(fmt::format("Error: {} requires module name\n", words[at]));
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
      if (at + 1 == words.size()) {
        fail_plain(fmt::format("Error: {} requires class path specification\n", word));
        return 0;
      }
      set_class_path(words[at + 1]);
      return 1;
    }
    if (starts("--class-path=")) return set_class_path(std::string(value_of("--class-path="))), 0;
    result_.vm_arguments.push_back(word);   // as java: all but the class path
    if (starts("-D")) {
      std::string_view body = value_of("-D");
      usize equals = body.find('=');
      std::string name(body.substr(0, equals));
      std::string value(equals == std::string_view::npos ? "" : body.substr(equals + 1));
      result_.properties.emplace_back(std::move(name), std::move(value));
      return 0;
    }
    if (starts("-XX:")) {
      std::string complaint = flags::parse(value_of("-XX:"));
      if (!complaint.empty() && !ignore_unrecognized_) fail(std::move(complaint));
      return 0;
    }
    if (starts("-javaagent:")) return result_.agents.emplace_back(value_of("-javaagent:")), 0;
    if (starts("-Xlog")) {
      if (value_of("-Xlog") == ":help") return result_.action = CommandLine::Action::ExtraHelp, 0;
      std::string complaint = log::configure(value_of("-Xlog"));
      if (!complaint.empty()) {
        print_text("[0.000s][error][logging] {}", complaint);
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
      result_.action = CommandLine::Action::Version;
      result_.help_to_stdout = starts("--");
      return 0;
    }
    if (word == "-showversion" || word == "--show-version") return result_.show_version = true, 0;
    if (word == "-help" || word == "-h" || word == "-?" || word == "--help") {
      result_.action = CommandLine::Action::Help;
      result_.help_to_stdout = starts("--");
      return 0;
    }
    if (word == "-X" || word == "--help-extra") return result_.action = CommandLine::Action::ExtraHelp, 0;
    if (starts("-ea") || starts("-enableassertions") || starts("-da") || starts("-disableassertions") || word == "-esa" ||
        word == "-enablesystemassertions" || word == "-dsa" || word == "-disablesystemassertions") {
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
    if (word == "-Xmixed" || word == "-Xbatch" || word == "-Xrs" || word == "-Xnoclassgc" ||
        word == "-Xfuture" || word == "-server" || word == "-client" || word == "-d64" || starts("-Xshare:") ||
        starts("-Xmn") || word == "--enable-preview" || word == "-Xinternalversion" || starts("-Xverify:") || starts("--illegal-access=")) {
      return 0;   // accepted and without effect here, as on a java that lacks the part
    }
    if (ModuleOption option = take_module_option(words, at, result_); option.recognized) {
      if (!option.complaint.empty()) fail_plain(option.complaint);
      if (!option.vm_complaint.empty()) print_text("{}", option.vm_complaint), fail("");
      return option.words_used;
    }
    fail(fmt::format("Unrecognized option: {}\n", word));
    return 0;
  }

  void set_class_path(std::string path) {
    result_.class_path = std::move(path);
    result_.class_path_given = true;
  }

  // Bytes on the command line, KiB in the flag, as in java.
  void stack_size(const std::string& word, std::string_view value) {
    u64 bytes = 0;
    if (!flags::parse_size(value, &bytes) || bytes > 1_GiB) return fail(fmt::format("Invalid thread stack size: {}\n", word));
    if (bytes != 0 && bytes < 136_KiB) {
      print_text("\nThe Java thread stack size specified is too small. Specify at least 136k\n");   // java says this on stdout
      return fail("");
    }
    flags::ThreadStackSize = static_cast<i64>(bytes / 1_KiB);
  }

  CommandLine& result_;
  bool ignore_unrecognized_ = flags::IgnoreUnrecognizedVMOptions;

 public:
  // -XX:+IgnoreUnrecognizedVMOptions holds wherever it stands on the line.
  void look_ahead(const std::vector<std::string>& words) {
    for (const std::string& word : words) {
      if (word == "-XX:+IgnoreUnrecognizedVMOptions") ignore_unrecognized_ = true;
      if (word.empty() || word[0] != '-') break;
    }
  }
};

}  // namespace

CommandLine parse_command_line(int argument_count, char** arguments) {
  CommandLine result;
  Parser parser(result);
  if (const char* environment = getenv("KEYHOLE_OPTIONS"); environment != nullptr && *environment != '\0') {
    print_text(stderr, "Picked up KEYHOLE_OPTIONS: {}\n", environment);
    parser.parse(split_words(environment), true);
  }
  std::vector<std::string> words(arguments + 1, arguments + argument_count);
  parser.look_ahead(words);
  if (result.error.empty()) parser.parse(words, false);
  if (!parser.finish()) return result;
  if (flags::PrintMethodData) {
    if (!flags::is_set("ProfileInterpreter")) flags::ProfileInterpreter = true;
    if (!flags::is_set("ProfileBaseline")) flags::ProfileBaseline = true;
  }
  if (result.action == CommandLine::Action::Run && result.what.empty()) {
    // -XX:+PrintFlagsFinal and -showversion are useful without a program.
    if (!flags::PrintFlagsFinal && !flags::PrintLockingModes && !result.show_version && result.module_question == CommandLine::ModuleQuestion::None)
      result.action = CommandLine::Action::Help;
  }
  if (!result.class_path_given) {
    const char* environment = getenv("CLASSPATH");
    result.class_path = environment != nullptr && *environment != '\0' ? environment : result.mode == CommandLine::Mode::Module ? "" : ".";
  }
  return result;
}

std::string help_text() {
  return
      "Usage: keyhole [options] <mainclass> [args...]\n"
      "           (to execute a class)\n"
      "   or  keyhole [options] -jar <jarfile> [args...]\n"
      "           (to execute a jar file)\n"
      "   or  keyhole [options] -m <module>[/<mainclass>] [args...]\n"
      "       keyhole [options] --module <module>[/<mainclass>] [args...]\n"
      "           (to execute the main class in a module)\n"
      "   or  keyhole [options] <sourcefile>.java [args]\n"
      "           (to compile one source file with javac and execute it)\n\n"
      " where options include:\n\n"
      "    -cp <class search path of directories and jar files>\n"
      "    -classpath <class search path of directories and jar files>\n"
      "    --class-path <class search path of directories and jar files>\n"
      "                  A : separated list of directories and JAR archives\n"
      "    -p <module path>\n"
      "    --module-path <module path>...\n"
      "                  A : separated list of elements, each element is a file path\n"
      "                  to a module or a directory containing modules\n"
      "    --add-modules <module name>[,<module name>...]\n"
      "                  root modules to resolve in addition to the initial module;\n"
      "                  also ALL-DEFAULT, ALL-SYSTEM, ALL-MODULE-PATH\n"
      "    --list-modules\n"
      "                  list observable modules and exit\n"
      "    -d <module name>\n"
      "    --describe-module <module name>\n"
      "                  describe a module and exit\n"
      "    --dry-run     create VM and load main class but do not execute main method\n"
      "    --validate-modules\n"
      "                  validate all modules and exit\n"
      "    -D<name>=<value>\n"
      "                  set a system property\n"
      "    -verbose:[class|gc]\n"
      "                  enable verbose output for the given subsystem\n"
      "    -version      print the version to the error stream and exit\n"
      "    --version     print the version to the output stream and exit\n"
      "    -showversion  print the version to the error stream and continue\n"
      "    -? -h -help   print this help message to the error stream\n"
      "    --help        print this help message to the output stream\n"
      "    -X            print help on extra options and on the -XX flags to the output stream\n"
      "    -ea[:<packagename>...|:<classname>]\n"
      "    -enableassertions[:<packagename>...|:<classname>]\n"
      "                  enable assertions with specified granularity\n"
      "    -da[:<packagename>...|:<classname>]\n"
      "    -disableassertions[:<packagename>...|:<classname>]\n"
      "                  disable assertions with specified granularity\n"
      "    -esa | -enablesystemassertions\n"
      "                  enable system assertions\n"
      "    -dsa | -disablesystemassertions\n"
      "                  disable system assertions\n"
      "    -javaagent:<jarpath>[=<options>]\n"
      "                  load Java programming language agent, see java.lang.instrument\n"
      "    @argument files\n"
      "                  one or more argument files containing options\n\n"
      "The environment variable KEYHOLE_OPTIONS holds options that are read first.\n";
}

std::string extra_help_text() {
  std::string text =
      "\n"
      "    --add-exports <module>/<package>=<target-module>(,<target-module>)*\n"
      "    --add-opens <module>/<package>=<target-module>(,<target-module>)*\n"
      "                      exports or opens a package to modules, or to ALL-UNNAMED\n"
      "    --add-reads <module>=<target-module>(,<target-module>)*\n"
      "                      lets a module read others, whatever its declaration says\n"
      "    --limit-modules <module name>[,<module name>...]\n"
      "                      limit the observable modules\n"
      "    --patch-module <module>=<file>(:<file>)*\n"
      "                      classes and resources that replace or join a module's\n"
      "    -Xint             interpreted mode execution only\n"
      "    -Xlog:<opts>      configure logging: <tags>[=<level>][,...][:stdout|stderr|file=<name>[:<decorators>]]\n"
      "    -Xmn<size>        set the size of the young generation in bytes\n"
      "    -Xms<size>        set initial heap size in bytes\n"
      "    -Xmx<size>        set maximum heap size in bytes\n"
      "    -Xss<size>        set Java thread stack size in bytes\n\n"
      "Flags (-XX:+Name, -XX:-Name, -XX:Name=value; sizes take k, m, g):\n\n";
  for (const flags::Row& row : flags::rows()) {
    text += fmt::format("    -XX:{}{}\n                      {}\n", row.type == flags::Type::boolean ? "[+-]" : "", row.name, row.sentence);
  }
  return text;
}

}  // namespace keyhole
