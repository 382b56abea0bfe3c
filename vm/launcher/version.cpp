// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The VM's own version, and that of the class library it runs on (the JDK's `release` file).
#include "vm/launcher/version.h"

#include <fmt/format.h>

#include <fstream>

#include "runtime/base/execution_mode.h"
#include "runtime/base/flags.h"
#include "runtime/base/print.h"
#include "runtime/object/layout.h"
#include "vm/classfile/class_path.h"

namespace keyhole {
namespace {

std::string release_value(const std::string& home, const std::string& key) {
  std::ifstream file(home + "/release");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(key + "=\"")) return line.substr(key.size() + 2, line.size() - key.size() - 3);
  }
  return {};
}

}  // namespace

std::string class_library_version() { return release_value(java_home(), "JAVA_VERSION"); }

void print_version(FILE* out, const std::string& java_home_property) {
  std::string problem = initialize_boot_path({.java_home = java_home_property});
  std::string library = "no class library: " + problem;
  std::string version = "17";
  if (problem.empty()) {
    version = class_library_version();
    library = fmt::format("OpenJDK {} class library ({})", version, java_home());
  }
  print_text(out, "keyhole version \"{}\" {}\n", version, release_value(java_home(), "JAVA_VERSION_DATE"));
  print_text(out, "{}\n", library);
  print_text(out, "Keyhole 64-Bit VM (build {}, {}, {} locking, {} headers)\n", KEYHOLE_VERSION, execution_mode(), flags::LockingMode, layout::name);
}

}  // namespace keyhole
