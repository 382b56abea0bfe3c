// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lightweight locking with the object monitor table (JDK-8315884): the header of an inflated object keeps hash and age,
// and says only that there is a monitor; a table maps the object's identity hash to it.
//
//   header     meaning                            the table                              becomes
//   ...01      free                               no entry; or a monitor that is being   00, 10
//                                                 installed (owner anonymous) or
//                                                 removed (deflated)
//   ...00      held by the thread whose lock      the same                               01; 10 by a contender or
//              stack has the object                                                      the holder
//   ...10      inflated                           the object's one monitor               01 by deflation
//
//   inflating                                     deflating
//   1 the object gets its hash                    1 claim the monitor: owner deflater, contentions negative
//   2 monitor into the table, owner anonymous     2 header 10 -> 01
//   3 header 01 or 00 -> 10                       3 monitor out of the table
//
// R1: only a thread that has put a monitor into the table, or has found one there that is not being deflated, sets a
//     header to 10. Only the thread that deflates that monitor sets the header back to 01. While the table has an entry
//     for an object no second one is inserted. So a header of 10 always has exactly one monitor.
// R2: a monitor is inserted with an anonymous owner, so that the deflater does not take it. The thread that inserted
//     it, or found it while inserting, sets the header to 10. A contender first counts itself in `contentions`, so that
//     the monitor is not deflated meanwhile. The change of the header decides who holds the monitor:
//       00 -> 10   the holder of the fast lock, which writes its id into the monitor when it next uses it
//       01 -> 10   the thread that changed the header
// R3: a thread that finds a monitor being deflated waits until the monitor is out of the table, and starts again. It
//     cannot restore the header on behalf of the deflater: a header of 10 does not name its monitor, so a late helper
//     could undo the next inflation.
// R4: an object gets its hash before its first inflation, and the hash never leaves the header. So any thread can read
//     or install a hash in every state, and the collector finds klass, hash and age in place.
// R5: if a thread reads a header of 10 but finds no monitor in the table, the monitor was deflated meanwhile; the
//     thread starts again. The holder always finds its monitor.
// R6: before a thread blocks, it writes its id into the monitors with anonymous owner whose objects are on its lock
//     stack. So other threads can see the owner of each monitor.
// R7: the frame's lock record holds the address of the monitor through which its level was entered, or 0; exit uses it
//     without a look-up. It is set only after a successful enter. That level keeps the monitor from being deflated.
//
// Lightweight locking: lightweight.h. The monitor: object_monitor.h. The thread's cache: monitor_cache.h. The
// table: monitor_table.h.
#pragma once

#include "runtime/sync/algorithms/lock_stack.h"
#include "runtime/sync/algorithms/monitor_table_fast_path.h"
#include "runtime/sync/identity_hash.h"
#include "runtime/sync/monitor/inflation.h"
#include "runtime/sync/monitor/monitor_cache.h"
#include "runtime/sync/monitor/monitor_list.h"
#include "runtime/sync/monitor/monitor_table.h"
#include "runtime/sync/protocol.h"

namespace keyhole::sync {

template <typename W, MonitorTable<W> Table, typename LockStackLimits = WholeLockStack>
class TableLockOf final : public MonitorHomeOf<W> {
 public:
  using Thread = typename W::Thread;
  using Reference = typename W::Reference;
  using Root = typename W::Root;
  using LockRecord = typename W::LockRecord;
  using Monitor = typename W::Monitor;
  using FastPath = MonitorTableFastPathOf<W, LockStackLimits>;
  using LockStack = LockStackOf<W>;
  using Cache = MonitorCacheOf<W>;

  struct Settings {
    u32 cache_size = 2;  // 1 .. Thread::monitor_cache_capacity
    // The number of spinning attempts before a fast-locked object is inflated. Attempt i reads the header 2^i times.
    u32 fast_spins = 8;
  };

  explicit TableLockOf(MonitorListOf<W>& monitors) : monitors_(monitors) {}
  // Called at start, before the first enter.
  void initialize(const Settings& settings) { settings_ = settings; }
  const Table& table() const { return table_; }

