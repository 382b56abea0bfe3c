// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The last events of the VM, for the crash report: a ring of short texts, written by any thread, read only by a dying
// VM.
//
//   events::record("Safepoint {}", name);
//
// Recording takes a lock for a short time and formats into a bounded buffer: it is for events that happen at most
// thousands of times a second. The reader takes no lock, and may see a line that is being overwritten; a line is always
// terminated.
#pragma once

#include <fmt/format.h>

#include "runtime/base/types.h"

namespace keyhole::events {

inline constexpr u32 capacity = 64;  // a power of two

struct Event {
  i64 nanoseconds;
  char text[112];
};
void append(const char* text, usize length);

template <typename... Arguments> void record(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  char text[sizeof Event::text - 1];
  auto end = fmt::vformat_to_n(text, sizeof text, format, fmt::make_format_args(arguments...)).out;
  append(text, static_cast<usize>(end - text));
}

// Prints the events, oldest first, without using the heap.
void print_to(int file_descriptor);

}  // namespace keyhole::events
