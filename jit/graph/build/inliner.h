// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Inlining decisions. An inlined call is built in its place, with the caller's frame as the outer one of its frame
// states.
//
//   Builder ──judge(where, callee)──> Inliner      is it allowed at all; size, depth, recursion, budget
//      └──────────note──────────────> decisions    each followed by those inside it: -XX:+PrintInlining
//
// The builder meets calls in the order of blocks.
//
// N1: code names no method and no class that may die before its own method (vm/link/loading/class_unloading.h, U4).
// N2: BuildOptions::look_at is called for a method before its bytecode or its profile is read.
// N3: a callee that cannot be built becomes a call: the builder undoes what it has built of it (take_back).
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "jit/graph/build/build.h"
#include "jit/graph/build/profile.h"

namespace keyhole::graph {

// A method as the builders see it each time that they inline it.
struct MethodShape {
  // With `all_handlers`, handlers that no exception has reached yet are compiled, too.
  explicit MethodShape(Method* method, u32 first_instruction = 0, bool all_handlers = false);

  Instructions instructions;
  std::vector<bool> handlers;  // for each handler: whether it is compiled
  Flow flow;
  LocalLiveness live;
  Profile profile;
};

void note_pruned_handler(Graph& graph, const MethodShape& shape);

// An activation that is being built.
struct Activation {
  const Activation* outer;  // the caller's activation; null for the compiled method
  const Method* method;
  u32 depth;       // the number of callers
  f64 frequency;   // executions per execution of the compiled method
  bool is_caught;  // whether a caller catches exceptions of this method
};

class Inliner {
 public:
  Inliner(Graph& graph, const BuildOptions& options);

  bool is_enabled() const { return options_.inlines; }

  // The reason why the callee is inlined, or why not.
  struct Verdict {
    bool inlines;
    std::string_view reason;
  };
  // `bci` is that of the call; `frequency` counts the call's executions per execution of the compiled method.
  Verdict judge(const Activation& caller, u32 bci, const Method* callee, f64 frequency) const;

  bool may_name(const Klass* klass) const;  // N1: whether the code may name the class
  // The unique concrete method that the type selects (vm/link/loading/class_hierarchy.h); the code depends on it from
  // then on. Null if there is none.
  Method* unique_concrete_method(const InstanceKlass* type, const InstanceKlass* interface, u32 index);
  // Whether the code may speculate there: not if that has failed too often.
  bool may_speculate(const Method* method, u32 bci, DeoptReason reason) const;
  const MethodShape& shape_of(Method* method);  // N2
  // The reason why no builder can read the method; empty if one can.
  static std::string fault_of(const MethodShape& shape);

  // Returns the number of the decision. An inlined callee counts against the budget.
  usize note(const InliningDecision& decision);
  void note_unprofiled(const Method* method) const {
    if (options_.lacks_profile) options_.lacks_profile(method);
  }
  void take_back(usize number, std::string reason);  // N3: takes back this decision, and those noted since
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
