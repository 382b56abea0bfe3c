// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// HeaderState: the lock state in the header, in each family of algorithms.
//
//   family                     lock bits                             flags
//   monitor                    01 free, 10 inflated                  -
//   legacy                     the same, 00 held, 00 with no         -
//                              record behind it: inflating
//   lightweight, with a table  01 free, 00 held, 10 inflated         -
//   hashchains                 always 01                             -
//   hashchains+3               always 01                             held, waiters exist
//   cjm-fifo                   01 free, 00 engaged                   -
//   cjm-by                     the same                              held, roused, starving
//   cjm-hybrid                 the same                              vacant
#pragma once

#include <string>
#include <string_view>

#include "runtime/base/types.h"
#include "runtime/sync/picture/step.h"

namespace keyhole::sync::picture {

enum class Family : u8 {
  monitor,
  legacy,
  lightweight,
  table,
  chains,
  chains_fast,
  chains_plus3,
  fifo,
  by,
  hybrid,
  none,
};

constexpr Family family_of(std::string_view mode) {
  if (mode == "monitor") return Family::monitor;
  if (mode == "legacy") return Family::legacy;
  if (mode == "lightweight") return Family::lightweight;
  if (mode.starts_with("lightweight+table")) return Family::table;
  if (mode == "hashchains") return Family::chains;
  if (mode == "hashchains-fp") return Family::chains_fast;
  if (mode == "hashchains+3") return Family::chains_plus3;
  if (mode == "cjm-fifo") return Family::fifo;
  if (mode == "cjm-by") return Family::by;
  if (mode == "cjm-hybrid") return Family::hybrid;
  return Family::none;
}
constexpr bool has_monitors(Family family) { return family <= Family::table; }
constexpr bool has_chains(Family family) { return family >= Family::chains && family <= Family::chains_plus3; }
constexpr bool has_elements(Family family) { return family >= Family::fifo && family <= Family::hybrid; }

namespace flag {
inline constexpr u8 held = 1, waiters_exist = 2;  // flags of hashchains+3; `held` is also a flag of cjm-by
inline constexpr u8 roused = 2, starving = 4;     // cjm-by
inline constexpr u8 vacant = 1;                   // cjm-hybrid
}  // namespace flag

// Returns the header's state after a snippet has taken a free lock, or released a lock, without a slow path.
constexpr HeaderState after_snippet(Family family, HeaderState before, bool takes, bool others_wait) {
  if (has_monitors(family) && before.lock() >= HeaderState::inflated) return before;
  if (family == Family::monitor) return header_state(HeaderState::inflated);
  if (family == Family::chains || family == Family::chains_fast) return before;
  u8 flags = before.flags();
  if (family == Family::chains_plus3 || family == Family::by)
    flags = static_cast<u8>(takes ? flags | flag::held : flags & ~flag::held);
  if (family == Family::chains_plus3) return header_state(HeaderState::free, flags);
  if (takes || others_wait) return header_state(HeaderState::held, flags);
  return header_state(HeaderState::free);
}

// Describes a header in words: "10 inflated", "00 engaged, held, roused".
std::string words_of(Family family, HeaderState header);

}  // namespace keyhole::sync::picture
