// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Names that a program chose (of threads, classes, files), on their way out: they may hold anything.
//
//   to                  what could do harm                                 function
//   a terminal          escape sequences, line ends, text that runs        for_terminal: \u001b
//                       backwards
//   JSON                quotes, control characters, bytes that are no      json_text: "\u001b"
//                       UTF-8
//   protobuf, a page    bytes that are no UTF-8                            valid_utf8: U+FFFD
//
// Input is UTF-8 or modified UTF-8 of class files: a surrogate in three bytes is two halves of one character, or alone.
#pragma once

#include <string>
#include <string_view>

namespace keyhole {

std::string for_terminal(std::string_view text);
// With its quotes.
std::string json_text(std::string_view text);
std::string valid_utf8(std::string_view text);

}  // namespace keyhole