  // --- protocol.h ----------------------------------------------------------------------------------------------------

  Status enter(Thread* thread, Root root, LockRecord* record) MAY_SAFEPOINT {
    W::count(thread, LockCounter::slow_enters);
    u32 attempt = W::processors() > 1 ? 0 : settings_.fast_spins;
    InflationOf<W> inflation(monitors_);
    for (;;) {
      Reference object = W::at(root);
      if (FastPath::try_enter(thread, object, record)) return Status::Done;
      layout::Word word = W::load(W::header(object), Order::acquire);
      Monitor* monitor = nullptr;
      switch (word & layout::lock_mask) {
        case layout::unlocked:
          if (is_full(thread) && !make_room(thread)) return Status::OutOfMemory;
          continue;
        case layout::locked:
          if (LockStack::contains(thread, object)) {
            InflationCause cause = !LockStackLimits::keeps_recursion() ? InflationCause::Recursion
                                   : is_full(thread)                   ? InflationCause::LockStackFull
                                                                       : InflationCause::NotLastLocked;
            auto at_root = [&]() TOUCHES_OBJECTS { return W::at(root); };
            if (inflate_own(thread, at_root, cause) == nullptr) return Status::OutOfMemory;
            continue;
          }
          if (attempt < settings_.fast_spins && !W::safepoint_pending(thread)) {
            W::spin_until(
                W::header(object), [](layout::Word now) { return (now & layout::lock_mask) != layout::locked; },
                u32{1} << attempt++);
            continue;
          }
          if (!inflation.prepare()) return Status::OutOfMemory;
          if (!enter_inflating(thread, root, inflation, &monitor)) return Status::OutOfMemory;
          if (monitor == nullptr) continue;  // R3
          break;
        default:
          monitor = monitor_of(thread, object, word);
          if (monitor == nullptr) continue;  // R5
          LockStack::claim(thread, object, monitor);
          claim_contended(thread);
          if (!monitor->enter(thread)) {
            wait_until_detached(thread, monitor);  // R3
            continue;
          }
          break;
      }
      // Puts the monitor into the cache again, because a collection may have cleared the cache meanwhile.
      Cache::remember(thread, W::at(root), monitor, settings_.cache_size);
      record->displaced.store(reinterpret_cast<uptr>(monitor), std::memory_order_relaxed);  // R7
      return Status::Done;
    }
  }

  Status exit(Thread* thread, Reference object, LockRecord* record) {
    W::count(thread, LockCounter::slow_exits);
    for (;;) {
      if (FastPath::try_exit(thread, object, record)) return Status::Done;
      if (u64 entered_through = record->displaced.load(std::memory_order_relaxed); entered_through != 0) {  // R7
        W::count(thread, LockCounter::cache_hits);
        reinterpret_cast<Monitor*>(entered_through)->exit(thread);
        record->displaced.store(0, std::memory_order_relaxed);
        return Status::Done;
      }
      layout::Word word = W::load(W::header(object), Order::acquire);
      switch (word & layout::lock_mask) {
        case layout::unlocked: return Status::NotOwner;
        case layout::locked: {
          u32 entries = LockStack::count(thread, object);
          if (entries == 0) return Status::NotOwner;
          // Locks need not be released in the reverse order of locking, so any of the object's entries may be removed.
          if (entries > 1) {
            LockStack::remove_one(thread, object);
            return Status::Done;
          }
          // The header is changed by CAS, because a contender may inflate and any thread may install a hash. release:
          // pairs with the next owner's acquire.
          if (W::cas(W::header(object), word, word | layout::unlocked, Order::release) != word) continue;
          LockStack::remove(thread, object);
          W::note(thread, picture::freed_header(2), thread->id);
          return Status::Done;
        }
        default: {
          Monitor* monitor = held_monitor_of(thread, object, word);
          if (monitor == nullptr) return Status::NotOwner;
          monitor->exit(thread);
          return Status::Done;
        }
      }
    }
  }

