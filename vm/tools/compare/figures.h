// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The figures of --compare-locks for each locking mode and each variant of flags. They come from the timed runs and
// from one recorded run.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/threads/lock_counters.h"

namespace keyhole::compare {

// The output of -XX:+PrintLockStatistics.
struct LockStatistics {
  std::array<u64, lock_counter_count> counters{};
  u64 monitor_bytes = 0, element_bytes = 0;

  u64 of(LockCounter counter) const { return counters[static_cast<u32>(counter)]; }
  u64 bytes() const { return monitor_bytes + element_bytes; }
};

struct Run {
  f64 wall_ms, cpu_ms;
  LockStatistics statistics;
};

struct HotObject {
  u32 number = 0;  // the object's number in its recording
  std::string class_name;
  std::string site;  // the source line where the object was locked most often
  u64 enters = 0, contended = 0;
  i64 waited_ns = 0;        // total time that all threads waited for this object
  u32 threads = 0;          // threads that took it
  std::optional<f64> jain;  // Jain's index (recording/competition.h); empty: no two threads competed
};

// Figures of the class whose objects were locked most often, over all its objects.
struct HotClass {
  std::string name;
  u64 enters = 0, objects = 0;
};

// One recorded run.
struct LockProfile {
  u64 enters = 0, contended = 0, waits = 0;
  u64 futile_wake_ups = 0;                // futile wake-ups: the thread slept again in the same operation
  std::map<std::string, u64> inflations;  // by cause
  std::vector<i64> waited_ns;             // wait times of all contended enters, ascending
  std::vector<HotObject> hot;             // the hottest first
  HotClass hot_class;

  // A quantile: the wait time that this share of the contended enters did not exceed. 0 if there were no contended
  // enters.
  i64 waited_at(f64 share) const {
    if (waited_ns.empty()) return 0;
    return waited_ns[std::min(waited_ns.size() - 1, static_cast<usize>(share * static_cast<f64>(waited_ns.size())))];
  }
};

// The load is recorded in the base mode. This is the result of replaying the load in another mode on the simulated
// machine.
struct SimulatedRun {
  enum class End : u8 { done, stuck, unknown };  // unknown: the simulator does not implement this mode
  End end = End::unknown;
  i64 nanoseconds = 0;
  std::array<u64, lock_counter_count> counters{};

  bool is_done() const { return end == End::done; }
  u64 of(LockCounter counter) const { return counters[static_cast<u32>(counter)]; }
};
struct SimulatedRuns {
  // `here` simulates the number of CPUs of this machine, `there` the number of CPUs that the user asks for.
  SimulatedRun here, there;
};

struct ModeFigures {
  std::string mode;                // -XX:LockingMode=
  std::string variant;             // empty: none
  std::vector<std::string> flags;  // the variant's
  // if not empty: the reason why this mode does not run the program; it then has no figures
  std::string refusal;
  bool output_differs = false;
  bool is_over_time = false;  // `refusal` says that a run exceeded --timeout
  std::vector<Run> runs;
  std::optional<LockProfile> profile;
  std::optional<SimulatedRuns> simulated;

  // Returns the name of the mode as text: "cjm-by", or "cjm-by with turns".
  std::string name() const { return variant.empty() ? mode : mode + " with " + variant; }
  bool has_run() const { return refusal.empty() && !runs.empty(); }
  std::vector<f64> wall() const;
  std::vector<f64> cpu() const;
  // The medians of the counters over all runs.
  LockStatistics statistics() const;
  // Returns the number of lock acquisitions. It comes from the recorded run. Without a recorded run, it is the number
  // of operations that left the fast path.
  u64 enters() const { return profile ? profile->enters : statistics().of(LockCounter::slow_enters); }
};

struct Simulation {  // the recorded load, the same for all modes
  u32 cpus = 0;      // requested by the user
  u64 threads = 0, locks = 0, objects = 0;
  f64 inside_ns = 0, outside_ns = 0;  // average work for each lock
};

struct Comparison {
  std::string command;  // the user's command, without options of the comparison
  std::string base;     // the mode with which the others are compared
  u32 processors = 0;
  std::vector<ModeFigures> modes;
  std::optional<ModeFigures> hotspot;  // another VM (HotSpot): has only times, no counters and no conclusions
  std::string hotspot_version;         // "HotSpot 17.0.15"
  std::optional<f64> share_of_others;  // share of the processors' time that other processes used during the rounds
  std::optional<Simulation> simulation;

  const ModeFigures* find(std::string_view mode) const;  // finds the figures of a mode without a variant
};

}  // namespace keyhole::compare
