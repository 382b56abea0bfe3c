// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds and reads source files.
#include "vm/tools/step/sources.h"

#include <charconv>
#include <filesystem>
#include <fstream>

namespace keyhole::step {

namespace {
namespace fs = std::filesystem;
constexpr u32 most_files = 20'000;  // most files that a search examines in one folder
}  // namespace

Sources::Sources(std::vector<std::string> places) : places_(std::move(places)) {}

std::string Sources::path_of(const std::string& file) {
  std::error_code error;
  for (const std::string& place : places_) {
    if (fs::path(place).filename() == file && fs::is_regular_file(place, error)) return place;
    if (!fs::is_directory(place, error)) continue;
    u32 seen = 0;
    fs::recursive_directory_iterator at(place, fs::directory_options::skip_permission_denied, error), end;
    while (!error && at != end && ++seen < most_files) {
      if (at->path().filename() == file && at->is_regular_file(error)) return at->path().string();
      at.increment(error);
    }
  }
  return {};
}

const std::vector<std::string>& Sources::lines_of(const std::string& file) {
  auto [entry, is_new] = lines_.try_emplace(file);
  if (is_new) {
    std::ifstream stream(path_of(file));
    for (std::string line; std::getline(stream, line);) entry->second.push_back(line);
  }
  return entry->second;
}

std::string Sources::text_of(const std::string& file) {
  std::string text;
  for (const std::string& line : lines_of(file)) text += line + "\n";
  return text;
}

std::string Sources::line_at(const std::string& place) {
  usize colon = place.find(':');
  if (colon == std::string::npos) return {};
  usize number = 0;
  std::from_chars(place.data() + colon + 1, place.data() + place.size(), number);
  const std::vector<std::string>& lines = lines_of(place.substr(0, colon));
  if (number == 0 || number > lines.size()) return {};
  const std::string& line = lines[number - 1];
  usize begin = line.find_first_not_of(" \t");
  return begin == std::string::npos ? "" : line.substr(begin);
}

}  // namespace keyhole::step
