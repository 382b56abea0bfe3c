// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Markdown for the terminal.
#include "vm/tools/explain/explain.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "runtime/base/print.h"
#include "runtime/base/types.h"
#include "vm/tools/terminal.h"

namespace keyhole::explain {

namespace {

constexpr std::string_view usage =
    "Usage: keyhole --explain [TOPIC [--java]]\n"
    "  without a topic   lists the topics\n"
    "  --java            prints the page's program alone\n";

constexpr std::string_view bold = "\x1b[1m", cyan = "\x1b[36m", plain = "\x1b[0m", fence = "```";

std::string_view next_line(std::string_view& text) {
  std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  return line;
}

// Replaces the backquotes around code in a paragraph by colours. Without colours, the backquotes stay.
std::string with_code(std::string_view paragraph) {
  std::string text;
  bool inside = false;
  for (char c : paragraph) {
    if (c == '`') text += inside ? plain : cyan, inside = !inside;
    else text += c;
  }
  return text + std::string(inside ? plain : "");
}

std::string_view title_of(std::string_view page) {
  std::string_view line = next_line(page);
  line.remove_prefix(std::min<usize>(line.size(), 2));
  return line;
}

void list(std::FILE* out) {
  const std::string topic_column(22, '.'), indentation(23, ' ');
  for (const Lesson& lesson : lessons) {
    std::string lines = wrapped(fmt::format("{} {}", topic_column, title_of(lesson.page)), indentation);
    print_text(out, "  {:<20}{}", lesson.topic, lines.substr(topic_column.size()));
  }
}

}  // namespace

std::string shown(std::string_view page, bool is_coloured) {
  std::string text, paragraph;
  auto end_paragraph = [&] {
    if (paragraph.empty()) return;
    std::string lines = wrapped(paragraph, paragraph.starts_with("* ") ? "  " : "");
    text += is_coloured ? with_code(lines) : lines;
    paragraph.clear();
  };
  bool in_code = false;
  while (!page.empty()) {
    std::string_view line = next_line(page);
    if (line.empty() || line.starts_with("#") || line.starts_with("* ") || line.starts_with(fence)) end_paragraph();
    if (line.starts_with(fence)) {
      in_code = !in_code;
    } else if (in_code) {
      if (line.empty()) text += '\n';
      else if (is_coloured) text += fmt::format("    {}{}{}\n", cyan, line, plain);
      else text += fmt::format("    {}\n", line);
    } else if (line.starts_with("#")) {
      line.remove_prefix(std::min(line.size(), line.find_first_not_of("# ")));
      if (is_coloured) text += fmt::format("{}{}{}\n", bold, line, plain);
      else text += fmt::format("{}\n{}\n", line, std::string(line.size(), '-'));
    } else if (line.empty()) {
      text += '\n';
    } else {
      if (!paragraph.empty()) paragraph += ' ';
      paragraph += line;
    }
  }
  end_paragraph();
  return text;
}

std::string program_of(std::string_view page) {
  std::string program;
  bool inside = false;
  while (!page.empty()) {
    std::string_view line = next_line(page);
    if (line == "```java") inside = true;
    else if (inside && line.starts_with(fence)) break;
    else if (inside) program += fmt::format("{}\n", line);
  }
  return program;
}

int explain(std::span<char*> words) {
  std::string_view topic;
  bool java = false;
  for (std::string_view word : words) {
    if (word == "--help") {
      print_text("{}", usage);
      return 0;
    }
    if (word == "--java" && !java) java = true;
    else if (!word.starts_with("-") && topic.empty()) topic = word;
    else {
      print_text(stderr, "keyhole: --explain does not understand {}\n\n{}", word, usage);
      return 1;
    }
  }
  if (topic.empty()) {
    if (java) {
      print_text(stderr, "keyhole: --java needs a topic\n\n{}", usage);
      return 1;
    }
    print_text("Lessons of two minutes each; keyhole --explain TOPIC shows one:\n\n");
    list(stdout);
    print_text("\nA course of ten evenings with exercises: docs/course/README.md\n");
    return 0;
  }
  auto found = std::ranges::find(lessons, topic, &Lesson::topic);
  if (found == lessons.end()) {
    print_text(stderr, "keyhole: there is no lesson about '{}'; there are:\n", topic);
    list(stderr);
    return 1;
  }
  if (java) print_text("{}", program_of(found->page));
  else print_text("{}", shown(found->page, has_colours(STDOUT_FILENO)));
  fflush(stdout);
  return 0;
}

}  // namespace keyhole::explain
