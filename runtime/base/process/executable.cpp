// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the path in /proc/self/exe; without /proc, uses the path that execve was given.
#include "runtime/base/process/executable.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "runtime/base/types.h"

namespace keyhole {
namespace {

std::string find_executable() {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  if (length > 0) return std::string(path, static_cast<usize>(length));
  const char* executed = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  if (executed == nullptr || getauxval(AT_SECURE) != 0 || realpath(executed, path) == nullptr) return {};
  return path;
}

}  // namespace

const std::string& executable_path() {
  static const std::string path = find_executable();
  return path;
}

const std::string& executable_folder() {
  static const std::string folder = executable_path().substr(0, executable_path().find_last_of('/'));
  return folder;
}

}  // namespace keyhole
