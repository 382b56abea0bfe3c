// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// HashChains (Dice & Kogan, "Exploring Time-Space trade-offs for synchronized in Lilliput", 1.1 and appendix): locking
// never touches the object. The object's address hashes to a bucket. A lock record on the bucket's chain says which
// thread holds the object.
//
//   object          header: klass, hash, age, 01: never written by locking
//      \ hash of the address
//       bucket      | lock | chain --> record (Holds) --> record of another object --> ...
//                                        +- queued:  record, record     first come, first served
//                                        +- waiting: record             in wait()
//
//   enter   lock the bucket. If the chain has no record of this object, link one in state Holds; otherwise queue behind
//           the holder. Unlock the bucket; if queued, wait until the record holds
//   exit    lock the bucket; take the record off. If a thread is queued, the first one holds now (direct hand-over).
//           Unlock the bucket; wake that thread
//   wait    as exit, but the record joins the waiting records; notify moves the first of these to the end of the queue
//
// An object that is held or waited on has one record on the chain, its spine record. The records of its queued and of
// its waiting threads, the ribs, are in two lists of the spine record (record_chains.h).
//
//   the object is     its spine record is                     queued ribs   waiting ribs
//   free              absent                                  -             -
//   held              the holder's, in state Holds            any           any
//   free, waited on   that of a waiter, in state Waiting      none (R2)     at least the spine record itself
//
// R1: once a thread has seen that its record is in state Holds, it puts the record on its held list. That list alone
//     decides about re-entry and IllegalMonitorStateException, so re-entry and inner exits touch no bucket.
// R2: the lock is never free while a thread is queued, because exit and wait hand it over under the bucket's lock.
// R3: a waiter that timed out or was interrupted leaves the wait set under the bucket's lock. There it finds itself
//     either still Waiting or notified, never both.
// R4: exit never polls, and blocks only for the bucket's lock.
//
// With the fast path (`hashchains-fp`) a bucket needs no lock while it has a single record, which is in state Holds and
// has no queued or waiting records. One word of the bucket names this record:
//
//   singleton     meaning                                        becomes
//   0             the chain is empty                             record | 1, by a thread that enters (CAS)
//   record | 1    that record holds, and is the only one         0 by its exit (CAS); devolved, by CAS under the
//                                                                bucket's lock
//   devolved      the chain is under the bucket's lock           0 when it is empty again, under the bucket's lock
//
// R5: while the word is `devolved`, only the holder of the bucket's lock changes it. So threads use the chain only
//     under that lock.
// R6: enter's CAS (acquire, release) pairs with exit's CAS and with the CAS that stores `devolved`. So the next holder
//     sees the last critical section, and the thread that stores `devolved` sees the record's object.
#pragma once

#include "runtime/sync/algorithms/chain_lock.h"

