// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the table of plans from plans.def.
#include "gc/plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "gc/heap/space.h"

namespace keyhole::gc {
namespace {

struct Row {
  std::string_view name;  // of -XX:GCPlan=
  std::string_view does;
  std::unique_ptr<Plan> (*make)();
};
constexpr Row rows[] = {
#define GC_PLAN(name, collects, does) {#name, does, make_##name##_plan},
#include "gc/plans.def"
#undef GC_PLAN
};

Plan* chosen = nullptr;  // not destroyed while the VM runs, as exit() may run beside a collection

std::string names() {
  std::string text;
  for (const Row& row : rows) {
    if (&row != rows) text += &row + 1 == std::end(rows) ? " or " : ", ";
    text += fmt::format("{} ({})", row.name, row.does);
  }
  return text;
}

}  // namespace

bool Plan::has_concurrent_work() const { return space.has_memory_to_return(); }
bool Plan::concurrent_step() { return space.return_some_memory(); }

Plan& plan() { return *chosen; }

std::string select_plan(std::string_view name) {
  auto row = std::find_if(std::begin(rows), std::end(rows), [&](const Row& each) { return each.name == name; });
  if (row == std::end(rows)) return fmt::format("Unknown GC plan '{}': {}", name, names());
  delete chosen;  // only tests make more than one heap
  chosen = row->make().release();
  barrier::kind = chosen->properties().barrier;
  return {};
}

}  // namespace keyhole::gc
