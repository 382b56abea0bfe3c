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
  // Does the jar have a manifest that cannot be read? java then skips the jar.
  bool is_damaged() const { return is_damaged_; }
  // Does java.util.jar.Manifest reject it?
  bool is_malformed() const { return is_malformed_; }
  // Do a stream and the entry's size disagree about the length? java opens a jar with as many bytes as the size says.
  // It describes packages with all that the stream yields, if the jar is not signed.
  bool has_wrong_size() const { return has_wrong_size_; }
  // Does some section have the attribute Sealed?
  bool mentions_sealing() const { return mentions_sealing_; }
  // The files that Class-Path names, in its order. Relative names are relative to the jar's folder. Entries that are
  // not file URLs are omitted.
  std::vector<std::string> class_path(const std::string& jar_file) const;

 private:
  std::map<std::string, std::string, std::less<>> values_;
  bool mentions_sealing_ = false, is_damaged_ = false, is_malformed_ = false, has_wrong_size_ = false;
};

}  // namespace keyhole
