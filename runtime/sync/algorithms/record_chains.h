// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// RecordChains: the hash table of the HashChains family. A bucket has a chain of lock records, one spine record for
// each object.
//
//   bucket 0   | lock | chain --> A ------------> B ------------> (end)      the spine: one record for each object
//   bucket 1   | lock | (end)     |               |
//   ...                           +- queued       +- queued                  the ribs: circular lists, oldest first
//   bucket n-1 | lock | ...       |   A1 A2       +- waiting
//                                 +- waiting          B1
//                                     A3
//
//   state of a record   its thread                                            changed by
//   Queued              spins, waiting for the lock                           itself -> Parked; the owner that hands
//                                                                             over -> Holds
//   Parked              sleeps, or was notified and has not run yet           the owner that hands over -> Holds; it
//                                                                             also wakes the thread
//   Waiting             is in wait()                                          a notifier -> Parked; itself, when it
//                                                                             times out or is interrupted
//   Holds               holds the lock
//
// R1: the bucket's lock guards spine, ribs, key and each change of a state from Waiting. `state` is atomic because the
//     record's own thread reads it without that lock. Only Queued -> Parked is changed without that lock, by CAS, which
//     may compete with the exchange of a hand-over.
// R2: look-ups find a record by its object's address. The record's `key` names its bucket even after the object has
//     moved or died.
// R3: a spine record has the heads of the two lists of ribs. It is itself a member of one of them unless it holds the
//     lock. When it is taken off, another record of its object takes its place (replace).
// R4: with the world stopped no bucket lock is held (bucket_lock.h R1), and every record on a chain is on a thread's
//     held list or is its queued_element. So the collector visits the threads, not the buckets, and moves each spine
//     record whose object has moved to its new chain.
// R5: keys are salted with a random number of this process, so that no program can cause collisions on purpose.
// R6: a collection may leave out threads, so it knows only an upper bound of the number of spine records: the last
//     exact count plus all records that collections have visited since. When the bound exceeds the number of buckets,
//     the records are counted exactly, chain by chain.
//
// With -XX:HashChainsKey=address a record moves to another bucket when its object moves. With `identity` it stays in
// its bucket, but each object that is ever locked gets an identity hash. The table grows when a collection finds more
// spine records than buckets (R6).
#pragma once

#include <memory>
#include <new>

#include "runtime/base/check.h"
#include "runtime/object/layout.h"
#include "runtime/sync/algorithms/bucket_lock.h"
#include "runtime/sync/algorithms/lock_element.h"
#include "runtime/sync/identity_hash.h"
#include "runtime/sync/picture/notes.h"
#include "runtime/sync/ring.h"
#include "runtime/sync/sleep_in_wait.h"

