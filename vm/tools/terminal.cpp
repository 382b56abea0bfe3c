// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Wraps lines and colours text for a terminal.
#include "vm/tools/terminal.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace keyhole {

std::string wrapped(std::string_view text, std::string_view indentation) {
  std::string lines;
  usize column = 0;
  while (!text.empty()) {
    std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (column != 0 && column + 1 + word.size() > terminal_columns) {
      lines += '\n';
      lines += indentation;
      column = indentation.size();
    } else if (column != 0) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += word.size();
  }
  return lines + "\n";
}

bool has_colours(int file_descriptor) {
  auto setting = [](const char* name) {
    const char* value = getenv(name);
    return std::string_view(value == nullptr ? "" : value);
  };
  return isatty(file_descriptor) == 1 && setting("NO_COLOR").empty() && setting("TERM") != "dumb";
}

}  // namespace keyhole
