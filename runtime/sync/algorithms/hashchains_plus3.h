// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// HashChains+3 (Dice & Kogan, 1.2): two bits of the header say that an object is locked and whether threads queue; only
// queued and waiting threads have a record on a chain. Without contention no chain is touched.
//
//   header   | klass, hash | - | WaitersExist | Locked | age 4 | . | 01 |      the low bits stay 01
//
//   Locked WaitersExist   meaning                                   becomes
//   0      0              free                                      Locked, by anyone (CAS, acquire)
//   1      0              held, nobody queues                       free, by the holder (CAS, release);
//                                                                   WaitersExist, by a contender under the bucket's
//                                                                   lock (CAS)
//   1      1              held, a thread queues (or did lately)     handed over, or both cleared, by the holder under
//                                                                   the bucket's lock
//   0      1              impossible
//
//   bucket   | lock | chain --> record of an object --> ...         holders are on no chain
//                                 +- queued, +- waiting             the spine record is a member of one of the lists
//                                                                   (record_chains.h)
//
// R1: a thread's lock records tell which objects it holds: each record of the object that is marked `outer` or `nested`
//     is one level. So no count of levels is needed. wait() leaves the marks in place, because they are right again
//     when the thread has the lock back. The newest of an object's records exits first, so the level marked `outer`
//     exits last.
// R2: the slow enter decides by one CAS, under the bucket's lock: if Locked is clear it sets Locked and has the lock;
//     otherwise it sets WaitersExist. An exit whose CAS clears Locked has therefore found WaitersExist clear in the
//     same word.
// R3: exit's release pairs with the acquire in enter. Without contention both access the header; in a hand-over both
//     access the record's state.
// R4: WaitersExist is set whenever a thread is queued, and is cleared only under the bucket's lock. It may be set
//     without a queued thread. It says nothing about threads in wait(); notify searches the chain.
// R5: a hand-over keeps Locked set, so no other thread can take the lock. The hand-over to the last queued thread
//     clears WaitersExist.
// R6: while Locked and WaitersExist are set, only the holder of the bucket's lock changes either. The header still
//     changes by CAS only, because hash and age may change at any time.
#pragma once

#include "runtime/sync/algorithms/chain_lock.h"
#include "runtime/sync/algorithms/hashchains_plus3_fast_path.h"

