// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds a method's graph by abstract interpretation of its pre-decoded instructions, block by block in reverse
// postorder. Inlined methods are built in the same way (inliner.h).
//
//   instructions ──Flow──> blocks in order ──Builder──> graph ──> redundant phis removed, verified in debug builds
//                                      |  ^
//                                      └──┘ a Builder for each call that is inlined
//
// An instruction that was never executed, is rare, or is left to the interpreter becomes a deopt point. An exception of
// an instruction itself (null, index) becomes a deopt point, too, unless it is thrown often where a handler covers it.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "jit/graph/ir/graph.h"

namespace keyhole::graph {

struct BuildOptions {
  // Whether the builder inlines calls, and turns paths that the profile has never seen into uncommon traps. If false,
  // every call stays a call.
  bool inlines = false;
  // Whether the builder calls or inlines a call's unique concrete method without a check of the receiver. The code then
  // depends on the class hierarchy (vm/link/loading/class_hierarchy.h).
  bool assumes_hierarchy = false;
  // The bci of the loop's header for on-stack replacement: the code continues an interpreter frame there. -1 for a
  // graph that starts at the method's entry.
  i32 loop = -1;
  // Called for every inlined method before the graph uses its bytecode or profile.
  std::function<void(Method*)> look_at = {};
  // Whether a speculation for this reason has failed at the bci too often to be repeated. The reason is Class, Untaken,
  // Intrinsic, Hoisted or Monitor, or a reason for which the instruction itself throws (raises()).
  std::function<bool(const Method*, u32 bci, DeoptReason)> has_failed = {};
  // Called for an inlined method without a profile, if it has a call whose target is known only with a profile.
  std::function<void(const Method*)> lacks_profile = {};
  bool has_origins = false;  // whether nodes get an Origin, which only listings need
  // The size in bytes of the method's optimised code; 0 if it has none.
  std::function<u32(const Method*)> compiled_bytes = {};
};

// A call in the bytecode, and whether it was inlined.
struct InliningDecision {
  u32 depth;  // inlining depth of the method that contains this call; 0: the compiled method
  u32 bci;
  const Method* callee;
  bool is_inlined;
  std::string reason;
  const Klass* receiver = nullptr;  // speculated on from the profile
  u32 receiver_count = 0;
  u64 call_count = 0;
};

struct Built {
  std::unique_ptr<Graph> graph;  // the graph; null if the method is refused
  std::string refusal;           // the reason for the refusal
  std::vector<InliningDecision> decisions;
};

// The method must have bytecode, and the thread must be managed. build() reaches no safepoint, so the graph shows one
// state of the pre-decoded instructions.
Built build(Method* method, const BuildOptions& options = {});

// The lines of -XX:+PrintInlining.
std::string print(std::span<const InliningDecision> decisions);

}  // namespace keyhole::graph
