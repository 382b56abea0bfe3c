// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces this process by the executable of another header layout.
#include "vm/launcher/header_layout.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runtime/base/flags.h"
#include "runtime/base/process/executable.h"
#include "runtime/object/layout.h"
#include "vm/classfile/java_home.h"

namespace keyhole {

namespace {

struct Choice {
  std::string_view layout, flag;
  const char* executable;
};
constexpr Choice compact{"compact", "+UseCompactObjectHeaders", "keyhole"};
constexpr Choice classic{"classic", "-UseCompactObjectHeaders", "keyhole-classic"};
constexpr Choice tiny{"tiny", "+UseTinyObjectHeaders", "keyhole-tiny"};
constexpr const Choice& own = layout::name == tiny.layout ? tiny : layout::name == compact.layout ? compact : classic;

}  // namespace

std::string become_executable_of_layout(char** arguments) {
  if (flags::UseTinyObjectHeaders && !flags::UseCompactObjectHeaders) {
    return "Error: Could not choose an object header: -XX:+UseTinyObjectHeaders asks for 4 bytes, "
           "-XX:-UseCompactObjectHeaders for 12\n";
  }
  const Choice& choice = flags::UseTinyObjectHeaders ? tiny : flags::UseCompactObjectHeaders ? compact : classic;
  if (&choice == &own) return {};
  std::string executable = fmt::format("{}/{}", executable_folder(), choice.executable);
  hand_on_invocation();
  execv(executable.c_str(), arguments);
  return fmt::format("Error: Could not start the VM for -XX:{}\n{}: {}\n", choice.flag, executable, strerror(errno));
}

std::string flag_of_own_layout() { return fmt::format("-XX:{}", own.flag); }

}  // namespace keyhole
