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
  // Compiles and installs task.method() for the request's level, with its profile (MethodData). Called on a compiling
  // thread, which is managed, and may be native for a long time during the call. Refused: the method is not tried again
  // for this level. Cancelled: it may be tried again when it has become hot once more. OverBudget: its expected cost
  // (CompileTask::cost) is above the request's budget. Unprofiled: methods that it would inline
  // (CompileTask::unprofiled) have no profile yet.
  virtual Outcome compile(JavaThread* thread, CompileTask& task) MAY_SAFEPOINT = 0;
  // Prepares the tier, because a method will be compiled soon (compile_budget.h P13). Called on a compiling thread,
  // which is managed, and may be native for a long time during the call.
  virtual void prepare(JavaThread*) MAY_SAFEPOINT {}
  // Tells the tier that the code of this level with this CompiledCode::resource has been freed, together with its
  // memory. The world is stopped, and the compiler's lock is held; a compiling thread may be native in compile().
  virtual void forget(void* resource, u8 level) = 0;
  // If an earlier run has compiled the method and kept its profile: the loop that was compiled, or
  // CompileRequest::no_loop. Called on a managed thread; reaches no safepoint.
  virtual std::optional<i32> expected_loop_of(Method*) { return std::nullopt; }
  // Tells the tier that a method with optimised code is hot in frames that are not in that code. Called on a managed
  // thread.
  virtual void note_hot_outside_code(const Method*) {}
  // Retires code that deoptimizes too often (jit/optimised/failed_speculations.h). Called on a managed thread.
  virtual void retire_failing() {}

 protected:
  ~OptimisingTier() = default;
};

// The registered tier (policy.h), or null.
OptimisingTier* tier();

}  // namespace keyhole::tiers
