// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Counters that other processes read: the file /tmp/hsperfdata_USER/PID, by which `jps` and `jcmd -l` find a VM.
//
//   header     magic 0xCAFEC0C0 (big-endian), byte order 1, version 2.0, accessible, used, overflow, time of change,
//              first entry, number of entries
//   entry      length, offset of its name, elements (0: one i64), type, flags, units, variability, offset of its data;
//              name; data
//
// This is version 2.0 of the format, which jdk.jvmstat reads (sun.jvmstat.perfdata.monitor.v2_0). The file has its full
// size from the start, so readers map it once. A counter is never removed; its creator writes its value in place.
// Without the file (-XX:-UsePerfData, a full or foreign folder) counters are memory of this process; their writers see
// no difference.
#pragma once

#include <string>
#include <string_view>

#include "runtime/base/types.h"

namespace keyhole::perf_data {

enum class Units : u8 { none = 1, bytes, ticks, events, string, hertz };
enum class Variability : u8 { constant = 1, monotonic, variable };

inline constexpr usize file_bytes = 32 * 1024;

// Makes the file of this process, and removes those of dead processes. Called before the first counter is made. A
// failure is not reported.
void open_file();
// Publishes the counters made so far, and each later one.
void publish();
// Removes the file, when the process ends.
void remove_file();

// Makes a counter, and returns its data, which stay valid. Null: the name is taken.
i64* add_number(std::string_view name, Units units, Variability variability, i64 value);
// Makes a text entry of `capacity` bytes, which begins with the text; the rest is 0.
u8* add_text(std::string_view name, Variability variability, std::string_view text, usize capacity);

// The counters of another process of this machine: `bytes` bytes at `memory`, mapped for reading. Null: `problem` says
// why.
struct Attached {
  void* memory = nullptr;
  usize bytes = 0;
  std::string problem;
};
// Called by the handler of SIGBUS. True: the fault was in this process's file, which another process has truncated.
// From then on the counters are in memory that no other process sees.
bool goes_on_without_file(uptr accessed);
Attached attach(i32 process_id, std::string_view user);
void detach(void* memory, usize bytes);

}  // namespace keyhole::perf_data
