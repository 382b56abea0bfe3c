// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Image file: the format of a code image.
//
//   keyhole code image 1        the format and its version
//   header compact              the key: a line for each part, name and value
//   build 5d0c...
//   ...
//                               an empty line
//   zstd frame with checksum    the content (code_image.cpp)
#pragma once

#include <string>
#include <string_view>

namespace keyhole::image {

// Returns the build id that the linker has written into an ELF file; empty if the file has none.
std::string build_id(const std::string& path);
// Returns the key of this process: header layout, builds of the VM and of the plug-in, processor. Returns an empty key
// if one of these is unknown, for example without /proc; then no image can be used.
std::string key_of_process(const std::string& plugin);

struct Content {
  bool exists = false;
  std::string bytes;
  std::string problem;  // why the file cannot be used, for example "it is damaged"; otherwise empty
};
Content read_file(const std::string& path, std::string_view key);
// Writes the file. Returns an error message, or an empty string on success.
std::string write_file(const std::string& path, std::string_view key, std::string_view content);

}  // namespace keyhole::image
