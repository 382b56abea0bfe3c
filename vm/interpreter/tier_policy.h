// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The tier policy's interface: the interpreter and baseline code report samples and countdowns to it. The policy
// (jit/code/policy.h) registers itself before the first thread starts. Without a policy no poll is armed and no code is
// profiled, so nothing here is ever called.
//
//   poll of Java code, armed by the sampler      ──> note_sample
//   profiled code, when its countdown runs out   ──> profiling_interval_ended (MethodData::calls_left, back_edges_left)
//   classes die, methods get other bodies        ──> forget
#pragma once

#include <functional>

#include "vm/metadata/method.h"

namespace keyhole::interpreter {

class TierPolicy {
 public:
  // Records a sample of the calling thread, whose frames can be walked. Reaches no safepoint.
  virtual void note_sample(JavaThread* thread) = 0;
  // Records a sample when the thread is about to enter the middle tier's code of `method`. The top frame is the
  // caller's.
  virtual void note_sample_at_entry(JavaThread* thread, Method* method) = 0;
  // Records a sample at a poll in the middle tier's code of `method`. The thread's frames cannot be walked at this
  // poll.
  virtual void note_sample_in_code(JavaThread* thread, Method* method, u32 bci) = 0;
  // Called when one of the method's countdowns has reached 0, by a thread whose frame of `method` is saved.
  virtual void profiling_interval_ended(JavaThread* thread, Method* method) MAY_SAFEPOINT = 0;
  // Drops the policy's records of methods that have died or been redefined. World stopped.
  virtual void forget(const std::function<bool(const Method*)>& is_gone) = 0;

 protected:
  ~TierPolicy() = default;
};

// Called once, before initialize().
void register_tier_policy(TierPolicy* policy);
TierPolicy* tier_policy();  // null: none is registered
// Calls the tier policy's function of the same name. Code of the middle tier calls this function.
inline void note_sample_in_code(JavaThread* thread, Method* method, u32 bci) {
  tier_policy()->note_sample_in_code(thread, method, bci);
}

}  // namespace keyhole::interpreter
