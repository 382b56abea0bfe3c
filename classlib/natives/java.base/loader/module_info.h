// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The contents of a module-info.class (JVMS 4.7.25) that resolution and services need.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "runtime/base/types.h"

namespace keyhole::system_modules {

// The contents of a module-info. Names of modules have dots, names of classes are internal ("java/sql/Driver"). All
// texts point into the bytes that were read.
struct ModuleInfo {
  struct Required {
    std::string_view module;
    bool only_to_compile;  // `requires static`
  };
  struct Provided {
    std::string_view service;
    std::vector<std::string_view> providers;
  };
  std::vector<Required> required;
  std::vector<std::string_view> uses;
  std::vector<Provided> provides;
  bool exports_to_all = false;      // some package, to every module
  bool resolved_by_default = true;  // false for incubator modules
};

// Reads a module-info. From damaged bytes it returns everything before the damage.
ModuleInfo read_module_info(std::span<const u8> bytes);

}  // namespace keyhole::system_modules
