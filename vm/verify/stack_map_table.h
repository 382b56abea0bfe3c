// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reading StackMapTable (JVMS 4.7.4): each entry says how the frame at its bci differs from the frame before.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vm/verify/verify_error.h"

namespace keyhole {

struct StackMapFrame {
  u32 bci;
  TypeState state;
};

// Reads the raw entries, before they are applied to each other. Used for printing, too.
class StackMapReader {
 public:
  struct Type {
    u8 tag;
    u16 value;
  };  // value: pool index (7, object) or bci (8, uninitialized)
  struct Entry {
    u8 kind;  // frame_type
    u16 bci_distance;
    u8 chopped;                                 // chop_frame
    std::vector<Type> locals = {}, stack = {};  // for append_frame, full_frame, same_locals_1...
  };
  explicit StackMapReader(const Method* method);
  u32 frame_count() const { return frame_count_; }
  // The next entry; nullopt when the attribute ends too early or is invalid, and fault() then says why. A full frame
  // whose locals take more than `most_locals` slots is not read to its end.
  std::optional<Entry> next(u32 most_locals = ~0u);
  bool at_end() const { return at_ == end_; }
  const char* fault() const { return fault_; }

 private:
  bool read_types(std::vector<Type>& into, u32 count);
  u32 read_u2();
  const Method* method_;
  const u8* at_;
  const u8* end_;
  u32 frame_count_ = 0;
  const char* fault_ = nullptr;
};

// The table as HotSpot prints it: one line per entry, "same_frame(@4)" and so on.
std::string describe_stack_map_table(const Method* method, std::string_view indent);

}  // namespace keyhole
