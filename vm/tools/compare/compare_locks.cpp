// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the program in every mode, one run at a time.
#include "vm/tools/compare/compare_locks.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "runtime/base/print.h"
#include "runtime/base/process/executable.h"
#include "vm/classfile/java_home.h"
#include "vm/tools/compare/busy_machine.h"
#include "vm/tools/compare/lock_profile.h"
#include "vm/tools/compare/options.h"
#include "vm/tools/compare/recorded_load.h"
#include "vm/tools/compare/report.h"
#include "vm/tools/compare/saved.h"
#include "vm/tools/compare/significance.h"
#include "vm/tools/compare/simulation.h"
#include "vm/tools/compare/timed_run.h"
#include "vm/tools/lab/modes.h"
#include "vm/tools/look/page_data.h"
#include "vm/tools/look/page_file.h"

namespace keyhole::compare {

namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

int fail(std::string_view problem, int exit_code = 1) {
  print_text(stderr, "keyhole: {}\n", problem);
  return exit_code;
}

// Checks whether the file can be written. Neither changes an existing file nor creates a new one. Returns an empty
// string, or the error. An empty path is no error.
std::string check_writable(const std::string& path) {
  if (path.empty()) return {};
  bool is_new = access(path.c_str(), F_OK) != 0;
  FILE* file = fopen(path.c_str(), "ae");
  if (file == nullptr) return fmt::format("cannot write {}: {}", path, strerror(errno));
  fclose(file);
  if (is_new) unlink(path.c_str());
  return {};
}

// A temporary folder, removed at the end of its scope.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code error;
    std::string pattern = (fs::temp_directory_path(error) / "keyhole-compare-XXXXXX").string();
    if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  bool exists() const { return !path_.empty(); }
  std::string file(std::string_view name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

// Parses the output of lock_statistics.cpp: " COUNT NAME meaning" for each counter that is not 0. Returns false if the
// output is from another mode.
bool parse_statistics(const std::string& text, std::string_view mode, LockStatistics& statistics) {
  if (!text.starts_with(fmt::format("Lock statistics, LockingMode={}:\n", mode))) return false;
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    u64 count;
    std::string name;
    words >> count >> name;
    if (name == "monitor_bytes") statistics.monitor_bytes = count;
    if (name == "element_bytes") statistics.element_bytes = count;
    for (u32 i = 0; i < lock_counter_count; ++i)
      if (lock_counter_names[i] == name) statistics.counters[i] = count;
  }
  return true;
}

// Returns why a mode does not run a program that other modes run. The reason is either the message of an exception, or
// the VM's message at startup. The VM prints that message to standard output, as HotSpot does.
std::string refusal_in(const std::string& output, const std::string& errors, int exit_code) {
  constexpr std::string_view no_start = "Error occurred during initialization of VM\n";
  std::istringstream lines(output.starts_with(no_start) ? output.substr(no_start.size()) : errors);
  std::string line, first;
  while (std::getline(lines, line)) {
    if (line.empty() || line.starts_with("NOTE: ") || line.starts_with("Picked up ")) continue;
    if (first.empty()) first = line;
    constexpr std::string_view exception = "UnsupportedOperationException: LockingMode=";
    if (usize at = line.find(exception); at != std::string::npos)
      return line.substr(at + exception.size() - std::string_view("LockingMode=").size());
    if (line.find("LockingMode=") != std::string::npos || line.find("UseObjectMonitorTable") != std::string::npos)
      return line;
  }
  return first.empty() ? fmt::format("exit code {}", exit_code) : fmt::format("{} (exit code {})", first, exit_code);
}

// Prints "round 3 of 7: cjm-by; about 12 s to go", but only on a terminal.
class Progress {
 public:
  explicit Progress(usize steps) : steps_(steps), is_shown_(isatty(STDERR_FILENO) == 1) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void step(std::string_view what) {
    usize done = done_++;
    if (!is_shown_) return;
    f64 seconds = std::chrono::duration<f64>(std::chrono::steady_clock::now() - begin_).count();
    std::string rest;
    if (done > 2 && done < steps_)
      rest = fmt::format("; about {:.0f} s to go", seconds / static_cast<f64>(done) * static_cast<f64>(steps_ - done));
    print_text(stderr, "\r\x1b[K{}{}", what, rest);
    fflush(stderr);
  }
  void clear() const {
    if (is_shown_) print_text(stderr, "\r\x1b[K");
  }

