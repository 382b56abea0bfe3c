// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Handles one -XX option after the other.
#include "vm/launcher/flags/flag_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "runtime/base/similarity.h"
#include "vm/classfile/class_path.h"
#include "vm/classfile/java_home.h"
#include "vm/launcher/flags/option_files.h"

namespace keyhole {
namespace {

std::string_view without_sign(std::string_view argument) {
  if (argument.starts_with('+') || argument.starts_with('-')) argument.remove_prefix(1);
  return argument;
}

bool is_for_debug_builds(const hotspot_flags::Flag& flag) {
  return flag.kind == "develop" || flag.kind == "notproduct";
}

// Does HotSpot's flag have the same type as Keyhole's flag of that name?
bool is_same_type(const flags::Row& row, std::string_view type) {
  switch (row.type) {
    case flags::Type::boolean: return type == "bool";
    case flags::Type::real: return type == "double";
    case flags::Type::text: return type.starts_with("ccstr");
    case flags::Type::integer:
    case flags::Type::size: return type.contains("int") || type == "size_t";
  }
  return false;
}

// Converts a whole number to the type of Keyhole's flag. The largest value stands for numbers beyond it.
i64 clamped(const hotspot_flags::Number& number, const flags::Row& row) {
  u64 magnitude = std::min(number.magnitude, static_cast<u64>(INT64_MAX));
  i64 value = number.negative ? -static_cast<i64>(magnitude) : static_cast<i64>(magnitude);
  return std::clamp(value, row.minimum, row.maximum);
}

flags::InertRow* find_inert(std::string_view name) {
  auto& table = flags::inert_rows();
  auto found = std::ranges::find(table, name, &flags::InertRow::name);
  return found == table.end() ? nullptr : &*found;
}

void scale(i64& threshold, std::string_view flag, double factor) {
  if (flags::is_set(flag)) return;
  threshold = std::clamp(static_cast<i64>(static_cast<double>(threshold) * factor), i64(1), i64(1073741823));
}

}  // namespace

void FlagOptions::look_at(std::string_view word) {
  constexpr std::string_view home = "-Djava.home=", settings = "-XX:Flags=";
  if (word == "-XX:+IgnoreUnrecognizedVMOptions") ignores_unrecognized_ = true;
  if (word == "-XX:-IgnoreUnrecognizedVMOptions") ignores_unrecognized_ = false;
  if (word == "-XX:+PrintVMOptions") prints_options_ = true;
  if (word == "-XX:-PrintVMOptions") prints_options_ = false;
  if (word == "-Xlog:disable") is_log_disabled_ = true;
  if (word.starts_with(home)) java_home_ = word.substr(home.size());
  if (word.starts_with(settings)) settings_file_ = word.substr(settings.size());
}

HotSpot FlagOptions::hotspot() {
  if (!hotspot_) {
    std::string home = find_library(java_home_);
    hotspot_ = home_is_within(home, 25, ~0u)   ? HotSpot::v25
               : home_is_within(home, 21, ~0u) ? HotSpot::v21
                                               : HotSpot::v17;
  }
  return *hotspot_;
}

void FlagOptions::warn(const std::string& sentence) {
  notices_.push_back({fmt::format("Keyhole VM warning: {}\n", sentence), Silence::by_print_warnings});
}

void FlagOptions::say_without_effect(const std::string& option, std::string_view reason) {
  notices_.push_back(
      {fmt::format("Keyhole VM warning: {} has no effect{}{}\n", option, reason.empty() ? " in Keyhole" : ": ", reason),
       Silence::by_log_disable});
}

std::string FlagOptions::notices() const {
  std::string text;
  for (const Notice& notice : notices_) {
    bool is_silent = notice.silence == Silence::never ? false : !prints_warnings_;
    if (notice.silence == Silence::by_log_disable && is_log_disabled_) is_silent = true;
    if (!is_silent) text += notice.text;
  }
  return text;
}

std::string FlagOptions::take(std::string_view argument) {
  if (prints_options_) listing += fmt::format("VM option '{}'\n", argument);
  if (argument.starts_with("Flags=")) return {};  // look_at() has taken it
  std::optional<hotspot_flags::Flag> known = hotspot_flags::find(hotspot_flags::name_of(argument), hotspot());
  std::string meant(argument);
  const flags::Row* own = flags::find_row(hotspot_flags::name_of(argument));
  // HotSpot uses the name for something else: LockingMode, for example, has names as values here.
  if (own != nullptr && known && !is_same_type(*own, known->type)) known.reset();
  if (known && !known->removed_in.empty()) {
    warn(fmt::format("Ignoring option {}; support was removed in {}", known->name, known->removed_in));
    return {};
  }
  bool is_other_name = false;
  // HotSpot 17 does not recognise names without a sign or a value.
  bool has_sign = argument.starts_with('+') || argument.starts_with('-');
  bool is_whole = hotspot() >= HotSpot::v21 || has_sign != argument.contains('=');
  if (known && is_whole && !known->deprecated_since.empty()) {
    std::string_view other = known->replacement;
    is_other_name = !other.empty();
    warn(fmt::format("Option {} was deprecated in version {} and will likely be removed in a future release.{}",
                     known->name, known->deprecated_since,
                     other.empty() ? "" : fmt::format(" Use option {} instead.", other)));
    if (is_other_name) {
      meant.replace(meant.find(known->name), known->name.size(), other);
      known = hotspot_flags::find(other, hotspot());
      own = flags::find_row(other);
    }
  }
  // If an option with an old name has a mistake, java reports the name as unknown.
  if (known && !is_whole && !known->replacement.empty()) return unrecognized(argument);
  if (known && is_other_name) {
    std::string complaint = hotspot_flags::check(*known, meant, hotspot());
    if (!complaint.empty() && !complaint.contains("outside")) return unrecognized(argument);
  }
  if (own != nullptr) return take_own(*own, known ? &*known : nullptr, meant);
  if (known) return take_other(*known, meant);
  if (ignores_unrecognized_) return {};
  std::string complaint = unrecognized(argument);
  if (!argument.starts_with('#')) return complaint;
  add_notice(complaint);  // java's way to comment an option out
  return {};
}

std::string FlagOptions::take_own(const flags::Row& row, const hotspot_flags::Flag* known,
                                  const std::string& argument) {
  if (known != nullptr) {
    if (std::string complaint = hotspot_flags::check(*known, argument, hotspot()); !complaint.empty()) return complaint;
    if (row.type == flags::Type::integer || row.type == flags::Type::size)
      return set_number(row, *hotspot_flags::parse_number(argument.substr(row.name.size() + 1)), "-XX:" + argument);
  }
  if (known != nullptr && known->type == "ccstrlist" && row.origin != flags::Origin::default_value) {
    usize value = row.name.size() + 1;  // like java: several values are joined by line ends
    return flags::parse(fmt::format("{}={}\n{}", row.name, flags::value_text(row), argument.substr(value)));
  }
  return flags::parse(argument);
}

std::string FlagOptions::set_number(const flags::Row& row, const hotspot_flags::Number& number,
                                    std::string_view option) {
  i64 value = clamped(number, row);
  if (number.negative != (value < 0) || number.magnitude != static_cast<u64>(std::abs(value)))
    warn(fmt::format("{} is beyond what Keyhole has: {}={}", option, row.name, value));
  return flags::parse(fmt::format("{}={}", row.name, value));
}

std::string FlagOptions::locked(const hotspot_flags::Flag& flag, std::string_view argument) {
  std::string text;
  if (is_for_debug_builds(flag)) {
    text = fmt::format("Error: VM option '{}' is {} and is available only in debug version of VM.\n", flag.name,
                       flag.kind);
  }
  bool is_diagnostic = flag.kind == "diagnostic" && !flags::UnlockDiagnosticVMOptions;
  bool is_experimental = flag.kind == "experimental" && !flags::UnlockExperimentalVMOptions;
  if (is_diagnostic || is_experimental) {
    text = fmt::format(
        "Error: VM option '{0}' is {1} and must be enabled via -XX:+Unlock{2}VMOptions.\n"
        "Error: The unlock option must precede '{0}'.\n",
        flag.name, flag.kind, is_diagnostic ? "Diagnostic" : "Experimental");
  }
  if (text.empty() || hotspot() < HotSpot::v25) return text;
  std::string form = hotspot_flags::check_form(flag, argument);  // 25 goes on
  return text + (form.empty() ? fmt::format("Improperly specified VM option '{}'\n", without_sign(argument)) : form);
}

std::string FlagOptions::take_other(const hotspot_flags::Flag& flag, std::string_view argument) {
  if (std::string complaint = locked(flag, argument); !complaint.empty())
    return is_for_debug_builds(flag) && ignores_unrecognized_ ? "" : complaint;
  if (std::string complaint = hotspot_flags::check(flag, argument, hotspot()); !complaint.empty()) return complaint;
  if (translate(flag, argument)) return {};
  bool is_on = argument.starts_with('+'), is_boolean = flag.type == "bool";
  flags::InertRow* inert = find_inert(flag.name);
  if (inert != nullptr) inert->asked_for = is_on;
  bool holds_anyway =
      is_boolean && (inert != nullptr ? is_on == inert->is_so : !is_on && flag.default_value == "false");
  if (!holds_anyway)
    say_without_effect(fmt::format("-XX:{}", argument), inert != nullptr ? inert->sentence : std::string_view());
  return {};
}

// Translates flags of HotSpot into flags of Keyhole or options of the launcher.
bool FlagOptions::translate(const hotspot_flags::Flag& flag, std::string_view argument) {
  bool is_on = argument.starts_with('+');
  std::string value(argument.substr(std::min(argument.find('=') + 1, argument.size())));
  if (flag.name == "UseHeavyMonitors") {
    if (is_on && !flags::is_set("LockingMode")) flags::parse("LockingMode=monitor");
  } else if (flag.name == "UseCompiler") {
    if (!is_on) flags::TieredStopAtLevel = 0;
  } else if (flag.name == "CompileThresholdScaling") {
    compile_threshold_scaling_ = strtod(value.c_str(), nullptr);
  } else if (flag.name == "MaxRAMFraction" || flag.name == "MinRAMFraction" || flag.name == "InitialRAMFraction") {
    std::string of(flag.name.substr(0, flag.name.size() - (sizeof "Fraction" - 1)));
    if (flags::is_set(of + "Percentage")) return true;  // java: the percentage counts
    double fraction = static_cast<double>(hotspot_flags::parse_number(value)->magnitude);
    flags::parse(fmt::format("{}Percentage={:.6f}", of, 100 / fraction));
  } else if (flag.name == "PrintWarnings") {
    prints_warnings_ = is_on;
  } else if (flag.name == "PrintFlagsInitial") {
    prints_initial_flags = is_on;
  } else if (flag.name == "PrintFlagsRanges") {
    prints_flag_ranges = is_on;
  } else if (flag.name == "ReduceSignalUsage") {
    reduces_signal_usage = is_on;
  } else if (flag.name == "OnError") {
    if (!command_on_error.empty()) command_on_error += '\n';  // like java: several values are joined by line ends
    command_on_error += value;
  } else {
    return flag.name == "PrintVMOptions";
  }
  return true;
}

std::string FlagOptions::unrecognized(std::string_view argument) {
  std::string text = fmt::format("Unrecognized VM option '{}'\n", without_sign(argument));
  std::string_view name = hotspot_flags::name_of(argument);
  std::vector<std::string_view> names = hotspot_flags::names(hotspot());
  for (const flags::Row& row : flags::rows()) names.push_back(row.name);
  std::string_view nearest = most_similar(name, names, 0.7);
  if (nearest.empty()) return text;
  const flags::Row* own = flags::find_row(nearest);
  std::optional<hotspot_flags::Flag> known = hotspot_flags::find(nearest, hotspot());
  // Flags of debug builds have no type in the table; nearly all are booleans.
  bool is_boolean = own != nullptr ? own->type == flags::Type::boolean : known->type == "bool" || known->type.empty();
  return text +
         fmt::format("Did you mean '{}{}{}'?\n", is_boolean ? "(+/-)" : "", nearest, is_boolean ? "" : "=<value>");
}

std::string FlagOptions::take_settings_file() {
  if (!settings_file_) return {};
  std::optional<std::vector<std::string>> words = read_settings_file(*settings_file_);
  if (!words) return fmt::format("Could not open settings file {}\n", *settings_file_);
  std::string complaints;
  for (const std::string& word : *words) complaints += take(word);  // java reports all mistakes of such a file
  return complaints;
}

bool FlagOptions::selects_several_collectors() const {
  return std::ranges::count_if(flags::inert_rows(), [](const flags::InertRow& row) {
           return row.asked_for && row.name.ends_with("GC");
         }) > 1;
}

void FlagOptions::settle() {
  if (!settings_file_ && has_ignored_settings_file()) {
    warn(".hotspotrc file is present but has been ignored.  Run with -XX:Flags=.hotspotrc to load the file.");
  }
  if (compile_threshold_scaling_ == 0) flags::TieredStopAtLevel = 0;
  if (compile_threshold_scaling_ == 1 || compile_threshold_scaling_ == 0) return;
  scale(flags::Tier3InvocationThreshold, "Tier3InvocationThreshold", compile_threshold_scaling_);
  scale(flags::Tier3BackEdgeThreshold, "Tier3BackEdgeThreshold", compile_threshold_scaling_);
}

}  // namespace keyhole
