// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lines to attributes; Class-Path to files.
#include "vm/classfile/jar_manifest.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "runtime/base/types.h"
#include "vm/classfile/zip.h"

namespace keyhole {
namespace {

// %XX to bytes; other text stays.
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

}  // namespace

JarManifest JarManifest::of(ZipArchive& archive) {
  JarManifest result;
  auto manifest = archive.find("META-INF/MANIFEST.MF");
  if (!manifest) return result;
  std::string_view text(reinterpret_cast<const char*>(manifest->bytes.data()), manifest->bytes.size());
  constexpr std::string_view sealed = "sealed:";
  auto ignoring_case = [](char c, char lower) { return std::tolower(static_cast<unsigned char>(c)) == lower; };
  result.mentions_sealing_ =
      std::search(text.begin(), text.end(), sealed.begin(), sealed.end(), ignoring_case) != text.end();
  std::string name;
  while (!text.empty()) {
    usize end = text.find_first_of("\r\n");
    std::string_view line = text.substr(0, end);
    usize skip = end == std::string_view::npos ? text.size() : end + (text.substr(end, 2) == "\r\n" ? 2 : 1);
    text.remove_prefix(skip);
    if (line.empty()) break;   // the main section ends
    if (line.front() == ' ') {
      result.values_[name] += line.substr(1);   // goes on with the line before
    } else if (usize colon = line.find(':'); colon != std::string_view::npos) {
      name = line.substr(0, colon);
      std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
      result.values_[name] = line.substr(std::min(line.size(), colon + 2));
    }
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
