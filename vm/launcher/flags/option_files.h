// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Files with options:
//
//   -XX:Flags=FILE            flags without "-XX:", '#' starts a comment; both kinds of quotes
//   -XX:VMOptionsFile=FILE    options of the VM, as in JAVA_TOOL_OPTIONS
//   @FILE                     words of the command line: '#' starts a comment; in quotes, \n \r \t \f and a backslash
//                             before a line end, which continues the word after the next line's white space
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/hotspot_version.h"

namespace keyhole {

// The words of a settings file; empty if it cannot be opened.
std::optional<std::vector<std::string>> read_settings_file(const std::string& path);
// Is there a .hotspotrc in the working folder? java warns that it reads this file only on request.
bool has_ignored_settings_file();

// The words of an options file. `complaint` is java's text when there are none.
std::vector<std::string> read_options_file(const std::string& path, std::string& complaint);

// The words of an argument file's text.
std::vector<std::string> split_argument_file(std::string_view text);

// Expands the argument files of the command line. Only words before the main class are expanded, not the contents of
// argument files, and nothing after --disable-@files. `complaint` is java's text when a file cannot be read. `hotspot`
// is called only when the result depends on the release.
std::vector<std::string> expand_argument_files(const std::vector<std::string>& words,
                                               const std::function<HotSpot()>& hotspot, std::string& complaint);

}  // namespace keyhole
