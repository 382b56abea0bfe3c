// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The VM's compile queue (rules: compile_queue_protocol.h), and the interface of the optimising tier.
#pragma once

#include "jit/code/compile_queue_protocol.h"
#include "jit/code/tier_world.h"

namespace keyhole::tiers {

using CompileRequest = CompileRequestOf<TierWorld>;
using CompileTask = CompileTaskOf<TierWorld>;
using CompileQueue = CompileQueueOf<TierWorld>;
extern template class CompileTaskOf<TierWorld>;  // tier_world.cpp
extern template class CompileQueueOf<TierWorld>;

// OptimisingTier: compiles the methods that compiling threads take from the queue.
class OptimisingTier {
 public:
  enum class Outcome : u8 { Installed, Refused, Cancelled, OverBudget, Unprofiled };
  // Compiles and installs task.method() for the request's level, with its profile (MethodData). A compiling thread
  // calls this while it is managed; during the call it may be native for a long time. The result Refused means that the
  // method is not tried again for this level. Cancelled means that the method may be tried again when it has become hot
  // once more. OverBudget means that its expected cost (CompileTask::cost) is above the request's budget. Unprofiled
  // means that methods to be inlined (CompileTask::unprofiled) have no profile yet.
  virtual Outcome compile(JavaThread* thread, CompileTask& task) MAY_SAFEPOINT = 0;
  // Prepares the tier, because a method will be compiled soon (compile_budget.h P13). A compiling thread calls this
  // while it is managed; during the call it may be native for a long time.
  virtual void prepare(JavaThread*) MAY_SAFEPOINT {}
  // Tells the tier that optimised code has been freed. `resource` is the code's CompiledCode::resource, and `level` the
  // level for which the code was compiled. The world is stopped, and the caller holds the compiler's lock. Meanwhile a
  // compiling thread may be native in compile().
  virtual void forget(void* resource, u8 level) = 0;
  // Returns the loop for which an earlier run compiled the method, or CompileRequest::no_loop if the earlier run
  // compiled the entry only. Returns nothing if no earlier run has kept the method's profile. Called on a managed
  // thread; reaches no safepoint.
  virtual std::optional<i32> expected_loop_of(Method*) { return std::nullopt; }
  // Tells the tier that a method has optimised code, but is hot in frames that do not run this code. Called on a
  // managed thread.
  virtual void note_hot_outside_code(const Method*) {}
  // Retires code that deoptimizes too often (jit/optimised/failed_speculations.h). Called on a managed thread.
  virtual void retire_failing() {}

 protected:
  ~OptimisingTier() = default;
};

// The registered tier (policy.h), or null.
OptimisingTier* tier();

}  // namespace keyhole::tiers
