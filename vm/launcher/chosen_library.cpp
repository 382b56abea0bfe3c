// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Looks the release up among the installed libraries.
#include "vm/launcher/chosen_library.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>

#include "vm/classfile/java_home.h"

namespace keyhole {

std::string choose_library(int& argument_count, char**& arguments) {
  if (argument_count < 2 || std::string_view(arguments[1]) != "--library") return {};
  std::string_view wanted = argument_count > 2 ? arguments[2] : "";
  std::vector<Library> libraries = installed_libraries();
  auto is_wanted = [&](const Library& library) { return fmt::format("{}", library.release) == wanted; };
  auto library = std::ranges::find_if(libraries, is_wanted);
  if (library == libraries.end()) {
    std::string installed;
    for (const Library& each : libraries) installed += fmt::format("{}{}", installed.empty() ? "" : ", ", each.release);
    return fmt::format("--library takes a release whose class library is installed ({}), not '{}'",
                       installed.empty() ? "there is none" : installed, wanted);
  }
  setenv("KEYHOLE_JAVA_HOME", library->home.c_str(), 1);
  arguments[2] = arguments[0];
  arguments += 2;
  argument_count -= 2;
  return {};
}

}  // namespace keyhole
