// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// CodeGenerator: a back end, which the compiling threads share and use one at a time: the plug-in's compiler, or the
// one of the middle tier (jit/middle). It is opened for the first method that is compiled, or shortly before.
//
//         prepare, generate         generate: LLVM fails, and what it owns is lost
//   (closed) ──────────> open ───────────────────────────────────────────────────────> ended
//        └──────────────────────────────────────────────────────────────────────────────^
//                              there is no plug-in, or it is another build's
//
// After `ended` nothing more is compiled: the program continues in baseline code. A warning says why.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <vector>

#include "jit/code/compiler_lock.h"
#include "jit/code/recent_samples.h"
#include "jit/image/code_image.h"
#include "jit/optimised/code_host.h"
#include "jit/optimised/compile_cost.h"

namespace keyhole::optimised {

class CodeGenerator {
 public:
  // `plugin` is the path of the plug-in's file; empty: the middle tier. `image` is null if the VM has no code image.
  CodeGenerator(std::string plugin, image::CodeImage* image)
      : plugin_(std::move(plugin)), image_(image), cost_(is_middle() ? CompileCost::middle : CompileCost::llvm) {}

  // Whether the back end is that of the middle tier.
  bool is_middle() const { return plugin_.empty(); }

  // Opens the plug-in, if it is not open. The thread is InNative. The first compilation is slow, because it reads parts
  // of LLVM from its file. Compiling a small loop here in advance would take 10 to 13 ms and save that compilation 7
  // ms.
  void prepare();
  // Compiles a lowered function. The thread is InNative, because it may wait for others and work for a long time.
  // `name` is for the perf map. `key` is the function's key in the image, if there is one. `assembly` asks for a
  // listing.
  llvm_plugin::Result generate(const graph::Lowered& lowered, std::string_view name,
                               const std::optional<image::FunctionKey>& key, bool assembly);
  // The function's key in the image. None if there is no image, or if a listing or IR is printed: then the function is
  // always compiled.
  std::optional<image::FunctionKey> key_in_image(const low::Function& function, bool assembly) const;
  // The time in nanoseconds that generate() is expected to take for a function of `nodes` nodes.
  i64 cost_of(usize nodes) const {
    bool is_ready = is_middle() || is_open_.load(std::memory_order_relaxed);
    i64 opening = is_ready ? 0 : tiers::Settings::preparation_nanoseconds;
    return cost_.of(nodes) + opening;
  }
  // Frees code that is not going to be installed.
  void give_back(const llvm_plugin::Result& code) REQUIRES(compiler_lock);
  // Notes that the code's room has been released. The plug-in's data about the code is freed before the next method is
  // compiled.
  void forget(void* resource) REQUIRES(compiler_lock) { gone_.push_back(resource); }
  // Two times of an installed code in nanoseconds: that spent on compiling, and that from the request to the
  // installation.
  struct Installed {
    i64 time, since_request;
    usize code_bytes, bytes;
  };
  void note_installed(const Installed& code) REQUIRES(compiler_lock);
  // Counts a function that the back end has refused, by its reason.
  void note_refused(const std::string& reason) REQUIRES(compiler_lock) { ++refusals_[reason]; }
  // Logs the totals of all installed codes, and of refusals, with -Xlog:jit=debug.
  void log_totals() REQUIRES(compiler_lock);
  bool has_ended() const { return has_ended_.load(std::memory_order_relaxed); }

 private:
  void open() REQUIRES(lock_);
  void free_gone() REQUIRES(lock_);
  void end(const std::string& why) REQUIRES(lock_);

  const std::string plugin_;
  image::CodeImage* const image_;
  Mutex lock_{LockRank::optimising_compiler};
  std::unique_ptr<CodeHost> host_ GUARDED_BY(lock_);
  llvm_plugin::Compiler* compiler_ GUARDED_BY(lock_) = nullptr;
  CompileCost cost_;
  std::vector<void*> gone_ GUARDED_BY(compiler_lock);
  std::map<std::string, u32> refusals_ GUARDED_BY(compiler_lock);
  u32 installed_ GUARDED_BY(compiler_lock) = 0;
  Installed all_ GUARDED_BY(compiler_lock){}, most_ GUARDED_BY(compiler_lock){};
  i64 first_since_request_ GUARDED_BY(compiler_lock) = 0;
  std::atomic<bool> is_open_{false}, has_ended_{false};
};

}  // namespace keyhole::optimised
