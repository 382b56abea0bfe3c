// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Heap regions: 64 of 256 KiB, 9 used
//      0  OOOVFFSS-.......................................................
//           - free, used before  . free  F full: allocated since the last collection  O old  (and so on, in one line)
//   region      6  Shared          0x000010180000     117 of 256 KiB
//
// Under a plan without generations all full regions are F.
#include "gc/inspect/region_picture.h"

#include <fmt/format.h>

#include "runtime/base/print.h"

namespace keyhole::gc::inspect {
namespace {

struct Symbol {
  char sign;
  const char* meaning;
};

Symbol symbol_of(const Region& region) {
  switch (region.state()) {
    case RegionState::Free: return region.dirty() ? Symbol{'-', "free, used before"} : Symbol{'.', "free"};
    case RegionState::Shared: return {'S', "shared: threads allocate here"};
    case RegionState::Full:
      switch (region.generation()) {
        case Generation::Eden: return {'F', "full: allocated since the last collection"};
        case Generation::Survivor: return {'V', "survivors"};
        case Generation::Old: return {'O', "old"};
      }
      break;
    case RegionState::FromSpace: return {'<', "from-space"};
    case RegionState::ToSpace: return {'>', "to-space"};
    case RegionState::HumongousStart: return {'H', "humongous object"};
    case RegionState::HumongousContinues: return {'h', "the rest of it"};
    case RegionState::Compacting: return {'#', "compacting"};
  }
  return {'?', "unknown"};
}

}  // namespace

void print_regions(RegionTable& regions, FILE* out) {
  constexpr u32 per_line = 64;
  print_text(out, "Heap regions: {} of {} KiB, {} used\n", regions.count(), regions.region_bytes() / 1024,
             regions.used_count());
  const char* meanings[128] = {};
  u32 untouched_lines = 0;
  for (u32 first = 0; first < regions.count(); first += per_line) {
    char line[per_line + 1] = {};
    bool untouched = true;
    for (u32 i = 0; i < per_line && first + i < regions.count(); ++i) {
      Symbol symbol = symbol_of(*regions.at(first + i));
      line[i] = symbol.sign;
      meanings[static_cast<u8>(symbol.sign) & 127] = symbol.meaning;
      untouched = untouched && symbol.sign == '.';
    }
    untouched_lines += untouched;
    if (!untouched) print_text(out, "  {:>6}  {}\n", first, static_cast<const char*>(line));
  }
  if (untouched_lines != 0)
    print_text(out, "          ({} lines of {} regions that were never used)\n", untouched_lines, per_line);
  print_text(out, "         ");
  for (u32 sign = 0; sign < std::size(meanings); ++sign)
    if (meanings[sign] != nullptr) print_text(out, " {} {} ", static_cast<char>(sign), meanings[sign]);
  print_text(out, "\n");
  regions.for_each_used([&](Region& region) {
    if (region.state() == RegionState::Full || region.state() == RegionState::HumongousContinues) return;
    print_text(out, "  region {:>6}  {:<14}  {:#014x}  {:>6} of {} KiB\n", region.index(), name_of(region.state()),
               reinterpret_cast<uptr>(region.bottom()), region.used_bytes() / 1024, region.bytes() / 1024);
  });
}

}  // namespace keyhole::gc::inspect
