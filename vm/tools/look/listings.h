// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads listings of compiled code. The recording VM writes them to a file beside the recording (jit/code/listings.h).
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
  bool is_full = false;  // the file reached its size limit, so later code has no listings
};

// Returns the path of the listings file that belongs to a recording.
inline std::string listings_path(const std::string& recording) { return recording + ".code"; }

// Reads the complete listings of the file. `problem` is empty, or says why there are no listings.
Listings read_listings(const std::string& path, std::string& problem);

// Listings by method (the number of the text that is the method's name), and then by the number of the event
// `compiled`.
using ListingsOfMethods = std::map<u32, std::map<u32, const Listing*>>;
ListingsOfMethods by_event(const recorder::Recording& recording, const Listings& listings);

}  // namespace keyhole::look
