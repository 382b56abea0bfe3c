// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The common part of the rows of the HashChains family: reads the flags into settings, and sets the members that all
// rows of the family share.
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

// Initializes the protocol from the flags. Returns the empty string, or the reason for a refusal.
template <auto& protocol> std::string initialize_chains() {
  ChainSettings settings;
  std::string refusal = read_chain_flags(&settings);
  if (refusal.empty() && !protocol.initialize(settings))
    refusal = "No memory for " + std::to_string(settings.buckets) + " buckets (HashChainsBuckets).";
  return refusal;
}
// Sets the members that the rows of the HashChains family share, in addition to those that algorithm_over sets.
template <auto& protocol> constexpr Algorithm chain_algorithm(Algorithm row) {
  row.initialize = initialize_chains<protocol>;
  row.blocked_on = [](const JavaThread* thread) -> Object* { return protocol.blocked_on(thread); };
  row.waiting_on = [](const JavaThread* thread) -> Object* { return protocol.waiting_on(thread); };
  row.thread_exits = [](JavaThread* thread) { protocol.thread_exits(thread); };
  return row;
}

}  // namespace keyhole::sync
