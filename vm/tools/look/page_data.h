// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes a recording's data for the page. The data is divided into blocks that are compressed separately, so that the
// page unpacks only the blocks that it shows.
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
  usize drawn_at_once = 0;  // number of blocks at the beginning of `blocks` that the page needs for its first drawing
};

struct About {
  std::string program;  // the program's command line, or the recording's file name
  std::string mode;     // the locking mode; empty: the one that the recording names
  Listings listings;
  // If the program is one source file: the file's name without folders, and its text. Otherwise empty.
  std::string source_name, source;
};

// The most events that a page may have; browsers cannot open a larger page.
inline constexpr usize most_events = 40'000'000;

// Returns whether the largest object number is small enough for the page, which has a table indexed by object number.
bool largest_object_fits(const recorder::Recording& recording);
PageData page_data_of(const recorder::Recording& recording, const About& about);
// Writes the data for the page of keyhole --compare-locks. Its only block is the head, which has the output of --json.
PageData page_data_of_comparison(std::string_view json);

}  // namespace keyhole::look
