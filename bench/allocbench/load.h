// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The loads of allocbench, and their results. Threads allocate for a while, or serve requests that allocate.
//
//   mode       how a thread takes memory                                               the memory
//   lock       takes the heap lock for each object                                     Keyhole's heap, collected
//   cas        a CAS on the top of its home region for each object                     "
//   lock+tlab  bumps the pointer of its buffer; takes the heap lock for each buffer    "
//   cas+tlab   bumps the pointer of its buffer; a CAS for each buffer                  "
//   bump       bumps its own pointer, in C++ that does nothing else                     an arena, used again and again
//   bare-cas   a CAS on a pointer that no other thread uses                            "
//   fetch-add  adds to one atomic counter of all threads                               "
//
// All modes clear an object's memory, write a header word, and use the same amount of memory before they reuse it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/types.h"

namespace keyhole::allocbench {

enum class Mode : u8 { lock, cas, lock_tlab, cas_tlab, bump, bare_cas, fetch_add };
inline constexpr std::string_view mode_names[] = {"lock", "cas",      "lock+tlab", "cas+tlab",
                                                  "bump", "bare-cas", "fetch-add"};
inline bool uses_heap(Mode mode) { return mode <= Mode::cas_tlab; }
inline bool uses_buffers(Mode mode) { return mode == Mode::lock_tlab || mode == Mode::cas_tlab || mode == Mode::bump; }

struct Parameters {
  Mode mode = Mode::cas_tlab;
  u32 threads = 1;
  u64 object_bytes = 32;
  f64 seconds = 0.5;
  u32 requests = 0;  // total number of requests; 0: measures throughput for `seconds` instead
  u32 objects_per_request = 200;
  u64 heap_bytes = 256_MiB;
  u32 regions = 0;  // -XX:MutatorAllocRegions; 0 = the default
};

// The times of one request, in nanoseconds since the run began.
struct Event {
  i64 start, end;
};

struct Outcome {
  u64 objects = 0;
  f64 wall_seconds = 0, cpu_seconds = 0;  // cpu_seconds: of the allocating threads
  u64 cas_failures = 0, slow_rounds = 0, collections = 0;
  std::vector<Event> events;
  std::string problem = {};

  f64 megabytes_per_second(const Parameters& parameters) const {
    return static_cast<f64>(objects * parameters.object_bytes) / wall_seconds / 1e6;
  }
  f64 cpu_nanoseconds_per_object() const { return cpu_seconds * 1e9 / static_cast<f64>(objects); }
};

// Must be called only once per process, because a heap is never freed.
Outcome run(const Parameters& parameters);

}  // namespace keyhole::allocbench
