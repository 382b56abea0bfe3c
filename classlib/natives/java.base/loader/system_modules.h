// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The JDK's modules in lib/modules: their names, resources, the providers in their module-infos, and the modules that
// are resolved for a class path program.
//
// The image is opened at first use, so programs that need no services, resources or modules do not pay for it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/types.h"

namespace keyhole::system_modules {

// Names of all modules of the image.
const std::vector<std::string>& names();
// The content of a resource ("module-info.class", "java/lang/uniName.dat"); empty if there is none.
std::span<const u8> resource(std::string_view module, std::string_view name);

struct Provider {
  std::string_view module;
  std::string implementation;  // binary name: "sun.nio.ch.X"
};
// The providers of a service ("java.nio.file.spi.FileSystemProvider"), in the order of names().
std::vector<Provider> providers(std::string_view service);

// Does a module declare that it uses a service?
bool uses(std::string_view module, std::string_view service);

// Names of the modules that java resolves for a program of the class path when no option says otherwise. Computed at
// first use, from the module-infos of the library at hand: some 70 of them.
const std::vector<std::string>& default_names();

}  // namespace keyhole::system_modules
