// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// keyhole --explain [TOPIC]: the pages of docs/lessons, which the build puts into the executable (lessons.cmake).
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace keyhole::explain {

struct Lesson {
  std::string_view topic;  // the file's name
  std::string_view page;   // its Markdown
};
extern const std::span<const Lesson> lessons;  // in alphabetical order

// `words`: the command line after --explain. Returns the exit code.
int explain(std::span<char*> words);

// Formats a page for the terminal: paragraphs in short lines, code indented and without its fences. With `is_coloured`,
// headings and code are highlighted.
std::string shown(std::string_view page, bool is_coloured);
// Returns the Java program of a page: its first block of Java.
std::string program_of(std::string_view page);

}  // namespace keyhole::explain
