// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses the words of `keyhole lock`, and starts the programs that check, simulate and measure.
#include "vm/tools/lab/lock_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "runtime/base/print.h"
#include "runtime/base/process/executable.h"
#include "runtime/base/types.h"
#include "runtime/sync/algorithm.h"
#include "runtime/sync/synchronizer.h"
#include "vm/tools/lab/compile.h"
#include "vm/tools/lab/mutants.h"
#include "vm/tools/lab/report.h"
#include "vm/tools/lab/skeleton.h"

namespace keyhole::lab {

namespace {

constexpr std::string_view usage =
    "Usage: keyhole lock new NAME\n"
    "           writes NAME.h, a lock that works, explained\n"
    "       keyhole lock check FILE.h [options]\n"
    "           the model checker: every interleaving of a few threads\n"
    "           --scenario NAME      one scenario\n"
    "           --states N           how far to look in each scenario (20000)\n"
    "           --mutants            edits one place at a time, and says what is\n"
    "                                found\n"
    "       keyhole lock simulate FILE.h [options]\n"
    "           throughput and fairness on a simulated machine\n"
    "           --cpus N  --threads N,N,...  --csl N  --ncsl N  --seconds S\n"
    "           --beside NAME,...    locks of the VM to compare it with\n"
    "           --never-park         threads spin a million times before they sleep\n"
    "           --where              the source lines of a hand-over: cycles, misses\n"
    "           --dear-shared-writes a write to a line that others share costs as\n"
    "                                much as one to a line that another has written\n"
    "           NAMES instead of the file: locks of the VM, such as lightweight\n"
    "       keyhole lock bench FILE.h [options]\n"
    "           the same on this machine; the same options but --cpus\n"
    "       keyhole lock report FILE.h PROGRAM.java [ARGUMENT...]\n"
    "           one page, NAME.report.html: check, plots, a program under the lock\n"
    "       keyhole lock build FILE.h [FILE.so]\n"
    "           compiles it, for -XX:LockingMode=./FILE.so\n"
    "\n"
    "A program runs under the lock by -XX:LockingMode=./FILE.h. The interface is\n"
    "runtime/sync/lab/keyhole/lock.h, and examples/locks has locks to read.\n";

int refuse(std::string_view sentence) {
  print_text(stderr, "keyhole lock: {}\n", sentence);
  return 2;
}

bool is_name(std::string_view text) {
  auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  auto is_part = [&](char c) { return is_letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; };
  return !text.empty() && is_letter(text[0]) && std::ranges::all_of(text, is_part);
}

int make_new(std::span<char*> words) {
  if (words.size() != 1) return refuse("`lock new` takes one name.");
  std::string_view name = words[0];
  if (name.ends_with(".h")) name.remove_suffix(2);
  if (!is_name(name)) return refuse(fmt::format("'{}' is not the name of a C++ class.", words[0]));
  std::string file = fmt::format("{}.h", name);
  std::error_code error;
  if (std::filesystem::exists(file, error)) return refuse(fmt::format("there is a {} already.", file));
  std::ofstream out(file);
  out << skeleton(name);
  out.close();
  if (!out) return refuse(fmt::format("{} cannot be written: {}.", file, strerror(errno)));
  print_text("{} is written. Check it: keyhole lock check {}\n", file, file);
  return 0;
}

// Replaces this process (exec) by a program in the executable's folder.
int become(std::string_view program, const std::vector<std::string>& words) {
  std::string path = fmt::format("{}/{}", executable_folder(), program);
  std::vector<char*> arguments{path.data()};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv(path.c_str(), arguments.data());
  return refuse(fmt::format("{} cannot be started: {}; its target is {}.", path, strerror(errno), program));
}

bool is_number(std::string_view text) {
  f64 number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number > 0;
}
bool are_numbers(std::string_view text) {
  usize comma = text.find(',');
  return is_number(text.substr(0, comma)) && (comma == std::string_view::npos || are_numbers(text.substr(comma + 1)));
}

enum class Value { number, amount, numbers, name, names };  // an amount may be 0
struct Option {
  std::string_view name;
  Value value;
  std::string text;  // the value that the user gave, or else the default; empty: there is neither
};

// Parses the command's file and options. Returns the empty string, or an error message.
std::string parse(std::string_view command, std::span<char*> words, std::string& file, std::span<Option> options) {
  for (usize i = 0; i < words.size(); ++i) {
    std::string_view word = words[i];
    Option* option = std::ranges::find(options, word, &Option::name).base();
    if (option != options.data() + options.size()) {
      if (i + 1 == words.size()) return fmt::format("{} takes a value.", word);
      option->text = words[++i];
      bool may_be_zero = option->value == Value::amount && option->text == "0";
      if ((option->value == Value::number || option->value == Value::amount) && !may_be_zero &&
          !is_number(option->text))
        return fmt::format("{} takes a number, not '{}'.", word, option->text);
      if (option->value == Value::numbers && !are_numbers(option->text))
        return fmt::format("{} takes numbers with commas between them, not '{}'.", word, option->text);
    } else if (word.starts_with('-') || !file.empty()) {
      std::string known;
      for (const Option& each : options) known += fmt::format(", {}", each.name);
      return fmt::format("`lock {}` takes one file{}, not '{}'.", command, known, word);
    } else {
      file = word;
    }
  }
  return file.empty() ? fmt::format("`lock {}` takes the file of a lock.", command) : "";
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Returns the failure that the checker has found. The last line of the checker's script names it, for example
// "=> B is parked, and nobody will wake it".
std::string_view finding_in(std::string_view output) {
  usize at = output.find("\n=> ");
  if (at == std::string_view::npos) return "the process ended";
  output.remove_prefix(at + 4);
  return output.substr(0, output.find('\n'));
}

// Checks each mutant of a lock that has passed the check. `object` is the compiled lock.
int check_mutants(const std::string& file, const std::string& sound, const std::string& states) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / fmt::format("keyhole-mutants-{}", getpid());
  const fs::path edited = folder / fs::path(file).filename(), output = folder / "output";
  std::error_code error;
  fs::create_directory(folder, error);
  fs::permissions(folder, fs::perms::owner_all, error);
  auto check = [&](const std::string& object) {
    return run({executable_folder() + "/lockcheck", "--load", object, "--file", file, "--states", states},
               output.string());
  };
  if (check(sound) != 0) {
    fs::remove_all(folder, error);
    return refuse(fmt::format("{} is not sound itself: `keyhole lock check {}` says why.", file, file));
  }
  u32 found = 0, checked = 0;
  std::string object;  // path of the compiled mutant: one path for all, as all have one source path
  for (const Mutant& mutant : mutants_of(text_of(file))) {
    std::ofstream(edited, std::ios::trunc) << mutant.text;
    Compiled compiled = compile(edited.string(), World::checker);
    if (!compiled.complaint.empty()) continue;  // the edited line does not compile as C++
    object = compiled.object;
    int code = check(object);
    ++checked;
    found += code != 0;
    print_text("{:<9} line {:>3}: {}{}{}\n", code != 0 ? "found" : "survives", mutant.line, mutant.edit,
               code != 0 ? ": " : "", code != 0 ? finding_in(text_of(output)) : "");
    fflush(stdout);
  }
  fs::remove_all(folder, error);
  if (!object.empty()) remove_object(object);
  print_text("{} of {} mutants found. What survives is no mistake: no scenario needs it on x86.\n", found, checked);
  return 0;
}

// Removes the option `word` from the command line. Returns whether the command line had it.
bool take_word(std::span<char*>& words, std::string_view word) {
  auto end = std::remove(words.begin(), words.end(), word);
  const bool found = end != words.end();
  words = {words.begin(), end};
  return found;
}

int check(std::span<char*> words) {
  std::string file;
  const bool has_mutants = take_word(words, "--mutants");
  Option options[] = {{"--states", Value::number, "20000"}, {"--scenario", Value::name, ""}};
  if (std::string complaint = parse("check", words, file, options); !complaint.empty()) return refuse(complaint);
  Compiled compiled = compile(file, World::checker);
  if (!compiled.complaint.empty()) return refuse(compiled.complaint);
  if (has_mutants) return check_mutants(file, compiled.object, options[0].text);
  std::vector<std::string> arguments{"--load", compiled.object, "--file", file};
  for (const Option& option : options) {
    if (!option.text.empty()) arguments.insert(arguments.end(), {std::string(option.name), option.text});
  }
  return become("lockcheck", arguments);
}

// Returns whether the text is a list of names of the VM's own locks, separated by commas.
bool are_algorithms(std::string_view text) {
  const usize comma = text.find(',');
  const std::string_view name = text.substr(0, comma);
  return std::ranges::any_of(sync::all_algorithms(), [&](const sync::Algorithm* one) { return one->name == name; }) &&
         (comma == std::string_view::npos || are_algorithms(text.substr(comma + 1)));
}

int measure(std::string_view command, World world, std::span<char*> words, std::vector<Option> options,
            const std::vector<std::string>& more = {}) {
  std::string lock;
  // With --never-park, threads spin for so long that in practice they never sleep. Some papers measure locks like this.
  const bool never_parks = take_word(words, "--never-park");
  if (std::string complaint = parse(command, words, lock, options); !complaint.empty()) return refuse(complaint);
  std::vector<std::string> arguments{"--world", world == World::simulator ? "simulated" : "hardware"};
  const bool is_file = !are_algorithms(lock);
  if (is_file) {
    Compiled compiled = compile(lock, world);
    if (!compiled.complaint.empty()) return refuse(compiled.complaint);
    arguments.insert(arguments.end(), {"--load", compiled.object});
  }
  for (const Option& option : options) {
    if (option.name != "--beside") arguments.insert(arguments.end(), {std::string(option.name), option.text});
    else arguments.insert(arguments.end(), {"--algorithm", is_file ? "loaded," + option.text : lock});
  }
  if (never_parks) arguments.insert(arguments.end(), {"--flag", "SpinPauses=1000000"});
  arguments.insert(arguments.end(), more.begin(), more.end());
  return become("mutexbench", arguments);
}
int simulate(std::span<char*> words) {
  // --where prints long tables, so by default it measures fewer locks, and only one number of threads.
  const bool where = take_word(words, "--where");
  std::vector<std::string> more;
  if (where) more.emplace_back("--where");
  if (take_word(words, "--dear-shared-writes")) more.emplace_back("--dear-shared-writes");
  return measure("simulate", World::simulator, words,
                 {{"--cpus", Value::number, "72"},
                  {"--threads", Value::numbers, where ? "8" : "1,8,36,72"},
                  {"--ncsl", Value::amount, "200"},
                  {"--csl", Value::amount, "1"},
                  {"--seconds", Value::number, "0.002"},
                  {"--beside", Value::names, where ? "cjm-fifo" : "lightweight,cjm-fifo,cjm-by"}},
                 more);
}
int bench(std::span<char*> words) {
  return measure("bench", World::vm, words,
                 {{"--threads", Value::numbers, "1,2,4,8"},
                  {"--ncsl", Value::amount, "200"},
                  {"--csl", Value::amount, "1"},
                  {"--seconds", Value::number, "1"},
                  {"--beside", Value::names, "lightweight,cjm-fifo,cjm-by"}});
}

int build(std::span<char*> words) {
  if (words.empty() || words.size() > 2)
    return refuse("`lock build` takes the file of a lock, and the object to make.");
  std::string object = words.size() == 2 ? words[1] : std::filesystem::path(words[0]).replace_extension(".so").string();
  if (!object.ends_with(".so")) return refuse(fmt::format("'{}' does not end in .so.", object));
  if (std::string complaint = compile_to(words[0], object); !complaint.empty()) return refuse(complaint);
  print_text("{} is written, for this build of Keyhole. Use it: -XX:LockingMode={}{}\n", object,
             object.contains('/') ? "" : "./", object);
  return 0;
}

struct Command {
  std::string_view word;
  int (*run)(std::span<char*> words);
};
constexpr Command commands[] = {{"new", make_new}, {"check", check}, {"simulate", simulate},
                                {"bench", bench},  {"build", build}, {"report", report}};

}  // namespace

bool is_lock_command(std::string_view word) {
  return word == "--help" || std::ranges::find(commands, word, &Command::word) != std::end(commands);
}

int lock_command(std::span<char*> words) {
  const Command* command = std::ranges::find(commands, std::string_view(words[0]), &Command::word);
  if (command == std::end(commands) || (words.size() > 1 && words[1] == std::string_view("--help"))) {
    print_text("{}", usage);
    return 0;
  }
  return command->run(words.subspan(1));
}

}  // namespace keyhole::lab
