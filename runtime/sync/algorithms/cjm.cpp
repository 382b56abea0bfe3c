// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The rows of the Compact Java Monitors.
#include "runtime/base/flags.h"
#include "runtime/sync/algorithm.h"
#include "runtime/sync/algorithms/cjm_by.h"
#include "runtime/sync/algorithms/cjm_fifo.h"
#include "runtime/sync/algorithms/cjm_hybrid.h"
#include "runtime/sync/sync_world.h"

namespace keyhole::sync {

static CjmFifoOf<SyncWorld> cjm_fifo;
static CjmByOf<SyncWorld> cjm_by;
static CjmHybridOf<SyncWorld> cjm_hybrid;
static_assert(LockProtocol<CjmFifoOf<SyncWorld>, SyncWorld> && LockProtocol<CjmByOf<SyncWorld>, SyncWorld> &&
              LockProtocol<CjmHybridOf<SyncWorld>, SyncWorld>);
static_assert(sizeof(CjmElementOf<SyncWorld>) <= lock_element_bytes);

template <auto& protocol> static std::string initialize_cjm() {
  CjmPolicy policy;
  if (flags::SpinPauses >= 0) policy.spin_reads = static_cast<u32>(flags::SpinPauses);
  policy.quantum.patience_nanoseconds = flags::ImpatienceMicros * 1000;
  policy.quantum.quantum_nanoseconds = flags::LockTurnMicros * 1000;
  if (flags::CjmBySuccession == "race") policy.quantum.by_quantum = false;
  else if (flags::CjmBySuccession != "turns")
    return "CjmBySuccession=" + flags::CjmBySuccession + " is neither turns nor race.";
  if (flags::CjmHybridInnerLock == "tail") policy.inner_lock_in_tail = true;
  else if (flags::CjmHybridInnerLock != "array")
    return "CjmHybridInnerLock=" + flags::CjmHybridInnerLock + " is neither array nor tail.";
  protocol.initialize(policy);
  return {};
}

// Sets the members that the rows of all CJM variants share, in addition to those that algorithm_over sets.
template <auto& protocol> static constexpr Algorithm cjm_algorithm(Algorithm row) {
  row.initialize = initialize_cjm<protocol>;
  row.blocked_on = [](const JavaThread* thread) -> Object* { return protocol.blocked_on(thread); };
  row.waiting_on = [](const JavaThread* thread) -> Object* { return protocol.waiting_on(thread); };
  row.thread_exits = [](JavaThread* thread) { protocol.thread_exits(thread); };
  return row;
}

static constexpr AlgorithmProperties properties(std::string_view fairness, std::string_view counted_when_contended) {
  return {
      .header_bits = 2,
      .idle_bytes = 0,
      .held_bytes = lock_element_bytes,
      .contended_bytes = lock_element_bytes,
      .fairness = fairness,
      .recursion = "in the element, found on the thread's list",
      .displacing = "the address of a queue element",
      .traces = {.alone = "S", .contended = counted_when_contended, .hashed = "C"},
  };
}

extern const Algorithm cjm_fifo_algorithm;
constinit const Algorithm cjm_fifo_algorithm = cjm_algorithm<cjm_fifo>(algorithm_over<cjm_fifo, HeaderUse::Displaces>(
    "cjm-fifo", -1,
    "the header is the tail of an MCS queue; displaced header and wait set travel along it with the lock",
    properties("FIFO, direct hand-over", "SKH"), &fast_path_rows::cjm));

extern const Algorithm cjm_by_algorithm;
constinit const Algorithm cjm_by_algorithm = cjm_algorithm<cjm_by>(algorithm_over<cjm_by, HeaderUse::Displaces>(
    "cjm-by", -1,
    "a bit of the header is the lock, the queue decides who competes; a newcomer may pass until the oldest is starving",
    properties("bounded bypass, FIFO among waiters", "SK"), &fast_path_rows::cjm_by));

extern const Algorithm cjm_hybrid_algorithm;
constinit const Algorithm cjm_hybrid_algorithm =
    cjm_algorithm<cjm_hybrid>(algorithm_over<cjm_hybrid, HeaderUse::Displaces>(
        "cjm-hybrid", -1,
        "the header is the tail of a ring that is changed under an inner "
        "lock; the tail keeps displaced header and wait set",
        properties("FIFO, direct hand-over", "SKBH"), &fast_path_rows::cjm));

}  // namespace keyhole::sync
