// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads a jar's central directory by the rules of java.util.zip.ZipFile: it rejects what ZipFile rejects, and tolerates
// what ZipFile tolerates.
//
//   before the first local header    anything, such as a script that starts the jar
//   number of entries, disks         not looked at
//   local headers                    only where their name and extra fields end; sizes are the directory's
//   two entries of one name          the last one counts
#pragma once

#include <string>
#include <vector>

#include "vm/classfile/zip_source.h"

namespace keyhole {

struct ZipEntry {
  std::string name;
  u64 local_header;
  u64 stored_bytes, bytes;
  bool is_deflated;
};

struct ZipDirectory {
  std::vector<ZipEntry> entries;  // in its order
  // Whether some extra field 1 has more or less data than its entry needs. Later libraries reject such a jar.
  bool has_odd_field = false;
};
constexpr u32 first_strict_release = 22;  // of those

// Reads the directory. Returns an empty string, or the reason why the file is no jar.
std::string read_zip_directory(ZipSource& source, ZipDirectory& directory);

}  // namespace keyhole