  Status wait(Thread* thread, Root root, i64 nanoseconds) MAY_SAFEPOINT {
    Reference object = W::at(root);
    layout::Word word = W::load(W::header(object), Order::acquire);
    Monitor* monitor = nullptr;
    if ((word & layout::lock_mask) == layout::inflated) {
      monitor = held_monitor_of(thread, object, word);
      if (monitor == nullptr) return Status::NotOwner;
    } else {
      if (!LockStack::contains(thread, object)) return Status::NotOwner;
      monitor = inflate_own(thread, [&]() TOUCHES_OBJECTS { return W::at(root); }, InflationCause::Wait);
      if (monitor == nullptr) return Status::OutOfMemory;
    }
    claim_contended(thread);
    return monitor->wait(thread, nanoseconds) ? Status::Interrupted : Status::Done;
  }

  Status notify(Thread* thread, Reference object, bool all) {
    layout::Word word = W::load(W::header(object), Order::acquire);
    if ((word & layout::lock_mask) != layout::inflated) {
      // No thread waits for a notification: a waiting thread would have inflated the object.
      return LockStack::contains(thread, object) ? Status::Done : Status::NotOwner;
    }
    Monitor* monitor = held_monitor_of(thread, object, word);
    if (monitor == nullptr) return Status::NotOwner;
    if (all) monitor->notify_all(thread);
    else monitor->notify_one(thread);
    return Status::Done;
  }

  // R4.
  u32 identity_hash(Thread* thread, Reference object) { return identity_hash_in_place<W>(thread, object); }

  bool holds(Thread* thread, Reference object) const {
    layout::Word word = W::load(W::header(object), Order::acquire);
    if ((word & layout::lock_mask) == layout::unlocked) return false;
    if (LockStack::contains(thread, object)) return true;
    if ((word & layout::lock_mask) != layout::inflated) return false;
    const Monitor* monitor = monitor_of(thread, object, word);
    return monitor != nullptr && monitor->is_owned_by(thread);
  }

  Thread* owner(Reference object) const {
    layout::Word word = W::load(W::header(object), Order::acquire);
    if ((word & layout::lock_mask) == layout::unlocked) return nullptr;
    u64 id = Monitor::anonymous;
    if ((word & layout::lock_mask) == layout::inflated) {
      const Monitor* monitor = table_.find(nullptr, layout::hash_at(object, word), object);
      if (monitor == nullptr) return nullptr;  // R5: it was free
      id = monitor->owner.load(std::memory_order_acquire);
    }
    Thread* found = nullptr;
    W::for_each_thread([&](Thread* thread) {
      if (id == Monitor::anonymous ? LockStack::contains(thread, object) : thread->id == id) found = thread;
    });
    return found;
  }

  template <typename Forward> void update_references(Forward forward) {
    monitors_.visit_weak(forward);
    // Objects have moved, so the caches are cleared (monitor_cache.h K1). A thread that this collection does not visit
    // has used no monitor since its cache was cleared.
    W::for_each_thread_in_collection([](Thread* thread) { Cache::forget_all(thread); });
    table_.tend_stopped();
  }
  u64 displaced_header(Reference object) const {  // R4
    return (W::load(W::header(object), Order::relaxed) & ~layout::lock_mask) | layout::unlocked;
  }
  u32 in_use() const { return monitors_.count(); }

  // For dumps: returns the monitor of an inflated object, as the lock's identity; otherwise null.
  const Monitor* inflated_monitor_of(Reference object) const {
    layout::Word word = W::load(W::header(object), Order::acquire);
    return (word & layout::lock_mask) == layout::inflated ? table_.find(nullptr, layout::hash_at(object, word), object)
                                                          : nullptr;
  }

  // --- monitor_list.h ------------------------------------------------------------------------------------------------

