// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads an agent's manifest.
#include "classlib/natives/java.instrument/agent_jar.h"

#include <fmt/format.h>
#include <stdlib.h>

#include "vm/classfile/jar_manifest.h"
#include "vm/classfile/zip.h"

namespace keyhole::natives {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return result;
}

// Decodes "%20" and similar escapes, which the paths of Boot-Class-Path may contain.
std::string without_escapes(std::string_view text) {
  auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  std::string result;
  for (usize i = 0; i < text.size(); ++i) {
    bool escaped = text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0;
    result += escaped ? static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2])) : text[i];
    if (escaped) i += 2;
  }
  return result;
}

// The base of relative entries: the folder of the file itself, after all links are resolved.
std::string folder_of(const std::string& jar) {
  char* resolved = realpath(jar.c_str(), nullptr);
  std::string path = resolved == nullptr ? jar : resolved;
  free(resolved);
  usize slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

std::vector<std::string> files_of(std::string_view boot_class_path, const std::string& jar) {
  std::vector<std::string> files;
  while (!boot_class_path.empty()) {
    usize space = boot_class_path.find(' ');
    if (std::string_view entry = boot_class_path.substr(0, space); !entry.empty()) {
      std::string path = without_escapes(entry);
      files.push_back(path.starts_with('/') ? path : folder_of(jar) + path);
    }
    if (space == std::string_view::npos) break;
    boot_class_path.remove_prefix(space + 1);
  }
  return files;
}

}  // namespace

AgentJar read_agent_jar(std::string_view jar, std::string_view attribute) {
  AgentJar result;
  result.jar = jar;
  bool at_start = attribute == "Premain-Class";  // java's message differs slightly otherwise
  ZipArchive archive;
  if (!archive.open(result.jar, ZipArchive::Access::read).empty() || !archive.has("META-INF/MANIFEST.MF")) {
    result.problem = fmt::format("Error opening zip file or JAR manifest missing{} {}", at_start ? " :" : ":", jar);
    return result;
  }
  JarManifest manifest = JarManifest::of(archive);
  result.class_name = manifest.value(lower(attribute));
  if (result.class_name.empty()) {
    result.problem =
        fmt::format("Failed to find {} manifest attribute {} {}", attribute, at_start ? "in" : "from", jar);
    return result;
  }
  auto is_true = [&](std::string_view name) { return lower(manifest.value(name)) == "true"; };
  result.can_redefine = is_true("can-redefine-classes");
  result.can_retransform = is_true("can-retransform-classes");
  result.can_set_native_method_prefix = is_true("can-set-native-method-prefix");
  result.boot_class_path = files_of(manifest.value("boot-class-path"), result.jar);
  return result;
}

}  // namespace keyhole::natives
