// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Parts of the rows of the HashChains family: flags as settings, reports about queued threads.
#pragma once

#include <string>

#include "runtime/base/flags.h"
#include "runtime/sync/algorithm.h"
#include "runtime/sync/algorithms/record_chains.h"
#include "runtime/sync/algorithms/spin_reads.h"

namespace keyhole::sync {

// Returns the empty string, or a message that names the flag and its wrong value.
inline std::string read_chain_flags(ChainSettings* settings) {
  settings->spin_reads = spin_reads();
  settings->buckets = static_cast<u32>(flags::HashChainsBuckets);
  if (flags::HashChainsKey == "address") settings->key = ChainKey::Address;
  else if (flags::HashChainsKey == "identity") settings->key = ChainKey::Identity;
  else return "HashChainsKey=" + flags::HashChainsKey + " is neither address nor identity.";
  if (flags::HashChainsInnerLock == "hemlock") settings->lock = BucketLockKind::Hemlock;
  else if (flags::HashChainsInnerLock == "mcs") settings->lock = BucketLockKind::Mcs;
  else if (flags::HashChainsInnerLock == "mutex") settings->lock = BucketLockKind::Mutex;
  else return "HashChainsInnerLock=" + flags::HashChainsInnerLock + " is not one of hemlock, mcs, mutex.";
  return {};
}

// Makes the row, in the table of algorithms, of a HashChains protocol. Sets the members that algorithm_over sets, and
// the members that all rows of the family share.
template <auto& protocol> std::string initialize_chains() {
  ChainSettings settings;
  std::string refusal = read_chain_flags(&settings);
  if (refusal.empty() && !protocol.initialize(settings))
    refusal = "No memory for " + std::to_string(settings.buckets) + " buckets (HashChainsBuckets).";
  return refusal;
}
template <auto& protocol> constexpr Algorithm chain_algorithm(Algorithm row) {
  row.initialize = initialize_chains<protocol>;
  row.blocked_on = [](const JavaThread* thread) -> Object* { return protocol.blocked_on(thread); };
  row.waiting_on = [](const JavaThread* thread) -> Object* { return protocol.waiting_on(thread); };
  row.thread_exits = [](JavaThread* thread) { protocol.thread_exits(thread); };
  return row;
}

}  // namespace keyhole::sync
