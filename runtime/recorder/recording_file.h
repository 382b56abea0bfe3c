// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// RecordingFile: reads a recording's file: all names at once, the blocks of events one at a time.
//
// A file that ends in the middle of a frame is read up to there; `problem` then says so, and everything before is good.
//
// Each number in the file is compared with a limit before it is used:
//
//   number                   limit                                        beyond it
//   a payload's size         the most that zstd can make of the bytes     the frame is damaged
//   a block's events         the recorder's blocks; the payload's size    the frame is damaged
//   all events               the file's size (events_of_a_byte)           the first frame too many is damaged
//   a text's number          the size of all names                        there is no such text
//   a clock's reading        another one that differs by a sane rate      ticks count as nanoseconds
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

  std::unordered_map<u32, std::string> texts;  // by number
  std::map<u32, std::string> threads;          // by id
  bool complete = false;                       // the recording was stopped, and nothing is missing
  std::string problem;                         // empty, or what is wrong with the file
  u64 event_bytes = 0;                         // of all frames of events

  // Sorts the blocks, which are in the order of the file before. Afterwards the blocks of each thread follow each
  // other, in the order of time.
  void sort_by_thread();
  // Calls body(thread, base, events) for each block. Ends at a damaged one.
  template <typename Body> void for_each_block(Body body) {
    std::vector<Event> events;
    for (const Frame& frame : frames_) {
      if (!read_events(frame, events)) return;
      body(frame.header.thread, frame.header.base, events);
    }
  }

  u64 ticks(u64 base, const Event& event) const { return base + (u64{event.time} << tick_shift); }
  // The time since the recording began.
  i64 nanoseconds(u64 ticks) const;
  // The longest table by object number that a reader makes. The recorder numbers objects from 1 on while the VM runs. A
  // number that is much larger than the number of events comes from a damaged file, or from a VM that recorded more
  // before.
  u64 largest_table() const { return most_unseen_objects + 8 * event_count_; }

 private:
  struct Frame {
    file::FrameHeader header;
    usize offset;  // where the header begins in the file
    std::string_view stored;
  };
  struct Clock {
    u64 ticks;
    i64 nanoseconds;
  };

  static constexpr u64 most_unseen_objects = 4 << 20;
  // The recorder writes 0.4 bytes per event for a thread that only locks.
  static constexpr u64 events_of_a_byte = 16;

  bool takes_events(const file::FrameHeader& header) const;
  void forget_impossible_texts();
  bool read_events(const Frame& frame, std::vector<Event>& events);
  bool read_names(std::string_view names);
  void note_damage(usize offset);
  void calibrate();

  std::string path_, bytes_;
  u64 event_count_ = 0;  // of all frames of events
  u64 names_bytes_ = 0;
  std::vector<Frame> frames_;  // of events
  std::vector<Clock> clocks_;
  f64 tick_length_ = 1;  // nanoseconds
};

}  // namespace keyhole::recorder
