// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Source files of the program, found by the names in its class files.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "runtime/base/types.h"

namespace keyhole::step {

class Sources {
 public:
  // Files and folders to look in.
  explicit Sources(std::vector<std::string> places);
  // The line of a place such as "Overdraw.java:9", without its indentation; empty: there is no such file.
  std::string line_at(const std::string& place);
  // The path of a file of this name; empty: there is none.
  std::string path_of(const std::string& file);
  std::string text_of(const std::string& file);

 private:
  const std::vector<std::string>& lines_of(const std::string& file);

  std::vector<std::string> places_;
  std::map<std::string, std::vector<std::string>> lines_;
};

}  // namespace keyhole::step
