// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Text for the user, on standard output or standard error. Text that cannot be written is lost, and the VM continues,
// as in java: a closed pipe or a full disk does not stop it. (In that case fmt::print throws, which ends a program that
// is built without exceptions.)
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace keyhole {

template <typename... Arguments>
void print_text(std::FILE* stream, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  std::string text = fmt::format(format, std::forward<Arguments>(arguments)...);
  if (fwrite(text.data(), 1, text.size(), stream) != text.size()) clearerr(stream);
}
template <typename... Arguments> void print_text(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  print_text(stdout, format, std::forward<Arguments>(arguments)...);
}

}  // namespace keyhole
