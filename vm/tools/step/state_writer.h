// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the program's state at a tick as text for the stepper: threads, frames, variables, locks. state.h parses the
// text.
//
// The variables written are the locals of the program's frames, and the fields and array elements that the program's
// own code has accessed. An object gets its number ("Account#1") when it is first written.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "vm/tools/step/matcher.h"

namespace keyhole::step {

class StateWriter {
 public:
  explicit StateWriter(Control*& control) : control_(control) {}

  // Called when a thread stands before an operation. All states written from then on include the lock or field that the
  // operation uses.
  void see(JavaThread* thread, const controlled::Operation& operation, const Object* base, u64 offset);
  void write(const Standing& at);
  // Writes the last state, when the program ends or no thread can run.
  void write_last();

 private:
  struct Seen {
    const Object* base;
    u64 offset;
  };
  // The last operation before which a strand stopped.
  struct Operation {
    controlled::Operation operation{};
    const Object* base = nullptr;
    u64 offset = 0;
    u32 event = UINT32_MAX;
  };
  struct Strand {
    JavaThread* thread = nullptr;
    std::string name;
    Operation last;
  };

  Numbered& numbered(u64 key);
  std::string numbered_name(const Object* object);
  std::string object_text(const Object* object);
  std::string value_at(char letter, u64 address);
  std::string words_of(const Strand& strand);
  std::string status_of(u32 number, const Standing* at, std::string& doing);
  void write_threads(const Standing* at);
  void write_frames(u32 number, const JavaThread* thread);
  void write_locals(u32 number, u32 frame, const Method* method, u32 bci, const Slot* locals);
  void write_fields();
  void write_locks();
  void find_threads();
  void publish();

  Control*& control_;
  Strand strands_[controlled::max_strands];
  std::vector<Seen> seen_;
  std::unordered_map<u64, u32> index_of_seen_;  // by address
  std::vector<const Object*> locks_;
  std::string text_;
};

}  // namespace keyhole::step
