// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// -ea, -da, -esa, -dsa: decide which classes run with assertions enabled.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace keyhole::natives {

// Sets the options of the command line, in order ("-ea", "-da:pkg...", "-enableassertions:A"). Called before any class
// runs.
void set_assertion_options(const std::vector<std::string>& options);

// Are assertions enabled in a class? `class_name` has dots. The most specific option for the class or an enclosing
// package decides; among equally specific ones the last.
bool assertions_enabled(std::string_view class_name, bool boot_class);

struct AssertionOption {
  std::string name;  // "" = the unnamed package, or the default
  bool enabled;
};
struct AssertionOptions {
  std::vector<AssertionOption> classes, packages;  // latest first
  bool default_enabled = false;                    // -ea without a name
  bool system_enabled = false;                     // -esa
};
const AssertionOptions& assertion_options();

}  // namespace keyhole::natives
