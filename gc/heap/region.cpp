// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The transitions of the region diagram.
#include "gc/heap/region.h"

#include <utility>

#include "runtime/base/check.h"
#include "runtime/recorder/recorder.h"

namespace keyhole::gc {
namespace {

constexpr u32 bit(RegionState state) { return 1u << static_cast<u32>(state); }

}  // namespace

const char* name_of(RegionState state) {
  switch (state) {
    case RegionState::Free: return "Free";
    case RegionState::Shared: return "Shared";
    case RegionState::Full: return "Full";
    case RegionState::FromSpace: return "FromSpace";
    case RegionState::ToSpace: return "ToSpace";
    case RegionState::HumongousStart: return "HumongousStart";
    case RegionState::HumongousContinues: return "HumongousContinues";
    case RegionState::Compacting: return "Compacting";
  }
  return "?";
}

const char* name_of(Generation generation) {
  switch (generation) {
    case Generation::Eden: return "Eden";
    case Generation::Survivor: return "Survivor";
    case Generation::Old: return "Old";
  }
  return "?";
}

void Region::initialize(u32 index, char* bottom, u64 bytes) {
  index_ = index;
  span_.start = reinterpret_cast<uptr>(bottom);
  span_.end = span_.start + bytes;
  span_.top.store(span_.start, std::memory_order_release);
}

RegionState Region::move(RegionState to, u32 allowed_from, Caller caller) {
  if ((allowed_from & bit(state_)) == 0) [[unlikely]] {
    KEYHOLE_FATAL("region {} [{}, {}, {}): no way from {} to {} (asked by {} at {}:{})", index_,
                  static_cast<void*>(bottom()), static_cast<void*>(top()), static_cast<void*>(end()), name_of(state_),
                  name_of(to), caller.function_name(), caller.file_name(), caller.line());
  }
  return std::exchange(state_, to);
}

void Region::record(RegionState from) const {
  if (!recorder::is_on(recorder::Family::regions)) [[likely]]
    return;
  recorder::record(recorder::Kind::region, index_, static_cast<u32>(used_bytes()), pack({from, state_, generation_}));
}

void Region::transition_to_shared(Caller caller) {
  RegionState from = move(RegionState::Shared,
                          bit(RegionState::Free) | bit(RegionState::ToSpace) | bit(RegionState::Compacting), caller);
  record(from);
}

void Region::transition_to_full(Caller caller) {
  RegionState from = move(
      RegionState::Full,
      bit(RegionState::Shared) | bit(RegionState::ToSpace) | bit(RegionState::FromSpace) | bit(RegionState::Compacting),
      caller);
  record(from);
}

void Region::transition_to_from_space(Caller caller) {
  RegionState from = move(RegionState::FromSpace, bit(RegionState::Full), caller);
  keeps_objects_.store(false, std::memory_order_relaxed);
  record(from);
}

void Region::transition_to_to_space(Caller caller) {
  RegionState from = move(RegionState::ToSpace, bit(RegionState::Free) | bit(RegionState::Full), caller);
  record(from);
}

void Region::transition_to_humongous_start(char* object_end, Caller caller) {
  RegionState from = move(RegionState::HumongousStart, bit(RegionState::Free) | bit(RegionState::Compacting), caller);
  start_ = this;
  set_top(object_end < end() ? object_end : end());
  record(from);
}

void Region::transition_to_humongous_continues(Region* start, char* object_end, Caller caller) {
  RegionState from =
      move(RegionState::HumongousContinues, bit(RegionState::Free) | bit(RegionState::Compacting), caller);
  start_ = start;
  set_top(object_end < end() ? object_end : end());
  record(from);
}

void Region::transition_to_compacting(Caller caller) {
  RegionState from = move(RegionState::Compacting,
                          bit(RegionState::Free) | bit(RegionState::Full) | bit(RegionState::HumongousStart) |
                              bit(RegionState::HumongousContinues),
                          caller);
  record(from);
}

void Region::transition_to_free(Caller caller) {
  RegionState from = move(RegionState::Free,
                          bit(RegionState::FromSpace) | bit(RegionState::HumongousStart) |
                              bit(RegionState::HumongousContinues) | bit(RegionState::Compacting),
                          caller);
  if (top() != bottom()) dirty_ = true;
  set_top(bottom());
  start_ = nullptr;
  generation_ = Generation::Eden;
  age_ = 0;
  ++epoch_;
  record(from);
}

}  // namespace keyhole::gc
