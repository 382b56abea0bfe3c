// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the file of listings, and matches listings with the recording's events `compiled`.
#include "vm/tools/look/listings.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <tuple>

namespace keyhole::look {

Listings read_listings(const std::string& path, std::string& problem) {
  Listings result;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    problem = fmt::format("cannot read {}: {}", path, strerror(errno));
    return result;
  }
  std::error_code error;
  const u64 file_bytes = std::filesystem::file_size(path, error);
  for (std::string head; std::getline(file, head);) {
    if (head == "full") {
      result.is_full = true;
      break;
    }
    Listing listing;
    std::istringstream words(head);
    std::string code;
    words >> code >> listing.level >> listing.bytes;
    for (std::string* part : {&listing.method, &listing.source, &listing.bytecode, &listing.assembly, &listing.graph}) {
      usize size = 0;
      words >> size;
      if (!words || code != "code" || size > file_bytes) return result;
      part->resize(size);
      file.read(part->data(), static_cast<std::streamsize>(size));
    }
    if (!file) break;  // the VM was killed while it wrote this listing
    result.all.push_back(std::move(listing));
  }
  return result;
}

ListingsOfMethods by_event(const recorder::Recording& recording, const Listings& listings) {
  std::map<std::tuple<std::string, u32, u32>, std::deque<const Listing*>> waiting;
  for (const Listing& each : listings.all) waiting[{each.method, each.level, each.bytes}].push_back(&each);
  ListingsOfMethods result;
  for (usize i = 0; i < recording.entries.size(); ++i) {
    const recorder::Entry& entry = recording.entries[i];
    if (entry.kind != recorder::Kind::compiled) continue;
    auto found = waiting.find({recording.text(entry.a), entry.detail, entry.b});
    if (found == waiting.end() || found->second.empty()) continue;
    result[entry.a][static_cast<u32>(i)] = found->second.front();
    found->second.pop_front();
  }
  return result;
}

}  // namespace keyhole::look
