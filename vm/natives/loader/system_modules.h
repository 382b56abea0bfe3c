// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The JDK's modules as lib/modules has them: their names, resources, and the providers that their module-infos declare.
//
// Opened at first use: a program that asks for no service, resource or module pays nothing.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/types.h"

namespace keyhole::system_modules {

// Names of all modules of the image.
const std::vector<std::string>& names();
// Content of a resource ("module-info.class", "java/lang/uniName.dat"); nothing when absent.
std::span<const u8> resource(std::string_view module, std::string_view name);

struct Provider {
  std::string_view module;
  std::string implementation;   // binary name: "sun.nio.ch.X"
};
// Who provides a service ("java.nio.file.spi.FileSystemProvider"), in the order of names().
std::vector<Provider> providers(std::string_view service);

// The `provides` clauses of one module-info.class, for `service` in internal form; names in internal form. Nothing for damaged bytes.
std::vector<std::string_view> provided_by(std::span<const u8> module_info, std::string_view service);

}  // namespace keyhole::system_modules
