// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The tables events.def and families.def as types and constants, and an event as a thread writes it.
#pragma once

#include <array>
#include <string_view>

#include "runtime/base/types.h"

namespace keyhole::recorder {

enum class Family : u32 {
#define FAMILY(name, sentence) name,
#include "runtime/recorder/families.def"
#undef FAMILY
  Count
};
inline constexpr u32 family_count = static_cast<u32>(Family::Count);
constexpr u32 bit_of(Family family) { return 1u << static_cast<u32>(family); }
inline constexpr u32 all_families = (1u << family_count) - 1;

enum class Kind : u32 {
#define EVENT(name, ...) name,
#include "runtime/recorder/events.def"
#undef EVENT
  Count
};
inline constexpr u32 kind_count = static_cast<u32>(Kind::Count);
static_assert(kind_count <= 256, "a kind is one byte in the file");

enum class FieldType : u8 {
  nothing,
  object,  // its number
  site,    // a text: method, line and bci
  thread,  // the id of a Java thread, 0 = nobody
  text,    // the number of a text (texts.h)
  number,
  bytes,
  address,  // in units of 8 bytes
  word,     // the header's lock bits: before << 2 | after
  cause,    // sync::InflationCause
  status,   // sync::Status
  state,    // JavaThreadStatus
  step,     // LockCounter
  yes_no,
  region,  // gc::RegionChange, packed
  change,  // sync::picture::Change, packed
  exit,    // interpreter::DeoptReason
  stack,   // its number (stacks.h)
};

struct Field {
  FieldType type = FieldType::nothing;
  std::string_view name;
};
struct Row {
  std::string_view name;
  Family family;
  Field a, b, detail;
  std::string_view sentence;
};

inline constexpr std::array<Row, kind_count> rows = {{
#define NOTHING \
  {             \
  }
#define FIELD(type, name) {FieldType::type, #name}
#define EVENT(name, family, a, b, detail, sentence) {#name, Family::family, a, b, detail, sentence},
#include "runtime/recorder/events.def"
#undef EVENT
#undef FIELD
#undef NOTHING
}};
constexpr const Row& row_of(Kind kind) { return rows[static_cast<u32>(kind)]; }

struct FamilyRow {
  std::string_view name, sentence;
};
inline constexpr std::array<FamilyRow, family_count> family_rows = {{
#define FAMILY(name, sentence) {#name, sentence},
#include "runtime/recorder/families.def"
#undef FAMILY
}};

// Ids from here on belong to threads that are not Java's.
inline constexpr u32 os_thread_base = 0x8000'0000;
constexpr bool is_os_thread(u32 id) { return id >= os_thread_base; }

// The time of an event is its distance from its block's start in units of 4 ticks of the processor's time stamp
// counter: 1 to 2 ns.
inline constexpr u32 tick_shift = 2;

struct Event {
  u32 time;
  u16 kind;
  u16 detail;
  u32 a, b;
};
static_assert(sizeof(Event) == 16);

}  // namespace keyhole::recorder
