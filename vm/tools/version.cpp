// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints the VM's version and the version of its class library, which is in the JDK's `release` file.
#include "vm/tools/version.h"

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

std::string class_library_version() {
  static const std::string version = release_value(java_home(), "JAVA_VERSION");  // each start reads it twice
  return version;
}

void print_version(FILE* out, std::string_view commit) {
  std::string version = class_library_version();
  std::string own = commit.empty() ? KEYHOLE_VERSION : fmt::format("{} (commit {})", KEYHOLE_VERSION, commit);
  print_text(out, "Keyhole {}, library version \"{}\" {}\n", own, version,
             release_value(java_home(), "JAVA_VERSION_DATE"));
  print_text(out, "OpenJDK {} class library ({})\n", version, java_home());
  print_text(out, "Keyhole 64-Bit VM (build {}, {}, {} locking, {} headers)\n", KEYHOLE_VERSION, execution_mode(),
             flags::LockingMode, layout::name);
}

int print_full_version(FILE* out, const std::string& java_home_property) {
  if (std::string problem = initialize_boot_path({.java_home = java_home_property}); !problem.empty()) {
    print_text(stderr, "Error: {}\n", problem);
    return 1;
  }
  std::string library = release_value(java_home(), "JAVA_RUNTIME_VERSION");
  print_text(out, "keyhole full version \"{}\" over class library \"{}\"\n", KEYHOLE_VERSION,
             library.empty() ? class_library_version() : library);
  return 0;
}

}  // namespace keyhole
