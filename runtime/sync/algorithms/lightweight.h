// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lightweight locking: the holder's lock stack lists the objects that it holds; a header only says that its object is
// held.
//
//   header     meaning                                written by                     becomes
//   ...01      free                                   anyone (CAS, acquire)          00 held, 10 inflated
//   ...00      held by the thread whose lock stack    holder (CAS, release) -> 01    01, or 10 by a contender or
//              has the object                                                        the holder
//   klass,M,10 inflated: M names the holder           deflation (CAS)                01
//
//   lock stack  | A | B | B | C | . | . | . | . |     8 entries, oldest first; the same object twice in a row = one
//                                                     recursion
//
// R1: the other bits of the header stay in place under 01 and 00, so a hash can be installed at any time by anyone.
// R2: exit's release CAS pairs with the acquire CAS in enter.
// R3: exit changes the header by CAS, not by a store, because at any moment a contender may inflate the object and any
//     thread may install a hash. Exit retries if only other bits have changed, and uses the monitor if it finds 10.
// R4: a contender inflates with owner `anonymous`, because it cannot know the holder. A thread holds every object on
//     its lock stack, whatever the header says. When the holder next uses the monitor it writes its id into `owner`,
//     takes the object's entries off the stack, and sets recursions to the number of these entries less one.
// R5: the monitor is complete before the single CAS that installs it; there is no intermediate state such as INFLATING.
// R6: a thread inflates only objects that it holds or is entering. Wait and notify first return NotOwner if the thread
//     does not hold the object.
// R7: the stack represents only adjacent recursion; locking A, B, A inflates A. If the stack is full, entries of
//     objects that are already inflated are removed; if there is no such entry, the oldest object is inflated.
//     -XX:LockStackCapacity makes the stack smaller. With -XX:-RecursiveLightweightLocking any recursion inflates, as
//     in the first version in HotSpot.
//
// Fast paths: lightweight_fast_path.h, lightweight_monitor_fast_path.h. The monitor of an inflated object (10):
// object_monitor.h.
#pragma once

#include "runtime/sync/algorithms/lightweight_monitor_fast_path.h"
#include "runtime/sync/algorithms/lock_stack.h"
#include "runtime/sync/identity_hash.h"
#include "runtime/sync/monitor/inflation.h"
#include "runtime/sync/monitor/monitor_list.h"
#include "runtime/sync/monitor/object_monitor.h"
#include "runtime/sync/protocol.h"
#include "runtime/sync/status.h"

