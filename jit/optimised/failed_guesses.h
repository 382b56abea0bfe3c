// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Guesses that do not hold: code that deoptimizes too often at them is retired, and the next version does without.
//
//            exit: ++counter             now and then                   hot again
//   code ───────────────────> counters ─────────────> code retired,  ────────────────> code without
//                                                     guess failed                     the guess
//
// F1: an exit counts in its code's own counter, plainly: threads may lose each other's counts. Nobody waits for it.
// F2: a guess has failed when it was left -XX:PerBytecodeTrapLimit times. Code is retired for that, or when all of its
//     guesses together were left -XX:PerMethodTrapLimit times: then all that were left at all have failed. But not
//     before its exits have cost what compiling it anew will, or frames that have left it are hot: a branch that is
//     taken once in a million calls is better left, and a method with many of them would be compiled once for each.
//     So is code without a handler that exceptions have gone to so often since it was compiled
//     (-XX:PerMethodTrapLimit), whoever threw them: the next version has the handler.
// F3: a method that has lost so many codes (most_codes) is compiled without guesses from then on.
// F4: what is known of a method that dies stays: one that gets its address is compiled without some guesses.
#pragma once

#include <memory>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "jit/code/compiler_lock.h"
#include "jit/graph/lower/lower.h"
#include "vm/interpreter/compiled_code.h"

namespace keyhole::optimised {

class FailedGuesses {
 public:
  using Counters = std::unique_ptr<u32[]>;   // one for each of Lowered::exits; code writes them as it runs

  // The code will find them by their symbol.
  static Counters make_counters(graph::Lowered& lowered);
  // The code is installed. `cost`: nanoseconds that it takes to compile it again.
  void watch(CompiledCode* code, Counters counters, const graph::Lowered& lowered, i64 cost) REQUIRES(compiler_lock);
  // It is gone. World stopped.
  void forget(const void* resource) REQUIRES(compiler_lock);
  // -Xlog:deoptimization=debug: what was left since the last time, how often, and why.
  void log_exits() REQUIRES(compiler_lock);
  // The method's frames are seen outside of its code, which retires at the next look if a guess of it fails.
  void note_hot_again(const Method* method) REQUIRES(compiler_lock) { hot_again_.insert(method); }
  // Retires what deoptimizes too often. How many codes.
  u32 retire() REQUIRES(compiler_lock);
  // It had failed in an earlier run.
  void assume_failed(const Method* method, u32 bci, graph::Reason reason) REQUIRES(compiler_lock) {
    failed_.emplace(method, bci, reason);
  }
  // In code of `root`.
  bool has_failed(const Method* root, const Method* method, u32 bci, graph::Reason reason) const
      REQUIRES(compiler_lock);

 private:
  struct Watched {
    CompiledCode* code;
    Counters counters;
    std::vector<graph::CountedExit> exits;
    std::vector<graph::LeftOutHandler> left_out;
    std::vector<u32> logged;   // of the counters
    i64 cost;                 // nanoseconds
  };
  // The exit itself takes 15 ns. But the rest of the method, and of all that it has inlined, runs in the baseline tier;
  // if that takes much longer, it is hot.
  static constexpr i64 nanoseconds_of_an_exit = 50'000;
  static constexpr u32 most_codes = 6;
  using Guess = std::tuple<const Method*, u32, graph::Reason>;

  bool leaves_too_often(const Watched& watched) const REQUIRES(compiler_lock);
  static bool misses_handler(const Watched& watched);
  void note_failures(const Watched& watched) REQUIRES(compiler_lock);

  std::vector<Watched> watched_ GUARDED_BY(compiler_lock);
  std::set<Guess> failed_ GUARDED_BY(compiler_lock);
  std::set<const Method*> hot_again_ GUARDED_BY(compiler_lock);   // since the last look; compared only
  std::unordered_map<const Method*, u32> retired_codes_ GUARDED_BY(compiler_lock);
};

}  // namespace keyhole::optimised