namespace keyhole::sync {

template <typename W> class HashChainsPlus3Of : public ChainLockOf<W> {
  using Base = ChainLockOf<W>;
  using Base::chains_, Base::records_;

 public:
  using typename Base::Chains, typename Base::Records, typename Base::Record;
  using typename Base::State, typename Base::Bucket;
  using typename Base::Thread, typename Base::Reference, typename Base::Root, typename Base::LockRecord;
  using FastPath = HashChainsPlus3FastPath<W>;

  Status enter(Thread* thread, Root root, LockRecord* record) MAY_SAFEPOINT {
    W::count(thread, LockCounter::slow_enters);
    Reference object = W::at(root);
    if (FastPath::try_enter(thread, object, record)) return Status::Done;
    if (holds(thread, object)) {  // R1
      record->displaced.store(FastPath::nested, std::memory_order_relaxed);
      return Status::Done;
    }
    Record* mine = records_.take(thread, object);
    if (mine == nullptr) return Status::OutOfMemory;
    mine->key.set(chains_.key_of(thread, object));
    Bucket& bucket = chains_.bucket_of(mine->key.get());
    bool taken;
    {
      typename Chains::Locked locked(chains_, thread, bucket);
      taken = take_or_queue(thread, bucket, mine, object);
    }
    if (!taken) {
      W::count(thread, LockCounter::contended_enters);
      thread->queued_element.store(mine, std::memory_order_release);
      chains_.await_lock(thread, mine);
      thread->queued_element.store(nullptr, std::memory_order_relaxed);
    }
    records_.put(thread, mine);
    record->displaced.store(FastPath::outer, std::memory_order_relaxed);
    return Status::Done;
  }

  Status exit(Thread* thread, Reference object, LockRecord* record) {
    W::count(thread, LockCounter::slow_exits);
    if (record->displaced.load(std::memory_order_relaxed) == FastPath::not_held) return Status::NotOwner;
    // If the header's waiters_bit is clear, the CAS failed because an unrelated bit changed meanwhile, and is tried
    // again.
    while (!FastPath::try_exit(thread, object, record)) {
      if ((W::load(W::header(object), Order::relaxed) & layout::waiters_bit) == 0) continue;
      record->displaced.store(FastPath::not_held, std::memory_order_relaxed);
      Bucket& bucket = chains_.bucket_of(chains_.key_of(thread, object));
      Thread* successor;
      {
        typename Chains::Locked locked(chains_, thread, bucket);
        successor = release(thread, bucket, object);
      }
      Chains::wake(thread, successor);
      break;
    }
    return Status::Done;
  }

  Status wait(Thread* thread, Root root, i64 nanoseconds) MAY_SAFEPOINT {
    Reference object = W::at(root);
    if (!holds(thread, object)) return Status::NotOwner;
    if (W::take_interrupt(thread)) return Status::Interrupted;
    Record* mine = records_.take(thread, object);
    if (mine == nullptr) return Status::OutOfMemory;
    // Dumps recognise a thread in wait() by a record whose `levels` is not 0. This `levels` is no count: the thread has
    // one level for each of its lock records marked `outer` or `nested` for this object (R1).
    mine->levels.set(1);
    mine->key.set(chains_.key_of(thread, object));
    thread->queued_element.store(mine, std::memory_order_release);
    bool notified;
    {
      typename W::StatusScope status(thread, nanoseconds == forever ? W::waiting_status : W::timed_waiting_status);
      {
        Bucket& bucket = chains_.bucket_of(mine->key.get());
        Thread* successor;
        {
          typename Chains::Locked locked(chains_, thread, bucket);
          mine->state.store(State::Waiting, std::memory_order_relaxed);
          Chains::Ribs::append(spine_of(thread, bucket, mine, object)->waiting, mine);
          W::note(thread, picture::change(picture::Step::waits, picture::rule(1)), thread->id);
          successor = release(thread, bucket, object);
        }
        // This thread is still managed, so the successor's Thread cannot be reused before the unpark.
        Chains::wake(thread, successor);
      }
      {
        typename W::BlockedScope blocked(thread);
        Chains::sleep_in_wait(thread, mine, nanoseconds);
        notified = mine->state.load(std::memory_order_acquire) != State::Waiting;
        if (notified) Chains::sleep_until_granted(thread, mine);
      }
      if (!notified) {
        // During the sleep a collection may have moved the object, and moved the record to another bucket.
        Bucket& bucket = chains_.bucket_of(mine->key.get());
        {
          typename Chains::Locked locked(chains_, thread, bucket);
          notified = mine->state.load(std::memory_order_relaxed) != State::Waiting;
          if (!notified) {
            stop_waiting(thread, bucket, mine, W::at(root));
            take_or_queue(thread, bucket, mine, W::at(root));
          }
        }
        // If no notifier has changed the thread's Java status, the status still says WAITING.
        W::set_status(thread, W::blocked_status);
        chains_.await_lock(thread, mine);
      }
    }
    thread->queued_element.store(nullptr, std::memory_order_relaxed);
    records_.put(thread, mine);
    return !notified && W::take_interrupt(thread) ? Status::Interrupted : Status::Done;
  }

  Status notify(Thread* thread, Reference object, bool all) {
    if (!holds(thread, object)) return Status::NotOwner;
    Bucket& bucket = chains_.bucket_of(chains_.key_of(thread, object));
    typename Chains::Locked locked(chains_, thread, bucket);
    Record* spine = Chains::find(thread, bucket, object);
    if (spine == nullptr || Chains::notify_one(thread, spine) == nullptr) return Status::Done;
    while (all && Chains::notify_one(thread, spine) != nullptr) {
    }
    change(thread, object, layout::waiters_bit, 0, Order::relaxed, picture::Step::header, 4);  // R4
    return Status::Done;
  }

  bool holds(Thread* thread, Reference object) const {
    return W::any_record(thread, [object](const LockRecord* record) {
      return record->object == object && record->displaced.load(std::memory_order_relaxed) != FastPath::not_held;
    });
  }

  Thread* owner(Reference object) const {
    if ((W::load(W::header(object), Order::acquire) & layout::held_bit) == 0) return nullptr;
    Thread* found = nullptr;
    W::for_each_thread([&](Thread* thread) {
      const auto* queued = static_cast<const Record*>(thread->queued_element.load(std::memory_order_acquire));
      if (queued != nullptr && queued->object.load(std::memory_order_relaxed) == object) {
        // If a thread has a queued record, only that record's state says whether the thread holds the lock. The
        // thread's lock records may mislead: in wait() they stay marked `outer` or `nested` although the lock is
        // released (R1). If the thread was handed the lock and has not run since, its lock records are not marked yet.
        if (queued->state.load(std::memory_order_relaxed) == State::Holds) found = thread;
      } else if (holds(thread, object)) {
        found = thread;
      }
    });
    return found;
  }

 private:
  // --- under the bucket's lock ---------------------------------------------------------------------------------------
  // Sets and clears bits of a held object's header.
  static void change(Thread* thread, Reference object, layout::Word set, layout::Word clear, Order order,
                     picture::Step step, u8 rule) {
    layout::Word KEYHOLE_HEAP* header = W::header(object);
    layout::Word word = W::load(header, Order::relaxed);
    for (;;) {
      const u64 moment = W::moment();
      layout::Word wanted = (word | set) & ~clear;
      layout::Word seen = W::cas(header, word, wanted, order);  // R6
      if (seen == word) {
        W::note(thread, picture::change(step, picture::rule(rule), FastPath::state(wanted)), thread->id, moment);
        return;
      }
      word = seen;
    }
  }

  // Takes the lock or queues (R2). Returns true if the lock is taken; the record is then on no chain. Returns false if
  // the record is queued.
  bool take_or_queue(Thread* thread, Bucket& bucket, Record* mine, Reference object) {
    layout::Word KEYHOLE_HEAP* header = W::header(object);
    layout::Word word = W::load(header, Order::relaxed);
    for (;;) {
      bool is_held = (word & layout::held_bit) != 0;
      if (is_held && (word & layout::waiters_bit) != 0)
        break;  // R6: held_bit and waiters_bit do not change until the bucket is unlocked
      layout::Word wanted = word | (is_held ? layout::waiters_bit : layout::held_bit);
      layout::Word seen = W::cas(header, word, wanted, Order::acquire);
      if (seen == word) {
        picture::Step step = is_held ? picture::Step::header : picture::Step::took;
        W::note(thread, picture::change(step, picture::rule(2), FastPath::state(wanted)), thread->id);
        if (is_held) break;
        mine->state.store(State::Holds, std::memory_order_relaxed);
        return true;
      }
      word = seen;
    }
    mine->state.store(State::Queued, std::memory_order_relaxed);
    Chains::Ribs::append(spine_of(thread, bucket, mine, object)->queued, mine);
    W::note(thread, picture::change(picture::Step::queued, picture::rule(4)), thread->id);
    return false;
  }

  // Returns the object's spine record, which is its one record on the bucket's chain. If there is none, `mine` becomes
  // the spine record.
  static Record* spine_of(Thread* thread, Bucket& bucket, Record* mine, Reference object) {
    Record* spine = Chains::find(thread, bucket, object);
    if (spine != nullptr) return spine;
    Chains::push_spine(bucket, mine);
    return mine;
  }

  static void stop_waiting(Thread* thread, Bucket& bucket, Record* mine, Reference object) {
    Record* spine = Chains::find(thread, bucket, object);
    Chains::Ribs::remove(spine->waiting, mine);
    W::note(thread, picture::change(picture::Step::left_waiters, picture::rule(4)), thread->id);
    if (spine == mine) Chains::retire_spine(bucket, mine);
  }

  // Releases the object, which the caller holds. Returns the successor's thread if the caller must wake it.
  Thread* release(Thread* thread, Bucket& bucket, Reference object) {
    Record* spine = Chains::find(thread, bucket, object);
    Record* successor = spine == nullptr ? nullptr : spine->queued.get();
    if (successor == nullptr) {
      change(thread, object, 0, layout::held_bit | layout::waiters_bit, Order::release, picture::Step::let_go, 3);
      return nullptr;
    }
    const u64 successor_id = Chains::id_of(successor);
    Chains::Ribs::remove(spine->queued, successor);
    W::note(thread, picture::change(picture::Step::given_from_queue, picture::rule(5)), successor_id);
    if (spine->queued.get() == nullptr)
      change(thread, object, 0, layout::waiters_bit, Order::relaxed, picture::Step::header, 5);
    if (spine == successor) Chains::retire_spine(bucket, successor);
    W::count(thread, LockCounter::hand_overs);
    return Chains::grant(successor);  // R3
  }
};

}  // namespace keyhole::sync
