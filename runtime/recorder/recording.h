// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Recording: the content of a file for its readers: all events of all threads in the order of time, and all names.
//
// A file that ends in the middle of a frame is read up to there; `problem` then says so, and the events are good.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/recorder/event.h"

namespace keyhole::recorder {

struct Entry {
  i64 nanoseconds;  // since the recording began
  u32 thread;       // the virtual thread, for events of a carrier that runs one
  Kind kind;
  u32 detail;
  u32 a, b;
};

struct Recording {
  std::vector<Entry> entries;
  std::unordered_map<u32, std::string> texts;  // by number
  std::map<u32, std::string> threads;          // by id
  std::unordered_map<u32, u32> class_of;       // by object number: the text of its class's name
  bool complete = false;                       // the recording was stopped, and nothing is missing
  std::string problem;                         // empty, or what is wrong with the file, which may still have entries
  u64 event_bytes = 0;                         // stored bytes of all frames of events
  u64 largest_table = 0;                       // bounds tables that readers index by object number

  const std::string& text(u32 number) const;
  std::string thread_name(u32 id) const;  // never empty
};

Recording read_recording(const std::string& path);

}  // namespace keyhole::recorder