namespace keyhole::sync {

template <typename W, typename LockStackLimits = WholeLockStack> class LightweightOf {
 public:
  using Thread = typename W::Thread;
  using Reference = typename W::Reference;
  using Root = typename W::Root;
  using LockRecord = typename W::LockRecord;
  using Monitor = typename W::Monitor;
  using FastPath = LightweightMonitorFastPathOf<W, LockStackLimits>;
  using LockStack = LockStackOf<W>;  // LockStack::claim makes an anonymous owner known (R4)

  explicit LightweightOf(MonitorListOf<W>& monitors) : monitors_(monitors) {}

  // The number of times that a contender reads a held header before it inflates the object. The reads take about as
  // long as a short critical section.
  static constexpr u32 spins_before_inflation = 60;

  // LIFE(monitorenter) 5/10: the header is read again, and decides the next step
  Status enter(Thread* thread, Root root, LockRecord* record) MAY_SAFEPOINT {
    W::count(thread, LockCounter::slow_enters);
    bool spun = false;
    for (;;) {
      Reference object = W::at(root);
      if (FastPath::try_enter(thread, object, record)) return Status::Done;
      u64 word = W::load(W::header(object), Order::acquire);
      if ((word & layout::lock_mask) == layout::unlocked) {
        if (is_full(thread) && !make_room(thread)) return Status::OutOfMemory;
        continue;
      }
      if ((word & layout::lock_mask) == layout::locked) {
        bool own = LockStack::contains(thread, object);
        if (!own && !spun && W::processors() > 1) {
          spun = true;
          W::spin_until(
              W::header(object), [](u64 now) { return (now & layout::lock_mask) != layout::locked; },
              spins_before_inflation);
          continue;
        }
        InflationCause cause = !own                                  ? InflationCause::Contention
                               : !LockStackLimits::keeps_recursion() ? InflationCause::Recursion
                               : is_full(thread)                     ? InflationCause::LockStackFull
                                                                     : InflationCause::NotLastLocked;
        if (inflate(thread, object, cause) == nullptr) return Status::OutOfMemory;
        continue;
      }
      Monitor* monitor = Monitor::of_header(word);
      LockStack::claim(thread, object, monitor);
      if (monitor->enter(thread)) return Status::Done;
      // The monitor is being deflated. Restores the header on behalf of the deflater (object_monitor.h R8), so that the
      // next round of the loop finds no monitor. A failed `enter` has reached no safepoint, so `object` is still the
      // object's address.
      monitor->restore_header(object);
    }
  }

  Status exit(Thread* thread, Reference object, LockRecord* record) {
    W::count(thread, LockCounter::slow_exits);
    for (;;) {
      if (FastPath::try_exit(thread, object, record)) return Status::Done;
      u64 word = W::load(W::header(object), Order::acquire);
      if ((word & layout::lock_mask) == layout::locked) {
        u32 entries = LockStack::count(thread, object);
        if (entries == 0) return Status::NotOwner;
        if (thread->lock_stack[thread->lock_stack_top - 1] == object) continue;  // only other bits changed (R3)
        // The object is not on top of the lock stack: the thread does not release its locks in the reverse order of
        // locking.
        if (entries > 1) {
          if (inflate(thread, object, InflationCause::NotLastLocked) == nullptr) return Status::OutOfMemory;
        } else if (W::cas(W::header(object), word, word | layout::unlocked, Order::release) == word) {  // R2, R3
          LockStack::remove(thread, object);
          W::note(thread, picture::freed_header(2), thread->id);
          return Status::Done;
        }
        continue;
      }
      if ((word & layout::lock_mask) != layout::inflated) return Status::NotOwner;
      Monitor* monitor = Monitor::of_header(word);
      LockStack::claim(thread, object, monitor);
      if (!monitor->is_owned_by(thread)) return Status::NotOwner;
      monitor->exit(thread);
      return Status::Done;
    }
  }

  Status wait(Thread* thread, Root root, i64 nanoseconds) MAY_SAFEPOINT {
    Reference object = W::at(root);
    if (!holds(thread, object)) return Status::NotOwner;  // R6
    Monitor* monitor = inflate(thread, object, InflationCause::Wait);
    if (monitor == nullptr) return Status::OutOfMemory;
    LockStack::claim(thread, object, monitor);
    return monitor->wait(thread, nanoseconds) ? Status::Interrupted : Status::Done;
  }

  Status notify(Thread* thread, Reference object, bool all) {
    u64 word = W::load(W::header(object), Order::acquire);
    if ((word & layout::lock_mask) == layout::locked) {
      // No thread waits for a notification: a waiting thread would have inflated the object.
      return LockStack::contains(thread, object) ? Status::Done : Status::NotOwner;
    }
    if ((word & layout::lock_mask) != layout::inflated) return Status::NotOwner;
    Monitor* monitor = Monitor::of_header(word);
    LockStack::claim(thread, object, monitor);
    if (!monitor->is_owned_by(thread)) return Status::NotOwner;
    if (all) monitor->notify_all(thread);
    else monitor->notify_one(thread);
    return Status::Done;
  }

  bool holds(Thread* thread, Reference object) const {
    u64 word = W::load(W::header(object), Order::acquire);
    if ((word & layout::lock_mask) == layout::unlocked) return false;
    if (LockStack::contains(thread, object)) return true;  // R4
    return (word & layout::lock_mask) == layout::inflated && Monitor::of_header(word)->is_owned_by(thread);
  }

  u32 identity_hash(Thread* thread, Reference object) { return identity_hash_of<W>(thread, object); }

  Thread* owner(Reference object) const {
    u64 word = W::load(W::header(object), Order::acquire);
    u64 id = Monitor::anonymous;
    if ((word & layout::lock_mask) == layout::unlocked) return nullptr;
    if ((word & layout::lock_mask) == layout::inflated)
      id = Monitor::of_header(word)->owner.load(std::memory_order_acquire);
    Thread* found = nullptr;
    W::for_each_thread([&](Thread* thread) {
      if (id == Monitor::anonymous ? LockStack::contains(thread, object) : thread->id == id) found = thread;  // R4
    });
    return found;
  }

  template <typename Forward> void update_references(Forward forward) { monitors_.visit_weak(forward); }
  u64 displaced_header(Reference object) const {
    return Monitor::of_header(W::load(W::header(object), Order::relaxed))->displaced.load(std::memory_order_relaxed);
  }
  u32 in_use() const { return monitors_.count(); }

  // Returns the monitor of an object that this thread holds or is entering (R6); null when memory is exhausted.
  Monitor* inflate(Thread* thread, Reference object, InflationCause cause) {
    u64 KEYHOLE_HEAP* header = W::header(object);
    InflationOf<W> inflation(monitors_);
    for (;;) {
      u64 word = W::load(header, Order::acquire);
      if ((word & layout::lock_mask) == layout::inflated) return Monitor::of_header(word);
      if (!inflation.prepare()) return nullptr;
      u32 own_entries = 0;
      u64 owner = Monitor::nobody;
      if ((word & layout::lock_mask) == layout::locked) {
        own_entries = LockStack::count(thread, object);
        owner = own_entries != 0 ? thread->id : Monitor::anonymous;  // R4
      }
      inflation.fill(object, (word & ~layout::lock_mask) | layout::unlocked, owner,
                     own_entries > 1 ? own_entries - 1 : 0);
      u64 installed = inflation.fresh()->header_word();
      if (W::cas(header, word, installed, Order::acq_rel) != word) continue;  // R5
      W::note_of(object, picture::inflated_header(own_entries != 0 ? 6 : 4), thread->id);
      if (own_entries != 0) LockStack::remove(thread, object);
      return inflation.installed(thread, object, installed, cause);
    }
  }

 private:
  static bool is_full(const Thread* thread) {
    return thread->lock_stack_top >= LockStackLimits::template capacity<Thread>();
  }

  // Makes room on a full lock stack (R7). Returns false if there is no memory.
  bool make_room(Thread* thread) {
    u32 before = thread->lock_stack_top;
    for (u32 i = 0; i < thread->lock_stack_top;) {
      Reference object = thread->lock_stack[i];
      u64 word = W::load(W::header(object), Order::acquire);
      if ((word & layout::lock_mask) == layout::inflated) LockStack::claim(thread, object, Monitor::of_header(word));
      else ++i;
    }
    if (thread->lock_stack_top < before) return true;
    // Inflates the object of the oldest lock stack entry. If a contender inflates the object at this moment, this
    // thread claims the anonymous monitor.
    Reference oldest = thread->lock_stack[0];
    Monitor* monitor = inflate(thread, oldest, InflationCause::LockStackFull);
    if (monitor == nullptr) return false;
    LockStack::claim(thread, oldest, monitor);
    return true;
  }

  MonitorListOf<W>& monitors_;
};

}  // namespace keyhole::sync
