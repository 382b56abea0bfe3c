// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A recording's file, as its readers begin: all names, and the blocks of events, one of which is in memory at a time.
//
// A file that ends in the middle of a frame is read up to there; `problem` then says so, and what came before is good.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/recorder/event.h"
#include "runtime/recorder/file.h"

namespace keyhole::recorder {

class RecordingFile {
 public:
  explicit RecordingFile(const std::string& path);

  std::unordered_map<u32, std::string> texts;   // by number
  std::map<u32, std::string> threads;           // by id
  bool complete = false;                        // it was stopped, and nothing is missing
  std::string problem;                          // empty, or what is wrong with the file
  u64 event_bytes = 0;                          // of all frames of events

  // From now on the blocks of a thread follow each other, in the order of time; before, they are as in the file.
  void sort_by_thread();
  // body(thread, base, events), block after block. Ends at a damaged one.
  template <typename Body> void for_each_block(Body body) {
    std::vector<Event> events;
    for (const Frame& frame : frames_) {
      if (!read_events(frame, events)) return;
      body(frame.header.thread, frame.header.base, events);
    }
  }

  u64 ticks(u64 base, const Event& event) const { return base + (u64{event.time} << tick_shift); }
  // Since the recording began.
  i64 nanoseconds(u64 ticks) const;

 private:
  struct Frame {
    file::FrameHeader header;
    usize offset;              // of the header in the file
    std::string_view stored;
  };
  struct Clock {
    u64 ticks;
    i64 nanoseconds;
  };

  bool read_events(const Frame& frame, std::vector<Event>& events);
  bool read_names(std::string_view names);
  void note_damage(usize offset);
  void calibrate();

  std::string path_, bytes_;
  std::vector<Frame> frames_;   // of events
  std::vector<Clock> clocks_;
  f64 tick_length_ = 1;         // nanoseconds
};

}  // namespace keyhole::recorder
