// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Handles -XX options: sets Keyhole's own flags, and accepts, refuses or translates HotSpot's other flags as `java` of
// the library's release would.
//
//   take("+PrintInlining")
//     F1  a flag that HotSpot has removed: ignored, with java's warning
//     F2  a deprecated flag, or an old name of one: java's warning, then as the flag that it means
//     F3  a row of runtime/base/flags.def: set. A value that java accepts and Keyhole cannot hold becomes the nearest
//         one that it can, with a warning. Keyhole's flags need no unlocking.
//     F4  another flag of this release's HotSpot: checked as by java, with its locks; then translated, or without
//         effect and with a warning
//     F5  anything else: unrecognized
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/flags.h"
#include "vm/launcher/flags/hotspot_flags.h"

namespace keyhole {

class FlagOptions {
 public:
  // Notes what applies to the whole line, before the first take().
  void look_at(std::string_view word);

  // Handles the text that follows -XX:. Returns java's error text, or an empty string.
  std::string take(std::string_view argument);
  // Reads the file of -XX:Flags=, which java reads before all other options.
  std::string take_settings_file();
  // Sets a flag of Keyhole's to a number, or to the nearest one that it can hold, with a warning about `option`.
  std::string set_number(const flags::Row& row, const hotspot_flags::Number& number, std::string_view option);
  // Applies the effects of flags on each other, when all options are known.
  void settle();

  // Prints a warning of the VM on stderr.
  void warn(const std::string& sentence);
  // Says that an option has no effect here. -Xlog:disable silences the line.
  void say_without_effect(const std::string& option, std::string_view reason);
  void add_notice(const std::string& text) { notices_.push_back({text, Silence::never}); }
  std::string notices() const;  // in their order
  std::string listing;          // -XX:+PrintVMOptions, for stdout

  HotSpot hotspot();  // the release of the library's HotSpot
  bool ignores_unrecognized() const { return ignores_unrecognized_; }

  // Flags without a row in flags.def; the launcher reads them here.
  bool prints_initial_flags = false;
  bool reduces_signal_usage = false;
  bool prints_flag_ranges = false;
  std::string command_on_error;
  bool selects_several_collectors() const;

 private:
  enum class Silence : u8 { never, by_print_warnings, by_log_disable };
  struct Notice {
    std::string text;
    Silence silence;
  };

  std::string take_own(const flags::Row& row, const hotspot_flags::Flag* known, const std::string& argument);
  std::string take_other(const hotspot_flags::Flag& flag, std::string_view argument);
  std::string locked(const hotspot_flags::Flag& flag, std::string_view argument);
  bool translate(const hotspot_flags::Flag& flag, std::string_view argument);
  std::string unrecognized(std::string_view argument);

  std::string java_home_;                     // of the last -Djava.home=
  std::optional<HotSpot> hotspot_;            // empty: not yet asked for
  std::optional<std::string> settings_file_;  // of the last -XX:Flags=
  std::vector<Notice> notices_;
  bool ignores_unrecognized_ = false;
  bool prints_options_ = false;
  bool is_log_disabled_ = false;
  bool prints_warnings_ = true;
  double compile_threshold_scaling_ = 1;
};

}  // namespace keyhole