 private:
  usize steps_, done_ = 0;
  bool is_shown_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

class CompareLocks {
 public:
  explicit CompareLocks(const Options& options)
      : options_(options), modes_(options.modes.empty() ? lab::all_modes() : options.modes),
        runs_(runs_of(options, modes_)),
        progress_(1 + modes_.size() * ((1 + options.variants.size()) * (runs_ + options.recorded) +
                                       (options.simulated_cpus != 0 ? 2 : 0))) {
    executable_ = executable_path();
    comparison_.processors = std::thread::hardware_concurrency();
    for (const std::string& word : options.program)
      comparison_.command += (comparison_.command.empty() ? "" : " ") + word;
    for (const std::string& mode : modes_) {
      comparison_.modes.emplace_back().mode = mode;
      for (const Variant& variant : options.variants) {
        ModeFigures& figures = comparison_.modes.emplace_back();
        figures.mode = mode;
        figures.variant = variant.name;
        figures.flags = variant.flags;
      }
    }
    comparison_.base = comparison_.find("lightweight") != nullptr ? "lightweight" : modes_.front();
    if (options.hotspot) find_hotspot();
  }

  int run() {
    if (!folder_.exists()) return fail("cannot make a temporary folder");
    input_ = options_.input_file.empty() ? "/dev/null" : options_.input_file;
    for (const std::string* file : {&options_.json_file, &options_.csv_file, &options_.page_file}) {
      if (std::string problem = check_writable(*file); !problem.empty()) return fail(problem);
    }
    if (access(input_.c_str(), R_OK) != 0) return fail(fmt::format("cannot read {}: {}", input_, strerror(errno)));
    if (options_.simulated_cpus != 0 && access(replayer().c_str(), X_OK) != 0)
      return fail(fmt::format("there is no {}, which simulates: build the target lockreplay", replayer()));
    if (!options_.page_file.empty() && access(look::template_path().c_str(), R_OK) != 0)
      return fail(fmt::format("there is no {}: build the target look_page", look::template_path()));
    catch_interrupts();
    int exit_code = first_run();
    if (exit_code == 0) exit_code = rounds();
    if (exit_code == 0 && options_.recorded) exit_code = recorded_runs();
    if (exit_code == 0 && comparison_.simulation) exit_code = simulated_runs();
    progress_.clear();
    return exit_code == 0 ? report() : exit_code;
  }

 private:
  TimedRun child(const ModeFigures& mode, std::initializer_list<std::string> flags) {
    std::vector<std::string> words{executable_, "-XX:LockingMode=" + mode.mode};
    for (std::span<const std::string> more : {std::span(mode.flags), std::span(flags), std::span(options_.program)})
      words.insert(words.end(), more.begin(), more.end());
    return run_timed(words, input_, folder_.file("output"), folder_.file("errors"), options_.timeout);
  }
  static u32 runs_of(const Options& options, const std::vector<std::string>& modes) {
    if (options.runs != 0) return options.runs;
    return std::max(usual_runs, needed_runs(modes.size() * (1 + options.variants.size()) - 1));
  }

  // Returns the `java` of the JDK whose class library is used, if that JDK is HotSpot.
  void find_hotspot() {
    std::string library = find_library({});
    hotspot_ = library + "/bin/java";
    if (access(hotspot_.c_str(), X_OK) != 0 || access((library + "/lib/server/libjvm.so").c_str(), R_OK) != 0) return;
    comparison_.hotspot.emplace().mode = "HotSpot";
    comparison_.hotspot_version = fmt::format("HotSpot of {}", library);
  }
  int hotspot_run() {
    ModeFigures& figures = *comparison_.hotspot;
    if (!figures.refusal.empty()) return 0;
    std::vector<std::string> words{hotspot_};
    words.insert(words.end(), options_.program.begin(), options_.program.end());
    TimedRun run = run_timed(words, input_, folder_.file("output"), folder_.file("errors"), options_.timeout);
    if (!run.problem.empty()) return stopped(run);
    if (accept(figures, run)) figures.runs.push_back({run.wall_ms, run.cpu_ms, {}});
    return 0;
  }
  std::string over_time() const {
    bool is_deadlock = output().find("Java-level deadlock") != std::string::npos;
    return fmt::format("did not end within {} s{}", options_.timeout, is_deadlock ? ": a deadlock" : "");
  }
  std::string output() const { return read_file(folder_.file("output")); }
  std::string errors() const { return read_file(folder_.file("errors")); }
  int stopped(const TimedRun& run) {
    progress_.clear();
    return fail(run.problem, interrupted_by() != 0 ? 128 + interrupted_by() : 1);
  }

