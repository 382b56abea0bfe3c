// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The file of a recording, read and written in frames. Each frame can be read alone, so a file that ends early is valid
// up to its last complete frame.
//
//   "KEYHOLE RECORDING\n"   table: u64, names and fields of all events as a hash
//   frame...                FrameHeader, then stored_bytes of payload, as `codec` says
//
//   kind     payload
//   events   `count` events of `thread`, by columns (encode_columns)
//   names    (u8 NameKind, u32 number, u16 length, text)...
//   clock    none; `base` ticks are `nanoseconds` of CLOCK_MONOTONIC
//   end      none: the recording was stopped properly
//
// Columns. Neighbouring events in a block resemble each other. So the first bytes of a field of all events stand
// together, then the second bytes, and so on. Times, objects and sites are stored as differences from the event before.
// zstd then finds long runs.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "runtime/recorder/event.h"

namespace keyhole::recorder::file {

inline constexpr std::string_view magic = "KEYHOLE RECORDING\n";
inline constexpr u32 frame_magic = 0x4D52'464B;  // "KFRM"

enum class FrameKind : u8 { events, names, clock, end };
enum class Codec : u8 { raw, zstd, events_in_rows };  // events_in_rows: as in memory, written in a crash
enum class NameKind : u8 { text, thread };

struct FrameHeader {
  u32 magic = frame_magic;
  FrameKind kind;
  Codec codec = Codec::raw;
  u16 unused = 0;
  u32 thread = 0;
  u32 count = 0;
  u64 base = 0;
  i64 nanoseconds = 0;
  u32 raw_bytes = 0;
  u32 stored_bytes = 0;
};
static_assert(sizeof(FrameHeader) == 40);

u64 table_hash();

// An event takes 15 bytes in columns, because a kind is one byte there.
inline constexpr u32 column_bytes = 15;
void encode_columns(std::span<const Event> events, char* columns);
void decode_columns(const char* columns, std::span<Event> events);

// Compresses the payload. Returns an empty result if it does not get shorter, or if memory is exhausted.
std::string compress(std::string_view payload);
// The best compression of zstd: a block of 128 KiB takes at least four bytes.
inline constexpr usize zstd_best_ratio = 128 * 1024 / 4;
// Decompresses a frame's bytes into `payload`, whose size must be that of the result. Returns false if the frame is
// damaged.
bool decompress(std::string_view stored, std::span<char> payload);

// Appends one frame to an open file; false when it cannot be written. Async-signal-safe.
bool write_frame(int file_descriptor, FrameHeader header, std::string_view payload);

}  // namespace keyhole::recorder::file