  // "Deflating", steps 2 and 3.
  void detach(Monitor* monitor, Reference object) override {
    if (object != nullptr) {
      layout::Word KEYHOLE_HEAP* header = W::header(object);
      layout::Word word = W::load(header, Order::acquire);
      for (;;) {
        KEYHOLE_ASSERT((word & layout::lock_mask) == layout::inflated,
                       "a monitor is taken from an object with header {:#x}", word);
        // release: the next thread that locks the object sees the critical sections under this monitor.
        layout::Word seen = W::cas(header, word, (word & ~layout::lock_mask) | layout::unlocked, Order::acq_rel);
        if (seen == word) {
          W::note_of(object, picture::deflated_header(picture::rule(3)), 0);
          break;
        }
        word = seen;
      }
    }
    table_.remove(monitor);
    // R3
    monitor->displaced.store(monitor->displaced.load(std::memory_order_relaxed) & ~layout::unlocked,
                             std::memory_order_seq_cst);
    detachings_.fetch_add(1, std::memory_order_seq_cst);
    if (sleepers_.load(std::memory_order_seq_cst) != 0) W::wake(detachings_, INT_MAX);
  }
  bool needs_tending() const override { return table_.needs_tending(); }
  void tend(Thread* deflater, void (*poll)(Thread*)) MAY_SAFEPOINT override {
    table_.tend(deflater, [=] { poll(deflater); });
  }
  void forget_remembered(Thread* thread) override { Cache::forget_all(thread); }
  void release_retired() override { table_.release_retired(); }

 private:
  static bool is_full(const Thread* thread) {
    return thread->lock_stack_top >= LockStackLimits::template capacity<Thread>();
  }

  // The number of reads before a thread that waits for the deflater sleeps. This number suffices while the deflater is
  // running, because the deflater's steps are a few instructions apart.
  static constexpr u32 spins_before_sleep = 100;

  // Returns the monitor of an object whose header is 10, or null if that monitor was deflated meanwhile (R5).
  Monitor* monitor_of(Thread* thread, Reference object, layout::Word word) const {
    if (Monitor* cached = Cache::find(thread, object)) {
      W::count(thread, LockCounter::cache_hits);
      return cached;
    }
    Monitor* found = table_.find(thread, layout::hash_at(object, word), object);
    if (found != nullptr) Cache::remember(thread, object, found, settings_.cache_size);
    return found;
  }
  // Returns the object's monitor if this thread holds it, otherwise null.
  Monitor* held_monitor_of(Thread* thread, Reference object, layout::Word word) const {
    Monitor* monitor = monitor_of(thread, object, word);
    if (monitor == nullptr) return nullptr;
    LockStack::claim(thread, object, monitor);
    return monitor->is_owned_by(thread) ? monitor : nullptr;
  }

  // R3.
  void wait_until_detached(Thread* thread, Monitor* monitor) MAY_SAFEPOINT {
    auto detached = [](u64 displaced) { return (displaced & layout::unlocked) == 0; };
    if (W::spin_until(monitor->displaced, detached, spins_before_sleep)) return;
    // The deflater has been descheduled. Sleeps until the deflater has detached a monitor and so changed `detachings_`.
    // After the sleep, which polls, this thread must not read the monitor any more.
    sleepers_.fetch_add(1, std::memory_order_seq_cst);
    i32 seen = detachings_.load(std::memory_order_seq_cst);
    if (!detached(monitor->displaced.load(std::memory_order_seq_cst))) {
      typename W::BlockedScope blocked(thread);
      W::wait_on(detachings_, seen, forever);
    }
    sleepers_.fetch_sub(1, std::memory_order_relaxed);
  }

  // Takes steps 1 and 2 of "inflating". Returns the monitor that is now in the table, which may be an earlier one, or
  // null if there is no memory.
  Monitor* insert(Thread* thread, Reference object, InflationOf<W>& inflation, InflationCause cause) {
    u32 hash = identity_hash(thread, object);  // R4
    layout::Word word = W::load(W::header(object), Order::relaxed);
    // R2
    inflation.fill(object, layout::kept_header((word & ~layout::lock_mask) | layout::unlocked, hash),
                   Monitor::anonymous, 0);
    Monitor* fresh = inflation.fresh();
    Monitor* monitor = table_.insert(thread, hash, object, fresh);
    if (monitor == fresh) inflation.installed(thread, object, (word & ~layout::lock_mask) | layout::inflated, cause);
    return monitor;
  }

