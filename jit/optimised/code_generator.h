// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The plug-in's compiler, which the compiling threads share: opened when the first method is to be compiled, or is
// likely to be, used by one thread at a time.
//
//         prepare, generate         generate: LLVM fails, and what it owns is lost
//   (closed) ──────────> open ───────────────────────────────────────────────────────> ended
//        └──────────────────────────────────────────────────────────────────────────────^
//                              there is no plug-in, or it is another build's
//
// What has ended stays so; the program continues in baseline code. The reason is a warning.
#pragma once

#include <atomic>
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
  // `plugin`: the file. `image`: null when there is none.
  CodeGenerator(std::string plugin, image::CodeImage* image) : plugin_(std::move(plugin)), image_(image) {}

  // On a thread that is InNative: opens the plug-in if nobody has. What of LLVM the first compile reads from the file
  // is not read in advance: compiling a small loop for that takes 10 to 13 ms and saves the first method 7.
  void prepare();
  // On a thread that is InNative: it may wait, and work for long. `name`: for the perf map.
  // `key`: of the function in the image, if there is one. `assembly`: as text, too.
  llvm_plugin::Result generate(const graph::Lowered& lowered, std::string_view name,
                               const std::optional<image::FunctionKey>& key, bool assembly);
  // None without an image, and where somebody wants to see how the function is compiled.
  std::optional<image::FunctionKey> key_in_image(const low::Function& function, bool assembly) const;
  // What generate() is expected to cost for so many nodes, in nanoseconds.
  i64 cost_of(usize nodes) const {
    i64 opening = is_open_.load(std::memory_order_relaxed) ? 0 : tiers::Settings::preparation_nanoseconds;
    return cost_.of(nodes) + opening;
  }
  // Code that is not going to be installed.
  void give_back(const llvm_plugin::Result& code) REQUIRES(compiler_lock);
  // Code whose room is released already: what the plug-in keeps of it is freed before the next method is compiled.
  void forget(void* resource) REQUIRES(compiler_lock) { gone_.push_back(resource); }
  // Times in nanoseconds: spent on it, and from its request.
  struct Installed {
    i64 time, since_request;
    usize code_bytes, bytes;
  };
  void note_installed(const Installed& code) REQUIRES(compiler_lock);
  // With -Xlog:jit=debug: what all codes have taken together.
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
  u32 installed_ GUARDED_BY(compiler_lock) = 0;
  Installed all_ GUARDED_BY(compiler_lock){}, most_ GUARDED_BY(compiler_lock){};
  i64 first_since_request_ GUARDED_BY(compiler_lock) = 0;
  std::atomic<bool> is_open_{false}, has_ended_{false};
};

}  // namespace keyhole::optimised
