// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reading files with options, each kind by its own grammar.
#include "vm/launcher/flags/option_files.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

#include "vm/launcher/environment_options.h"

namespace keyhole {
namespace {

enum class Read : u8 { done, not_opened, failed };

Read read_file(const std::string& path, std::string& text) {
  FILE* file = fopen(path.c_str(), "re");
  if (file == nullptr) return Read::not_opened;
  char buffer[4096];
  for (usize length; (length = fread(buffer, 1, sizeof buffer, file)) > 0;) text.append(buffer, length);
  bool failed = ferror(file) != 0;  // a folder, for instance
  fclose(file);
  return failed ? Read::failed : Read::done;
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

// Splits the text of an argument file into words.
class ArgumentFileText {
 public:
  explicit ArgumentFileText(std::string_view text) : rest_(text) {}

  // False: there is no further word.
  bool next(std::string& word) {
    word.clear();
    bool is_word = false;  // "" is one
    char quote = 0;
    while (!rest_.empty()) {
      char c = take();
      if (c == '\n' || c == '\r' || (quote == 0 && is_blank(c))) {  // ends a quoted word, too
        quote = 0;
        if (is_word) return true;
      } else if (quote == 0 && c == '#') {  // joins the adjacent word
        skip_comment();
        word.clear();
        is_word = false;
      } else if (c == quote) {
        quote = 0;
      } else if (quote == 0 && (c == '"' || c == '\'')) {
        quote = c;
        is_word = true;
      } else if (quote != 0 && c == '\\') {
        if (rest_.empty()) return false;
        escape(word);
      } else {
        word += c;
        is_word = true;
      }
    }
    return is_word;
  }

 private:
  char take() {
    char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }

  void skip_comment() {
    while (!rest_.empty() && rest_.front() != '\n' && rest_.front() != '\r') take();
  }

  // Handles the character after a backslash.
  void escape(std::string& word) {
    char c = take();
    switch (c) {
      case 'n': word += '\n'; break;
      case 'r': word += '\r'; break;
      case 't': word += '\t'; break;
      case 'f': word += '\f'; break;
      case '\n':
      case '\r':
        while (!rest_.empty() && is_blank(rest_.front())) take();
        break;
      default: word += c;
    }
  }

  std::string_view rest_;
};

}  // namespace

std::optional<std::vector<std::string>> read_settings_file(const std::string& path) {
  std::string text;
  if (read_file(path, text) == Read::not_opened) return {};  // java takes a folder for an empty file
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  bool in_word = false, in_comment = false;
  for (char c : text + "\n") {
    if (in_comment) {
      in_comment = c != '\n';
    } else if (quote != 0) {
      if (c == quote) quote = 0;
      else word += c;
    } else if (is_blank(c)) {
      if (in_word) words.push_back(std::move(word)), word.clear(), in_word = false;
    } else if (!in_word && c == '#') {
      in_comment = true;
    } else {
      in_word = true;
      if (c == '"' || c == '\'') quote = c;
      else word += c;
    }
  }
  if (in_word) words.push_back(std::move(word));  // after an unmatched quote
  return words;
}

bool has_ignored_settings_file() {
  struct stat status;
  return stat(".hotspotrc", &status) == 0;
}

std::vector<std::string> read_options_file(const std::string& path, std::string& complaint) {
  std::string text;
  std::vector<std::string> words;
  switch (read_file(path, text)) {
    case Read::not_opened: complaint = fmt::format("Could not open options file '{}'\n", path); break;
    case Read::failed: complaint = fmt::format("Could not read options file '{}'\n", path); break;
    case Read::done:
      if (!split_words(text, words)) complaint = fmt::format("Unmatched quote in {}\n", path);
  }
  return words;
}

std::vector<std::string> split_argument_file(std::string_view text) {
  std::vector<std::string> words;
  ArgumentFileText file(text);
  for (std::string word; file.next(word);) words.push_back(word);
  return words;
}

std::vector<std::string> expand_argument_files(const std::vector<std::string>& words,
                                               const std::function<HotSpot()>& hotspot, std::string& complaint) {
  std::vector<std::string> expanded;
  bool awaits_value = false, is_expanding = true;
  auto add = [&](const std::string& word) {
    // HotSpot 17's launcher passes the option on to the VM, which does not know it.
    bool is_switch = is_expanding && word == "--disable-@files" && hotspot() >= HotSpot::v21;
    if (is_switch) is_expanding = false;
    else expanded.push_back(word);
    if (!is_expanding) return;
    if (!word.starts_with('-') && !awaits_value) is_expanding = false;  // the main class
    awaits_value = takes_next_word(word);
  };
  for (const std::string& word : words) {
    if (!is_expanding || word.size() < 2 || word[0] != '@') {
      add(word);
    } else if (word[1] == '@') {
      add(word.substr(1));
    } else {
      std::string text, path = word.substr(1);
      Read result = read_file(path, text);
      if (result == Read::not_opened) complaint = fmt::format("Error: could not open `{}'\n", path);
      if (result == Read::failed)
        complaint = fmt::format("Error: {} {}\n", hotspot() >= HotSpot::v21 ? "Failed to read" : "loading:", path);
      if (result != Read::done) return {};
      for (const std::string& inner : split_argument_file(text)) add(inner);
    }
  }
  return expanded;
}

}  // namespace keyhole
