// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The Compact Java Monitors under the model checker. Spins are short, because longer spins reach no new state.
#include "runtime/sync/algorithms/cjm_by.h"
#include "runtime/sync/algorithms/cjm_fifo.h"
#include "runtime/sync/algorithms/cjm_hybrid.h"

#include "tests/model/subject.h"

namespace keyhole::model {
namespace {

struct Settings : DefaultSettings {};
using CjmWorld = ToyJava<CheckedMachine, Settings>;

template <typename Protocol, bool inner_lock_in_tail, i64 patience_nanoseconds, bool by_quantum = true, u32 retakes = 1>
struct CjmParts {
  using W = CjmWorld;
  static constexpr bool has_monitors = false;
  CjmParts() {
    lock.initialize({.spin_reads = 2,
                     .quantum = {.by_quantum = by_quantum,
                                 .quantum_nanoseconds = patience_nanoseconds / 4,
                                 .patience_nanoseconds = patience_nanoseconds,
                                 .busy_nanoseconds = 0,
                                 .probes_of_free_lock = 1,
                                 .retakes_of_heavily_contended_lock = retakes,
                                 .timed_waits_per_quantum = 1,
                                 .probes_of_idle_lock = 1},
                     .inner_lock_in_tail = inner_lock_in_tail});
  }
  Protocol lock;
  auto& protocol() { return lock; }
  sync::MonitorListOf<W>* monitors() { return nullptr; }
  void thread_exits(W::Thread* thread) { lock.thread_exits(thread); }
  void drain() { lock.drain(); }
};

using Fifo = CjmParts<sync::CjmFifoOf<CjmWorld>, false, 0>;
using By = CjmParts<sync::CjmByOf<CjmWorld>, false, 1'000'000>;
using ByStarving = CjmParts<sync::CjmByOf<CjmWorld>, false, 0>;
using ByRace = CjmParts<sync::CjmByOf<CjmWorld>, false, 1'000'000, false>;
using ByRetakes = CjmParts<sync::CjmByOf<CjmWorld>, false, 1'000'000, true, 2>;
using HybridArray = CjmParts<sync::CjmHybridOf<CjmWorld>, false, 0>;
using HybridTail = CjmParts<sync::CjmHybridOf<CjmWorld>, true, 0>;
MODEL_SUBJECT("cjm-fifo", "an MCS queue whose tail is the header", Fifo);
MODEL_SUBJECT("cjm-by", "cjm with bounded bypass", By);
MODEL_SUBJECT("cjm-by-race", "the same, CjmBySuccession=race", ByRace);
MODEL_SUBJECT("cjm-by-retakes", "the same, where one retake does not make a lock heavily contended", ByRetakes);
MODEL_SUBJECT("cjm-by-starving", "the same with a successor who never lets anybody pass", ByStarving);
MODEL_SUBJECT("cjm-hybrid", "a ring behind the header, inner locks in an array", HybridArray);
MODEL_SUBJECT("cjm-hybrid-tail", "a ring behind the header, the inner lock in its tail", HybridTail);

}  // namespace
}  // namespace keyhole::model
