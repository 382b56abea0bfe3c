// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds a method's graph: abstract interpretation of its pre-decoded instructions in reverse postorder, and of those
// of the methods that it inlines (inliner.h).
//
//   instructions ──Flow──> blocks in order ──Builder──> graph ──> redundant phis removed, verified in debug builds
//                                      |  ^
//                                      └──┘ a Builder for each call that is inlined
//
// An instruction that was never executed, is rare, or is left to the interpreter becomes a deopt point. So does an
// exception, unless a handler around it has been entered often.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "jit/graph/ir/graph.h"

namespace keyhole::graph {

struct BuildOptions {
  // Inlines calls, and makes unprofiled paths uncommon traps. Otherwise every call stays a call.
  bool inlines = false;
  // Binds a call with a unique concrete method, and makes the code depend on it (vm/link/loading/class_hierarchy.h).
  bool assumes_hierarchy = false;
  // The bci of a loop's header, where the code continues an interpreter frame (on-stack replacement); -1: the method's
  // entry.
  i32 loop = -1;
  // Called for every inlined method before the graph uses anything of it.
  std::function<void(Method*)> look_at = {};
  // // Whether a speculation at this place has failed too often to be repeated. Its reason is Class, Untaken,
  // Intrinsic, Hoisted or Monitor, or one for which the instruction throws (raises()).
  std::function<bool(const Method*, u32 bci, DeoptReason)> has_failed = {};
  // Called for an inlined method without a profile, when only a profile could tell the target of a call in it.
  std::function<void(const Method*)> lacks_profile = {};
  bool has_origins = false;  // nodes know the bytecode that they come from
  // Bytes of the method's code of this tier; 0 if it has none.
  std::function<u32(const Method*)> compiled_bytes = {};
};

// A call that the builder met, and whether it was inlined.
struct InliningDecision {
  u32 depth;  // the number of inlined calls around it
  u32 bci;
  const Method* callee;
  bool is_inlined;
  std::string reason;
  const Klass* receiver = nullptr;  // speculated on from the profile
  u32 receiver_count = 0;
  u64 call_count = 0;
};

struct Built {
  std::unique_ptr<Graph> graph;  // null if the method is refused
  std::string refusal;           // the reason for the refusal
  std::vector<InliningDecision> decisions;
};

// The method has bytecode, and the thread is managed. No safepoint is reached, so the graph shows one state of the
// instructions.
Built build(Method* method, const BuildOptions& options = {});

// The lines of -XX:+PrintInlining.
std::string print(std::span<const InliningDecision> decisions);

}  // namespace keyhole::graph
