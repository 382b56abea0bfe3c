// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests exploration of small programs of strands, without Java: known numbers of schedules, both engines, races,
// tokens.
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <set>

#include "runtime/base/controlled/strands.h"
#include "vm/tools/explore/dpor.h"
#include "vm/tools/explore/engine.h"
#include "vm/tools/explore/kinds.h"
#include "vm/tools/explore/profile.h"
#include "vm/tools/explore/races.h"
#include "vm/tools/explore/search.h"
#include "vm/tools/explore/token.h"

namespace keyhole::explore {
namespace {

using controlled::Kind;
using controlled::Monitor;
using controlled::Operation;

// The state of the explored programs. Each execution is a new process, so it begins with the initial values.
struct Shared {
  int running = 0;
  int value = 0;
  Monitor locks[4];
} shared;

void step(Kind kind, const void* location, u64 place, const Monitor* needed = nullptr) {
  Operation operation{.kind = kind, .location = reinterpret_cast<u64>(location), .place = place};
  if (controlled::stop_before(operation, needed)) controlled::go_on();
  controlled::record(operation);
}

using Body = void (*)(u64 number);
Body body_of_test = nullptr;

void* run_body(void* number) {
  body_of_test(reinterpret_cast<u64>(number));
  if (--shared.running == 0) controlled::wake(&shared.running, 1);
  return nullptr;
}

// Returns a program that starts strands, waits for all of them, and exits with the shared value.
std::function<void()> program(Body body, u64 strands) {
  return [body, strands] {
    body_of_test = body;
    controlled::explore();
    shared.running = static_cast<int>(strands);
    for (u64 i = 0; i < strands; ++i) controlled::start(run_body, reinterpret_cast<void*>(i), 64 * 1024);
    while (shared.running != 0) controlled::sleep_on(&shared.running, -1);
    _exit(shared.value);
  };
}

struct Result {
  u64 schedules = 0;
  std::set<int> exit_codes;
  std::set<u64> kinds;
  bool is_complete = false;
  std::vector<u64> hashes;
  u64 stuck = 0;
};

Result explore_all(Engine::Kind kind, Body body, u64 strands, u32 bound = Bounded::unlimited) {
  Engine engine(kind, false, program(body, strands));
  Bounded bounded(bound);
  Schedule schedule;
  Result result;
  while (bounded.next(schedule)) {
    const Execution& execution = engine.run(schedule);
    bool is_stuck = execution.outcome.load() == Outcome::stuck;
    EXPECT_TRUE(is_stuck || execution.outcome.load() == Outcome::ended) << execution.text;
    bool has_new_place = false;
    find_races(execution, [&](u64 place) { has_new_place |= engine.add_place(place); });
    if (has_new_place) {
      bounded.restart();
      result = {};
      continue;
    }
    result.stuck += is_stuck;
    if (!is_stuck) result.exit_codes.insert(execution.exit_code);
    result.kinds.insert(kind_of(execution));
    result.hashes.push_back(hash_of(execution, execution.event_count));
    bounded.learn(execution);
  }
  result.schedules = bounded.executed();
  result.is_complete = bounded.is_complete();
  return result;
}

template <int writes> void write_volatile(u64) {
  for (int i = 0; i < writes; ++i) step(Kind::volatile_write, &shared.value, 1);
}

// Two strands, each with its begin and k writes, have C(2k + 2, k + 1) orders.
TEST(Explore, CountsInterleavings) {
  EXPECT_EQ(explore_all(Engine::Kind::fork, write_volatile<0>, 2).schedules, 2);
  EXPECT_EQ(explore_all(Engine::Kind::fork, write_volatile<1>, 2).schedules, 6);
  Result two = explore_all(Engine::Kind::fork, write_volatile<2>, 2);
  EXPECT_EQ(two.schedules, 20);
  EXPECT_TRUE(two.is_complete);
  EXPECT_EQ(two.kinds.size(), 6);  // the four writes alone have C(4, 2) orders
  EXPECT_EQ(std::set(two.hashes.begin(), two.hashes.end()).size(), 20);
}

TEST(Explore, BoundsPreemptions) {
  Result none = explore_all(Engine::Kind::fork, write_volatile<2>, 2, 0);
  EXPECT_EQ(none.schedules, 2);  // one strand after the other
  EXPECT_FALSE(none.is_complete);
  // With one preemption there are six schedules. Either strand begins, and is preempted before its first write, before
  // its second, or not at all.
  EXPECT_EQ(explore_all(Engine::Kind::fork, write_volatile<2>, 2, 1).schedules, 6);
}

// When n strands acquire one lock, there are n! orders, and no two of them count as equivalent schedules.
void lock_once(u64 number) {
  Monitor& lock = shared.locks[0];
  step(Kind::enter, &lock, 1, &lock);
  lock.owner = controlled::current();
  shared.value = shared.value * 4 + static_cast<int>(number);
  controlled::note({.kind = Kind::exit, .location = reinterpret_cast<u64>(&lock), .place = 2});
  lock.owner = Monitor::nobody;
}
TEST(Explore, OrdersOfALock) {
  Result result = explore_all(Engine::Kind::fork, lock_once, 3);
  EXPECT_EQ(result.exit_codes.size(), 6);
  EXPECT_EQ(result.kinds.size(), 6);
  EXPECT_EQ(result.stuck, 0);
}

// A data race: each strand reads the value, and later writes it increased by one. Some schedule loses an update.
void increment(u64) {
  step(Kind::read, &shared.value, 1);
  int read = shared.value;
  step(Kind::write, &shared.value, 2);
  shared.value = read + 1;
}
TEST(Explore, FindsALostUpdate) {
  EXPECT_EQ(explore_all(Engine::Kind::fork, increment, 2).exit_codes, (std::set{1, 2}));
}

TEST(Explore, EnginesAgree) {
  for (auto [body, strands] : {std::pair<Body, u64>{write_volatile<2>, 2}, {lock_once, 3}, {increment, 2}}) {
    Result fork = explore_all(Engine::Kind::fork, body, strands);
    Result rerun = explore_all(Engine::Kind::rerun, body, strands);
    Result pages = explore_all(Engine::Kind::pages, body, strands);
    EXPECT_EQ(fork.hashes, rerun.hashes);
    EXPECT_EQ(fork.hashes, pages.hashes);
    EXPECT_EQ(fork.exit_codes, pages.exit_codes);
  }
}

// Each execution allocates, maps, unmaps and prints. The next execution must find no effects of the previous one.
void use_memory(u64 number) {
  static std::vector<int>* numbers = new std::vector<int>;
  step(Kind::volatile_write, numbers, 1);
  for (int i = 0; i < 50'000; ++i) numbers->push_back(i);
  void* mapping = mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  bool is_zero = mapping != MAP_FAILED && static_cast<int*>(mapping)[1000] == 0;
  static_cast<int*>(mapping)[1000] = 1;
  if (number == 0) munmap(mapping, 1 << 20);
  step(Kind::volatile_write, numbers, 2);
  dprintf(STDOUT_FILENO, "%d", static_cast<int>(number));
  shared.value += numbers->size() == 50'000 * (is_zero ? 1 : 0) ? 1 : 2;
}
TEST(Explore, PagesAreRolledBack) {
  if (!PageServer::is_possible()) GTEST_SKIP() << "the kernel, or a sanitizer, rules the page engine out";
  for (Engine::Kind kind : {Engine::Kind::fork, Engine::Kind::pages}) {
    Engine engine(kind, false, program(use_memory, 2));
    engine.verify_rollbacks();
    for (u64 seed = 1; seed <= 60; ++seed) {
      const Execution& execution = engine.run({.policy = Policy::random, .seed = seed});
      ASSERT_EQ(execution.outcome.load(), Outcome::ended) << execution.text;
      ASSERT_TRUE(execution.exit_code == 3 || execution.exit_code == 4) << execution.exit_code;
      ASSERT_EQ(engine.output().size(), 2);
    }
    EXPECT_EQ(engine.kind(), kind) << engine.refused_call();
  }
}

// Creates a pipe in the kernel. An engine of kind `pages` cannot roll this back, so it becomes an engine of kind `fork`
// and executes the schedule again.
void make_pipe(u64) {
  step(Kind::volatile_write, &shared.value, 1);
  int ends[2];
  if (pipe(ends) == 0) shared.value += 1;
}
TEST(Explore, PagesRefuseWhatTheyCannotRollBack) {
  if (!PageServer::is_possible()) GTEST_SKIP() << "the kernel, or a sanitizer, rules the page engine out";
  Result pages = explore_all(Engine::Kind::pages, make_pipe, 2);
  EXPECT_EQ(pages.hashes, explore_all(Engine::Kind::fork, make_pipe, 2).hashes);
  EXPECT_EQ(pages.exit_codes, std::set{2});
}

// An execution that crashes ends its process, and the next one has a new process.
void crash_at_times(u64 number) {
  step(Kind::volatile_write, &shared.value, 1);
  shared.value = shared.value * 2 + static_cast<int>(number) + 1;
  if (shared.value == 4) abort();
}
TEST(Explore, PagesOutliveCrashes) {
  if (!PageServer::is_possible()) GTEST_SKIP() << "the kernel, or a sanitizer, rules the page engine out";
  Engine engine(Engine::Kind::pages, false, program(crash_at_times, 2));
  u32 crashes = 0;
  for (u64 seed = 1; seed <= 20; ++seed) {
    const Execution& execution = engine.run({.policy = Policy::random, .seed = seed});
    if (execution.outcome.load() == Outcome::failed) ++crashes;
    else EXPECT_EQ(execution.exit_code, 5);
  }
  EXPECT_GT(crashes, 0);
  EXPECT_LT(crashes, 20);
}

// Each execution maps memory at the same address. If strand 1 comes first, the execution writes to the first page of
// that memory. With `always_guards` every execution first makes this page a guard page, so the write must crash. The
// test would fail if a rollback lifted the protection and the engine did not protect the page again. Without
// `always_guards` an execution protects the page only if strand 0 comes first, so the write must succeed. The test
// would fail if the protection of an earlier execution outlived the rollback.
template <bool always_guards> void use_guard(u64 number) {
  constexpr usize bytes = 16 * 4096;
  step(Kind::volatile_write, &shared.value, 1);
  shared.value = shared.value * 2 + static_cast<int>(number) + 1;
  bool is_second = shared.value >= 4, is_reversed = shared.value == 5;
  if (!is_second) return;
  void* mapping = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char* page = static_cast<char*>(mapping);
  if ((always_guards || !is_reversed) && mprotect(page, 4096, PROT_NONE) != 0) _exit(9);
  page[4096] = 1;
  if (is_reversed) *static_cast<volatile char*>(page) = 1;
}
TEST(Explore, GuardPagesStayGuards) {
  if (!PageServer::is_possible()) GTEST_SKIP() << "the kernel, or a sanitizer, rules the page engine out";
  for (bool always : {true, false}) {
    Engine engine(Engine::Kind::pages, false, program(always ? use_guard<true> : use_guard<false>, 2));
    engine.verify_rollbacks();
    std::map<int, u32> outcomes;
    for (u64 seed = 1; seed <= 40; ++seed) {
      const Execution& execution = engine.run({.policy = Policy::random, .seed = seed});
      bool has_failed = execution.outcome.load() == Outcome::failed;
      ++outcomes[has_failed ? -1 : execution.exit_code];
      if (has_failed) EXPECT_STREQ(execution.text, "the VM ended by signal 11");
    }
    EXPECT_EQ(outcomes.size(), 2);
    EXPECT_GT(outcomes[4], 0);
    EXPECT_GT(outcomes[always ? -1 : 5], 0);
    EXPECT_EQ(engine.kind(), Engine::Kind::pages) << engine.refused_call();
  }
}

// The program writes more pages than the engine can roll back, or makes more mappings than the kernel allows. Then the
// execution's outcome must be `exhausted`, not a wrong result.
template <usize pages, usize distance> void write_pages(u64 number) {
  step(Kind::volatile_write, &shared.value, 1);
  if (number != 0) return;
  void* mapping = mmap(nullptr, pages * distance * 4096, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  for (usize i = 0; i < pages; ++i) static_cast<char*>(mapping)[i * distance * 4096] = 1;
}
std::string text_of_first_run(Engine::Kind kind, std::function<void()> program) {
  Engine engine(kind, false, std::move(program));
  const Execution& execution = engine.run({});
  EXPECT_EQ(execution.outcome.load(), Outcome::exhausted);
  return execution.text;
}
TEST(Explore, LimitsOfPagesEndInASentence) {
  if (!PageServer::is_possible()) GTEST_SKIP() << "the kernel, or a sanitizer, rules the page engine out";
  constexpr usize most = MemoryImage::max_hot;
  EXPECT_EQ(text_of_first_run(Engine::Kind::pages, program(write_pages<most + 100, 1>, 2)),
            "out of memory: a schedule changes more than 65536 pages; --rollback=fork has no such limit");
  u64 most_mappings = 0;
  FILE* file = fopen("/proc/sys/vm/max_map_count", "r");
  if (file == nullptr || fscanf(file, "%lu", &most_mappings) != 1 || most_mappings > most) most_mappings = 0;
  if (file != nullptr) fclose(file);
  if (most_mappings == 0) GTEST_SKIP() << "the kernel gives more mappings than the image keeps pages";
  EXPECT_EQ(text_of_first_run(Engine::Kind::pages, program(write_pages<most - 20'000, 2>, 2)),
            "out of memory or mappings (vm.max_map_count); --rollback=fork has no such limit");
}

// From here on no process can be started.
void refuse_processes() {
  sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 2, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fork, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAGAIN)};
  sock_fprog filter{std::size(code), code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) _exit(8);
}
TEST(Explore, FailedForksEndInASentence) {
  auto run = program(increment, 2);
  EXPECT_EQ(text_of_first_run(Engine::Kind::fork,
                              [run] {
                                refuse_processes();
                                run();
                              }),
            "cannot start a process: Resource temporarily unavailable");
  // If an engine cannot start even its first process, it must report that. The test covers each kind of engine.
  for (Engine::Kind kind : {Engine::Kind::rerun, Engine::Kind::fork, Engine::Kind::pages}) {
    pid_t child = fork();
    if (child == 0) {
      refuse_processes();
      _exit(text_of_first_run(kind, run) == "cannot start a process: Resource temporarily unavailable" ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
}

// The increments under a lock do not race, so no access becomes a choice of the schedule.
void increment_locked(u64) {
  Monitor& lock = shared.locks[0];
  step(Kind::enter, &lock, 3, &lock);
  lock.owner = controlled::current();
  increment(0);
  controlled::note({.kind = Kind::exit, .location = reinterpret_cast<u64>(&lock), .place = 4});
  lock.owner = Monitor::nobody;
}
TEST(Explore, LockedAccessesDoNotRace) {
  Result result = explore_all(Engine::Kind::fork, increment_locked, 2);
  EXPECT_EQ(result.exit_codes, std::set{2});
  Engine engine(Engine::Kind::fork, false, program(increment_locked, 2));
  u32 races = 0;
  find_races(engine.run({}), [&](u64) { ++races; });
  EXPECT_EQ(races, 0);
}

// Two strands acquire two locks in opposite orders, so some schedules deadlock and some do not.
void lock_both(u64 number) {
  for (u64 i : {number, 1 - number}) {
    step(Kind::enter, &shared.locks[i], 1, &shared.locks[i]);
    shared.locks[i].owner = controlled::current();
  }
  for (Monitor& lock : shared.locks)
    if (lock.owner == controlled::current()) lock.owner = Monitor::nobody;
}
TEST(Explore, FindsADeadlock) {
  Result result = explore_all(Engine::Kind::fork, lock_both, 2);
  EXPECT_GT(result.stuck, 0);
  EXPECT_GT(result.schedules, result.stuck);
}

// Two strands sleep for hours. The strand whose sleep ends earlier wakes first, and no real time passes.
void sleep_long(u64 number) {
  static int key[2];
  controlled::sleep_on(&key[number], static_cast<i64>(2 - number) * 3'600'000'000'000);
  shared.value = shared.value * 4 + static_cast<int>(number) + 1;
}
TEST(Explore, TimePassesWhenNobodyCanGoOn) {
  EXPECT_EQ(explore_all(Engine::Kind::fork, sleep_long, 2).exit_codes, std::set{2 * 4 + 1});
}

// --- dynamic partial-order reduction ---------------------------------------------------------------------------------

Result reduce(Body body, u64 strands, Engine::Kind kind = Engine::Kind::fork) {
  Engine engine(kind, false, program(body, strands));
  Dpor dpor;
  Schedule schedule;
  Result result;
  while (dpor.next(schedule)) {
    const Execution& execution = engine.run(schedule);
    Outcome outcome = execution.outcome.load();
    EXPECT_TRUE(outcome == Outcome::stuck || outcome == Outcome::ended || outcome == Outcome::redundant)
        << execution.text;
    result.stuck += outcome == Outcome::stuck;
    if (outcome == Outcome::ended) result.exit_codes.insert(execution.exit_code);
    if (outcome != Outcome::redundant) result.kinds.insert(kind_of(execution));
    dpor.learn(execution);
  }
  result.schedules = dpor.executed();
  result.is_complete = dpor.is_complete();
  return result;
}

void read_or_write(u64 number) { step(number == 0 ? Kind::write : Kind::read, &shared.value, 1); }
void lock_own(u64 number) {
  Monitor& lock = shared.locks[number];
  step(Kind::enter, &lock, 1, &lock);
  lock.owner = controlled::current();
  controlled::note({.kind = Kind::exit, .location = reinterpret_cast<u64>(&lock), .place = 2});
  lock.owner = Monitor::nobody;
}

TEST(Explore, ReducesToKnownNumbers) {
  EXPECT_EQ(reduce(write_volatile<1>, 2).schedules, 2);  // C(2k, k)
  EXPECT_EQ(reduce(write_volatile<2>, 2).schedules, 6);
  EXPECT_EQ(reduce(write_volatile<3>, 2).schedules, 20);
  EXPECT_EQ(reduce(write_volatile<4>, 2).schedules, 70);
  EXPECT_EQ(reduce(write_volatile<1>, 4).schedules, 24);  // 4!
  EXPECT_EQ(reduce(read_or_write, 4).schedules, 8);       // each of 3 reads comes before or after the write: 2^3
  EXPECT_EQ(reduce(lock_once, 3).schedules, 6);           // 3!
  EXPECT_EQ(reduce(lock_own, 4).schedules, 1);
  Result lost = reduce(increment, 2);
  EXPECT_TRUE(lost.is_complete);
  EXPECT_EQ(lost.exit_codes, (std::set{1, 2}));
  EXPECT_GT(reduce(lock_both, 2).stuck, 0);
}

// The search compares locations of different executions, so an address must mean the same location in the processes of
// all executions.
int* on_heap = nullptr;
void write_on_heap(u64) {
  for (int i = 0; i < 3; ++i) step(Kind::volatile_write, on_heap, 1);
}
TEST(Explore, ReducesInEveryEngine) {
  for (Engine::Kind kind : {Engine::Kind::fork, Engine::Kind::pages, Engine::Kind::rerun}) {
    auto run = program(write_on_heap, 2);
    Engine engine(kind, false, [&run] {
      on_heap = new int[1000];
      run();
    });
    Dpor dpor;
    Schedule schedule;
    std::set<u64> locations;
    std::vector<std::unique_ptr<char[]>> ballast;  // moves the allocations of later executions to other addresses
    while (dpor.next(schedule)) {
      const Execution& execution = engine.run(schedule);
      for (u32 i = 0; i < execution.event_count; ++i)
        if (execution.events[i].kind == Kind::volatile_write) locations.insert(execution.events[i].location);
      dpor.learn(execution);
      for (int i = 0; i < 20; ++i) ballast.push_back(std::make_unique<char[]>(4000));
    }
    EXPECT_EQ(locations.size(), 1);
    EXPECT_EQ(dpor.executed(), 20);
    EXPECT_TRUE(dpor.is_complete());
  }
}

// Random programs: the search finds exactly the orders that all interleavings have. Without locks, the search finds
// each order once.
struct RandomOperation {
  int location;
  bool writes, locks;
};
std::vector<RandomOperation> random_program[3];
void run_random(u64 number) {
  static int variables[3];
  for (const RandomOperation& operation : random_program[number]) {
    Monitor& lock = shared.locks[0];
    if (operation.locks) {
      step(Kind::enter, &lock, 9, &lock);
      lock.owner = controlled::current();
    }
    int& variable = variables[operation.location];
    step(operation.writes ? Kind::volatile_write : Kind::volatile_read, &variable, number);
    if (operation.writes) variable = variable * 3 + static_cast<int>(number) + 1;
    else shared.value = (shared.value * 5 + variable + static_cast<int>(number)) % 251;
    if (operation.locks) {
      controlled::note({.kind = Kind::exit, .location = reinterpret_cast<u64>(&lock), .place = 8});
      lock.owner = Monitor::nobody;
    }
  }
}
TEST(Explore, ReductionKeepsEveryOrder) {
  u64 state = 12345;
  auto random = [&state](u64 below) {
    state = state * 6364136223846793005 + 1442695040888963407;
    return (state >> 33) % below;
  };
  for (int round = 0; round < 12; ++round) {
    u64 strands = round % 4 == 0 ? 3 : 2;
    for (u64 strand = 0; strand < strands; ++strand) {
      random_program[strand].clear();
      for (u64 i = 0; i < (strands == 3 ? 1 : 3); ++i)
        random_program[strand].push_back(
            {static_cast<int>(random(2)), random(2) == 0, round % 2 == 1 && random(4) == 0});
    }
    Result all = explore_all(Engine::Kind::fork, run_random, strands);
    Result reduced = reduce(run_random, strands);
    EXPECT_EQ(reduced.kinds, all.kinds) << "round " << round;
    EXPECT_GE(reduced.schedules, reduced.kinds.size()) << "round " << round;
    if (round % 2 == 0) EXPECT_EQ(reduced.schedules, reduced.kinds.size()) << "round " << round;
  }
}

// --- samplers --------------------------------------------------------------------------------------------------------

// A weighted draw chooses each strand in proportion to its remaining operations on one location, so all orders of these
// operations are equally likely. A draw that chooses each strand with the same probability finds the two orders without
// a switch four times as often as the others.
TEST(Explore, WeightsMakeOrdersEquallyLikely) {
  Engine engine(Engine::fastest(), false, program(write_volatile<2>, 2));
  Profile profile(engine.run({}));
  constexpr u32 draws = 600;
  auto count = [&](auto make_schedule) {
    std::map<u64, u32> counts;
    for (u64 seed = 1; seed <= draws; ++seed) ++counts[kind_of(engine.run(make_schedule(seed)))];
    EXPECT_EQ(counts.size(), 6);
    std::set<u32> sorted;
    for (auto [kind, times] : counts) sorted.insert(times);
    return std::pair{*sorted.begin(), *sorted.rbegin()};
  };
  ASSERT_GT(profile.focuses(), 1);
  auto [least, most] = count([&](u64 seed) { return profile.schedule(seed * profile.focuses()); });
  EXPECT_GT(least, 65);  // the expected count is 100, with a standard deviation of 9
  EXPECT_LT(most, 135);
  EXPECT_GT(count([](u64 seed) { return Schedule{.policy = Policy::random, .seed = seed}; }).second, 140);
}

// Strand 0 first writes elsewhere, and then to the variable; strand 1 writes to the variable once. A schedule by
// priorities of operations lets strand 1 write last in about one of ten schedules. A random choice before each
// operation would do so in one of hundreds.
void write_after_others(u64 number) {
  static int others[8];
  for (int i = 0; number == 0 && i < 8; ++i) step(Kind::volatile_write, &others[i], 10);
  step(Kind::volatile_write, &shared.value, 11);
  shared.value = static_cast<int>(number) + 1;
}
TEST(Explore, PrioritiesOfOperationsReachFarOrders) {
  Engine engine(Engine::fastest(), false, program(write_after_others, 2));
  auto lasts = [&](Policy policy) {
    u32 count = 0;
    for (u64 seed = 1; seed <= 400; ++seed) count += engine.run({.policy = policy, .seed = seed}).exit_code == 2;
    return count;
  };
  EXPECT_GT(lasts(Policy::partial_order), 25);
  EXPECT_LT(lasts(Policy::random), 15);
}

TEST(Explore, RandomSchedulesHaveScripts) {
  for (Policy policy : {Policy::random, Policy::priority, Policy::partial_order, Policy::weighted}) {
    for (u64 seed = 1; seed <= 10; ++seed) {
      Engine engine(Engine::Kind::fork, false, program(write_volatile<3>, 3));
      const Execution& execution = engine.run({.policy = policy, .seed = seed, .depth = 3, .length = 12});
      std::vector<Step> script = script_of(execution);
      u64 hash = hash_of(execution, execution.event_count);
      const Execution& again = engine.run({.steps = script});
      EXPECT_EQ(again.outcome.load(), Outcome::ended) << again.text;
      EXPECT_EQ(hash_of(again, again.event_count), hash);
    }
  }
}

// Draws at random estimate how likely the next draw is a schedule of a new kind. A schedule of a systematic search does
// not count as a draw, and its kind does not count as a new kind.
TEST(Explore, EstimatesByDraws) {
  Kinds kinds;
  for (u64 kind = 0; kind < 100; ++kind) kinds.add(kind, false);
  EXPECT_EQ(kinds.draws(), 0);
  EXPECT_EQ(kinds.drawn_once(), 0);
  kinds.add(7, true);
  kinds.add(200, true);
  kinds.add(201, true);
  kinds.add(201, true);
  EXPECT_EQ(kinds.draws(), 4);
  EXPECT_EQ(kinds.drawn_once(), 1);
  kinds.add(200, false);
  EXPECT_EQ(kinds.drawn_once(), 0);
  EXPECT_EQ(kinds.count(), 102);
}

TEST(Explore, TokensRepeatAndRefuse) {
  std::string text;
  {
    Engine engine(Engine::Kind::fork, false, program(write_volatile<3>, 2));
    text = token_text(engine.run({.policy = Policy::random, .seed = 5}));
  }
  Token token;
  ASSERT_EQ(read_token(text, token), "");
  {
    Engine engine(Engine::Kind::rerun, false, program(write_volatile<3>, 2));
    EXPECT_EQ(compare_with(token, engine.run(token.schedule)), "");
  }
  Engine fastest(Engine::fastest(), false, program(write_volatile<3>, 2));
  for (int i = 0; i < 100; ++i) ASSERT_EQ(compare_with(token, fastest.run(token.schedule)), "") << i;
  Engine other(Engine::Kind::rerun, false, program(increment, 2));
  EXPECT_NE(compare_with(token, other.run(token.schedule)), "");
  for (const char* wrong : {"", "keyhole schedule 2\nend 1 0\n", "keyhole schedule 1\n",
                            "keyhole schedule 1\nat x\nend 1 0\n", "keyhole schedule 1\nend 1 0\nat 1 0 main 0\n"}) {
    Token refused;
    EXPECT_NE(read_token(wrong, refused), "") << wrong;
  }
}

}  // namespace
}  // namespace keyhole::explore
