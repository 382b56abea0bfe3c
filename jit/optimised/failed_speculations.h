// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Failed speculations: retires code that deoptimizes too often, and compiles the next version without what failed.
//
//         deopt point: ++counter      retire(), periodically                     recompilation
//   code ───────────────────────> counters ────────────────> code retired,     ───────────────> code without
//                                                            speculation failed                 the speculation
//
// F1: a deopt point increments its code's own counter without a lock: threads may lose each other's increments.
// F2: a speculation fails when it has deoptimized -XX:PerBytecodeTrapLimit times, and then its code is retired. The
//     code is also retired when all its speculations together have deoptimized -XX:PerMethodTrapLimit times; the one
//     that deoptimized most fails then. Either happens only once the deoptimizations have cost as much as compiling the
//     code again, or the method is hot outside of its code. A branch that is taken once in a million calls stays a
//     deopt point: a method with many such branches would otherwise be compiled once for each.
// F3: code that lacks an exception handler is retired when exceptions have entered that handler -XX:PerMethodTrapLimit
//     times since the code was compiled, in any tier. The next version has the handler.
// F4: a method that has lost most_codes codes to F2 is compiled without speculations from then on.
// F5: the failed speculations of a method that dies are kept. A new method at its address is compiled without them.
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
  using Counters = std::unique_ptr<u32[]>;  // one counter for each of Lowered::deopts; compiled code increments them

  // Makes the counters, and their symbol in `lowered`, by which the code finds them.
  static Counters make_counters(graph::Lowered& lowered);
  // Watches code that is installed. `cost` is the time in nanoseconds that compiling it again would take.
  void watch(CompiledCode* code, Counters counters, const graph::Lowered& lowered, i64 cost) REQUIRES(compiler_lock);
  // Forgets the code with this resource, because it is being freed. The world is stopped.
  void forget(const void* resource) REQUIRES(compiler_lock);
  // Logs, for -Xlog:deoptimization=debug, the deopt points that were taken since the last call, with count and reason.
  void log_exits() REQUIRES(compiler_lock);
  // Notes that the method is hot outside of its code. Then the next retire() does not wait for the cost of F2.
  void note_hot_outside_code(const Method* method) REQUIRES(compiler_lock) { hot_outside_code_.insert(method); }
  // Retires code that deoptimizes too often (F2, F3). Returns the number of retired codes. Each call checks the next
  // `most_at_once` codes in turn, and all of them if a method is hot outside of its code.
  u32 retire() REQUIRES(compiler_lock);
  // Notes that the speculation failed in an earlier run.
  void assume_failed(const Method* method, u32 bci, graph::DeoptReason reason) REQUIRES(compiler_lock) {
    failed_.emplace(method, bci, reason);
  }
  // Whether this speculation has failed, so that code of `root` must not repeat it.
  bool has_failed(const Method* root, const Method* method, u32 bci, graph::DeoptReason reason) const
      REQUIRES(compiler_lock);

 private:
  struct Watched {
    CompiledCode* code;
    Counters counters;
    std::vector<graph::CountedDeopt> exits;
    std::vector<graph::PrunedHandler> pruned;
    std::vector<u32> logged;  // values of the counters when they were last logged
    i64 cost;                 // nanoseconds that compiling the code again would take
  };
  // The assumed cost of a deoptimization. Deoptimizing takes 15 ns, but then the rest of the method, and of all that it
  // has inlined, runs in the baseline tier. If that takes much longer, the method is hot there (note_hot_outside_code).
  static constexpr i64 nanoseconds_of_an_exit = 50'000;
  static constexpr u32 most_codes = 6;
  static constexpr usize most_at_once = 256;
  using Speculation = std::tuple<const Method*, u32, graph::DeoptReason>;

  bool deoptimizes_too_often(const Watched& watched) const REQUIRES(compiler_lock);
  static bool misses_handler(const Watched& watched);
  void note_failures(const Watched& watched) REQUIRES(compiler_lock);

  std::vector<Watched> watched_ GUARDED_BY(compiler_lock);
  usize next_ GUARDED_BY(compiler_lock) = 0;  // index of the code at which the next retire() begins
  std::set<Speculation> failed_ GUARDED_BY(compiler_lock);
  // noted since the last retire(); these pointers are not dereferenced
  std::set<const Method*> hot_outside_code_ GUARDED_BY(compiler_lock);
  std::unordered_map<const Method*, u32> retired_codes_ GUARDED_BY(compiler_lock);
};

}  // namespace keyhole::optimised
