// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the settings of monitors from the flags, and refuses some combinations.
#include "runtime/sync/monitor/monitor_settings.h"

#include <fmt/format.h>

#include "runtime/base/flags.h"

namespace keyhole::sync {

bool find_succession(std::string_view name, Succession* found) {
  if (name == "competitive") *found = Succession::competitive;
  else if (name == "direct") *found = Succession::direct;
  else if (name == "bypass") *found = Succession::bypass;
  else if (name == "adaptive") *found = Succession::adaptive;
  else return false;
  return true;
}

// Chooses the settings for -XX:+MonitorTurns and Succession=adaptive. Returns the empty string, or a message that
// refuses a flag which is incompatible with quanta.
static std::string choose_quantum(MonitorSettings& chosen, const SuccessorVariant& variant) {
  auto refuse = [](std::string_view flag, std::string_view reason) {
    return fmt::format("{} does not go with {}: {}", flags::MonitorTurns ? "MonitorTurns" : "Succession=adaptive", flag,
                       reason);
  };
  if (flags::MonitorTurns && chosen.succession != Succession::competitive)
    return refuse("Succession=" + flags::Succession, "sharing by quanta is a succession of its own.");
  if (flags::RestrictConcurrency)
    return refuse(
        "RestrictConcurrency",
        "everybody in the queue sleeps but the oldest, and that one sleeps, too, while the monitor is heavily "
        "contended.");
  if (variant.name != "base")
    return refuse("SuccessorVariant=" + flags::SuccessorVariant, "nobody who spins sets the successor hint.");
  if (flags::MonitorTurns) chosen.succession = Succession::quantum;
  chosen.quantum.quantum_nanoseconds = flags::LockTurnMicros * 1000;
  chosen.quantum.patience_nanoseconds = flags::ImpatienceMicros * 1000;
  return {};
}

std::string initialize_monitors() {
  MonitorSettings chosen;
  if (!flags::Succession.empty() && !find_succession(flags::Succession, &chosen.succession))
    return fmt::format("Succession={} is not one of competitive, direct, bypass, adaptive.", flags::Succession);

  const SuccessorVariant* variant = find_successor_variant(flags::SuccessorVariant);
  if (variant == nullptr) {
    std::string names;
    for (const SuccessorVariant& known : successor_variants)
      names += fmt::format("{}{}", names.empty() ? "" : ", ", known.name);
    return fmt::format("SuccessorVariant={} is not one of {}.", flags::SuccessorVariant, names);
  }
  if (chosen.succession == Succession::direct && variant->name != "base")
    return fmt::format(
        "SuccessorVariant={} needs a lock that is competed for: under Succession=direct each exit names the next "
        "owner, and "
        "nobody sets the successor hint.",
        variant->name);

  if (flags::MonitorTurns || chosen.succession == Succession::adaptive) {
    if (std::string refusal = choose_quantum(chosen, *variant); !refusal.empty()) return refusal;
  }
  chosen.restrict_concurrency = flags::RestrictConcurrency;
  chosen.spin_pauses = static_cast<i32>(flags::SpinPauses);
  chosen.patience_nanoseconds = flags::ImpatienceMicros * 1000;
  chosen.culled_patience_nanoseconds = flags::SetAsideMicros * 1000;
  chosen.successor = variant->rules;
  monitor_settings = chosen;
  monitors_initialized = true;
  return {};
}

std::string refuse_monitor_flags(std::string_view algorithm) {
  auto refuse = [&](std::string_view flag) {
    return fmt::format(
        "{} is about ObjectMonitors, and LockingMode={} makes none: who gets its lock next is part of the algorithm.",
        flag, algorithm);
  };
  if (!flags::Succession.empty()) return refuse("Succession=" + flags::Succession);
  if (flags::SuccessorVariant != "base") return refuse("SuccessorVariant=" + flags::SuccessorVariant);
  if (flags::RestrictConcurrency && algorithm == "cjm-by")
    return "RestrictConcurrency would change nothing under LockingMode=cjm-by: everybody in its queue sleeps but the "
           "oldest, and that one sleeps, too, while the lock is heavily contended.";
  if (flags::RestrictConcurrency) return refuse("RestrictConcurrency");
  return {};
}

}  // namespace keyhole::sync
