// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The settings of ObjectMonitors: which thread gets a free lock, how long a thread spins, and the protocol of the
// successor hint.
//
//   succession     exit                                                                  queue
//   competitive    frees the lock, wakes one; the woken thread competes                  FIFO wake-up, unbounded bypass
//   direct         makes the longest waiter the owner; no thread can come in between     FIFO
//   bypass         competitive until a waiter is starving, then direct                   bounded bypass
//   quantum        competitive; a heavily contended lock is handed over after each       bounded bypass
//                  quantum (monitor_quantum.h); -XX:+MonitorTurns
//   adaptive       competitive or quantum, whichever is faster at this monitor now       that of the current regime
//                  (regime.h)
//
// A monitor takes its settings from a policy, a type with `static settings()`. The model checker and benchmarks use
// FixedPolicy<settings>, from which the compiler drops unused variants. The VM uses FlagPolicy, which is filled once at
// start. Only slow paths read settings.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "runtime/base/types.h"
#include "runtime/sync/flag_defaults.h"
#include "runtime/sync/monitor/quantum.h"
#include "runtime/sync/monitor/regime.h"

namespace keyhole::sync {

enum class Succession : u8 { competitive, direct, bypass, quantum, adaptive };

// The rules for setting and clearing the successor hint. A hint is cleared late if it stays set from a thread's first
// spin until just before that thread parks.
struct SuccessorRules {
  u32 extra_spins = 0;  // the number of additional rounds that a thread spins before it queues
  bool clears_late = false;
  // With clears_late: whether a thread, after it has cleared its hint, fences and tries once more to take the lock
  // before it parks. Without this last attempt it can stay asleep beside a free lock.
  bool looks_again = true;
  // Whether a spinner also clears the successor hint at each of its safepoint polls, so that another spinner can set
  // the hint.
  bool clears_while_spinning = false;
  bool fences_while_spinning = false;  // whether a spinner fences after it has cleared the successor hint at a poll
  bool overwrites = false;             // whether a spinner also replaces another thread's successor hint
  // Whether a thread clears the successor hint by CAS, and fences only if the CAS succeeds.
  bool clears_by_cas = false;
};

struct MonitorSettings {
  static constexpr i32 adaptive = -1;

  Succession succession = Succession::competitive;
  bool restrict_concurrency = false;
  // The number of times that a thread reads the owner, with a PAUSE after each read, before it parks; or `adaptive`.
  i32 spin_pauses = adaptive;
  i64 patience_nanoseconds = flag_defaults::ImpatienceMicros * 1000;  // for Succession::bypass
  // The time until a waiter is starving under restricted concurrency. It is longer than patience_nanoseconds, because
  // restricted concurrency keeps waiters asleep for long on purpose, and all of them would be starving otherwise.
  i64 culled_patience_nanoseconds = flag_defaults::SetAsideMicros * 1000;
  // Under restricted concurrency, one exit in this many, on average, wakes the longest waiter although no waiter is
  // starving.
  u64 wakes_per_promotion = 1000;
  SuccessorRules successor;
  // The settings for Succession::quantum. probes_of_free_lock is larger than in cjm-by, because a holder may leave the
  // monitor free for as long as it takes to enter another monitor. retakes_of_heavily_contended_lock is smaller,
  // because at a retake an exit may have woken the successor in vain (monitor_quantum.h M9).
  QuantumSettings quantum = {.probes_of_free_lock = 12, .retakes_of_heavily_contended_lock = 3};
  RegimeSettings regimes = {};  // for Succession::adaptive
};

template <MonitorSettings chosen> struct FixedPolicy {
  static constexpr const MonitorSettings& settings() { return chosen; }
};

// The settings of all monitors of the VM. Written once at start, before a second thread exists.
inline MonitorSettings monitor_settings;
inline bool monitors_initialized = false;  // whether the selected algorithm has read the settings
struct FlagPolicy {
  static const MonitorSettings& settings() { return monitor_settings; }
};

// A variant of the successor hint's protocol. The variants follow experiments in HotSpot, each of them described in a
// single sentence. If the sentence can be read in several ways, there is a variant for each reading.
struct SuccessorVariant {
  std::string_view name;  // of -XX:SuccessorVariant=
  bool strands;           // whether this variant can leave a thread asleep beside a free lock
  std::string_view sentence;
  SuccessorRules rules;
};
inline constexpr SuccessorVariant successor_variants[] = {
    {"base", false, "set by a spinner if nobody has; cleared after each spin, then a fence and one more try", {}},
    {"v3", false, "base with one more round of spinning before a thread queues", {.extra_spins = 1}},
    {"v4",
     true,
     "v3, cleared only after the last spin, just before parking",
     {.extra_spins = 1, .clears_late = true, .looks_again = false}},
    {"v4-checked", false, "v4, then a fence and one more try before parking", {.extra_spins = 1, .clears_late = true}},
    {"v5",
     false,
     "v3, cleared also now and then while spinning, without a fence",
     {.extra_spins = 1, .clears_while_spinning = true}},
    {"v5-fenced",
     false,
     "v5 with a fence each time",
     {.extra_spins = 1, .clears_while_spinning = true, .fences_while_spinning = true}},
    {"v5-late",
     true,
     "v4-checked, cleared also now and then while spinning: nothing comes between the last of these and parking but "
     "loads",
     {.extra_spins = 1, .clears_late = true, .clears_while_spinning = true}},
    {"v5-late-fenced",
     false,
     "v5-late with a fence each time",
     {.extra_spins = 1, .clears_late = true, .clears_while_spinning = true, .fences_while_spinning = true}},
    {"v6",
     true,
     "v4, set by each spinner whoever has set it before",
     {.extra_spins = 1, .clears_late = true, .looks_again = false, .overwrites = true}},
    {"v6-checked",
     false,
     "v4-checked, set by each spinner",
     {.extra_spins = 1, .clears_late = true, .overwrites = true}},
    {"v6-early", false, "v3, set by each spinner", {.extra_spins = 1, .overwrites = true}},
    {"v7",
     true,
     "v6, cleared by CAS, a fence only where that succeeds",
     {.extra_spins = 1, .clears_late = true, .looks_again = false, .overwrites = true, .clears_by_cas = true}},
    {"v7-checked",
     false,
     "v6-checked, cleared by CAS, a fence only where that succeeds",
     {.extra_spins = 1, .clears_late = true, .overwrites = true, .clears_by_cas = true}},
};
constexpr const SuccessorVariant* find_successor_variant(std::string_view name) {
  for (const SuccessorVariant& variant : successor_variants) {
    if (variant.name == name) return &variant;
  }
  return nullptr;
}
// The settings of a variant, for instances such as FixedPolicy<settings_of_variant("v4")>.
constexpr MonitorSettings settings_of_variant(std::string_view name) {
  return {.successor = find_successor_variant(name)->rules};
}

// Reads -XX:Succession, RestrictConcurrency, SpinPauses, ImpatienceMicros, SuccessorVariant into monitor_settings.
// Returns the empty string, or the reason for a refusal. Called by algorithms that have monitors.
std::string initialize_monitors();
// Called by algorithms without monitors. Returns the empty string, or a message that names a flag which needs monitors.
std::string refuse_monitor_flags(std::string_view algorithm);
// Finds the succession that -XX:Succession=`name` selects. Returns false if there is no succession of this name.
bool find_succession(std::string_view name, Succession* found);

}  // namespace keyhole::sync
