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
  // Reads a jar's manifest. A jar without one has an empty manifest.
  static JarManifest of(ZipArchive& archive);

  // An attribute's value without spaces at its end. Names ignore case. Empty when there is no such attribute.
  std::string_view value(std::string_view lower_case_name) const;
  // Returns whether the jar has a manifest that cannot be read. java skips such a jar.
  bool is_damaged() const { return is_damaged_; }
  // Does java.util.jar.Manifest reject it?
  bool is_malformed() const { return is_malformed_; }
  // Returns whether the manifest's entry yields another number of bytes than its size states. java reads only the
  // stated number of bytes when it opens a jar. But to describe packages of an unsigned jar, it reads all bytes of the
  // stream.
  bool has_wrong_size() const { return has_wrong_size_; }
  // Returns whether any section of the manifest has the attribute Sealed.
  bool mentions_sealing() const { return mentions_sealing_; }
  // The files that Class-Path names, in its order. Relative names are relative to the jar's folder. Entries that are
  // not file URLs are omitted.
  std::vector<std::string> class_path(const std::string& jar_file) const;

 private:
  std::map<std::string, std::string, std::less<>> values_;
  bool mentions_sealing_ = false, is_damaged_ = false, is_malformed_ = false, has_wrong_size_ = false;
};

}  // namespace keyhole
