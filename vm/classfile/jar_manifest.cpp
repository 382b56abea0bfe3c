// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses lines into attributes, and Class-Path into files.
#include "vm/classfile/jar_manifest.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "runtime/base/types.h"
#include "vm/classfile/zip.h"

namespace keyhole {
namespace {

// Replaces %XX by bytes; other text stays.
std::string percent_decoded(std::string_view url) {
  std::string result;
  for (usize i = 0; i < url.size(); ++i) {
    u8 byte = 0;
    if (url[i] == '%' && i + 2 < url.size() && std::from_chars(&url[i + 1], &url[i + 3], byte, 16).ptr == &url[i + 3]) {
      result += static_cast<char>(byte);
      i += 2;
    } else {
      result += url[i];
    }
  }
  return result;
}

bool has_scheme(std::string_view url) {
  usize colon = url.find(':');
  return colon != std::string_view::npos && colon > 0 &&
         std::all_of(url.begin(), url.begin() + static_cast<i64>(colon),
                     [](unsigned char c) { return std::isalnum(c) != 0; });
}

struct Line {
  std::string_view text;
  bool is_too_long;
};

// Removes the first line of the text and returns it. Text after the last newline is ignored.
std::optional<Line> take_line(std::string_view& text) {
  constexpr usize most_bytes = 512;  // with its end
  usize end = text.find_first_of("\r\n");
  if (end == std::string_view::npos) return std::nullopt;
  usize whole = end + (text.substr(end, 2) == "\r\n" ? 2 : 1);
  Line line{text.substr(0, end), whole > most_bytes};
  text.remove_prefix(whole);
  return line;
}

// Returns whether the line is "Name: value", with a name that java.util.jar.Attributes accepts.
bool is_attribute(std::string_view line, usize colon) {
  constexpr usize longest_name = 70;
  return colon != std::string_view::npos && colon > 0 && colon <= longest_name && line.substr(colon, 2) == ": " &&
         std::ranges::all_of(line.substr(0, colon),
                             [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; });
}

}  // namespace

JarManifest JarManifest::of(ZipArchive& archive) {
  JarManifest result;
  if (archive.manifest_name().empty()) return result;
  auto manifest = archive.find(archive.manifest_name());
  // java's limit of the manifest's size; larger manifests are rejected even if they are readable
  constexpr u64 most_bytes = 16'000'000;
  result.is_damaged_ = manifest->is_damaged || archive.entry(archive.manifest_name())->bytes > most_bytes;
  auto streamed = archive.read_stored(archive.manifest_name());
  result.has_wrong_size_ = streamed->is_damaged || streamed->bytes.size() != manifest->bytes.size();
  std::string_view text(reinterpret_cast<const char*>(manifest->bytes.data()), manifest->bytes.size());
  constexpr std::string_view sealed = "sealed:";
  auto ignoring_case = [](char c, char lower) { return std::tolower(static_cast<unsigned char>(c)) == lower; };
  result.mentions_sealing_ =
      std::search(text.begin(), text.end(), sealed.begin(), sealed.end(), ignoring_case) != text.end();
  std::string name;
  // whether the line is in the main section; whether it is the first line of its section
  bool is_main = true, begins = true;
  while (std::optional<Line> next = take_line(text)) {
    std::string_view line = next->text;
    if (line.empty()) {
      is_main = false;
      begins = true;
      continue;
    }
    usize colon = line.find(':');
    bool goes_on = line.front() == ' ';  // with the line before
    if (next->is_too_long || (goes_on ? begins : !is_attribute(line, colon))) result.is_malformed_ = true;
    if (is_main && goes_on) {
      result.values_[name] += line.substr(1);
    } else if (!goes_on && colon != std::string_view::npos) {
      name = line.substr(0, colon);
      std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
      if (is_main) result.values_[name] = line.substr(std::min(line.size(), colon + 2));
      else if (begins && name != "name") result.is_malformed_ = true;
    }
    begins = false;
  }
  return result;
}

std::string_view JarManifest::value(std::string_view lower_case_name) const {
  auto found = values_.find(lower_case_name);
  if (found == values_.end()) return {};
  std::string_view value = found->second;
  while (value.ends_with(' ')) value.remove_suffix(1);
  return value;
}

std::vector<std::string> JarManifest::class_path(const std::string& jar_file) const {
  std::vector<std::string> result;
  usize slash = jar_file.rfind('/');
  std::string folder = slash == std::string::npos ? "" : jar_file.substr(0, slash + 1);
  for (std::string_view rest = value("class-path"); !rest.empty();) {
    usize end = rest.find(' ');
    std::string_view entry = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (entry.starts_with("file:")) entry.remove_prefix(5);
    else if (has_scheme(entry)) continue;
    if (entry.empty()) continue;
    std::string file = percent_decoded(entry);
    result.push_back(file.starts_with('/') ? file : folder + file);
  }
  return result;
}

}  // namespace keyhole
