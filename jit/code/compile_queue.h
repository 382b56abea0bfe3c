// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The compile queue of the VM (picture and rules: compile_queue_protocol.h), and what takes methods from it.
#pragma once

#include "jit/code/compile_queue_protocol.h"
#include "jit/code/tier_world.h"

namespace keyhole::tiers {

using CompileRequest = CompileRequestOf<TierWorld>;
using CompileTask = CompileTaskOf<TierWorld>;
using CompileQueue = CompileQueueOf<TierWorld>;
extern template class CompileTaskOf<TierWorld>;    // tier_world.cpp
extern template class CompileQueueOf<TierWorld>;

// What takes methods from the queue: the optimising tier.
class OptimisingTier {
 public:
  enum class Outcome : u8 { Installed, Refused, Cancelled, OverBudget, Unprofiled };
  // Compiles and installs task.method(), with its profile (MethodData). On a compiling thread, managed; may become
  // native for long. Refused: never again. Cancelled: perhaps later, when it is hot again.
  // OverBudget: its expected cost (CompileTask::cost) is above the request's budget. Unprofiled: methods that it would
  // inline (CompileTask::unprofiled) have no profile yet.
  virtual Outcome compile(JavaThread* thread, CompileTask& task) MAY_SAFEPOINT = 0;
  // There will be a method to compile soon (P13). On a compiling thread, managed; may become native for long.
  virtual void prepare(JavaThread*) MAY_SAFEPOINT {}
  // Of code that is gone (CompiledCode::resource), whose memory is free already. World stopped, under the compiler's
  // lock; a compiling thread may be in compile(), native.
  virtual void forget(void* resource) = 0;
  // An earlier run has compiled the method, and its profile is kept: the loop that it was compiled for, or
  // CompileRequest::no_loop. Managed thread; reaches no safepoint.
  virtual std::optional<i32> expected_loop_of(Method*) { return std::nullopt; }
  // Frames of a method that has code are seen outside of it: often enough that it would be hot without code. Managed
  // thread.
  virtual void note_hot_outside_code(const Method*) {}
  // Retires code that deoptimizes too often (jit/optimised/failed_speculations.h). Managed thread.
  virtual void retire_failing() {}

 protected:
  ~OptimisingTier() = default;
};

// The registered one (policy.h); null: there is none.
OptimisingTier* tier();

}  // namespace keyhole::tiers
