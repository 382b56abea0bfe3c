// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Whom interpreter and baseline code tell what is hot: the tier policy (jit/code/policy.h), which registers itself
// before the first thread starts. Without one no poll is armed and no code counts, so nothing here is ever called.
//
//   poll of Java code, armed by the sampler        ──> note_sample
//   counting code, when its countdown runs out     ──> window_ended       (MethodData::calls_left, back_edges_left)
//   classes die, methods get other bodies          ──> forget
#pragma once

#include <functional>

#include "vm/metadata/method.h"

namespace keyhole::interpreter {

class TierPolicy {
 public:
  // Own thread; its frames are walkable. Reaches no safepoint.
  virtual void note_sample(JavaThread* thread) = 0;
  // Own thread, in a frame of `method`, whose state is saved. May reach a safepoint.
  virtual void window_ended(JavaThread* thread, Method* method) MAY_SAFEPOINT = 0;
  // What is known of these methods is of no use any more. World stopped.
  virtual void forget(const std::function<bool(const Method*)>& is_gone) = 0;

 protected:
  ~TierPolicy() = default;
};

// Once, before initialize().
void register_tier_policy(TierPolicy* policy);
TierPolicy* tier_policy();   // null: nobody wants to know

}  // namespace keyhole::interpreter
