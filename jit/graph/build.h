// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A method's graph, by abstract interpretation of its cells in reverse postorder.
//
//   cells ──Flow──> blocks in order ──Builder──> graph ──> redundant phis removed, verified in debug builds
//
// What has not been executed, is rare, or only the interpreter does, is an exit before its cell. So are exceptions.
#pragma once

#include <memory>
#include <string>

#include "jit/graph/graph.h"

namespace keyhole::graph {

struct Built {
  std::unique_ptr<Graph> graph;    // null: refused
  std::string refusal;             // why
};

// The method has bytecode. Managed thread; reaches no safepoint. The graph is that of the cells as they are now.
Built build(Method* method);

}  // namespace keyhole::graph
