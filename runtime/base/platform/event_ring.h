// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The last events of the VM, for the crash report: a ring of short texts, written by any thread, read only by a dying VM.
//
//   events::record("Safepoint {}", name);
//
// One atomic add and a bounded format: for things that happen at most thousands of times a second. A reader may see a line that
// is just being overwritten; it is always terminated.
#pragma once

#include <fmt/format.h>

#include <atomic>

#include "runtime/base/types.h"

namespace keyhole::events {

inline constexpr u32 capacity = 64;   // a power of two

struct Event {
  i64 nanoseconds;
  char text[112];
};
extern Event ring[capacity];
extern std::atomic<u32> written;

void stamp(Event& event);

template <typename... Arguments> void record(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  Event& event = ring[written.fetch_add(1, std::memory_order_relaxed) % capacity];
  auto end = fmt::vformat_to_n(event.text, sizeof event.text - 1, format, fmt::make_format_args(arguments...)).out;
  *end = '\0';
  stamp(event);
}

// Oldest first; formats nothing on the heap.
void print_to(int file_descriptor);

}  // namespace keyhole::events
