// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The VM's tier policy: finds the methods that the optimising tier should compile. tier_states.h has the states of a
// method, policy_protocol.h the rules.
//
// The VM has a policy only with an optimising tier, or with -XX:+SampleHotMethods. Without a policy no poll is armed
// for samples, and no code is profiled. -Xlog:jit+sampling=debug shows which methods become hot,
// -Xlog:jit+sampling=trace shows each sample, and -Xlog:jit+queue=debug shows each request.
#pragma once

#include <atomic>
#include <string>

#include "jit/code/compile_queue.h"
#include "jit/code/policy_protocol.h"
#include "vm/interpreter/tier_policy.h"

namespace keyhole::tiers {

extern template class PolicyOf<TierWorld>;  // tier_world.cpp
using Seen = PolicyOf<TierWorld>::Seen;

class Policy final : public interpreter::TierPolicy, public PolicyOf<TierWorld> {
 public:
  using PolicyOf::PolicyOf;

  // --- from the interpreter ------------------------------------------------------------------------------------------
  void note_sample(JavaThread* thread) override;
  void note_sample_at_entry(JavaThread* thread, Method* method) override;
  void note_sample_in_code(JavaThread* thread, Method* method, u32 bci) override;
  void profiling_interval_ended(JavaThread* thread, Method* method) MAY_SAFEPOINT override;
  void forget(const std::function<bool(const Method*)>& is_gone) override { PolicyOf::forget(is_gone); }

  // --- from the sampler ----------------------------------------------------------------------------------------------
  void end_expired_intervals(JavaThread* thread, i64 now) MAY_SAFEPOINT {
    PolicyOf::end_expired_intervals(thread, now);
    start_threads_if_needed(thread);
  }

  // Whether compiling threads of usual priority have started. If so, the compiling threads with a high nice value end.
  const std::atomic<bool>& has_replaced_threads() const { return has_replaced_threads_; }

 private:
  // Passes one sample to the policy. The sample consists of the method that is being entered (`entered`, may be null)
  // and of the innermost frames.
  void note_frames(JavaThread* thread, Method* entered);
  // Starts the compiling threads if they are needed. Starting a thread may reach a safepoint. Code that queues methods
  // may run in the slow path of a poll, so it does not call this function.
  void start_threads_if_needed(JavaThread* thread) MAY_SAFEPOINT {
    if (!needs_threads()) return;
    if (!has_threads_.load(std::memory_order_relaxed)) start_compiling_threads(thread);
    else if (!is_late_.load(std::memory_order_relaxed)) replace_nice_threads(thread);
  }
  void start_compiling_threads(JavaThread* thread) MAY_SAFEPOINT;
  void replace_nice_threads(JavaThread* thread) MAY_SAFEPOINT;

  std::atomic<bool> has_threads_{false}, is_late_{false}, has_replaced_threads_{false};
};

// --- the policy of this process --------------------------------------------------------------------------------------

// Registers the tier that compiles the methods which the policy finds. Called before initialize().
void register_tier(OptimisingTier* tier);
// The highest level for which methods are compiled: middle_level or optimised_level.
u8 highest_level();
// Whether the middle tier compiles methods before the optimising tier (policy_protocol.h P15).
bool has_middle_tier();
// If a policy is needed, creates it and registers it with the interpreter. Called once, after the baseline compiler's
// initialize().
void initialize();
// Starts the sampler, unless thresholds replace samples (profiling_intervals.h). Called when the first thread exists.
void start(JavaThread* thread) MAY_SAFEPOINT;
// Without a policy, the following functions have no effect.
void note_first_compilation(Method* method);
void note_retirement(const Method* method, u8 level);
bool is_profiling(const Method* method);
// Returns the text of jcmd's Compiler.queue. Called on a managed thread.
std::string describe_queue();

}  // namespace keyhole::tiers
