// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Escapes names that a program chose (of threads, classes, files) for output, since they may contain anything.
//
//   to                  harmful contents                                   function
//   a terminal          escape sequences, line ends, text that runs        for_terminal: \u001b
//                       backwards
//   JSON                quotes, control characters, bytes that are no      json_text: "\u001b"
//                       UTF-8
//   protobuf, a page    bytes that are no UTF-8                            valid_utf8: U+FFFD
//
// The input is UTF-8, or modified UTF-8 of class files, in which a surrogate of three bytes is half of a character, or
// stands alone.
#pragma once

#include <string>
#include <string_view>

namespace keyhole {

std::string for_terminal(std::string_view text);
// The result includes the quotes.
std::string json_text(std::string_view text);
std::string valid_utf8(std::string_view text);

}  // namespace keyhole
