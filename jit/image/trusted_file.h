// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Trusted files: opens a file whose content this process will execute, with the checks that ssh makes of a private key.
//
//   the file      regular, no symbolic link; owned by the effective user or root; not writable by group or others
//   each folder   from the file's own one up to the root: owned by the effective user or root; writable by group or
//                 others only with the sticky bit (/tmp), under which they cannot replace files of other owners
//
// T1: owner and mode of the file are read from the open descriptor, so the file that is checked is the file that is
//     read.
// T2: the whole content is read into memory before any of it is used, so later changes of the file have no effect.
#pragma once

#include <string>

#include "runtime/base/types.h"

namespace keyhole::image {

struct TrustedContent {
  bool exists = false;
  std::string bytes;
  std::string problem;  // why the file cannot be used, for example "it belongs to another user"; otherwise empty
};
// Reads the file. Refuses it if another user could have changed the file or a folder on its path, if it is no regular
// file, or if it has more than `most_bytes` bytes.
TrustedContent read_trusted(const std::string& path, usize most_bytes);

// Replaces the file by a new file that read_trusted accepts. Returns an error message, or an empty string on success.
std::string write_trusted(const std::string& path, std::string_view head, std::string_view content);

}  // namespace keyhole::image
