// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Identity hash: 31 bits, never 0, made at the first request and kept for ever. A thread-local xorshift128+ makes it;
// where the header has no room for a hash, it is made from the object's address (runtime/object/identity.h).
//
//   header     where the hash is               how it gets there
//   01, 00     in place: layout::hash_at       CAS of the header, whether locked or not
//   10         in the monitor's `displaced`;   CAS of `displaced`, then object_monitor.h R8
//              in place, if an object monitor
//              table has the monitor           CAS of the header
//
// R1: a hash is installed once, by one CAS of the word that holds it. A thread whose CAS fails takes the hash that it
//     finds there. So all threads get the same hash at any time, in every lock state, and wherever the object moves.
//
// The unlocking CAS of lightweight locking retries when it fails, because a hash may arrive while the lock is held.
#pragma once

#include "runtime/object/layout.h"
#include "runtime/sync/monitor/object_monitor.h"

namespace keyhole::sync {

template <typename Thread> u32 next_identity_hash(Thread* thread) {
  for (;;) {
    u64 a = thread->hash_state[0];
    u64 b = thread->hash_state[1];
    u64 sum = a + b;
    thread->hash_state[0] = b;
    a ^= a << 23;
    thread->hash_state[1] = a ^ b ^ (a >> 18) ^ (b >> 5);
    // Takes the upper bits, because the lowest bits of xorshift128+ are the weakest.
    u32 hash = static_cast<u32>(sum >> 33);
    if (hash != 0) return hash;
  }
}

// Returns the hash of an object whose header points at `monitor`. Returns 0 if the monitor is being deflated; then the
// caller starts again from the header.
template <typename W>
u32 identity_hash_in(typename W::Thread* thread, typename W::Reference object, typename W::Monitor* monitor) {
  u64 displaced = monitor->displaced.load(std::memory_order_seq_cst);
  u32 hash = layout::hash_of(displaced);
  while (hash == 0) {
    u32 fresh = next_identity_hash(thread);
    if (monitor->displaced.compare_exchange_strong(displaced, layout::with_hash(displaced, fresh),
                                                   std::memory_order_seq_cst)) {
      hash = fresh;
      W::note_of(object, picture::hash_made(picture::monitor_rule(8)), thread->id);
    } else {
      hash = layout::hash_of(displaced);
    }
  }
  if (!monitor->is_deflated()) return hash;  // object_monitor.h R8
  monitor->restore_header(object);
  return 0;
}

// Returns the hash of an object whose header keeps klass, hash and age in every lock state.
template <typename W> u32 identity_hash_in_place(typename W::Thread* thread, typename W::Reference object) {
  layout::Word KEYHOLE_HEAP* header = W::header(object);
  for (;;) {
    layout::Word word = W::load(header, Order::acquire);
    if (u32 hash = layout::hash_at(object, word)) return hash;
    layout::Word with_hash = layout::hashed(word, next_identity_hash(thread));
    if (W::cas(header, word, with_hash, Order::acq_rel) == word) {
      W::note_of(object, picture::hash_made(), thread->id);
      return layout::hash_at(object, with_hash);
    }
  }
}

// Returns the hash of an object whose header may point at a monitor.
template <typename W> u32 identity_hash_of(typename W::Thread* thread, typename W::Reference object) {
  u64 KEYHOLE_HEAP* header = W::header(object);
  for (;;) {
    u64 word = W::load(header, Order::acquire);
    if ((word & layout::lock_mask) == layout::inflated) {
      if (u32 hash = identity_hash_in<W>(thread, object, W::Monitor::of_header(word))) return hash;
      continue;
    }
    if (u32 hash = layout::hash_of(word)) return hash;
    u32 fresh = next_identity_hash(thread);
    if (W::cas(header, word, layout::with_hash(word, fresh), Order::acq_rel) == word) {
      W::note_of(object, picture::hash_made(), thread->id);
      return fresh;
    }
  }
}

// Returns the hash of an object that is not locked, and makes it if needed. Returns 0 if the object is locked. Serves
// every algorithm.
template <typename W> u32 identity_hash_unless_locked(typename W::Thread* thread, typename W::Reference object) {
  layout::Word KEYHOLE_HEAP* header = W::header(object);
  layout::Word word = W::load(header, Order::acquire);
  while ((word & layout::lock_mask) == layout::unlocked) {
    if (u32 hash = layout::hash_at(object, word)) return hash;
    layout::Word with_hash = layout::hashed(word, next_identity_hash(thread));
    layout::Word found = W::cas(header, word, with_hash, Order::acq_rel);
    if (found == word) {
      W::note_of(object, picture::hash_made(), thread->id);
      return layout::hash_at(object, with_hash);
    }
    word = found;
  }
  return 0;
}

}  // namespace keyhole::sync
