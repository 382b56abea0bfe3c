// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Describes pictures in words, and compares two of them.
#include "runtime/sync/picture/picture.h"

#include <fmt/format.h>

#include <algorithm>

namespace keyhole::sync::picture {

std::string_view name_of(Family family) {
  constexpr std::string_view names[] = {"monitor",      "legacy", "lightweight", "table",  "chains", "chains",
                                        "chains_plus3", "fifo",   "by",          "hybrid", "none"};
  return names[static_cast<usize>(family)];
}
std::string_view name_of(OwnerEffect effect) {
  constexpr std::string_view names[] = {"same", "subject", "nobody"};
  return names[static_cast<usize>(effect)];
}
std::string_view name_of(ListEffect effect) {
  constexpr std::string_view names[] = {"same", "joins", "leaves"};
  return names[static_cast<usize>(effect)];
}

std::string words_of(Family family, HeaderState header) {
  std::string words;
  switch (header.lock()) {
    case HeaderState::free: words = "01 free"; break;
    case HeaderState::held: words = has_elements(family) ? "00 engaged" : "00 held"; break;
    case HeaderState::inflated: words = "10 inflated"; break;
    default: words = "00 inflating"; break;
  }
  auto add = [&](u8 bit, std::string_view name) {
    if ((header.flags() & bit) != 0) words += fmt::format(", {}", name);
  };
  if (family == Family::chains_plus3) {
    if ((header.flags() & flag::held) != 0) words = "01";
    add(flag::held, "locked");
    add(flag::waiters_exist, "waiters exist");
  } else if (family == Family::by) {
    add(flag::held, "held");
    add(flag::roused, "roused");
    add(flag::starving, "starving");
  } else if (family == Family::hybrid) {
    add(flag::vacant, "vacant");
  }
  return words;
}

namespace {

std::string list(const std::vector<u32>& threads) {
  std::string text;
  for (u32 thread : threads) text += fmt::format(" {}", thread);
  return text.empty() ? " nobody" : text;
}

}  // namespace

std::string describe(Family family, const Picture& picture) {
  std::string text = words_of(family, picture.header);
  if (picture.owner == 0) text += ", owner nobody";
  else text += fmt::format(", owner {} ({} levels)", picture.owner, picture.levels);
  text += fmt::format(", queue{}, waiting{}", list(picture.queue), list(picture.waiters));
  if (picture.successor != 0) text += fmt::format(", next {}", picture.successor);
  if (picture.is_hashed) text += ", hashed";
  if (picture.is_tabled) text += ", in the table";
  return text;
}

std::string difference(Family family, const Sight& seen, const Picture& told) {
  Picture real = seen.picture;
  if (seen.has_unknown_owner && told.owner != 0) {
    real.owner = told.owner;
    std::erase(real.queue, told.owner);  // the reader may have seen the new owner in the queue
  }
  if (seen.has_loose_queue) real.queue = told.queue;
  if (seen.has_unknown_waiters) real.waiters = told.waiters;
  if (seen.has_unknown_hash) real.is_hashed = told.is_hashed;
  if (seen.has_leaving_monitor) real.is_tabled = told.is_tabled;
  if (real.levels == 0 || told.levels == 0) real.levels = told.levels;
  if (real == told) return {};
  return fmt::format("the lock is [{}], and its picture [{}]", describe(family, real), describe(family, told));
}

}  // namespace keyhole::sync::picture
