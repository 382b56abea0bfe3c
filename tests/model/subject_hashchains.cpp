// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The HashChains family under the model checker, with one bucket: all objects collide, so their addresses do not
// matter.
#include "runtime/sync/algorithms/hashchains.h"
#include "runtime/sync/algorithms/hashchains_plus3.h"

#include "tests/model/subject.h"

namespace keyhole::model {
namespace {

struct Settings : DefaultSettings {};

template <typename Protocol, sync::BucketLockKind kind> struct ChainParts {
  using W = ToyJava<CheckedMachine, Settings>;
  static constexpr bool has_monitors = false;
  ChainParts() { lock.initialize({.buckets = 1, .lock = kind, .spin_reads = 2}); }
  Protocol lock;
  auto& protocol() { return lock; }
  sync::MonitorListOf<W>* monitors() { return nullptr; }
  void thread_exits(W::Thread* thread) { lock.thread_exits(thread); }
  void drain() { lock.drain(); }
};

using W = ToyJava<CheckedMachine, Settings>;
using Hemlock = ChainParts<sync::HashChainsOf<W, false>, sync::BucketLockKind::Hemlock>;
using Mcs = ChainParts<sync::HashChainsOf<W, false>, sync::BucketLockKind::Mcs>;
using WithFastPath = ChainParts<sync::HashChainsOf<W, true>, sync::BucketLockKind::Mutex>;
using Plus3 = ChainParts<sync::HashChainsPlus3Of<W>, sync::BucketLockKind::Mutex>;
MODEL_SUBJECT("hashchains", "lock records on a bucket's chain, under Hemlock", Hemlock);
MODEL_SUBJECT("hashchains-mcs", "the same under MCS", Mcs);
MODEL_SUBJECT("hashchains-fp", "hashchains with a record alone in its bucket's word", WithFastPath);
MODEL_SUBJECT("hashchains+3", "locked and waiters-exist in the header, only waiters on the chain", Plus3);

}  // namespace
}  // namespace keyhole::model
