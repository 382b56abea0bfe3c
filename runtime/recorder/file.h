// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The file of a recording, read and written in frames that stand alone: a file that ends early is good up to its last
// whole frame.
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
// Columns. Neighbours of an event in its block resemble it, so bytes of equal rank stand together, and are differences
// where values run: of the time to the event before, of an object or site to that before. zstd then finds long runs.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "runtime/recorder/event.h"

namespace keyhole::recorder::file {

inline constexpr std::string_view magic = "KEYHOLE RECORDING\n";
inline constexpr u32 frame_magic = 0x4D52'464B;  // "KFRM"

enum class FrameKind : u8 { events, names, clock, end };
enum class Codec : u8 { raw, zstd, events_in_rows };  // events_in_rows: as in memory, after a crash
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

// Bytes of an event in columns: 15, because a kind is one byte.
inline constexpr u32 column_bytes = 15;
void encode_columns(std::span<const Event> events, char* columns);
void decode_columns(const char* columns, std::span<Event> events);

// Empty when the payload does not get shorter, or memory is exhausted.
std::string compress(std::string_view payload);
// The fewest stored bytes of a block: 128 KiB compress to four bytes at best.
inline constexpr usize zstd_best_ratio = 128 * 1024 / 4;
// False: the frame is damaged. The size of `payload` is the size that the result must have.
bool decompress(std::string_view stored, std::span<char> payload);

// Appends one frame to an open file; false when it cannot be written. Async-signal-safe.
bool write_frame(int file_descriptor, FrameHeader header, std::string_view payload);

}  // namespace keyhole::recorder::file
