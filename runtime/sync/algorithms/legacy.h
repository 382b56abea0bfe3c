// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Stack-locking, HotSpot's algorithm until JDK 22: the header of a held object points into the holder's stack of lock
// records, and the record keeps the original header. The record's address tells the holder; no list is searched.
//
//   header         meaning                                  written by                    becomes
//   ...01          free                                     anyone (CAS, acq_rel)         00 held, 10 inflated
//   klass,R,00     held by the thread whose record R is;    holder (CAS, release) -> 01   01, INFLATING
//                  hash and age are in R
//   klass,0,00     INFLATING: a thread copies hash and age  the thread that wrote it (store)  10
//                  from R into a monitor
//   klass,M,10     inflated: M names the holder             deflation (CAS)               01
//
//   record.displaced    a header word (..01)    the first level, which locked the object
//                       recursion mark (2)      a further level, entered while the header pointed at one of the
//                                               thread's records
//                       0                       a level entered through the monitor
//
// R1: klass stays in the header in every state.
// R2: exit's release CAS pairs with the acquire CAS in enter.
// R3: the thread stores the header in the record before the header points at the record. Until that thread has restored
//     the header, no other thread changes the record.
// R4: other threads may read a record only while the header says INFLATING, which makes the holder's exit wait.
//     Otherwise the record's frame could be popped and the record reused during the read. So a thread that wants the
//     hash of an object held by another thread inflates the object.
// R5: INFLATING lasts for a few stores, without a safepoint in between. A thread that reads INFLATING spins, then waits
//     for the inflater's mutex.
// R6: a contender inflates with owner `anonymous`, and stores the record's address in the monitor. When the holder next
//     uses the monitor it recognises its record there, and writes its id into `owner`. Levels marked as recursion stay
//     in their records; the monitor counts only the levels entered through it.
// R7: Object.wait inflates the object first. So no thread waits on an object that is held by a record.
//
// The fast path: legacy_fast_path.h. The monitor of an inflated object (10): object_monitor.h.
#pragma once

#include "runtime/sync/algorithms/legacy_fast_path.h"
#include "runtime/sync/identity_hash.h"
#include "runtime/sync/monitor/inflation.h"
#include "runtime/sync/protocol.h"

