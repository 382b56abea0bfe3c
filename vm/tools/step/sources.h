// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds and reads the program's source files, by the file names that its class files give.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "runtime/base/types.h"

namespace keyhole::step {

class Sources {
 public:
  // Source files, and folders to search for them.
  explicit Sources(std::vector<std::string> places);
  // Returns the source line at a place such as "Overdraw.java:9", without indentation; empty if the file was not found.
  std::string line_at(const std::string& place);
  // Returns the path of the source file of this name; empty if it was not found.
  std::string path_of(const std::string& file);
  std::string text_of(const std::string& file);

 private:
  const std::vector<std::string>& lines_of(const std::string& file);

  std::vector<std::string> places_;
  std::map<std::string, std::vector<std::string>> lines_;
};

}  // namespace keyhole::step
