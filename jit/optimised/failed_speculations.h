// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Failed speculations: retires code that deoptimizes too often, and lets its next version omit the failed speculations.
//
//         deopt point: ++counter      retire(), periodically                     recompilation
//   code ───────────────────────> counters ────────────────> code retired,     ───────────────> code without
//                                                            speculation failed                 the speculation
//
// F1: each deopt point has a counter, which compiled code increments without a lock. So an increment may get lost when
//     two threads deoptimize at the same time.
// F2: when a speculation has deoptimized -XX:PerBytecodeTrapLimit times, it counts as failed and its code is retired.
//     When all speculations of the code together have deoptimized -XX:PerMethodTrapLimit times, the code is retired,
//     too, and the speculation that deoptimized most often counts as failed. In both cases the code is retired only if
//     its deoptimizations have cost as much time as compiling the code again would take, or if the method is hot in
//     frames outside its optimised code. So a branch that is taken once in a million calls stays a deopt point;
//     otherwise a method with many such branches would be recompiled for each of them.
// F3: optimised code may omit an exception handler that was never entered. Such code is retired when exceptions have
//     entered the handler, in any tier, -XX:PerMethodTrapLimit times. The next version has the handler.
// F4: when F2 has retired most_codes codes of a method, the method is compiled without speculations from then on.
// F5: failed speculations are kept when their method dies. If a new method gets the same address, it is compiled
//     without these speculations, which is safe.
#pragma once

#include <memory>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "jit/code/compiler_lock.h"
#include "jit/graph/lower/lower.h"
#include "vm/code/compiled_code.h"

namespace keyhole::optimised {

class FailedSpeculations {
 public:
  // an array with one counter for each element of Lowered::deopts; compiled code increments the counters
  using Counters = std::unique_ptr<u32[]>;

  // Makes a counter for each deopt point of `lowered`. Adds a symbol for the counters' address to `lowered`, so that
  // the code can refer to them.
  static Counters make_counters(graph::Lowered& lowered);
  // Makes retire() check this installed code. `cost` is the time in nanoseconds that compiling the code again would
  // take.
  void watch(CompiledCode* code, Counters counters, const graph::Lowered& lowered, i64 cost) REQUIRES(compiler_lock);
  // Makes retire() skip the code with this resource from now on, because the code is being freed. The world is stopped.
  void forget(const void* resource) REQUIRES(compiler_lock);
  // Logs the deopt points that were taken since the last call of log_exits(), with their counts and reasons
  // (-Xlog:deoptimization=debug).
  void log_exits() REQUIRES(compiler_lock);
  // Notes that samples find the method hot in baseline code or in the interpreter, although it has optimised code. If
  // enough speculations of the optimised code have failed, the next retire() retires this code, however little time its
  // deoptimizations have cost (F2).
  void note_hot_outside_code(const Method* method) REQUIRES(compiler_lock) { hot_outside_code_.insert(method); }
  // Retires code that deoptimizes too often (F2) or lacks a frequent handler (F3), and returns the number of retired
  // codes. Each call checks `most_at_once` codes, and begins where the last call ended. If note_hot_outside_code() was
  // called since the last retire(), the call checks all codes.
  u32 retire() REQUIRES(compiler_lock);
  // Counts a speculation of this run as failed because the same speculation failed in an earlier run.
  void assume_failed(const Method* method, u32 bci, graph::DeoptReason reason) REQUIRES(compiler_lock) {
    failed_.emplace(method, bci, reason);
  }
  // Whether this speculation has failed, so that new code of `root` must not contain it.
  bool has_failed(const Method* root, const Method* method, u32 bci, graph::DeoptReason reason) const
      REQUIRES(compiler_lock);

 private:
  struct Watched {
    CompiledCode* code;
    Counters counters;
    std::vector<graph::CountedDeopt> exits;
    std::vector<graph::PrunedHandler> pruned;
    std::vector<u32> logged;  // the values of the counters at the last call of log_exits()
    i64 cost;                 // the nanoseconds to compile the code again
  };
  // The assumed cost of one deoptimization. The deoptimization itself takes 15 ns, but afterwards the rest of the
  // method and of its inlined callees runs in baseline code. If this baseline code runs much longer than assumed, the
  // sampler finds the method hot there, and calls note_hot_outside_code().
  static constexpr i64 nanoseconds_of_an_exit = 50'000;
  static constexpr u32 most_codes = 6;
  static constexpr usize most_at_once = 256;
  using Speculation = std::tuple<const Method*, u32, graph::DeoptReason>;

  bool deoptimizes_too_often(const Watched& watched) const REQUIRES(compiler_lock);
  static bool misses_handler(const Watched& watched);
  void note_failures(const Watched& watched) REQUIRES(compiler_lock);

  std::vector<Watched> watched_ GUARDED_BY(compiler_lock);
  usize next_ GUARDED_BY(compiler_lock) = 0;  // index in `watched_` of the first code that the next retire() checks
  std::set<Speculation> failed_ GUARDED_BY(compiler_lock);
  // the methods for which note_hot_outside_code() was called since the last retire(); the pointers are only compared,
  // not dereferenced
  std::set<const Method*> hot_outside_code_ GUARDED_BY(compiler_lock);
  std::unordered_map<const Method*, u32> retired_codes_ GUARDED_BY(compiler_lock);
};

}  // namespace keyhole::optimised
