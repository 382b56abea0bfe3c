// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks the fields whose values index a table. Other fields need no check: a value without a name is shown as a
// number.
#include "vm/tools/recording/known_events.h"

#include <fmt/format.h>

#include "gc/heap/region.h"
#include "runtime/sync/picture/step.h"

namespace keyhole::recording {

using recorder::Entry;
using recorder::Field;
using recorder::FieldType;

namespace {

bool is_known(const Field& field, u32 value) {
  if (field.type == FieldType::change)
    return static_cast<u32>(sync::picture::unpack(value).step) < sync::picture::step_count;
  if (field.type == FieldType::region) {
    auto [from, to, generation] = gc::unpack_region_change(value);
    return from <= gc::RegionState::Compacting && to <= gc::RegionState::Compacting &&
           generation <= gc::Generation::Old;
  }
  return true;
}

}  // namespace

recorder::Recording read_known_events(const std::string& path) {
  recorder::Recording recording = recorder::read_recording(path);
  usize unknown = std::erase_if(recording.entries,
                                [](const Entry& entry) { return !is_known(row_of(entry.kind).detail, entry.detail); });
  if (unknown != 0 && recording.problem.empty())
    recording.problem =
        fmt::format("{} is damaged: {} events have values that no VM writes, and are left out", path, unknown);
  return recording;
}

}  // namespace keyhole::recording
