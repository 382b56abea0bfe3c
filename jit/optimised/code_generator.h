// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// CodeGenerator: a back end that turns lowered functions into code: LLVM in the plug-in, or the middle tier
// (jit/middle). All compiling threads share it, and one thread at a time uses it. The back end is opened for the first
// method that is compiled, or shortly before.
//
//         prepare, generate         generate: fatal error in LLVM; its memory is leaked
//   (closed) ──────────> open ───────────────────────────────────────────────────────> ended
//        └──────────────────────────────────────────────────────────────────────────────^
//                              there is no plug-in, or it is another build's
//
// In the state `ended` the back end compiles nothing more: the program continues in baseline code. A warning gives the
// reason.
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
  // `plugin` is the path of the plug-in's file; an empty path selects the middle tier. `image` is null if the VM has no
  // code image.
  CodeGenerator(std::string plugin, image::CodeImage* image)
      : plugin_(std::move(plugin)), image_(image), cost_(is_middle() ? CompileCost::middle : CompileCost::llvm) {}

  // Whether the back end is the middle tier, not LLVM.
  bool is_middle() const { return plugin_.empty(); }

  // Opens the back end if it is not open. The calling thread is InNative. LLVM's first compilation is slow, because the
  // operating system has to read parts of LLVM from the file. Compiling a small loop here would take 10 to 13 ms, and
  // would make the first real compilation only 7 ms shorter, so prepare() does not do so.
  void prepare();
  // Compiles a lowered function. The calling thread is InNative, because it may wait for other compiling threads and
  // work for a long time. `name` is for the perf map. `key` is the function's key in the image; without a key, the
  // image is neither searched nor extended. `assembly` asks for a listing.
  llvm_plugin::Result generate(const graph::Lowered& lowered, std::string_view name,
                               const std::optional<image::FunctionKey>& key, bool assembly);
  // Returns the function's key in the image. Returns none if the VM has no image. Also returns none if a listing or IR
  // is printed, because such a function must be compiled and not linked from the image.
  std::optional<image::FunctionKey> key_in_image(const low::Function& function, bool assembly) const;
  // Estimates the time in nanoseconds that generate() takes for a function of `nodes` nodes.
  i64 cost_of(usize nodes) const {
    bool is_ready = is_middle() || is_open_.load(std::memory_order_relaxed);
    i64 opening = is_ready ? 0 : tiers::Settings::preparation_nanoseconds;
    return cost_.of(nodes) + opening;
  }
  // Frees code that is not going to be installed.
  void give_back(const llvm_plugin::Result& code) REQUIRES(compiler_lock);
  // Notes that the sweeper has released the memory of the code with this resource. The plug-in's data about the code is
  // freed before the next method is compiled.
  void forget(void* resource) REQUIRES(compiler_lock) { gone_.push_back(resource); }
  // Statistics of one installed code. `time` is the time spent on compiling, `since_request` the time from the request
  // to the installation, both in nanoseconds.
  struct Installed {
    i64 time, since_request;
    usize code_bytes, bytes;
  };
  void note_installed(const Installed& code) REQUIRES(compiler_lock);
  // Counts a function that the back end has refused, separately for each reason.
  void note_refused(const std::string& reason) REQUIRES(compiler_lock) { ++refusals_[reason]; }
  // Logs the totals of all installed code and of all refusals (-Xlog:jit=debug).
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
