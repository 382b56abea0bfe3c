// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Methods given to the optimising tier as a compiling thread would, without a policy.
#pragma once

#include "jit/code/policy.h"
#include "jit/optimised/method_compiler.h"
#include "runtime/threads/safepoint.h"
#include "tests/jit/baseline/compiler_fixture.h"

namespace keyhole::testing {

// An optimising tier that compiles as the VM's tier does, but only when a test asks for it, without a tier policy.
class TierForTests final : public tiers::OptimisingTier {
 public:
  Outcome compile(JavaThread* thread, tiers::CompileTask& task) MAY_SAFEPOINT override {
    return optimised::compile_method(thread, task, generator, speculations, nullptr);
  }
  void forget(void* resource, u8) override {
    compiler_lock.assert_held();
    generator.forget(resource);
    speculations.forget(resource);
  }
  void retire_failing() override {
    MutexLock guard(compiler_lock);
    speculations.retire();
  }
  optimised::CodeGenerator generator{KEYHOLE_PLUGIN, nullptr};
  optimised::FailedSpeculations speculations;
};

class OptimisedTest : public CompilerTest {
 protected:
  using Outcome = tiers::OptimisingTier::Outcome;

  // The method has baseline code.
  static Outcome optimise(Method* method) { return optimise(method, tier_); }
  static Outcome optimise(Method* method, tiers::OptimisingTier& tier) {
    queue_.put({.method = method, .number = ++number_});
    std::unique_ptr<tiers::CompileTask> task = queue_.take();
    Outcome outcome = tier.compile(thread_, *task);
    queue_.finish(std::move(task));
    return outcome;
  }
  static CompiledCode* newest(const Method* method) { return method->body.load()->compiled.load(); }
  static void run_at_safepoint(const std::function<void()>& operation) {
    auto run = [&] { operation(); };
    safepoint::run(thread_, "Test", run);
  }
  static usize free_bytes() {
    MutexLock guard(compiler_lock);
    return code_cache::free_bytes();
  }

  static inline TierForTests tier_;
  static inline const bool is_registered_ = (tiers::register_tier(&tier_), true);  // for what the sweeper frees
  static inline tiers::CompileQueue queue_{8};
  static inline u32 number_ = 0;
};

}  // namespace keyhole::testing
