// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The page's data about a recording: blocks that are packed separately, so that the page unpacks only those that it
// shows.
//
//   block 0           the head, JSON: a table of contents with the blocks (page/source/data.ts has its types)
//   blocks 1 ... n    the first ones are drawn at once: texts, the coarsest level of detail
//   the others        tables (columns.h): finer levels, events, objects, code
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/recorder/recording.h"
#include "vm/tools/look/listings.h"

namespace keyhole::look {

struct PageData {
  std::vector<std::string> blocks;
  usize drawn_at_once = 0;  // the number of blocks that are drawn at once
};

struct About {
  std::string program;  // the command line of the program, or the file of the recording
  std::string mode;     // the locking mode; empty: unknown
  Listings listings;
  // If the program is one source file: the file's name without folders, and its text. Otherwise empty.
  std::string source_name, source;
};

// The limit for a page: with more events it does not open in a browser.
inline constexpr usize most_events = 40'000'000;

// Is the largest object number small enough? The page has a table by object number.
bool largest_object_fits(const recorder::Recording& recording);
PageData page_data_of(const recorder::Recording& recording, const About& about);
// The page of keyhole --compare-locks. Its only block is the head, with what --json would write.
PageData page_data_of_comparison(std::string_view json);

}  // namespace keyhole::look