  // Runs the program in the base mode. If the program fails, its own messages are the only output of the comparison.
  int first_run() {
    progress_.step(fmt::format("first run, in {}", comparison_.base));
    TimedRun run = child(*comparison_.find(comparison_.base), {});
    if (!run.problem.empty()) return stopped(run);
    expected_ = output();
    if (run.exit_code == 0) return 0;
    progress_.clear();
    if (run.is_over_time) {
      print_text("{}", expected_);
      fflush(stdout);
      return fail(fmt::format("in {} the program {}: there is nothing to compare", comparison_.base, over_time()));
    }
    print_text("{}", expected_);
    fflush(stdout);
    print_text(stderr, "{}", errors());
    return fail(fmt::format("the program fails in {}, with exit code {}: there is nothing to compare", comparison_.base,
                            run.exit_code),
                run.exit_code);
  }

  int rounds() {
    BusyMachine machine;
    for (u32 round = 1; round <= runs_; ++round) {
      if (comparison_.hotspot) {
        if (int exit_code = hotspot_run(); exit_code != 0) return exit_code;
      }
      for (ModeFigures& mode : comparison_.modes) {
        progress_.step(fmt::format("round {} of {}: {}", round, runs_, mode.name()));
        if (!mode.refusal.empty()) continue;
        std::string file = folder_.file("statistics");
        TimedRun run = child(mode, {"-XX:LockStatisticsFile=" + file});
        if (!run.problem.empty()) return stopped(run);
        if (!accept(mode, run)) continue;
        LockStatistics statistics;
        if (!parse_statistics(read_file(file), mode.mode, statistics)) {
          mode.refusal = "another locking mode came into force: is one chosen in the environment?";
          continue;
        }
        mode.runs.push_back({run.wall_ms, run.cpu_ms, statistics});
      }
    }
    comparison_.share_of_others = machine.share_of_others();
    return 0;
  }

  int recorded_runs() {
    for (ModeFigures& mode : comparison_.modes) {
      progress_.step(fmt::format("recorded: {}", mode.name()));
      if (!mode.refusal.empty()) continue;
      std::string file = folder_.file("recording");
      bool is_load = options_.simulated_cpus != 0 && &mode == comparison_.find(comparison_.base);
      TimedRun run = child(mode, {"-XX:RecordEvents=locks,objects,threads", "-XX:StartRecording=" + file,
                                  "-XX:-RecordLockRuns"});  // records each acquisition
      if (!run.problem.empty()) return stopped(run);
      if (!accept(mode, run)) continue;
      std::string problem;
      mode.profile = profile_of(file, problem);
      if (is_load && problem.empty()) keep_load(file, problem);
      std::error_code ignored;
      fs::remove(file, ignored);
      if (problem.empty()) continue;
      progress_.clear();
      return fail(problem);
    }
    return 0;
  }

  void keep_load(const std::string& recording, std::string& problem) {
    LockLoad load = load_of(recording, comparison_.processors, problem);
    LockLoad::Sums sums = load.sums();
    f64 locks = static_cast<f64>(std::max<u64>(sums.locks, 1));
    comparison_.simulation = {.cpus = options_.simulated_cpus,
                              .threads = load.threads.size(),
                              .locks = sums.locks,
                              .objects = load.objects,
                              .inside_ns = static_cast<f64>(sums.inside) / locks,
                              .outside_ns = static_cast<f64>(sums.outside) / locks};
    std::ofstream(folder_.file("load"), std::ios::binary) << text_of(load);
  }
  int simulated_runs() {
    for (ModeFigures& mode : comparison_.modes) {
      if (!mode.refusal.empty() || !mode.variant.empty()) continue;
      SimulatedRuns& runs = mode.simulated.emplace();
      for (auto [cpus, run] : {std::pair(comparison_.processors, &runs.here), {options_.simulated_cpus, &runs.there}}) {
        progress_.step(fmt::format("simulated, {} CPUs: {}", cpus, mode.mode));
        std::vector<std::string> words{replayer(), folder_.file("load"), std::to_string(cpus), mode.mode};
        TimedRun replay = run_timed(words, "/dev/null", folder_.file("output"), folder_.file("errors"));
        if (!replay.problem.empty()) return stopped(replay);
        if (replay.exit_code == 0 && parse_replay(output(), mode.mode, *run)) continue;
        progress_.clear();
        return fail(fmt::format("{} fails: {}", replayer(), errors()));
      }
    }
    return 0;
  }

