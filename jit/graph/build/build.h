// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A method's graph, by abstract interpretation of its cells in reverse postorder, and of the cells of what it calls
// (inliner.h).
//
//   cells ──Flow──> blocks in order ──Builder──> graph ──> redundant phis removed, verified in debug builds
//                                      |  ^
//                                      └──┘ a Builder for each call that is inlined
//
// What has not been executed, is rare, or only the interpreter does, is an exit before its cell. So are exceptions,
// unless a handler around has been entered often.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "jit/graph/ir/graph.h"

namespace keyhole::graph {

struct BuildOptions {
  // Calls are inlined, and what a profile has not seen is left out: an exit. Otherwise all calls stay calls.
  bool inlines = false;
  // A method that is not overridden now is called, or inlined, without asking (vm/link/class_hierarchy.h).
  bool assumes_hierarchy = false;
  // bci of a loop's header: a frame of the interpreter's continues there (on-stack replacement). -1: the method's
  // entry.
  i32 loop = -1;
  // Called with each method but the compiled one before anything of it goes into the graph.
  std::function<void(Method*)> look_at = {};
  // Has a guess at this place failed so often that it is not made again? DeoptReason: Class, Untaken, Intrinsic,
  // Hoisted, or what raises.
  std::function<bool(const Method*, u32 bci, DeoptReason)> has_failed = {};
  // Called with each inlined method that has counted nothing, and has a call whose target only its profile could tell.
  std::function<void(const Method*)> lacks_profile = {};
  bool has_origins = false;          // nodes know their bytecode
  // Of the method's code of this tier; 0: it has none.
  std::function<u32(const Method*)> compiled_bytes = {};
};

// Of a call that was met, and can be inlined at most.
struct InliningDecision {
  u32 depth;                         // of calls that it is inlined in
  u32 bci;
  const Method* callee;
  bool is_inlined;
  std::string reason;
  const Klass* receiver = nullptr;   // guessed from the profile
  u32 receiver_count = 0;
  u64 call_count = 0;
};

struct Built {
  std::unique_ptr<Graph> graph;    // null: refused
  std::string refusal;             // why
  std::vector<InliningDecision> decisions;
};

// The method has bytecode. Managed thread; reaches no safepoint. The graph is that of the cells as they are now.
Built build(Method* method, const BuildOptions& options = {});

// The lines of -XX:+PrintInlining.
std::string print(std::span<const InliningDecision> decisions);

}  // namespace keyhole::graph
