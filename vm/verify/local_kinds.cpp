// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the dataflow analysis of frame maps, and reads its result at one bci.
#include "vm/verify/local_kinds.h"

namespace keyhole {

std::vector<SlotKind> local_kinds_at(const Method* method, u32 bci) {
  CodeShape shape;
  if (!shape.scan(method)) return {};
  SlotDomain domain(method);
  Dataflow<SlotDomain> flow(method, shape, domain);
  if (!flow.run()) return {};
  std::vector<SlotKind> kinds;
  for (u32 node = 0; node < flow.nodes().size(); ++node) {
    if (flow.nodes()[node].bci != bci || !flow.nodes()[node].reached) continue;
    auto note = [&](u32 at, SlotDomain::State& state) {
      if (at != bci || !kinds.empty()) return;
      for (u32 i = 0; i < state.locals; ++i) kinds.push_back(state.local(i).kind());
    };
    flow.replay(node, note, [](u32) {});
  }
  return kinds;
}

}  // namespace keyhole
