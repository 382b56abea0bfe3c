// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The VM's tier policy: finds methods for the optimising tier. States: tier_states.h; rules: policy_protocol.h.
//
// There is a policy only with an optimising tier, or with -XX:+SampleHotMethods. Otherwise no poll is armed and no code
// is profiled. -Xlog:jit+sampling=debug shows which methods become hot, =trace each sample; -Xlog:jit+queue=debug shows
// requests.
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
  void profiling_interval_ended(JavaThread* thread, Method* method) MAY_SAFEPOINT override;
  void forget(const std::function<bool(const Method*)>& is_gone) override { PolicyOf::forget(is_gone); }

  // --- from the sampler ----------------------------------------------------------------------------------------------
  void end_expired_intervals(JavaThread* thread, i64 now) MAY_SAFEPOINT {
    PolicyOf::end_expired_intervals(thread, now);
    start_threads_if_needed(thread);
  }

  // Whether threads of usual priority compile from now on; if so, those with a high nice value end.
  const std::atomic<bool>& has_replaced_threads() const { return has_replaced_threads_; }

 private:
  // Starts the compiling threads if they are needed. It is not called where methods are queued, because that may be at
  // a poll, which reaches no safepoint.
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

// Registers the tier that compiles the methods which the policy finds. Call it before initialize().
void register_tier(OptimisingTier* tier);
// The level that listings show for the registered tier's code, whose CompiledCode::level is optimised_level: 2 for the
// middle tier's back end (jit/middle), 4 for LLVM's. A process has one of the two.
inline constexpr u8 middle_level = 2;
u8 level_of_requests();
u8 level_shown(const CompiledCode& code);
// Registers a policy with the interpreter if one is needed. Call it once, after the baseline compiler's initialize().
void initialize();
// Begins sampling, unless thresholds decide. Called when the first thread exists.
void start(JavaThread* thread) MAY_SAFEPOINT;
// The next functions have no effect without a policy.
void note_first_compilation(Method* method);
void note_retirement(const Method* method);
bool is_profiling(const Method* method);
// The text of jcmd's Compiler.queue. Called on a managed thread.
std::string describe_queue();

}  // namespace keyhole::tiers
