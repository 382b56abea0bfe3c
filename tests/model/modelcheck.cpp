// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// modelcheck: runs scenarios over algorithms in the checked world, checks that mutants are caught, and replays
// findings.
//
//   modelcheck --all                                    everything; the last line is "N passed, M failed"
//   modelcheck --list                                   algorithms, mutants, scenarios
//   modelcheck --algorithm NAME [--scenario NAME]       one algorithm; prints the script of an execution that fails
//   modelcheck --mutant NAME [--scenario NAME]          one mutant; prints the script of an execution that fails
//   modelcheck --variant NAME [--scenario NAME]         one variant of the monitors' successor hint (--algorithm takes
//                                                       these names too), with the script of how it strands a thread
//   modelcheck --protocol NAME                          parking, safepoints, gangs, compiling...: all checks of one, or
//                                                       one check
//   modelcheck --algorithm NAME --scenario NAME --replay SCHEDULE
//   --layout tiny                                       over 4-byte headers: the algorithms that leave them in place.
//                                                       (All others: over 8 bytes.)
//   modelcheck --pictures [--algorithm NAME]            compares the picture of each lock with the lock, at each step
//   ... --tell FILE                                     and writes the pictures of each execution as JSON lines
//   --states N, --preemptions N                         limits of the search
//   --load OBJECT                                       instead of the algorithms above: a lock outside the VM, made by
//                                                       `keyhole lock` (runtime/sync/lab). Ends at the first finding
//
// lockcheck is this program without algorithms and mutants; it is used with --load.
//
// The checker over 4-byte headers is another executable beside this one, modelcheck-tiny (runtime/object/layout.h);
// --all runs both.
#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include "bench/command.h"
#include "runtime/base/check.h"
#include "runtime/base/platform/checked_explorer.h"
#include "tests/model/picture_check.h"
#include "tests/model/protocol_check.h"
#include "tests/model/scenario.h"
#include "tests/model/subject.h"