namespace keyhole::sync {

template <typename W, bool has_fast_path> class HashChainsOf : public ChainLockOf<W> {
  using Base = ChainLockOf<W>;
  using Base::chains_, Base::records_;

 public:
  using typename Base::Chains, typename Base::Records, typename Base::Record;
  using typename Base::State, typename Base::Bucket;
  using typename Base::Thread, typename Base::Reference, typename Base::Root, typename Base::LockRecord;
  // HashChains has no snippet: enter and exit each take an inner lock, and a call costs little compared with that.
  using FastPath = NoFastPath<W>;

  Status enter(Thread* thread, Root root, LockRecord*) MAY_SAFEPOINT {
    W::count(thread, LockCounter::slow_enters);
    Reference object = W::at(root);
    if (Record* mine = Records::find_held(thread, object)) {  // R1
      mine->levels.set(mine->levels.get() + 1);
      return Status::Done;
    }
    Record* mine = records_.take(thread, object);
    if (mine == nullptr) return Status::OutOfMemory;
    mine->key.set(chains_.key_of(thread, object));
    mine->state.store(State::Holds, std::memory_order_relaxed);
    Bucket& bucket = chains_.bucket_of(mine->key.get());
    if (!(has_fast_path && take_empty_bucket(thread, bucket, mine))) {
      bool queued;
      {
        typename Chains::Locked locked(chains_, thread, bucket);
        queued = enter_locked(thread, bucket, mine, object);
      }
      if (queued) {
        W::count(thread, LockCounter::contended_enters);
        thread->queued_element.store(mine, std::memory_order_release);
        chains_.await_lock(thread, mine);
      }
    }
    mine->levels.set(1);
    Records::push_held(thread, mine);
    thread->queued_element.store(nullptr, std::memory_order_relaxed);
    return Status::Done;
  }

  Status exit(Thread* thread, Reference object, LockRecord*) {
    W::count(thread, LockCounter::slow_exits);
    Record* mine = Records::find_held(thread, object);
    if (mine == nullptr) return Status::NotOwner;
    if (u32 levels = mine->levels.get(); levels > 1) {
      mine->levels.set(levels - 1);
      return Status::Done;
    }
    Records::remove_held(thread, mine);
    Bucket& bucket = chains_.bucket_of(mine->key.get());
    if (!(has_fast_path && leave_empty_bucket(thread, bucket, mine))) {
      Thread* successor = nullptr;
      {
        typename Chains::Locked locked(chains_, thread, bucket);
        if (mine->queued.get() != nullptr) successor = hand_over(thread, bucket, mine);  // R2
        else retire(thread, bucket, mine);
        settle(bucket);
      }
      Chains::wake(thread, successor);
    }
    records_.put(thread, mine);
    return Status::Done;
  }

  Status wait(Thread* thread, Root root, i64 nanoseconds) MAY_SAFEPOINT {
    Record* mine = Records::find_held(thread, W::at(root));
    if (mine == nullptr) return Status::NotOwner;
    if (W::take_interrupt(thread)) return Status::Interrupted;
    Records::remove_held(thread, mine);
    thread->queued_element.store(mine, std::memory_order_release);
    bool notified;
    {
      typename W::StatusScope status(thread, nanoseconds == forever ? W::waiting_status : W::timed_waiting_status);
      {
        Bucket& bucket = chains_.bucket_of(mine->key.get());
        Thread* successor = nullptr;
        {
          typename Chains::Locked locked(chains_, thread, bucket);
          devolve(bucket);
          mine->state.store(State::Waiting, std::memory_order_relaxed);
          Chains::Ribs::append(mine->waiting, mine);
          W::note(thread, picture::change(picture::Step::waits_and_lets_go, picture::rule(2)), thread->id);
          // R2. If no thread is queued, the waiter's record stays on the chain as the object's record.
          if (mine->queued.get() != nullptr) successor = hand_over(thread, bucket, mine);
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
          notified = mine->state.load(std::memory_order_relaxed) != State::Waiting;  // R3
          if (!notified) stop_waiting(thread, bucket, mine);
        }
        // If no notifier has changed the thread's Java status, the status still says WAITING.
        W::set_status(thread, W::blocked_status);
        chains_.await_lock(thread, mine);
      }
    }
    Records::push_held(thread, mine);
    thread->queued_element.store(nullptr, std::memory_order_relaxed);
    return !notified && W::take_interrupt(thread) ? Status::Interrupted : Status::Done;
  }

  Status notify(Thread* thread, Reference object, bool all) {
    Record* mine = Records::find_held(thread, object);
    if (mine == nullptr) return Status::NotOwner;
    Bucket& bucket = chains_.bucket_of(mine->key.get());
    // While the bucket's word names this record, the record has no queued or waiting records. So no thread waits to be
    // notified.
    if (has_fast_path && bucket.singleton.load(std::memory_order_relaxed) == word_of(mine)) return Status::Done;
    typename Chains::Locked locked(chains_, thread, bucket);
    while (Chains::notify_one(thread, mine) != nullptr && all) {
    }
    return Status::Done;
  }

  bool holds(Thread* thread, Reference object) const { return Records::find_held(thread, object) != nullptr; }

  Thread* owner(Reference object) const {
    Thread* found = nullptr;
    Records::for_each_lent([&](Thread* thread, Record* record) {
      if (record->object.load(std::memory_order_relaxed) == object &&
          record->state.load(std::memory_order_relaxed) == State::Holds)
        found = thread;
    });
    return found;
  }

  template <typename Forward> void update_references(Forward forward) {
    chains_.template update_references<std::conditional_t<has_fast_path, OneWord, typename Chains::NoWord>>(forward);
  }

 private:
  // --- under the bucket's lock ---------------------------------------------------------------------------------------
  // Makes `mine` the holder's record, or queues it. Returns true if `mine` is queued.
  bool enter_locked(Thread* thread, Bucket& bucket, Record* mine, Reference object) {
    if (has_fast_path && !devolve_or_take(thread, bucket, mine)) return false;
    Record* spine = Chains::find(thread, bucket, object);
    if (spine == nullptr) {
      Chains::push_spine(bucket, mine);
      W::note(thread, picture::change(picture::Step::took, picture::rule(1)), thread->id);
      return false;
    }
    return join(thread, bucket, spine, mine);
  }
  // Links `mine` as a queued record, or as the holder's record if no thread holds the lock.
  bool join(Thread* thread, Bucket& bucket, Record* spine, Record* mine) {
    if (spine->state.load(std::memory_order_relaxed) == State::Holds) {
      mine->state.store(State::Queued, std::memory_order_relaxed);
      Chains::Ribs::append(spine->queued, mine);
      W::note(thread, picture::change(picture::Step::queued, picture::rule(2)), thread->id);
      return true;
    }
    mine->state.store(State::Holds, std::memory_order_relaxed);
    if (spine != mine) Chains::replace_spine(bucket, spine, mine);
    W::note(thread, picture::change(picture::Step::took, picture::rule(1)), thread->id);
    return false;
  }
  void stop_waiting(Thread* thread, Bucket& bucket, Record* mine) {
    Record* spine = Chains::find(thread, bucket, mine->object.load(std::memory_order_relaxed));
    Chains::Ribs::remove(spine->waiting, mine);
    W::note(thread, picture::change(picture::Step::left_waiters, picture::rule(3)), thread->id);
    join(thread, bucket, spine, mine);
  }
  static void retire(Thread* thread, Bucket& bucket, Record* mine) {
    Chains::retire_spine(bucket, mine);
    W::note(thread, picture::change(picture::Step::let_go, picture::rule(2)), thread->id);
  }

  // Hands the lock to the record that was queued first, which becomes the object's record on the chain. Returns that
  // record's thread if the caller must wake it.
  Thread* hand_over(Thread* thread, Bucket& bucket, Record* mine) {
    Record* successor = mine->queued.get();
    const u64 successor_id = Chains::id_of(successor);
    Chains::Ribs::remove(mine->queued, successor);
    Chains::replace_spine(bucket, mine, successor);
    W::note(thread, picture::change(picture::Step::given_from_queue, picture::rule(2)), successor_id);
    W::count(thread, LockCounter::hand_overs);
    return Chains::grant(successor);
  }

  // --- the bucket's one word (R5, R6) --------------------------------------------------------------------------------
  static constexpr u64 devolved = 2;
  static u64 word_of(Record* record) { return reinterpret_cast<uptr>(record) | 1; }
  static Record* record_of(u64 word) { return reinterpret_cast<Record*>(word & ~u64{1}); }

  static bool take_empty_bucket(Thread* thread, Bucket& bucket, Record* mine) {
    if (bucket.singleton.load(std::memory_order_relaxed) != 0) return false;
    mine->is_spine.set(true);
    u64 empty = 0;
    // R6
    if (bucket.singleton.compare_exchange_strong(empty, word_of(mine), std::memory_order_acq_rel,
                                                 std::memory_order_relaxed)) {
      W::note(thread, picture::change(picture::Step::took, picture::rule(6)), thread->id);
      return true;
    }
    mine->is_spine.set(false);
    return false;
  }
  static bool leave_empty_bucket(Thread* thread, Bucket& bucket, Record* mine) {
    u64 alone = word_of(mine);
    const u64 moment = W::moment();
    // R6
    if (!bucket.singleton.compare_exchange_strong(alone, 0, std::memory_order_release, std::memory_order_relaxed))
      return false;
    W::note(thread, picture::change(picture::Step::let_go, picture::rule(6)), thread->id, moment);
    mine->is_spine.set(false);
    return true;
  }
  // Called under the bucket's lock. If the bucket was empty, stores `mine` in the bucket's word, and returns false.
  // Otherwise sets the word to `devolved`, which makes the bucket use its chain, and returns true.
  static bool devolve_or_take(Thread* thread, Bucket& bucket, Record* mine) {
    while (bucket.singleton.load(std::memory_order_relaxed) != devolved) {
      if (take_empty_bucket(thread, bucket, mine)) return false;
      devolve(bucket);
    }
    return true;
  }
  // Called under the bucket's lock. Unless the bucket is empty, sets the bucket's word to `devolved`: from now on
  // threads find the bucket's records on the chain.
  static void devolve(Bucket& bucket) {
    if constexpr (!has_fast_path) return;
    u64 word = bucket.singleton.load(std::memory_order_relaxed);
    while (word != devolved && word != 0) {
      // R6
      if (!bucket.singleton.compare_exchange_strong(word, devolved, std::memory_order_acq_rel,
                                                    std::memory_order_relaxed))
        continue;
      Chains::push_spine(bucket, record_of(word));
      return;
    }
  }
  // Called under the bucket's lock, while the bucket's word is `devolved`. If the chain is empty, sets the word to 0.
  static void settle(Bucket& bucket) {
    if constexpr (has_fast_path) {
      if (bucket.chain.get() == nullptr) bucket.singleton.store(0, std::memory_order_release);  // R6
    }
  }
  // While the world is stopped, records move to other buckets: open() puts the record of the bucket's word on the
  // chain, and close() sets the word again.
  struct OneWord {
    static void open(Bucket& bucket) {
      u64 word = bucket.singleton.load(std::memory_order_relaxed);
      if (word != 0 && word != devolved) Chains::push_spine(bucket, record_of(word));
    }
    static void close(Bucket& bucket) {
      Record* only = bucket.chain.get();
      bool alone = only != nullptr && only->next_spine.get() == nullptr &&
                   only->state.load(std::memory_order_relaxed) == State::Holds && only->queued.get() == nullptr &&
                   only->waiting.get() == nullptr;
      if (alone) bucket.chain.set(nullptr);
      bucket.singleton.store(alone ? word_of(only) : only != nullptr ? devolved : 0, std::memory_order_relaxed);
    }
  };
};

}  // namespace keyhole::sync
