// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Opens the plug-in, compiles functions, and frees the plug-in's data about code that the sweeper has freed.
#include "jit/optimised/code_generator.h"

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "jit/code/code_cache.h"
#include "jit/middle/compiler.h"
#include "jit/optimised/plugin_library.h"
#include "jit/optimised/print_ir.h"
#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/base/platform/hardware_world.h"
#include "runtime/base/print.h"

namespace keyhole::optimised {
namespace {

// Returns the processor time of this thread. Unlike elapsed time, it does not grow while other threads use the
// processor.
i64 processor_nanoseconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

void CodeGenerator::prepare() {
  MutexLock guard(lock_);
  if (compiler_ == nullptr && !has_ended()) open();
}

llvm_plugin::Result CodeGenerator::generate(const graph::Lowered& lowered, std::string_view name,
                                            const std::optional<image::FunctionKey>& key, bool assembly) {
  MutexLock guard(lock_);
  if (compiler_ == nullptr && !has_ended()) open();
  i64 started = processor_nanoseconds();
  llvm_plugin::Result result;
  if (has_ended()) {
    result.error = "the optimising tier has ended";
    return result;
  }
  free_gone();
  host_->begin(lowered, name);
  llvm_plugin::Options options{.before = prints_ir("before"),
                               .after = prints_ir("after"),
                               .assembly = assembly,
                               .checks_references = flags::VerifyReferences};
  std::string object = key ? image_->object_of(*key) : std::string();
  options.object = std::as_bytes(std::span(object));
  bool is_linked_only = !object.empty();
  options.wants_object = key && !is_linked_only;
  result = compiler_->compile(lowered.function, options);
  if (!result.object.empty()) image_->keep_object(*key, std::move(result.object));
  if (is_linked_only) return result;
  i64 took = processor_nanoseconds() - started;
  KEYHOLE_LOG(trace, jit, "{} us of a processor for {} nodes, expected {}: {}", took / 1000,
              lowered.function.nodes.size(), cost_.of(lowered.function.nodes.size()) / 1000, lowered.function.name);
  cost_.learn(lowered.function, took);
  if (result.is_wrong) KEYHOLE_FATAL("code of {}: {}", lowered.function.name, result.error);
  if (result.is_lost) end(result.error);
  return result;
}

std::optional<image::FunctionKey> CodeGenerator::key_in_image(const low::Function& function, bool assembly) const {
  bool is_shown = prints_ir("before") || prints_ir("after") || assembly || flags::VerifyReferences;
  return image_ == nullptr || is_shown ? std::nullopt : image::key_of(function);
}

void CodeGenerator::give_back(const llvm_plugin::Result& code) {
  code_cache::release(code.begin, code.bytes);
  forget(code.resource);
}

void CodeGenerator::note_installed(const Installed& code) {
  if (installed_++ == 0) first_since_request_ = code.since_request;
  auto add = [](auto& all, auto& most, auto one) {
    all += one;
    most = std::max(most, one);
  };
  add(all_.time, most_.time, code.time);
  add(all_.since_request, most_.since_request, code.since_request);
  add(all_.code_bytes, most_.code_bytes, code.code_bytes);
  add(all_.bytes, most_.bytes, code.bytes);
}

void CodeGenerator::log_totals() {
  for (const auto& [reason, count] : refusals_) KEYHOLE_LOG(debug, jit, "refused {} times: {}", count, reason);
  if (installed_ == 0) return;
  KEYHOLE_LOG(debug, jit,
              "{} in all: {} codes; each takes {} us (at most {}), {} bytes of code, {} of the code cache (at most "
              "{}), and was installed {} us after its request (at most {}), the first one {} us",
              is_middle() ? "middle tier" : "optimised", installed_, all_.time / 1000 / installed_, most_.time / 1000,
              all_.code_bytes / installed_, all_.bytes / installed_, most_.bytes,
              all_.since_request / 1000 / installed_, most_.since_request / 1000, first_since_request_ / 1000);
}

void CodeGenerator::open() {
  i64 started = hardware::now_nanoseconds();
  host_ = std::make_unique<CodeHost>();
  std::string problem;
  compiler_ = is_middle() ? middle::make_compiler(*host_).release() : open_plugin(plugin_, host_.get(), &problem);
  if (compiler_ == nullptr) return end(problem);
  is_open_.store(true, std::memory_order_relaxed);
  KEYHOLE_LOG(debug, jit, "opened {} in {} us", is_middle() ? "the middle tier" : plugin_,
              (hardware::now_nanoseconds() - started) / 1000);
}

void CodeGenerator::free_gone() {
  std::vector<void*> gone;
  {
    MutexLock guard(compiler_lock);
    gone = std::exchange(gone_, {});
  }
  host_->set_forgets(true);
  for (void* resource : gone) compiler_->free(resource);
  host_->set_forgets(false);
}

void CodeGenerator::end(const std::string& why) {
  has_ended_.store(true, std::memory_order_relaxed);
  fflush(stdout);
  print_text(stderr, "Keyhole warning: the optimising tier has been disabled: {}\n", why);
}

}  // namespace keyhole::optimised
