// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of plans.
#include "gc/plan.h"

#include <fmt/format.h>

namespace keyhole::gc {
namespace {

const Plan* chosen = nullptr;

}  // namespace

const Plan& plan() { return chosen != nullptr ? *chosen : generational_plan; }

std::string select_plan(std::string_view name) {
  for (const Plan* candidate : {&none_plan, &evacuating_plan, &generational_plan}) {
    if (candidate->properties().name != name) continue;
    if (candidate->properties().barrier > barrier::kind) {
      return fmt::format("GC plan '{}' needs a write barrier that this VM was not built with", name);
    }
    chosen = candidate;
    return {};
  }
  return fmt::format("Unknown GC plan '{}': generational, evacuating or none", name);
}

}  // namespace keyhole::gc
