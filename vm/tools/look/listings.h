// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Listings of code, from the file beside a recording that jit/code/listings.h writes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "runtime/recorder/recording.h"

namespace keyhole::look {

struct Listing {
  u32 level = 0, bytes = 0;
  std::string method, source, bytecode, assembly, graph;
};

struct Listings {
  std::vector<Listing> all;
  bool is_full = false;  // more code was compiled after the file was full
};

// The path of the listings beside this recording.
inline std::string listings_path(const std::string& recording) { return recording + ".code"; }

// Reads the complete listings of the file. `problem`: empty, or why there are none.
Listings read_listings(const std::string& path, std::string& problem);

// Listings by method (the number of the text that is its name), and then by the number of the event `compiled`.
using ListingsOfMethods = std::map<u32, std::map<u32, const Listing*>>;
ListingsOfMethods by_event(const recorder::Recording& recording, const Listings& listings);

}  // namespace keyhole::look
