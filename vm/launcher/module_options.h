// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Options about modules, "--option value", "--option=value", "-p value". They reach jdk.internal.module.ModuleBootstrap
// as properties.
#pragma once

#include "runtime/base/types.h"
#include "vm/launcher/command_line.h"

namespace keyhole {

struct ModuleOption {
  bool recognized = false;
  usize words_used = 0;           // the words after the option itself that belong to it
  std::string complaint = {};     // java's complete error text, or empty
  std::string vm_complaint = {};  // the text if the VM refuses to be created: for standard output
};

// Parses words[at] into `result`.
ModuleOption take_module_option(const std::vector<std::string>& words, usize at, CommandLine& result);

// Is the property one by which a module option passes its value? Then -D does not set it.
bool is_reserved_for_module_options(std::string_view property);
// Prints java's warning about such properties, once.
void warn_of_reserved_properties();

}  // namespace keyhole