  // Inflates an object on this thread's lock stack; object() returns its current address. Returns null if there is no
  // memory.
  template <typename Object> Monitor* inflate_own(Thread* thread, Object object, InflationCause cause) MAY_SAFEPOINT {
    InflationOf<W> inflation(monitors_);
    for (;;) {
      if (!inflation.prepare()) return nullptr;
      Monitor* monitor = insert(thread, object(), inflation, cause);
      if (monitor == nullptr) return nullptr;
      if (monitor->is_deflated()) {
        wait_until_detached(thread, monitor);  // R3: the table still has the deflated monitor of an earlier inflation
        continue;
      }
      layout::Word KEYHOLE_HEAP* header = W::header(object());
      // A contender may have inflated the object already: then the header says 10.
      for (layout::Word word = W::load(header, Order::acquire); (word & layout::lock_mask) != layout::inflated;) {
        layout::Word seen = W::cas(header, word, word | layout::inflated, Order::acq_rel);  // 00 -> 10: R2
        if (seen == word) {
          W::note_of(object(), picture::inflated_header(2), thread->id);
          break;
        }
        word = seen;
      }
      LockStack::claim(thread, object(), monitor);
      return monitor;
    }
  }

  // Inflates and enters an object whose fast lock another thread held at the last read. Sets *entered to the entered
  // monitor, or to null if the caller has to start again. Returns false if there is no memory.
  bool enter_inflating(Thread* thread, Root root, InflationOf<W>& inflation, Monitor** entered) MAY_SAFEPOINT {
    Reference object = W::at(root);
    Monitor* monitor = insert(thread, object, inflation, InflationCause::Contention);
    if (monitor == nullptr) return false;
    if (!monitor->keep()) {
      wait_until_detached(thread, monitor);  // R3
      return true;
    }
    layout::Word KEYHOLE_HEAP* header = W::header(object);
    bool mine = false;
    for (layout::Word word = W::load(header, Order::acquire); (word & layout::lock_mask) != layout::inflated;) {
      bool free = (word & layout::lock_mask) == layout::unlocked;
      // R2. acquire: pairs with the release of the fast lock's last holder. release: a thread that reads this header
      // and finds the monitor sees all of the monitor's fields.
      layout::Word seen = W::cas(header, word, (word & ~layout::lock_mask) | layout::inflated, Order::acq_rel);
      if (seen == word) {
        mine = free;
        W::note_of(object, free ? picture::took_inflating(2) : picture::inflated_header(2), thread->id);
        break;
      }
      word = seen;
    }
    if (mine) {
      // relaxed: this thread is the monitor's first holder, because the owner was anonymous until now. So there is no
      // earlier critical section of this monitor with which the store would have to synchronize.
      monitor->owner.store(thread->id, std::memory_order_relaxed);
    } else {
      claim_contended(thread);
      [[maybe_unused]] bool in_time = monitor->enter(thread);
      KEYHOLE_ASSERT(in_time, "a monitor was taken away from a thread that kept it");
    }
    monitor->let_go();
    *entered = monitor;
    return true;
  }

  // R6.
  void claim_contended(Thread* thread) {
    for (u32 i = 0; i < thread->lock_stack_top;) {
      Reference object = thread->lock_stack[i];
      layout::Word word = W::load(W::header(object), Order::acquire);
      u32 before = thread->lock_stack_top;
      if ((word & layout::lock_mask) == layout::inflated) {
        if (Monitor* monitor = monitor_of(thread, object, word)) LockStack::claim(thread, object, monitor);
      }
      if (thread->lock_stack_top == before) ++i;
    }
  }

  // False: no memory.
  bool make_room(Thread* thread) MAY_SAFEPOINT {
    claim_contended(thread);
    if (!is_full(thread)) return true;
    return inflate_own(thread, [thread] { return thread->lock_stack[0]; }, InflationCause::LockStackFull) != nullptr;
  }

  MonitorListOf<W>& monitors_;
  Table table_;
  Settings settings_;
  typename W::template Atomic<i32> detachings_{0};  // R3: changes when a monitor is detached; threads sleep until then
  typename W::template Atomic<i32> sleepers_{0};
};

}  // namespace keyhole::sync