  // Adds a run to the figures. Returns false if the mode refuses to run this program.
  bool accept(ModeFigures& mode, const TimedRun& run) {
    if (run.exit_code != 0 || run.is_over_time) {
      mode.is_over_time = run.is_over_time;
      mode.refusal = run.is_over_time ? over_time() : refusal_in(output(), errors(), run.exit_code);
      mode.runs.clear();
      return false;
    }
    if (output() != expected_) mode.output_differs = true;
    return true;
  }

  int report() {
    std::string text = report_as_text(comparison_);
    bool failed = false, differs = false;
    for (const ModeFigures& mode : comparison_.modes) {
      // A mode that says in its message that it does not support such programs or these flags has refused, not failed.
      failed |= !mode.refusal.empty() && mode.refusal.find("LockingMode=") == std::string::npos &&
                mode.refusal.find("UseObjectMonitorTable") == std::string::npos;
      differs |= mode.output_differs;
    }
    print_text("{}", text);
    fflush(stdout);
    if (!options_.json_file.empty()) {
      std::ofstream file(options_.json_file, std::ios::binary);
      file << report_as_json(comparison_);
      file.close();
      if (!file) return fail(fmt::format("cannot write {}", options_.json_file));
    }
    if (!options_.csv_file.empty()) {
      std::ofstream file(options_.csv_file, std::ios::binary);
      file << report_as_csv(comparison_);
      file.close();
      if (!file) return fail(fmt::format("cannot write {}", options_.csv_file));
    }
    if (!options_.page_file.empty()) {
      look::PageData data = look::page_data_of_comparison(report_as_json(comparison_));
      if (std::string problem = look::write_page({&data, 1}, options_.page_file); !problem.empty())
        return fail(problem);
    }
    if (failed) return fail("the program fails in a mode that should run it");
    if (differs && !options_.any_output) return fail("the output differs from run to run; say --any-output if it may");
    return 0;
  }

  const Options& options_;
  std::vector<std::string> modes_;
  u32 runs_;
  Progress progress_;
  TemporaryFolder folder_;
  std::string executable_, hotspot_, input_, expected_;
  Comparison comparison_;
};

// Checks the program's command line. Returns an empty string, or the reason why it does not start a program.
std::string check_program(const ProgramCommand& line, bool& is_shown) {
  is_shown = false;
  if (!line.is_valid) {
    is_shown = true;
    print_text("{}", line.output);
    fflush(stdout);
    return line.error;
  }
  if (!line.starts_program) return "--compare-locks needs a program to run";
  for (const std::string& argument : line.vm_arguments) {
    if (std::string problem = check_flag(argument); !problem.empty()) return problem;
  }
  return {};
}

}  // namespace

int compare_locks(std::span<char*> words, ReadProgramCommand read) {
  Options options;
  if (std::string problem = parse_options(words, options); !problem.empty())
    return fail(fmt::format("{}\n\n{}", problem, usage));
  if (options.help) {
    print_text("{}", usage);
    return 0;
  }
  if (!options.saved.empty()) return compare_saved(options.saved.front(), options.saved.back());
  if (options.program.empty()) return fail(fmt::format("--compare-locks needs a program to run\n\n{}", usage));
  bool is_shown;
  if (std::string problem = check_program(read(options.program), is_shown); !problem.empty()) {
    if (!is_shown) return fail(problem);
    print_text(stderr, "{}", problem);
    return 1;
  }
  return CompareLocks(options).run();
}

}  // namespace keyhole::compare
