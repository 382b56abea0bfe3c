// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements tiers::OptimisingTier, and registers it.
#include "jit/optimised/tier.h"

#include <unistd.h>

#include "jit/code/policy.h"
#include "jit/image/image_file.h"
#include "jit/optimised/method_compiler.h"
#include "jit/optimised/plugin_library.h"
#include "jit/optimised/print_ir.h"
#include "runtime/base/flags.h"
#include "runtime/base/print.h"
#include "runtime/threads/continuations/continuation.h"
#include "runtime/threads/thread_state.h"
#include "vm/code/compiled_code.h"

namespace keyhole::optimised {
namespace {

class Tier final : public tiers::OptimisingTier {
 public:
  explicit Tier(const std::string& plugin) : image_(open_image(plugin)), optimising_(plugin, image_.get()) {}

  Outcome compile(JavaThread* thread, tiers::CompileTask& task) MAY_SAFEPOINT override {
    Outcome outcome;
    // clang's thread safety analysis is off for the lambda, because it cannot follow the indirect call on the carrier's
    // stack. The lambda runs on the same thread, in the same thread state, as compile().
    continuations::run_on_carrier_stack(thread, [&]() NO_THREAD_SAFETY_ANALYSIS {
      bool is_for_middle = task.request().level == middle_level;
      outcome = compile_method(thread, task, is_for_middle ? middle_ : optimising_, speculations_,
                               is_for_middle ? nullptr : image_.get());
    });
    return outcome;
  }
  std::optional<i32> expected_loop_of(Method* method) override {
    return image_ == nullptr ? std::nullopt : image_->expected_loop_of(method);
  }
  void prepare(JavaThread* thread) MAY_SAFEPOINT override {
    NativeScope native(thread);
    (tiers::highest_level() == middle_level ? middle_ : optimising_).prepare();
  }
  void forget(void* resource, u8 level) override {
    compiler_lock.assert_held();
    (level == middle_level ? middle_ : optimising_).forget(resource);
    speculations_.forget(resource);
  }
  void note_hot_outside_code(const Method* method) override {
    MutexLock guard(compiler_lock);
    speculations_.note_hot_outside_code(method);
  }
  void retire_failing() override {
    MutexLock guard(compiler_lock);
    speculations_.retire();
  }
  void log_exits() {
    MutexLock guard(compiler_lock);
    speculations_.log_exits();
    middle_.log_totals();
    optimising_.log_totals();
  }

  void save_image() {
    if (image_ != nullptr) image_->save();
  }

 private:
  static std::unique_ptr<image::CodeImage> open_image(const std::string& plugin) {
    if (flags::CodeImage.empty()) return nullptr;
    return image::CodeImage::open(flags::CodeImage, image::key_of_process(plugin));
  }

  const std::unique_ptr<image::CodeImage> image_;
  CodeGenerator middle_{"", nullptr}, optimising_;
  FailedSpeculations speculations_;
};

Tier* registered = nullptr;  // the optimising tier, which is never freed, because threads outlive static destructors

}  // namespace

void initialize() {
  if (flags::TieredStopAtLevel < middle_level || flags::TraceBytecodes) {
    if (!flags::CodeImage.empty())
      print_text(stderr, "Keyhole warning: -XX:CodeImage has no effect without the optimising tier\n");
    return;
  }
  const bool is_middle = tiers::highest_level() == middle_level;
  std::string path = is_middle ? std::string() : path_of_plugin();
  if (is_middle && !flags::CodeImage.empty()) {
    print_text(stderr, "Keyhole warning: -XX:CodeImage has no effect without the optimising tier\n");
    flags::CodeImage.clear();
  }
  if (!is_middle && ::access(path.c_str(), R_OK) != 0) {
    if (flags::is_set("TieredStopAtLevel") || !flags::CodeImage.empty())
      print_text(stderr, "Keyhole warning: there is no optimising tier: {} is missing\n", path);
    return;
  }
  if (std::string unknown = unknown_phases(); !unknown.empty())
    print_text(stderr, "Keyhole warning: -XX:PrintIR: there is no phase {}\n", unknown);
  registered = new Tier(path);
  tiers::register_tier(registered);
}

void log_exits() {
  if (registered != nullptr) registered->log_exits();
}

void save_image() {
  if (registered != nullptr) registered->save_image();
}

}  // namespace keyhole::optimised
