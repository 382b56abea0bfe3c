// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Executes litmus tests in all schedules: a process for each schedule, which the partial-order reduction chooses.
//
// This file includes the sources under test. CMakeLists.txt compiles it once as it is, and once for each mutant, with
// an edited copy of one of these sources. All objects are linked into one test, so CMakeLists.txt defines the names of
// the two namespaces, `controlled` and `explore`, as other names in each.
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sstream>

#include "runtime/base/controlled/oracle.cpp"           // NOLINT(bugprone-suspicious-include)
#include "runtime/base/controlled/store_buffers.cpp"    // NOLINT(bugprone-suspicious-include)
#include "runtime/base/controlled/strands.cpp"          // NOLINT(bugprone-suspicious-include)
#include "runtime/base/controlled/write_histories.cpp"  // NOLINT(bugprone-suspicious-include)
#include "tests/vm/tools/memory_models/litmus.h"
#include "vm/tools/explore/dpor.cpp"   // NOLINT(bugprone-suspicious-include)
#include "vm/tools/explore/races.cpp"  // NOLINT(bugprone-suspicious-include)

namespace keyhole::explore {

namespace {

using controlled::Monitor;
using controlled::Operation;

constexpr u32 most_schedules = 3000, most_threads = 4, most_loads = 8, most_seconds = 10;

// In memory that the processes share.
struct Shared {
  Execution execution;
  u32 loads[most_threads];
  int loaded[most_threads][most_loads];
};
Shared* shared = nullptr;

// --- the process of one schedule -------------------------------------------------------------------------------------

std::vector<std::string> programs[most_threads];
int variables[128];  // by their letter
Monitor monitor;
int running = 0;

u32 perform(Operation operation, const Monitor* needed = nullptr) {
  if (controlled::stop_before(operation, needed)) controlled::go_on();
  if (controlled::enters_buffer(operation)) operation.kind = Kind::store;
  u32 event = controlled::record(operation);
  if (controlled::writes(operation.kind) && !row(operation.kind).is_choice)
    controlled::buffer_store(operation, event, sizeof(int));
  return event;
}
void drain() {
  if (controlled::must_drain()) perform({.kind = Kind::drain});
}

// The kind of a plain or volatile access, or of one with a mode: "x", "X=1", "xo", "xr=1".
Kind kind_of_access(const std::string& word, bool stores) {
  char mode = isupper(word[0]) != 0 ? 'v' : word.size() > 1 ? word[1] : '=';
  switch (mode) {
    case 'o': return stores ? Kind::opaque_write : Kind::opaque_read;
    case 'v': return stores ? Kind::volatile_write : Kind::volatile_read;
    case 'a': return Kind::acquire_read;
    case 'r': return Kind::release_write;
    default: return stores ? Kind::write : Kind::read;
  }
}

void execute_step(u64 number, u64 place, const std::string& word) {
  int& variable = variables[static_cast<usize>(word[0])];
  bool stores = word.size() >= 3;
  bool is_fence = word == "|" || word == "<" || word == ">";
  auto on = [place](Kind kind, const int* location) {
    u64 address = reinterpret_cast<u64>(location);
    return Operation{.kind = kind, .location = address, .place = place, .holder = address, .bytes = sizeof(int)};
  };
  auto load = [&] { shared->loaded[number][shared->loads[number]++] = variable; };
  if (is_fence && controlled::has_histories()) {
    perform({.kind = word == "|" ? Kind::full_fence : word == "<" ? Kind::acquire_fence : Kind::release_fence});
  } else if (is_fence) {
    drain();
  } else if (word == "(") {
    perform({.kind = Kind::enter, .location = reinterpret_cast<u64>(&monitor), .place = place}, &monitor);
    monitor.owner = controlled::current();
  } else if (word == ")") {
    drain();
    controlled::note({.kind = Kind::exit, .location = reinterpret_cast<u64>(&monitor), .place = place});
    monitor.owner = Monitor::nobody;
  } else if (word == "x+") {
    perform(on(Kind::update, &variable));
    load();
    ++variable;
  } else if (stores) {
    perform(on(kind_of_access(word, true), &variable));
    variable = word.back() - '0';
  } else {
    perform(on(kind_of_access(word, false), &variable));
    load();
  }
}

void* run_thread(void* argument) {
  u64 number = reinterpret_cast<u64>(argument);
  for (usize i = 0; i < programs[number].size(); ++i) execute_step(number, 1 + number * 100 + i, programs[number][i]);
  drain();
  if (--running == 0) controlled::wake(&running, 1);
  return nullptr;
}

[[noreturn]] void run_program(u32 threads) {
  alarm(most_seconds);
  controlled::begin(&shared->execution);
  controlled::explore();
  running = static_cast<int>(threads);
  for (u64 i = 0; i < threads; ++i) controlled::start(run_thread, reinterpret_cast<void*>(i), 64 * 1024);
  while (running != 0) controlled::sleep_on(&running, -1);
  shared->execution.outcome.store(Outcome::ended);
  _exit(0);
}

// --- the process of the test -----------------------------------------------------------------------------------------

std::string outcome_of(u32 threads) {
  std::string text;
  for (u32 i = 0; i < threads; ++i)
    for (u32 k = 0; k < shared->loads[i]; ++k) text += (text.empty() ? "" : " ") + std::to_string(shared->loaded[i][k]);
  return text;
}

void prepare(const Schedule& schedule, controlled::Memory memory) {
  Execution& request = shared->execution;
  request.policy = schedule.policy;
  request.is_reduced = schedule.is_reduced;
  request.memory = memory;
  request.step_count = static_cast<u32>(schedule.steps.size());
  std::ranges::copy(schedule.steps, request.steps);
  request.sleeper_count = static_cast<u32>(schedule.sleepers.size());
  std::ranges::copy(schedule.sleepers, request.sleepers);
  request.outcome.store(Outcome::running);
  request.event_count = request.choice_count = request.strand_count = 0;
  std::ranges::fill(shared->loads, 0);
}

bool add_place(u64 place) {
  Execution& request = shared->execution;
  if (has_place(request, place)) return false;
  u64 slot = controlled::slot_of_place(place);
  while (request.places[slot] != 0) slot = (slot + 1) % controlled::place_slots;
  request.places[slot] = place;
  return true;
}

// Executes the schedule. Returns the empty string, or how the execution failed.
std::string run(const Schedule& schedule, u32 threads, controlled::Memory memory) {
  prepare(schedule, memory);
  pid_t process = fork();
  if (process == 0) run_program(threads);
  int status = 0;
  waitpid(process, &status, 0);
  if (WIFSIGNALED(status)) return "a schedule ends by signal " + std::to_string(WTERMSIG(status));
  Outcome outcome = shared->execution.outcome.load();
  if (outcome == Outcome::ended || outcome == Outcome::redundant) return {};
  return "a schedule has the outcome " + std::to_string(static_cast<int>(outcome));
}

litmus::Result explore_all(const litmus::Threads& threads, litmus::Model model) {
  controlled::Memory memory_model = model == litmus::Model::java ? controlled::Memory::jmm : controlled::Memory::tso;
  void* memory =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return {.outcomes = {}, .problem = "no memory"};
  shared = new (memory) Shared;
  u32 count = static_cast<u32>(threads.size());
  for (u32 i = 0; i < count; ++i) {
    std::istringstream words(threads[i]);
    programs[i].clear();
    for (std::string word; words >> word;) programs[i].push_back(word);
  }
  litmus::Result result;
  Dpor dpor;
  Schedule schedule;
  u32 schedules = 0;
  while (result.problem.empty() && dpor.next(schedule)) {
    result.problem = ++schedules > most_schedules ? "too many schedules" : run(schedule, count, memory_model);
    if (!result.problem.empty()) break;
    const Execution& execution = shared->execution;
    if (execution.outcome.load() == Outcome::ended) result.outcomes.insert(outcome_of(count));
    bool has_new_place = false;
    find_races(execution, [&](u64 place) { has_new_place |= add_place(place); });
    // As in Explorer::search_reduced: stores at the new place enter buffers, or have a history, from now on.
    if (has_new_place) dpor = Dpor();
    else dpor.learn(execution);
  }
  if (result.problem.empty() && !dpor.is_complete()) result.problem = "the search is not complete";
  munmap(memory, sizeof(Shared));
  return result;
}

#ifdef KEYHOLE_MODEL_MUTANT
constexpr litmus::Subject subject{KEYHOLE_MODEL_MUTANT, KEYHOLE_MODEL_MUTANT_WHAT, explore_all};
#else
constexpr litmus::Subject subject{"original", "", explore_all};
#endif
[[maybe_unused]] const bool is_registered = (litmus::subjects().push_back(subject), true);

}  // namespace

}  // namespace keyhole::explore
