// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Splits the value at semicolons, and expands %p and %%.
#include "runtime/base/process/shell_commands.h"

#include <unistd.h>

#include <algorithm>

#include "runtime/base/types.h"

namespace keyhole {
namespace {

std::string with_process_id(std::string_view command) {
  std::string text;
  for (usize i = 0; i < command.size(); ++i) {
    bool is_pair = command[i] == '%' && i + 1 < command.size();
    if (is_pair && command[i + 1] == 'p') text += std::to_string(getpid()), ++i;
    else if (is_pair && command[i + 1] == '%') text += '%', ++i;
    else text += command[i];
  }
  return text;
}

}  // namespace

std::vector<std::string> shell_commands(std::string_view text) {
  std::vector<std::string> commands;
  for (usize begin = 0; begin < text.size();) {
    usize end = std::min(text.find(';', begin), text.size());
    usize first = text.find_first_not_of(" \t\n", begin);
    if (first < end) commands.push_back(with_process_id(text.substr(first, end - first)));
    begin = end + 1;
  }
  return commands;
}

}  // namespace keyhole
