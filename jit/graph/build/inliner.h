// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Which calls are inlined: built in place of the call, with the caller's frame as the outer one of their states.
//
//   Builder ──judge(where, callee)──> Inliner      what may be inlined at all, sizes, depth, recursion, budget
//      └──────────note──────────────> decisions    each followed by those in it: -XX:+PrintInlining
//
// Calls are met in the order of blocks.
//
// N1: code names no method and no class that may die before its own method (vm/link/class_unloading.h, U4).
// N2: a method is looked at (BuildOptions::look_at) before its cells or its profile are read.
// N3: a callee that cannot be built becomes a call: the builder takes back what it has made of it (take_back).
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "jit/graph/build/build.h"
#include "jit/graph/build/profile.h"

namespace keyhole::graph {

// What builders read of a method, each time that it is inlined.
struct MethodShape {
  // `all_handlers`: also those that no exception has gone to yet.
  explicit MethodShape(Method* method, u32 first_cell = 0, bool all_handlers = false);

  Cells cells;
  std::vector<bool> handlers;   // by number: those that are compiled
  Flow flow;
  LocalLiveness live;
  Profile profile;
};

void note_pruned_handler(Graph& graph, const MethodShape& shape);

// A method that is being built.
struct Activation {
  const Activation* outer;     // its caller; null: the method that is compiled
  const Method* method;
  u32 depth;                   // callers
  f64 frequency;               // for each execution of the method that is compiled
  bool is_caught;              // what it throws, perhaps: by a handler of its caller's, or further out
};

class Inliner {
 public:
  Inliner(Graph& graph, const BuildOptions& options);

  bool is_enabled() const { return options_.inlines; }

  // Why the callee is not inlined, or why it is.
  struct Verdict {
    bool inlines;
    std::string_view reason;
  };
  // `frequency`: of the call, for each execution of the method that is compiled.
  // `bci`: of the call.
  Verdict judge(const Activation& caller, u32 bci, const Method* callee, f64 frequency) const;

  bool may_name(const Klass* klass) const;                          // N1
  // The method that every instance of the type selects (vm/link/class_hierarchy.h), which the graph assumes from then
  // on; null: nobody knows of one.
  Method* unique_concrete_method(const InstanceKlass* type, const InstanceKlass* interface, u32 index);
  // May the guess be made, or has it failed too often?
  bool may_speculate(const Method* method, u32 bci, DeoptReason reason) const;
  const MethodShape& shape_of(Method* method);                      // N2
  // Why no builder can read it; empty: one can. What an intrinsic's body would do may never have been resolved.
  static std::string fault_of(const MethodShape& shape);

  // The number of the decision. What is inlined counts for the budget.
  usize note(const InliningDecision& decision);
  void note_unprofiled(const Method* method) const {
    if (options_.lacks_profile) options_.lacks_profile(method);
  }
  void take_back(usize number, std::string reason);                 // N3: and those noted since
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