namespace keyhole::sync {

enum class ChainKey : u8 { Address, Identity };

// Settings from the flags. The model checker chooses other settings: with one bucket, for example, all objects collide.
struct ChainSettings {
  u32 buckets = 4096;
  ChainKey key = ChainKey::Address;
  BucketLockPolicy lock = BucketLockKind::Hemlock;
  // The number of times that a thread reads its own record before it sleeps. initialize() gives inner locks the same
  // number.
  u32 spin_reads = 100;
};

template <typename W> struct ChainRecordOf : W::LockElement {
  enum class State : u32 { Queued, Parked, Waiting, Holds };
  template <typename T> using Plain = typename W::template Plain<T>;

  typename W::template Atomic<State> state{State::Holds};
  // --- accessed under the lock of the bucket that `key` names; by the lender alone until the record is on a chain ----
  Plain<u64> key;
  Plain<bool> is_spine;
  Plain<ChainRecordOf*> next_spine;
  Plain<ChainRecordOf*> queued, waiting;  // in a record on the chain: first queued and first waiting record, or null
  Plain<ChainRecordOf*> rib_next, rib_previous;  // circular; null: in no list
};

template <typename W> struct alignas(64) ChainBucketOf {
  BucketLockOf<W> lock;
  typename W::template Plain<ChainRecordOf<W>*> chain;
  typename W::template Atomic<u64> singleton{0};  // for hashchains-fp: names the only record (hashchains.h)
};

template <typename W> class RecordChainsOf {
 public:
  using Thread = typename W::Thread;
  using Reference = typename W::Reference;
  using Record = ChainRecordOf<W>;
  using State = typename Record::State;
  using Ribs = Ring<&Record::rib_next, &Record::rib_previous>;
  using Bucket = ChainBucketOf<W>;
  using Records = LockElementsOf<W, Record>;

  // Called before the first lock is taken, or after all threads have ended. Returns false if there is no memory for
  // this many buckets.
  bool initialize(const ChainSettings& settings) {
    settings_ = settings;
    settings_.lock.spin_reads = settings.spin_reads;
    salt_ = W::random();
    return make_buckets(settings.buckets);
  }

  u32 bucket_count() const { return bucket_count_; }

  // --- keys ----------------------------------------------------------------------------------------------------------
  u64 key_of(Thread* thread, Reference object) {
    if (settings_.key == ChainKey::Identity) return salted(identity_hash_in_place<W>(thread, object));
    return salted(reinterpret_cast<uptr>(object));
  }
  Bucket& bucket_of(u64 key) { return buckets_[static_cast<u32>((key >> 32) * bucket_count_ >> 32)]; }

  // --- the bucket's lock as a scope ----------------------------------------------------------------------------------
  class Locked {
   public:
    Locked(RecordChainsOf& chains, Thread* thread, Bucket& bucket) : chains_(chains), thread_(thread), bucket_(bucket) {
      bucket.lock.lock(thread, &node_, chains.settings_.lock);
    }
    ~Locked() { bucket_.lock.unlock(thread_, &node_, chains_.settings_.lock); }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

   private:
    RecordChainsOf& chains_;
    Thread* thread_;
    Bucket& bucket_;
    typename BucketLockOf<W>::Node node_;
  };

  // --- records on the chain (the spine), under the bucket's lock ----------------------------------------------------
  static Record* find(Thread* thread, Bucket& bucket, Reference object) {
    u64 steps = 0;
    Record* record = bucket.chain.get();
    for (; record != nullptr && record->object.load(std::memory_order_relaxed) != object;
         record = record->next_spine.get())
      ++steps;
    W::count(thread, LockCounter::chain_steps, steps + (record != nullptr));
    return record;
  }
  static void push_spine(Bucket& bucket, Record* record) {
    record->is_spine.set(true);
    record->next_spine.set(bucket.chain.get());
    bucket.chain.set(record);
  }
  static void remove_spine(Bucket& bucket, Record* record) {
    KEYHOLE_ASSERT(record->queued.get() == nullptr && record->waiting.get() == nullptr,
                   "a spine record goes and leaves its ribs");
    replace_link(bucket, record, record->next_spine.get());
    record->is_spine.set(false);
    record->next_spine.set(nullptr);
  }
  // `successor` takes the place of `record` on the chain, and takes over its lists of queued and waiting records (R3).
  // `successor` may be in one of these lists.
  static void replace_spine(Bucket& bucket, Record* record, Record* successor) {
    successor->is_spine.set(true);
    successor->next_spine.set(record->next_spine.get());
    successor->queued.set(record->queued.get());
    successor->waiting.set(record->waiting.get());
    replace_link(bucket, record, successor);
    record->is_spine.set(false);
    record->next_spine.set(nullptr);
    record->queued.set(nullptr);
    record->waiting.set(nullptr);
  }
  // Called when the object's record on the chain has lost the lock. Replaces that record by the object's first queued
  // or waiting record. If there is no such record, removes the object's record from the chain.
  static void retire_spine(Bucket& bucket, Record* record) {
    Record* successor = record->queued.get() != nullptr ? record->queued.get() : record->waiting.get();
    if (successor != nullptr) replace_spine(bucket, record, successor);
    else remove_spine(bucket, record);
  }

  // Returns the id of the thread that lent the record. The lender cannot end while the bucket is locked.
  static u64 id_of(const Record* record) { return record->lender.load(std::memory_order_relaxed)->id; }
  // Visits all buckets. Called by the model checker, while no thread makes a step.
  template <typename Visit> void for_each_bucket(Visit visit) const {
    for (u32 i = 0; i < bucket_count_; ++i) visit(buckets_[i]);
  }

  // --- queued and waiting records (the ribs), under the bucket's lock -----------------------------------------------
  // Moves the record of the thread that has waited longest to the queue, and leaves the thread asleep. Returns null if
  // no thread waits.
  static Record* notify_one(Thread* thread, Record* spine) {
    Record* chosen = spine->waiting.get();
    if (chosen == nullptr) return nullptr;
    const u64 id = id_of(chosen);
    Ribs::remove(spine->waiting, chosen);
    Ribs::append(spine->queued, chosen);
    W::note(thread, picture::change(picture::Step::notified, picture::rule(1)), id);
    chosen->state.store(State::Parked, std::memory_order_release);
    // From now on until the chosen thread has the lock again, Thread.getState shows BLOCKED.
    W::set_status(chosen->lender.load(std::memory_order_relaxed), W::blocked_status);
    return chosen;
  }

  // Hands the lock to the record's thread. Returns that thread if it is parked, otherwise null. The caller first
  // releases the bucket's lock, then wakes the returned thread. A thread woken earlier could block on the bucket's lock.
  static Thread* grant(Record* record) {
    // The lender is read before the exchange, because after the exchange the lender may reuse the record.
    Thread* thread = record->lender.load(std::memory_order_relaxed);
    return record->state.exchange(State::Holds, std::memory_order_acq_rel) == State::Parked ? thread : nullptr;
  }
  static void wake(Thread* thread, Thread* successor) {
    if (successor == nullptr) return;
    W::count(thread, LockCounter::unparks);
    W::unpark(successor);
  }

  // --- waiting for the lock ------------------------------------------------------------------------------------------
  // Waits until `record`, which is thread->queued_element, holds the lock. Returns at once if `record` already holds
  // it.
  void await_lock(Thread* thread, Record* record) MAY_SAFEPOINT {
    if (record->state.load(std::memory_order_acquire) == State::Holds) return;
    if (spin(thread, record)) return;
    typename W::StatusScope status(thread, W::blocked_status);
    typename W::BlockedScope blocked(thread);
    sleep_until_granted(thread, record);
  }
  // Called in state Blocked. Sleeps until the record holds the lock.
  static void sleep_until_granted(Thread* thread, Record* record) {
    State seen = State::Queued;
    // R1
    record->state.compare_exchange_strong(seen, State::Parked, std::memory_order_acq_rel, std::memory_order_acquire);
    while (record->state.load(std::memory_order_acquire) != State::Holds) {
      W::count(thread, LockCounter::parks);
      W::park(thread, forever);
    }
  }
  // Called in state Blocked. Sleeps until notified, interrupted or timed out.
  static void sleep_in_wait(Thread* thread, Record* record, i64 nanoseconds) {
    sync::sleep_in_wait<W>(thread, nanoseconds,
                           [record] { return record->state.load(std::memory_order_acquire) == State::Waiting; });
  }

  // --- the collector, world stopped (R4) -----------------------------------------------------------------------------
  // Updates the records' objects. forward(reference) returns an object's new address; objects held, queued for or
  // waited for are live. Records of threads that the collection leaves out stay in their buckets, because their objects
  // do not move. Word: a class that accesses the protocol's own field in each bucket; NoWord for a protocol without
  // such a field.
  template <typename Word, typename Forward> void update_references(Forward forward) {
    Records::for_each_lent_in_collection([&](Thread*, Record* record) {
      Reference object = forward(record->object.load(std::memory_order_relaxed));
      KEYHOLE_ASSERT(object != nullptr, "an object that is held or waited for died");
      record->object.store(object, std::memory_order_relaxed);
      Bucket& from = bucket_of(record->key.get());
      if (settings_.key == ChainKey::Address) record->key.set(salted(reinterpret_cast<uptr>(object)));
      if (!record->is_spine.get()) return;
      Bucket& to = bucket_of(record->key.get());
      ++spines_at_most_;  // R6
      Word::open(from);
      if (&to != &from) {
        replace_link(from, record, record->next_spine.get());
        Word::close(from);
        Word::open(to);
        push_spine(to, record);
      }
      Word::close(to);
    });
    if (spines_at_most_ <= bucket_count_) return;
    spines_at_most_ = count_spines<Word>();
    if (spines_at_most_ > bucket_count_) move_to_buckets<Word>(spines_at_most_ * 2);
  }
  // The argument `Word` of protocols whose buckets have no word, only a lock and a chain.
  struct NoWord {
    static void open(Bucket&) {}   // afterwards all of the bucket's records are on the chain
    static void close(Bucket&) {}  // the chain does not change any more
  };

  // --- for dumps, world stopped --------------------------------------------------------------------------------------
  // blocked_on returns the object that the thread is blocked on entering, or on re-entering after it was notified.
  // waiting_on returns the object whose wait() the thread is in: the record of that thread then has `levels` other than
  // 0. Both functions return null if there is no such object.
  static Reference blocked_on(const Thread* thread) {
    const auto* record = static_cast<const Record*>(thread->queued_element.load(std::memory_order_acquire));
    if (record == nullptr || record->state.load(std::memory_order_relaxed) == State::Waiting) return nullptr;
    return record->object.load(std::memory_order_relaxed);
  }
  static Reference waiting_on(const Thread* thread) {
    const auto* record = static_cast<const Record*>(thread->queued_element.load(std::memory_order_acquire));
    return record == nullptr || record->levels.get() == 0 ? nullptr : record->object.load(std::memory_order_relaxed);
  }

  void drain() { buckets_.reset(); }

 private:
  static void replace_link(Bucket& bucket, Record* record, Record* by) {
    if (bucket.chain.get() == record) {
      bucket.chain.set(by);
      return;
    }
    Record* before = bucket.chain.get();
    while (before->next_spine.get() != record) before = before->next_spine.get();
    before->next_spine.set(by);
  }

  // Spins on the record's own state, which no other thread reads in a loop. Returns true if the record holds the lock.
  bool spin(Thread* thread, Record* record) {
    constexpr u32 reads_between_polls = 64;
    auto holds = [](State state) { return state == State::Holds; };
    for (u32 left = settings_.spin_reads; left != 0; left -= left < reads_between_polls ? left : reads_between_polls) {
      if (W::spin_until(record->state, holds, left < reads_between_polls ? left : reads_between_polls)) {
        W::count(thread, LockCounter::spins_won);
        return true;
      }
      if (W::safepoint_pending(thread)) break;
    }
    W::count(thread, LockCounter::spins_lost);
    return false;
  }

  // murmur3's finalizer: each bit of the address affects each bit of the bucket's number.
  u64 salted(u64 value) const {
    value ^= salt_;
    value ^= value >> 33;
    value *= 0xFF51AFD7ED558CCD;
    value ^= value >> 33;
    value *= 0xC4CEB9FE1A85EC53;
    return value ^ value >> 33;
  }

  bool make_buckets(u32 count) {
    Bucket* fresh = new (std::nothrow) Bucket[count];
    if (fresh == nullptr) return false;
    buckets_.reset(fresh);
    bucket_count_ = count;
    return true;
  }

  template <typename Word> u32 count_spines() {
    u32 count = 0;
    for (u32 i = 0; i < bucket_count_; ++i) {
      Word::open(buckets_[i]);
      for (Record* spine = buckets_[i].chain.get(); spine != nullptr; spine = spine->next_spine.get()) ++count;
      Word::close(buckets_[i]);
    }
    return count;
  }
  template <typename Word> void move_to_buckets(u32 count) {
    u32 count_before = bucket_count_;
    std::unique_ptr<Bucket[]> before = std::move(buckets_);
    if (!make_buckets(count)) {
      buckets_ = std::move(before);
      return;
    }
    for (u32 i = 0; i < count_before; ++i) {
      Word::open(before[i]);
      for (Record *spine = before[i].chain.get(), *next; spine != nullptr; spine = next) {
        next = spine->next_spine.get();
        push_spine(bucket_of(spine->key.get()), spine);
      }
    }
    for (u32 i = 0; i < bucket_count_; ++i) Word::close(buckets_[i]);
  }

  std::unique_ptr<Bucket[]> buckets_;
  u32 bucket_count_ = 0;
  u32 spines_at_most_ = 0;  // R6
  u64 salt_ = 0;
  ChainSettings settings_;
};

}  // namespace keyhole::sync
