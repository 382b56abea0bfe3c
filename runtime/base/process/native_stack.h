// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// NativeStack: the return addresses of a thread's C++ stack, for messages that name two places. Taking a trace costs
// some microseconds; names are looked up when it is printed.
#pragma once

#include <string>

namespace keyhole {

class NativeStack {
 public:
  void take();
  // The text of the trace: a line for each frame from the caller of take() on, innermost first, "\n#
  // program(function+0x12) [0x...]".
  std::string text() const;

 private:
  static constexpr int maximum_frames = 16;
  int count_ = 0;
  void* frames_[maximum_frames] = {};
};

}  // namespace keyhole
