// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The code image as a file:
//
//   keyhole code image 1        what it is
//   header compact              the key: a line for each part, name and value
//   build 5d0c...
//   ...
//                               an empty line
//   zstd frame with checksum    the content (code_image.cpp)
#pragma once

#include <string>
#include <string_view>

namespace keyhole::image {

// Of this process: header layout, builds of the VM and of the plug-in, processor. Empty: one of them is unknown
// (without /proc), so no image can be known to fit.
std::string key_of_process(const std::string& plugin);

struct Content {
  bool exists = false;
  std::string bytes;
  std::string problem;   // empty: all is well. Otherwise a sentence without its subject, the file
};
Content read_file(const std::string& path, std::string_view key);
// Empty, or why not.
std::string write_file(const std::string& path, std::string_view key, std::string_view content);

}  // namespace keyhole::image
