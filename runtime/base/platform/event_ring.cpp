// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Keeps and prints the ring.
#include "runtime/base/platform/event_ring.h"

#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "runtime/base/mutex.h"
#include "runtime/base/platform/hardware_world.h"

namespace keyhole::events {

namespace {
Mutex ring_mutex{LockRank::event_ring};  // for writers; the reader tolerates races
Event ring[capacity];
u32 written = 0;
const i64 start_nanoseconds = hardware::now_nanoseconds();
}  // namespace

void append(const char* text, usize length) {
  i64 now = hardware::now_nanoseconds();
  MutexLock guard(ring_mutex);
  Event& event = ring[written++ % capacity];
  event.nanoseconds = now;
  memcpy(event.text, text, length);
  event.text[length] = '\0';
}

void print_to(int file_descriptor) {
  u32 end = written;
  u32 begin = end > capacity ? end - capacity : 0;
  for (u32 i = begin; i != end; ++i) {
    const Event& event = ring[i % capacity];
    char line[160];
    int length =
        snprintf(line, sizeof line, "Event: %.3f %.*s\n", static_cast<f64>(event.nanoseconds - start_nanoseconds) / 1e9,
                 static_cast<int>(sizeof event.text - 1), event.text);
    if (length > 0 && write(file_descriptor, line, static_cast<usize>(length)) < 0) return;
  }
}

}  // namespace keyhole::events
