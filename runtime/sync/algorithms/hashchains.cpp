// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The rows of hashchains and hashchains-fp.
#include "runtime/sync/algorithms/hashchains.h"

#include "runtime/sync/algorithms/chain_rows.h"
#include "runtime/sync/sync_world.h"

namespace keyhole::sync {

static HashChainsOf<SyncWorld, false> hashchains;
static HashChainsOf<SyncWorld, true> hashchains_fp;
static_assert(LockProtocol<HashChainsOf<SyncWorld, false>, SyncWorld> &&
              LockProtocol<HashChainsOf<SyncWorld, true>, SyncWorld>);
static_assert(sizeof(ChainBucketOf<SyncWorld>) == 64, "a cache line for each bucket");

static constexpr AlgorithmProperties properties(std::string_view counted_alone) {
  return {
      .header_bits = 0,
      .idle_bytes = 0,
      .held_bytes = lock_element_bytes,
      .contended_bytes = lock_element_bytes,
      .fairness = "FIFO, direct hand-over",
      .recursion = "in the lock record, found on the thread's list",
      .displacing = "",
      .traces = {.alone = counted_alone, .contended = "SKBH", .hashed = ""},
  };
}

extern const Algorithm hashchains_algorithm;
constinit const Algorithm hashchains_algorithm = chain_algorithm<hashchains>(algorithm_over<hashchains>(
    "hashchains", -1, "the header is never touched: lock records on the chain of a bucket that the address hashes to",
    properties("SB"), &fast_path_rows::none));

extern const Algorithm hashchains_fp_algorithm;
constinit const Algorithm hashchains_fp_algorithm = chain_algorithm<hashchains_fp>(algorithm_over<hashchains_fp>(
    "hashchains-fp", -1, "hashchains, and a record that is alone in its bucket is put there and taken away by one CAS",
    properties("S"), &fast_path_rows::none));

}  // namespace keyhole::sync