namespace keyhole::sync {

template <typename W> class LegacyOf {
 public:
  using Thread = typename W::Thread;
  using Reference = typename W::Reference;
  using Root = typename W::Root;
  using LockRecord = typename W::LockRecord;
  using Monitor = typename W::Monitor;
  using FastPath = LegacyFastPath<W>;

  explicit LegacyOf(MonitorListOf<W>& monitors) : monitors_(monitors) {}

  Status enter(Thread* thread, Root root, LockRecord* record) MAY_SAFEPOINT {
    W::count(thread, LockCounter::slow_enters);
    for (;;) {
      Reference object = W::at(root);
      if (FastPath::try_enter(thread, object, record)) return Status::Done;
      u64 word = stable_header(object);
      if ((word & layout::lock_mask) == layout::unlocked) continue;
      Monitor* monitor;
      if ((word & layout::lock_mask) == layout::locked) {
        monitor = inflate(thread, object, InflationCause::Contention);
        if (monitor == nullptr) return Status::OutOfMemory;
      } else {
        monitor = Monitor::of_header(word);
      }
      claim_if_own(thread, monitor);
      if (monitor->enter(thread)) return Status::Done;
      // The monitor is being deflated. Restores the header on behalf of the deflater, so that the next round of the
      // loop finds no monitor. A failed `enter` has reached no safepoint, so `object` is still the object's address.
      monitor->restore_header(object);
    }
  }

  Status exit(Thread* thread, Reference object, LockRecord* record) {
    W::count(thread, LockCounter::slow_exits);
    for (;;) {
      if (FastPath::try_exit(thread, object, record)) return Status::Done;
      u64 word = stable_header(object);
      if ((word & layout::lock_mask) != layout::inflated) return Status::NotOwner;
      Monitor* monitor = Monitor::of_header(word);
      claim_if_own(thread, monitor);
      if (!monitor->is_owned_by(thread)) return Status::NotOwner;
      record->displaced.store(0, std::memory_order_relaxed);  // the monitor now has the header that was in the record
      monitor->exit(thread);
      return Status::Done;
    }
  }

  Status wait(Thread* thread, Root root, i64 nanoseconds) MAY_SAFEPOINT {
    Reference object = W::at(root);
    if (!holds(thread, object)) return Status::NotOwner;
    Monitor* monitor = inflate(thread, object, InflationCause::Wait);
    if (monitor == nullptr) return Status::OutOfMemory;
    claim_if_own(thread, monitor);
    return monitor->wait(thread, nanoseconds) ? Status::Interrupted : Status::Done;
  }

  Status notify(Thread* thread, Reference object, bool all) {
    u64 word = stable_header(object);
    // R7
    if ((word & layout::lock_mask) == layout::locked) return is_holders(thread, word) ? Status::Done : Status::NotOwner;
    if ((word & layout::lock_mask) != layout::inflated) return Status::NotOwner;
    Monitor* monitor = Monitor::of_header(word);
    claim_if_own(thread, monitor);
    if (!monitor->is_owned_by(thread)) return Status::NotOwner;
    if (all) monitor->notify_all(thread);
    else monitor->notify_one(thread);
    return Status::Done;
  }

  u32 identity_hash(Thread* thread, Reference object) {
    for (;;) {
      u64 word = stable_header(object);
      if ((word & layout::lock_mask) == layout::unlocked) {
        if (u32 hash = layout::hash_of(word)) return hash;
        u32 fresh = next_identity_hash(thread);
        if (W::cas(W::header(object), word, layout::with_hash(word, fresh), Order::acq_rel) == word) {
          W::note_of(object, picture::hash_made(), thread->id);
          return fresh;
        }
        continue;
      }
      Monitor* monitor;
      if ((word & layout::lock_mask) == layout::locked) {
        // The thread may read its own record (R3), but may not write to it, because an inflater may be copying the
        // record.
        if (is_holders(thread, word)) {
          if (u32 hash = layout::hash_of(record_of(word)->displaced.load(std::memory_order_relaxed))) return hash;
        }
        monitor = inflate(thread, object, InflationCause::Hash);  // R4
        KEYHOLE_CHECK(monitor != nullptr, "no native memory for an object monitor ({} in use)", in_use());
      } else {
        monitor = Monitor::of_header(word);
      }
      if (u32 hash = identity_hash_in<W>(thread, object, monitor)) return hash;
    }
  }

  bool holds(Thread* thread, Reference object) const {
    u64 word = stable_header(object);
    if ((word & layout::lock_mask) == layout::locked) return is_holders(thread, word);
    if ((word & layout::lock_mask) != layout::inflated) return false;
    const Monitor* monitor = Monitor::of_header(word);
    return monitor->is_owned_by(thread) || is_anonymously(thread, monitor);
  }

  Thread* owner(Reference object) const {
    u64 word = stable_header(object);
    if ((word & layout::lock_mask) == layout::unlocked) return nullptr;
    Thread* found = nullptr;
    W::for_each_thread([&](Thread* thread) {
      bool holds = (word & layout::lock_mask) == layout::locked ? is_holders(thread, word)
                                                                : Monitor::of_header(word)->is_owned_by(thread) ||
                                                                      is_anonymously(thread, Monitor::of_header(word));
      if (holds) found = thread;
    });
    return found;
  }

  template <typename Forward> void update_references(Forward forward) { monitors_.visit_weak(forward); }
  u64 displaced_header(Reference object) const {
    u64 word = W::load(W::header(object), Order::relaxed);
    if ((word & layout::lock_mask) == layout::locked) return record_of(word)->displaced.load(std::memory_order_relaxed);
    return Monitor::of_header(word)->displaced.load(std::memory_order_relaxed);
  }
  u32 in_use() const { return monitors_.count(); }

  // Inflates an object, held or not; any thread may call this. Returns the monitor, or null when memory is exhausted.
  Monitor* inflate(Thread* thread, Reference object, InflationCause cause) {
    u64 KEYHOLE_HEAP* header = W::header(object);
    InflationOf<W> inflation(monitors_);
    for (;;) {
      u64 word = stable_header(object);
      if ((word & layout::lock_mask) == layout::inflated) return Monitor::of_header(word);
      // Allocates the monitor before the header says INFLATING: afterwards inflation must not fail (R5).
      if (!inflation.prepare()) return nullptr;
      if ((word & layout::lock_mask) == layout::unlocked) {
        inflation.fill(object, word, Monitor::nobody, 0);
        u64 installed = inflation.fresh()->header_word();
        if (W::cas(header, word, installed, Order::acq_rel) != word) continue;
        W::note_of(object, picture::inflated_header(1), thread->id);
        return inflation.installed(thread, object, installed, cause);
      }
      LockRecord* record = record_of(word);
      typename W::Mutex& mutex = inflating_mutex(object);
      mutex.lock();
      // acquire: pairs with the release in enter (R3). From now on the exit of the holder waits (R4).
      if (W::cas(header, word, layout::displacing_word(word, 0, layout::locked), Order::acq_rel) != word) {
        mutex.unlock();
        continue;
      }
      W::note_of(object,
                 picture::change(picture::Step::header, picture::rule(5),
                                 picture::header_state(picture::HeaderState::inflating)),
                 thread->id);
      u64 kept = record->displaced.load(std::memory_order_relaxed);
      u64 owner = W::owns_record(thread, record) ? thread->id : Monitor::anonymous;  // R6
      inflation.fill(object, kept, owner, 0, record);
      u64 installed = inflation.fresh()->header_word();
      W::store(header, installed, Order::release);
      W::note_of(object, picture::inflated_header(6), thread->id);
      mutex.unlock();
      return inflation.installed(thread, object, installed, cause);
    }
  }

 private:
  static constexpr u32 inflating_mutexes = 64;
  static constexpr u32 reads_while_inflating = 100;

  static LockRecord* record_of(u64 word) { return reinterpret_cast<LockRecord*>(layout::displaced_pointer(word)); }
  static bool is_holders(const Thread* thread, u64 word) { return W::owns_record(thread, record_of(word)); }
  static bool is_inflating(u64 word) {
    return (word & layout::lock_mask) == layout::locked && layout::displaced_pointer(word) == 0;
  }

  typename W::Mutex& inflating_mutex(Reference object) const {
    return inflating_mutexes_[(reinterpret_cast<uptr>(object) >> 3) % inflating_mutexes];
  }

  // Reads the header; waits while the header says INFLATING (R5).
  u64 stable_header(Reference object) const {
    for (;;) {
      u64 word = W::load(W::header(object), Order::acquire);
      if (!is_inflating(word)) return word;
      if (W::spin_until(W::header(object), [](u64 now) { return !is_inflating(now); }, reads_while_inflating)) continue;
      typename W::Mutex& mutex = inflating_mutex(object);
      mutex.lock();
      mutex.unlock();
    }
  }

  // Whether this thread is the anonymous owner of `monitor`: the monitor has the address of this thread's record (R6).
  static bool is_anonymously(const Thread* thread, const Monitor* monitor) {
    return monitor->owner.load(std::memory_order_relaxed) == Monitor::anonymous &&
           W::owns_record(thread, monitor->holders_record.load(std::memory_order_relaxed));
  }
  static void claim_if_own(Thread* thread, Monitor* monitor) {
    if (is_anonymously(thread, monitor)) monitor->owner.store(thread->id, std::memory_order_relaxed);
  }

  MonitorListOf<W>& monitors_;
  mutable typename W::Mutex inflating_mutexes_[inflating_mutexes];
};

}  // namespace keyhole::sync