namespace keyhole::model {

std::vector<Subject>& subjects() {
  static std::vector<Subject> all;
  return all;
}
std::vector<Protocol>& protocols() {
  static std::vector<Protocol> all;
  return all;
}

namespace {

struct Options {
  bool all = false, list = false, pictures = false;
  std::string algorithm, scenario, mutant, variant, protocol, replay, tell, load, file;
  checked::Limits limits;
};

// The beginning of the command that repeats a finding.
constexpr const char* again = layout::can_displace ? "modelcheck" : "modelcheck --layout tiny";

std::string executable_of(std::string_view layout) {
  std::error_code error;
  std::filesystem::path executable = std::filesystem::read_symlink("/proc/self/exe", error);
  return executable.replace_filename(layout == "tiny" ? "modelcheck-tiny" : "modelcheck").string();
}

// A program with more states than this limit is explored further only with stores that reach memory at once.
constexpr u64 most_states_to_one_preemption = 400'000;

// The work for one line of the report.
struct Job {
  const Subject* subject;
  // The scenario is null if the job is a mutant or a successor variant: such a job runs all suitable scenarios until
  // one finds an error.
  const Scenario* scenario;
  // The protocol is null if the job is about a subject.
  const Protocol* protocol = nullptr;
  // The check is null if the protocol is a mutant: such a job runs all checks until one finds an error.
  const ProtocolCheck* check = nullptr;
};

bool expects_finding(const Subject& subject) { return subject.is_mutant || subject.strands; }
std::string_view option_of(const Subject& subject) {
  return subject.is_mutant ? "mutant" : subject.is_successor_variant ? "variant" : "algorithm";
}

std::string bound_text(const checked::Report& report) {
  if (report.bound == checked::Report::unbounded) return "all interleavings";
  if (report.bound_at_once == 0) return fmt::format("up to {} preemptions", report.bound);
  return fmt::format("up to {} preemptions, {} with stores at once", report.bound, report.bound_at_once);
}

void print_finding(const Subject& subject, const Scenario& scenario, const checked::Finding& finding,
                   const Options& options) {
  fmt::print("{}   {}\n", finding.script, finding.what);
  if (finding.what.contains("not deterministic"))
    fmt::print("   Usually it reads memory that nothing has initialised, or a variable outside the core.\n");
  if (!options.load.empty()) {
    fmt::print("   {} {} with {} preemptions. Again: keyhole lock check {} --scenario {}\n", subject.name,
               scenario.name, finding.preemptions, options.file, scenario.name);
    return;
  }
  fmt::print("   {} {} with {} preemptions. Again: {} --{} {} --scenario {} --replay {}\n", subject.name, scenario.name,
             finding.preemptions, again, option_of(subject), subject.name, scenario.name, finding.schedule);
}

bool fits(const Scenario& scenario, const Subject& subject, const LockUnderTest& lock) {
  if (subject.is_successor_variant && !scenario.tells_successor_variants) return false;
  if (subject.has_virtual_threads() && !scenario.for_virtual_threads) return false;
  if (scenario.needs_restriction && !lock.sets_aside()) return false;
  return !scenario.needs_monitors || lock.has_monitors();
}

checked::Limits limits_of(const Protocol& protocol, const Options& options) {
  checked::Limits limits = options.limits;
  if (protocol.states != 0 && limits.states == checked::Limits{}.states) limits.states = protocol.states;
  return limits;
}

bool run_protocol_mutant(const Protocol& mutant, const Options& options, bool verbose) {
  auto begin = std::chrono::steady_clock::now();
  u64 states = 0;
  for (const ProtocolCheck& check : mutant.checks) {
    if (!options.scenario.empty() && check.name != options.scenario) continue;
    std::unique_ptr<checked::Program> program = check.make();
    checked::Report report = checked::explore(*program, limits_of(mutant, options));
    states += report.states;
    if (!report.finding) continue;
    fmt::print("ok     {:<26} {:<20} {:>9} states  with {} preemptions: {}  {:.1f} s\n", mutant.name, check.name,
               states, report.finding->preemptions, report.finding->what,
               std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    if (verbose) {
      fmt::print("{}   Again: modelcheck --mutant {} --scenario {} --replay {}\n", report.finding->script, mutant.name,
                 check.name, report.finding->schedule);
    }
    return true;
  }
  fmt::print("FAILED {:<26} {:<20} {:>9} states  nothing found  {:.1f} s\n", mutant.name, "", states,
             std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  return false;
}

bool run_check(const Protocol& protocol, const ProtocolCheck& check, const Options& options) {
  auto begin = std::chrono::steady_clock::now();
  std::unique_ptr<checked::Program> program = check.make();
  checked::Report report = checked::explore(*program, limits_of(protocol, options));
  fmt::print("{} {:<26} {:<20} {:>9} states {:>9} executions  {:<22} {:6.1f} s\n", report.finding ? "FAILED" : "ok    ",
             check.name, "", report.states, report.executions, report.finding ? "" : bound_text(report),
             std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  if (report.finding)
    fmt::print("{}   Again: modelcheck --protocol {} --replay {}\n", report.finding->script, check.name,
               report.finding->schedule);
  return !report.finding;
}

// Returns the program of a scenario. Returns null if --pictures is given and the algorithm has no pictures.
std::unique_ptr<checked::Program> program_of(const Subject& subject, const Scenario& scenario, LockUnderTest& lock,
                                             const Options& options) {
  if (!options.pictures && !subject.compares_pictures) return subject.make_program(scenario, lock);
  return subject.has_virtual_threads() ? nullptr : make_picture_program(subject.of, scenario, lock);
}

// Runs a job and prints its line. Returns whether the result is the expected one.
bool run_job(const Job& job, const Options& options, bool verbose) {
  if (job.check != nullptr) return run_check(*job.protocol, *job.check, options);
  if (job.protocol != nullptr) return run_protocol_mutant(*job.protocol, options, verbose);
  std::unique_ptr<LockUnderTest> lock = job.subject->make();
  auto begin = std::chrono::steady_clock::now();
  auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  if (job.scenario != nullptr) {
    std::unique_ptr<checked::Program> program = program_of(*job.subject, *job.scenario, *lock, options);
    checked::Limits limits = options.limits;
    if (limits.states == checked::Limits{}.states) {
      limits.states_to_one_preemption = most_states_to_one_preemption;
      if (job.subject->has_virtual_threads()) limits.states_to_one_preemption *= 3;  // because carriers take steps, too
      limits.wanted_preemptions = 2;
    }
    checked::Report report = checked::explore(*program, limits);
    fmt::print("{} {:<26} {:<20} {:>9} states {:>9} executions  {:<22} {:6.1f} s\n",
               report.finding ? "FAILED" : "ok    ", job.subject->name, job.scenario->name, report.states,
               report.executions, report.finding ? "" : bound_text(report), seconds());
    if (report.finding) print_finding(*job.subject, *job.scenario, *report.finding, options);
    return !report.finding;
  }
  const bool expected = expects_finding(*job.subject);
  u64 states = 0;
  std::string bounds;
  for (const Scenario& scenario : all_scenarios()) {
    if (!fits(scenario, *job.subject, *lock) || (!options.scenario.empty() && scenario.name != options.scenario))
      continue;
    std::unique_ptr<checked::Program> program = program_of(*job.subject, scenario, *lock, options);
    checked::Limits limits = options.limits;
    limits.stores_at_once |= job.subject->compares_pictures;
    checked::Report report = checked::explore(*program, limits);
    states += report.states;
    bounds += fmt::format("; {}: {}", scenario.name, bound_text(report));
    if (!report.finding) continue;
    fmt::print("{} {:<26} {:<20} {:>9} states  with {} preemptions: {}  {:.1f} s\n", expected ? "ok    " : "FAILED",
               job.subject->name, scenario.name, states, report.finding->preemptions, report.finding->what, seconds());
    if (verbose || !expected) print_finding(*job.subject, scenario, *report.finding, options);
    return expected;
  }
  fmt::print("{} {:<26} {:<20} {:>9} states  nothing found{}  {:.1f} s\n", expected ? "FAILED" : "ok    ",
             job.subject->name, "", states, bounds, seconds());
  return !expected;
}

struct Totals {
  u32 passed = 0, failed = 0;
};

// Runs the executable that is built for 4-byte headers. Adds the totals of its last line, and shows its other lines.
void run_other_layout(const Options& options, Totals& totals) {
  fmt::print("over 4-byte headers:\n");
  fflush(stdout);
  FILE* output = popen(fmt::format("'{}' --all --states {} --preemptions {}", executable_of("tiny"),
                                   options.limits.states, options.limits.preemptions)
                           .c_str(),
                       "r");
  char line[4096];
  u32 passed = 0, failed = 0;
  bool counted = false;
  while (output != nullptr && fgets(line, sizeof line, output) != nullptr) {
    counted = sscanf(line, "%u passed, %u failed", &passed, &failed) == 2;
    if (!counted) fmt::print("{}", line);
  }
  if (output != nullptr) pclose(output);
  totals.passed += passed;
  totals.failed += counted ? failed : 1;
  if (!counted) fmt::print("FAILED modelcheck-tiny did not come to its end\n");
}

// Runs each job in a process of its own, because a mutant may do anything to its process. As many processes run at a
// time as there are processors.
int run_all(const std::vector<Job>& jobs, const Options& options) {
  long processors = std::max(1L, sysconf(_SC_NPROCESSORS_ONLN));
  struct Running {
    pid_t pid;
    FILE* output;
  };
  Totals totals;
  std::vector<Running> running;
  bench::Progress progress(jobs.size());
  // Shows each job's result as soon as the job ends, because some jobs take a minute.
  auto reap = [&] {
    int status = 0;
    pid_t ended = waitpid(-1, &status, 0);
    auto found = std::find_if(running.begin(), running.end(), [&](const Running& each) { return each.pid == ended; });
    if (found == running.end()) return;
    Running finished = *found;
    running.erase(found);
    progress.clear();
    rewind(finished.output);
    char buffer[4096];
    for (usize bytes; (bytes = fread(buffer, 1, sizeof buffer, finished.output)) != 0;)
      fwrite(buffer, 1, bytes, stdout);
    fclose(finished.output);
    bool good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!WIFEXITED(status)) fmt::print("FAILED the process ended by signal {}\n", WTERMSIG(status));
    ++(good ? totals.passed : totals.failed);
    fflush(stdout);
  };
  for (const Job& job : jobs) {
    if (running.size() == static_cast<usize>(processors)) reap();
    if (!options.load.empty() && totals.failed != 0) break;
    fflush(stdout);
    FILE* output = tmpfile();
    if (output == nullptr) {
      fmt::print(stderr, "no temporary file\n");
      return 2;
    }
    pid_t pid = fork();
    if (pid == 0) {
      dup2(fileno(output), STDOUT_FILENO);
      bool good = run_job(job, options, false);
      fflush(stdout);
      _exit(good ? 0 : 1);
    }
    running.push_back({pid, output});
    progress.show(totals.passed + totals.failed, fmt::format("{} at a time", processors));
  }
  while (!running.empty()) reap();
  if (options.all && layout::can_displace) run_other_layout(options, totals);
  fmt::print("{} passed, {} failed\n", totals.passed, totals.failed);
  return totals.failed == 0 ? 0 : 1;
}

int usage(FILE* out = stderr, int exit_code = 2) {
  fmt::print(out,
             "usage: modelcheck --all | --list | [--algorithm NAME | --mutant NAME | --variant NAME | --protocol NAME] "
             "[--scenario NAME] [--layout tiny] [--replay SCHEDULE] [--states N] [--preemptions N]\n");
  return exit_code;
}

// Opens a shared object, whose subjects replace those of this program. Returns an error, or an empty string.
std::string load(const std::string& object) {
  subjects().clear();
  protocols().clear();
  if (dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) return dlerror();
  if (subjects().empty()) return fmt::format("{} has no lock for the model checker", object);
  return {};
}

int list() {
  std::string_view kind;
  for (const Subject& subject : subjects()) {
    if (option_of(subject) != kind) fmt::print("{}s\n", kind = option_of(subject));
    fmt::print("  {:<40} {}{}\n", subject.name, subject.what, subject.strands ? " (strands threads)" : "");
  }
  fmt::print("protocols\n");
  for (const Protocol& protocol : protocols()) {
    fmt::print("  {:<40} {}{}\n", protocol.name, protocol.is_mutant ? "mutant: " : "", protocol.what);
    for (const ProtocolCheck& check : protocol.checks) {
      if (!protocol.is_mutant) fmt::print("    {:<38} {}\n", check.name, check.what);
    }
  }
  fmt::print("scenarios\n");
  for (const Scenario& scenario : all_scenarios()) fmt::print("  {:<24} {}\n", scenario.name, scenario.what);
  return 0;
}

}  // namespace

int run(int count, char** arguments) {
  Options options;
  std::string_view headers = layout::name;
  for (int i = 1; i < count; ++i) {
    std::string_view name = arguments[i];
    if (name == "--help") return usage(stdout, 0);
    if (name == "--all") options.all = true;
    else if (name == "--pictures") options.pictures = options.limits.stores_at_once = true;
    else if (name == "--list") options.list = true;
    else if (i + 1 == count) return usage();
    else if (name == "--algorithm") options.algorithm = arguments[++i];
    else if (name == "--scenario") options.scenario = arguments[++i];
    else if (name == "--mutant") options.mutant = arguments[++i];
    else if (name == "--variant") options.variant = arguments[++i];
    else if (name == "--tell") options.tell = arguments[++i];
    else if (name == "--protocol") options.protocol = arguments[++i];
    else if (name == "--replay") options.replay = arguments[++i];
    else if (name == "--layout") headers = arguments[++i];
    else if (name == "--load") options.load = arguments[++i];
    else if (name == "--file") options.file = arguments[++i];
    else if (name == "--states") options.limits.states = strtoull(arguments[++i], nullptr, 10);
    else if (name == "--preemptions")
      options.limits.preemptions = static_cast<u32>(strtoul(arguments[++i], nullptr, 10));
    else return usage();
  }
  if (headers != "compact" && headers != "tiny") return usage();
  if (headers != layout::name) {
    std::string executable = executable_of(headers);
    execv(executable.c_str(), arguments);
    fmt::print(stderr, "{}: {}\n", executable, strerror(errno));
    return 2;
  }
  if (!options.load.empty()) {
    if (std::string complaint = load(options.load); !complaint.empty()) {
      fmt::print(stderr, "{}\n", complaint);
      return 2;
    }
  }
  std::sort(subjects().begin(), subjects().end(), [](const Subject& a, const Subject& b) {
    return std::tuple(a.is_mutant, a.is_successor_variant, a.name) <
           std::tuple(b.is_mutant, b.is_successor_variant, b.name);
  });
  std::sort(protocols().begin(), protocols().end(), [](const Protocol& a, const Protocol& b) {
    return std::tuple(a.is_mutant, a.name) < std::tuple(b.is_mutant, b.name);
  });
  // A failed assertion in the code under test is reported like any other finding, with a script.
  check_failed_hook = [](const char* message) { CheckedMachine::fail(message); };
  if (options.list) return list();

  std::vector<Job> jobs;
  for (const Subject& subject : subjects()) {
    const std::string& wanted = subject.is_mutant                                           ? options.mutant
                                : subject.is_successor_variant && options.algorithm.empty() ? options.variant
                                                                                            : options.algorithm;
    bool names_one =
        !options.algorithm.empty() || !options.mutant.empty() || !options.variant.empty() || !options.protocol.empty();
    const bool names_all = options.pictures || !options.scenario.empty();
    bool chosen = options.all || !options.load.empty() ||
                  (names_one ? subject.name == wanted : names_all && option_of(subject) == "algorithm");
    if (!chosen) continue;
    if (option_of(subject) != "algorithm") {
      jobs.push_back({&subject, nullptr});
      continue;
    }
    std::unique_ptr<LockUnderTest> lock = subject.make();
    if (program_of(subject, all_scenarios()[0], *lock, options) == nullptr) continue;
    for (const Scenario& scenario : all_scenarios()) {
      if (fits(scenario, subject, *lock) && (options.scenario.empty() || scenario.name == options.scenario))
        jobs.push_back({&subject, &scenario});
    }
  }
  const bool replays = !options.replay.empty();
  for (const Protocol& protocol : protocols()) {
    if (protocol.is_mutant && !replays) {
      if (options.all || protocol.name == options.mutant) jobs.push_back({nullptr, nullptr, &protocol});
      continue;
    }
    for (const ProtocolCheck& check : protocol.checks) {
      bool chosen = protocol.is_mutant
                        ? protocol.name == options.mutant && check.name == options.scenario
                        : options.all || protocol.name == options.protocol || check.name == options.protocol;
      if (chosen) jobs.push_back({nullptr, nullptr, &protocol, &check});
    }
  }
  if (jobs.empty() && !options.load.empty()) {
    fmt::print(stderr, "keyhole lock: there is no scenario {}.\n", options.scenario);
    return 2;
  }
  if (jobs.empty()) return usage();
  if (!options.tell.empty()) {
    FILE* out = fopen(options.tell.c_str(), "we");
    if (out == nullptr || jobs.size() != 1) return usage();
    tell_executions(out);
    bool good = run_job(jobs[0], options, true);
    return fclose(out) == 0 && good ? 0 : 1;
  }

  if (replays && jobs[0].check != nullptr) {
    std::unique_ptr<checked::Program> program = jobs[0].check->make();
    checked::Finding finding = checked::replay(*program, options.replay);
    fmt::print("{}", finding.script);
    return finding.what.empty() ? 0 : 1;
  }
  if (replays) {
    const Scenario* scenario = nullptr;
    for (const Scenario& each : all_scenarios()) {
      if (each.name == options.scenario) scenario = &each;
    }
    if (scenario == nullptr) return usage();
    std::unique_ptr<LockUnderTest> lock = jobs[0].subject->make();
    std::unique_ptr<checked::Program> program = program_of(*jobs[0].subject, *scenario, *lock, options);
    checked::Finding finding = checked::replay(*program, options.replay);
    fmt::print("{}", finding.script);
    return finding.what.empty() ? 0 : 1;
  }
  if (jobs.size() == 1) return run_job(jobs[0], options, true) ? 0 : 1;
  return run_all(jobs, options);
}

}  // namespace keyhole::model

int main(int count, char** arguments) { return keyhole::model::run(count, arguments); }
