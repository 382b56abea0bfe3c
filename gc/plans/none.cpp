// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The plan that never collects: what allocation alone costs, and the first plan to read.
//
// The heap fills up to -Xmx, then allocation fails. References are never cleared, nothing moves.
#include "gc/plan.h"
#include "gc/space.h"

namespace keyhole::gc {
namespace {

class NonePlan final : public Plan {
 public:
  const PlanProperties& properties() const override {
    static constexpr PlanProperties values{"none", "None (never collects)", false, false, barrier::Kind::None};
    return values;
  }
  void collect(Collection&) const override {}
};

constinit const NonePlan instance;

}  // namespace

const Plan& none_plan = instance;

}  // namespace keyhole::gc
