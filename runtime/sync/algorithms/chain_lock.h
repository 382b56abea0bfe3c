// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The common part of HashChains and HashChains+3: chains of records in buckets (record_chains.h), records lent by
// threads (lock_element.h), and every operation that only forwards to these.
//
// R1: headers are never displaced: hash and age stay in the header in every lock state.
#pragma once

#include "runtime/sync/algorithms/record_chains.h"
#include "runtime/sync/identity_hash.h"
#include "runtime/sync/protocol.h"

namespace keyhole::sync {

template <typename W> class ChainLockOf {
 public:
  using Thread = typename W::Thread;
  using Reference = typename W::Reference;
  using Root = typename W::Root;
  using LockRecord = typename W::LockRecord;
  using Chains = RecordChainsOf<W>;
  using Record = typename Chains::Record;
  using State = typename Record::State;
  using Bucket = typename Chains::Bucket;
  using Records = typename Chains::Records;

  bool initialize(const ChainSettings& settings) { return chains_.initialize(settings); }  // record_chains.h

  u32 identity_hash(Thread* thread, Reference object) { return identity_hash_in_place<W>(thread, object); }  // R1
  u64 displaced_header(Reference object) const { return W::load(W::header(object), Order::relaxed); }        // R1
  template <typename Forward> void update_references(Forward forward) {
    chains_.template update_references<typename Chains::NoWord>(forward);
  }
  u32 in_use() const { return Records::lent(); }

  // World stopped: returns the object that the thread is blocked on entering or waits on, or null.
  static Reference blocked_on(const Thread* thread) { return Chains::blocked_on(thread); }
  static Reference waiting_on(const Thread* thread) { return Chains::waiting_on(thread); }

  void thread_exits(Thread* thread) { records_.thread_exits(thread); }
  void drain() {
    records_.drain();
    chains_.drain();
  }
  const Chains& chains() const { return chains_; }
  u32 bucket_count() const { return chains_.bucket_count(); }

 protected:
  ChainLockOf() = default;
  ~ChainLockOf() = default;

  Chains chains_;
  Records records_;
};

}  // namespace keyhole::sync
