// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Inlining decisions. The builder asks for each call whether it is inlined.
//
//   Builder ──judge(where, callee)──> Inliner      checks whether it may inline; size, depth, recursion, budget
//      └──────────note──────────────> decisions    a call, then the calls in its inlined callee: -XX:+PrintInlining
//
// The builder reaches the calls in the order of the blocks.
//
// N1: the code of a method names no method and no class that may be unloaded before that method
//     (vm/link/loading/class_unloading.h, U4).
// N2: BuildOptions::look_at is called for a method before its bytecode or its profile is read.
// N3: if a callee cannot be built, the builder removes the part that it has built, takes back the decision (take_back),
//     and builds a call.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "jit/graph/build/build.h"
#include "jit/graph/build/profile.h"

namespace keyhole::graph {

// The pre-decoded instructions, flow, liveness and profile of a method. There is one MethodShape per method, so all
// builders of the method work from the same data.
struct MethodShape {
  // If `all_handlers`, handlers that no exception has reached are compiled, too.
  explicit MethodShape(Method* method, u32 first_instruction = 0, bool all_handlers = false);

  Instructions instructions;
  std::vector<bool> handlers;  // whether each handler is compiled
  Flow flow;
  LocalLiveness live;
  Profile profile;
};

void note_pruned_handler(Graph& graph, const MethodShape& shape);

// Activation: the compiled method, or one of the methods that are inlined into it, at one call.
struct Activation {
  const Activation* outer;  // the caller's activation; null for the compiled method
  const Method* method;
  u32 depth;       // the number of callers in the graph
  f64 frequency;   // executions of this activation for each execution of the compiled method
  bool is_caught;  // whether a caller's handler covers the call
};

class Inliner {
 public:
  Inliner(Graph& graph, const BuildOptions& options);

  bool is_enabled() const { return options_.inlines; }

  // Whether the callee is inlined, and the reason.
  struct Verdict {
    bool inlines;
    std::string_view reason;
  };
  // `bci` is the bci of the call, and `frequency` the number of its executions per execution of the compiled method.
  Verdict judge(const Activation& caller, u32 bci, const Method* callee, f64 frequency) const;

  bool may_name(const Klass* klass) const;  // N1: whether the class cannot be unloaded before the compiled method
  // Returns the only method that a call can select if the receiver's class is `type` or a subclass, and makes the code
  // depend on this fact. Returns null if loaded classes have several such methods (vm/link/loading/class_hierarchy.h).
  Method* unique_concrete_method(const InstanceKlass* type, const InstanceKlass* interface, u32 index);
  // Whether the code may speculate at the bci. It may not if such a speculation has failed too often
  // (BuildOptions::has_failed).
  bool may_speculate(const Method* method, u32 bci, DeoptReason reason) const;
  const MethodShape& shape_of(Method* method);  // N2
  // Returns the reason why the method cannot be built; empty if it can.
  static std::string fault_of(const MethodShape& shape);

  // Appends the decision to the list of decisions, and returns its number in that list. If the callee is inlined, adds
  // the callee's bytes to inlined_bytes_.
  usize note(const InliningDecision& decision);
  void note_unprofiled(const Method* method) const {
    if (options_.lacks_profile) options_.lacks_profile(method);
  }
  // N3: changes the decision with this number to "not inlined", and drops all later decisions.
  void take_back(usize number, std::string reason);
  std::vector<InliningDecision> take_decisions() { return std::move(decisions_); }

 private:
  static Verdict refused(std::string_view reason) { return {false, reason}; }

  Graph& graph_;
  const BuildOptions& options_;
  std::unordered_map<Method*, std::unique_ptr<MethodShape>> shapes_;
  std::vector<InliningDecision> decisions_;
  u64 inlined_bytes_ = 0;
};

}  // namespace keyhole::graph
