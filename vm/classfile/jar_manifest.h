// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A jar's manifest: the main section of META-INF/MANIFEST.MF (JAR File Specification).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace keyhole {

class ZipArchive;

class JarManifest {
 public:
  // A jar without a manifest has an empty one.
  static JarManifest of(ZipArchive& archive);

  // Attribute names ignore case; spaces after the value do not count. Empty when there is no such attribute.
  std::string_view value(std::string_view lower_case_name) const;
  // There is one, and it cannot be read: java then leaves out the jar.
  bool is_damaged() const { return is_damaged_; }
  // java.util.jar.Manifest refuses it.
  bool is_malformed() const { return is_malformed_; }
  // The part of java that runs before the VM refuses it, too.
  bool stops_launcher() const { return stops_launcher_; }
  // Some section has the attribute Sealed.
  bool mentions_sealing() const { return mentions_sealing_; }
  // The files that Class-Path names, in its order; relative ones lie beside the jar. Entries that are not file URLs are
  // omitted.
  std::vector<std::string> class_path(const std::string& jar_file) const;

 private:
  std::map<std::string, std::string, std::less<>> values_;
  bool mentions_sealing_ = false, is_damaged_ = false, is_malformed_ = false, stops_launcher_ = false;
};

}  // namespace keyhole
