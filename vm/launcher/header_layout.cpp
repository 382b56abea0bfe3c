// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Replacing this process by the executable of another header layout.
#include "vm/launcher/header_layout.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "runtime/base/flags.h"
#include "runtime/object/layout.h"

namespace keyhole {

std::string become_executable_of_layout(char** arguments) {
  if (flags::UseCompactObjectHeaders == layout::klass_is_in_word) return {};
  std::error_code error;
  std::filesystem::path executable = std::filesystem::read_symlink("/proc/self/exe", error);
  executable.replace_filename(flags::UseCompactObjectHeaders ? "keyhole" : "keyhole-classic");
  execv(executable.c_str(), arguments);
  return fmt::format("Error: Could not start the VM for -XX:{}UseCompactObjectHeaders\n{}: {}\n", flags::UseCompactObjectHeaders ? '+' : '-',
                     executable.string(), strerror(errno));
}

}  // namespace keyhole
