// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// ObjectMonitor: the heavyweight lock of an inflated object. HotSpot's protocol: competitive hand-off, one entry
// list, a successor hint, adaptive spinning, a wait set, deflation while others run. monitor_settings.h has other kinds
// of succession and spinning.
//
//   owner          meaning                              becomes
//   0 none         free                                 id (CAS by anyone), deflater (CAS)
//   id             held by that thread                  none, or under direct hand-over the successor's id (release
//                                                       store by the holder)
//   1 anonymous    held by a thread that does not know  id, by that thread, when it next uses the object
//                  that a contender made the monitor
//   2 deflater     the deflater checks whether it may   stays for ever if contentions went negative; otherwise the
//                  take the monitor away                deflater's id: the deflater exits like any owner
//
//   entry_list     head -> C -> B -> A <- tail          pushed by CAS at the head, by threads that will park;
//                  the owner alone builds `previous` links, keeps the tail, takes nodes out. Successor = tail: first
//                  come, first woken, but a woken thread competes with running threads.
//   successor      id of a thread that will try once more before it parks without a timeout; 0 = no thread. While it is
//                  set, exit wakes no thread.
//
//   exiting owner                        entering thread
//   owner = none (release)               push node by CAS        } R1: store, StoreLoad, load on both sides:
//   StoreLoad fence                      StoreLoad (the CAS)     } a thread is never parked beside a free monitor
//   read entry_list, successor           read owner, else park   }
//
// R1: no stranding. exit stores owner, fences, then reads the list; enter pushes by CAS, then reads owner. So the exit
//     sees the new node, or the entering thread sees the free monitor.
// R2: exit's release store of owner pairs with the acquire in try_lock.
// R3: a thread that withdraws as successor clears the hint, fences, and tries once more before it parks: an exit that
//     saw the hint may have woken no thread.
// R4: only the owner walks the entry list, changes it behind its head, or uses the wait set.
// R5: a thread that will park or wait first counts itself in `contentions` or `waiters`. The deflater takes a monitor
//     only by CAS of contentions from 0 to the most negative value, while owner is `deflater` and waiters is 0. A
//     thread that finds contentions negative is too late, and starts again from the header.
// R6: a deflater that cannot take the monitor becomes its owner and exits like an owner (R1). An exit that found
//     `deflater` in the owner word relies on that: it has woken no thread.
// R7: notify moves a waiter to the entry list by CAS of its state waiting -> entering; a waiter that wakes by itself
//     CASes waiting -> leaving. Only one CAS succeeds, so no notification goes to a thread that timed out.
// R8: `displaced` holds hash and age while the object's header points at this monitor. A hash is valid only if
//     contentions was not negative after it was read or written; the deflater makes contentions negative first and
//     copies `displaced` back afterwards.
// R9: a node lies in its thread's native stack and is reachable only while that thread is inside enter or wait.
// R10: under direct hand-over an exit makes the longest waiter the owner, then wakes that thread, which takes its own
//      node out of the list. No thread sets the hint, and the lock is free only while no thread is queued, so spinners
//      and newcomers cannot pass. Three other kinds of succession hand over only while `starving` is not 0: bounded
//      bypass, sharing by quanta (monitor_quantum.h), and restricted concurrency, which prefers new waiters. Adaptive
//      monitors change their succession (monitor_regime.h).
//
// The fields are grouped by cache line: first the fields that a header look-up reads, then those that owners and
// contenders write.
#pragma once

#include <algorithm>
#include <climits>

#include "runtime/base/check.h"
#include "runtime/base/platform/world.h"
#include "runtime/object/layout.h"
#include "runtime/sync/monitor/monitor_quantum.h"
#include "runtime/sync/monitor/monitor_regime.h"
#include "runtime/sync/monitor/monitor_settings.h"
#include "runtime/sync/monitor/monitor_waiter.h"
#include "runtime/sync/monitor/spin_budget.h"
#include "runtime/sync/picture/notes.h"
#include "runtime/sync/ring.h"
#include "runtime/sync/sleep_in_wait.h"
#include "runtime/threads/lock_counters.h"

namespace keyhole::sync {

template <typename W, typename Policy = FixedPolicy<MonitorSettings{}>> struct alignas(64) ObjectMonitorOf {
  using World = W;
  using Thread = typename W::Thread;
  using Reference = typename W::Reference;
  using Waiter = WaiterOf<W>;
  using State = typename Waiter::State;
  using WaitSet = Ring<&Waiter::wait_next, &Waiter::wait_previous>;
  using Monitor = typename W::Monitor;
  template <typename T> using Atomic = typename W::template Atomic<T>;
  template <typename T> using Plain = typename W::template Plain<T>;
  using Quantum = MonitorQuantumOf<ObjectMonitorOf>;
  using Regime = MonitorRegimeOf<ObjectMonitorOf>;
  using SpinBudget = SpinBudgetOf<W>;
  using Trial = RegimeTrialOf<W>;
  friend Quantum;
  friend Regime;

  static constexpr u64 nobody = 0, anonymous = 1, deflater = 2;

  // --- set at inflation; the collector, with the world stopped, also writes `object` ---------------------------------
  // The header of the free object: klass, hash, age, 01 (R8). With a monitor table: layout::kept_header.
  Atomic<u64> displaced{0};
  Atomic<Reference> object{nullptr};                        // weak; null once dead
  Plain<Monitor*> next_in_list;                             // monitor_list.h
  Atomic<typename W::LockRecord*> holders_record{nullptr};  // the anonymous owner's lock record (legacy.h R6)
  Atomic<u16> used_lately{1};       // hint: whether a thread blocked or waited on the monitor since the last collection
  Atomic<u16> successor_sleeps{0};  // whether the successor is in a timed wait (monitor_quantum.h M8); a hint
  Atomic<i32> waiters{0};           // R5
  Plain<Waiter*> wait_set;          // owner only: the longest waiter
  Atomic<Trial*> trial{nullptr};    // the trials of regime.h; null unless the monitor is adaptive and contended
  Plain<u32> quantum_of;            // owner only: the last owner to which the monitor was handed (monitor_quantum.h M6)
  Atomic<u32> had_quantum{0};       // the id of the thread that last handed over the monitor (monitor_quantum.h M7)

  // --- owners and contenders -----------------------------------------------------------------------------------------
  alignas(64) Atomic<u64> owner{nobody};
  Plain<u32> recursions;        // levels that the owner holds beyond the first; used by the owner only
  Atomic<u32> acquisitions{0};  // counts acquisitions, modulo 2^32, for regime.h; written by owners only
  Atomic<i32> contentions{0};   // R5
  Atomic<i32> starving{0};      // the number of queued threads whose patience is over (R10)
  Atomic<Waiter*> entry_list{nullptr};
  Plain<Waiter*> entry_list_tail;  // the last node of entry_list, or null if it is not known; used by the owner only
  Atomic<u64> successor{0};
  SpinBudget spin_budget;
  typename QuantumPolicyOf<W>::Collisions collisions;  // monitor_quantum.h M10

  // --- the header's view ---------------------------------------------------------------------------------------------
  static Monitor* of_header(u64 word) { return reinterpret_cast<Monitor*>(word & layout::displaced_pointer_mask); }
  u64 header_word() const {
    u64 word = displaced.load(std::memory_order_relaxed);
    return layout::displacing_word(word, reinterpret_cast<uptr>(static_cast<const Monitor*>(this)), layout::inflated);
  }
  bool is_deflated() const { return contentions.load(std::memory_order_seq_cst) < 0; }
  // If the header still points at this monitor, restores its hash and age. Any thread may call this after deflation.
  void restore_header(Reference target) {
    if (target == nullptr) return;
    if constexpr (layout::can_displace) {
      u64 word = header_word(), restored = displaced.load(std::memory_order_seq_cst);
      if (W::cas(W::header(target), word, restored, Order::release) == word) {
        W::note_of(target, picture::deflated_header(picture::monitor_rule(8)), 0);
        if (layout::hash_of(restored) == 0) W::note_of(target, picture::change(picture::Step::unhashed), 0);
      }
    }
  }

  bool is_owned_by(const Thread* thread) const { return owner.load(std::memory_order_relaxed) == thread->id; }

  // --- enter ---------------------------------------------------------------------------------------------------------
  // Keeps the deflater from taking the monitor until let_go() (R5). Returns false if the monitor is deflated.
  bool keep() {
    if (contentions.fetch_add(1, std::memory_order_seq_cst) >= 0) return true;
    contentions.fetch_sub(1, std::memory_order_relaxed);
    return false;
  }
  void let_go() { contentions.fetch_sub(1, std::memory_order_release); }

  // Acquires the monitor. Returns false, without effect, if the monitor is being deflated.
  bool enter(Thread* thread) MAY_SAFEPOINT {
    u64 holder = owner.load(std::memory_order_relaxed);
    if (holder == thread->id) {
      recursions.set(recursions.get() + 1);
      return true;
    }
    if (holder == nobody && !queues_at_once(thread) && try_lock(thread)) {
      if (entry_list.load(std::memory_order_relaxed) != nullptr) W::count(thread, LockCounter::bypasses);
      return true;
    }
    W::count(thread, LockCounter::contended_enters);
    if (is_adaptive()) Regime::choose(*this);
    if (by_quantum(thread)) {
      if (Quantum(*this, thread).takes_as_newcomer()) return true;
    } else {
      for (u32 round = 0; round <= settings().successor.extra_spins; ++round) {
        if (try_spin(thread)) return true;
      }
    }
    // R5: from here on the deflater cannot take the monitor.
    if (contentions.fetch_add(1, std::memory_order_seq_cst) < 0) {
      contentions.fetch_sub(1, std::memory_order_relaxed);
      return false;
    }
    note_use();
    thread->blocked_on.store(self(), std::memory_order_relaxed);
    {
      typename W::StatusScope status(thread, W::blocked_status);
      typename W::BlockedScope blocked(thread);
      enter_queueing(thread);
    }
    thread->blocked_on.store(nullptr, std::memory_order_relaxed);
    contentions.fetch_sub(1, std::memory_order_release);
    return true;
  }

  // --- exit: the caller is the owner ---------------------------------------------------------------------------------
  void exit(Thread* thread) {
    KEYHOLE_ASSERT(is_owned_by(thread), "exit by thread {}, owner is {}", thread->id, owner.load());
    if (u32 levels = recursions.get(); levels != 0) {
      recursions.set(levels - 1);
      return;
    }
    release(thread);
  }

  // --- wait, notify: the caller is the owner -------------------------------------------------------------------------
  // Object.wait. nanoseconds: `forever` or a relative timeout. On return the thread holds the lock again, with all its
  // levels. Returns true if the thread was interrupted; its interrupt flag has then been cleared.
  bool wait(Thread* thread, i64 nanoseconds) MAY_SAFEPOINT {
    if (W::take_interrupt(thread)) return true;
    note_use();
    Waiter node(thread, State::Waiting);
    WaitSet::append(wait_set, &node);
    W::note(thread, picture::change(picture::Step::waits, picture::monitor_rule(4)), thread->id);
    waiters.fetch_add(1, std::memory_order_seq_cst);  // R5
    u32 levels = recursions.get();
    recursions.set(0);
    thread->waiting_on.store(self(), std::memory_order_relaxed);
    bool notified;
    {
      typename W::StatusScope status(thread, nanoseconds == forever ? W::waiting_status : W::timed_waiting_status);
      // The successor's Thread cannot be reused before the unpark, because this thread is still managed.
      release(thread, true);
      {
        typename W::BlockedScope blocked(thread);
        sleep_in_wait<W>(thread, nanoseconds,
                         [&] { return node.state.load(std::memory_order_acquire) == State::Waiting; });
        State waiting = State::Waiting;
        notified = !node.state.compare_exchange_strong(waiting, State::Leaving, std::memory_order_acq_rel);  // R7
        thread->waiting_on.store(nullptr, std::memory_order_relaxed);
        thread->blocked_on.store(self(), std::memory_order_relaxed);
        if (notified) {
          // The notifier puts the node on the entry list before it releases the lock. An exit may have designated this
          // thread successor and woken it already (R3).
          acquire_queued(thread, &node);
        }
      }
      if (!notified) {
        // This thread is managed again, so its Java status, still WAITING, may change now.
        W::set_status(thread, W::blocked_status);
        typename W::BlockedScope blocked(thread);
        enter_queueing(thread);
      }
    }
    thread->blocked_on.store(nullptr, std::memory_order_relaxed);
    if (node.wait_next.get() != nullptr) {  // timed out or interrupted
      WaitSet::remove(wait_set, &node);
      W::note(thread, picture::change(picture::Step::left_waiters, picture::monitor_rule(7)), thread->id);
    }
    recursions.set(levels);
    waiters.fetch_sub(1, std::memory_order_release);
    return !notified && W::take_interrupt(thread);
  }

  // Moves the longest waiter to the entry list. Returns false if no thread waits.
  bool notify_one(Thread* thread) {
    while (Waiter* node = wait_set.get()) {
      WaitSet::remove(wait_set, node);
      W::note(thread, picture::change(picture::Step::left_waiters, picture::monitor_rule(7)), node->thread->id);
      State waiting = State::Waiting;
      if (!node->state.compare_exchange_strong(waiting, State::Entering, std::memory_order_acq_rel)) continue;  // R7
      // Thread.getState returns BLOCKED for the notified thread from now on, until that thread has the lock again.
      W::set_status(node->thread, W::blocked_status);
      push(thread, node);
      return true;
    }
    return false;
  }
  void notify_all(Thread* thread) {
    while (notify_one(thread)) {
    }
  }

  // --- deflation -----------------------------------------------------------------------------------------------------
  bool is_busy() const {
    return owner.load(std::memory_order_relaxed) != nobody || contentions.load(std::memory_order_relaxed) > 0 ||
           waiters.load(std::memory_order_relaxed) != 0;
  }
  // Deflates the monitor; returns false if it is in use. After success the caller detaches the monitor from its object
  // before the caller's next poll (monitor_list.h). The memory may be reused once every thread has passed a poll.
  // `thread`: the managed deflater, or null with the world stopped.
  bool try_deflate(Thread* thread) {
    if (is_busy()) return false;
    u64 free = nobody;
    if (!owner.compare_exchange_strong(free, deflater, std::memory_order_seq_cst)) return false;
    i32 none = 0;
    if (waiters.load(std::memory_order_seq_cst) == 0 &&
        contentions.compare_exchange_strong(none, INT_MIN, std::memory_order_seq_cst)) {  // R5
      KEYHOLE_ASSERT(entry_list.load() == nullptr, "somebody is queued on a monitor that nobody contends for");
      return true;
    }
    if (thread == nullptr) {
      owner.store(nobody, std::memory_order_release);
      return false;
    }
    // R6. `recursions` is 0, because the last owner released all its levels.
    typename W::NotedObject noted(thread, object.load(std::memory_order_relaxed));
    owner.store(thread->id, std::memory_order_seq_cst);
    W::note(thread, picture::change(picture::Step::took, picture::monitor_rule(6)), thread->id);
    release(thread);
    return false;
  }

  bool try_lock(Thread* thread) {
    // Reading first keeps the cache line shared while the lock is held. seq_cst: R1 (a plain load on x86).
    if (owner.load(std::memory_order_seq_cst) != nobody) return false;
    u64 free = nobody;
    if (!owner.compare_exchange_strong(free, thread->id, std::memory_order_seq_cst)) return false;  // R2
    W::note(thread, picture::change(picture::Step::took, picture::monitor_rule(2)), thread->id);
    count_acquisition();
    return true;
  }
  // Called by the owner for each acquisition. The model checker does not count: its regimes do not depend on counts.
  KEYHOLE_ALWAYS_INLINE void count_acquisition() {
    if constexpr (W::counts_acquisitions)
      acquisitions.store(acquisitions.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

 private:
  Monitor* self() { return static_cast<Monitor*>(this); }
  void note_use() {
    if (used_lately.load(std::memory_order_relaxed) == 0) used_lately.store(1, std::memory_order_relaxed);
  }

  static constexpr decltype(auto) settings() { return Policy::settings(); }
  static bool hands_over() { return settings().succession == Succession::direct; }

  static bool is_adaptive() { return Regime::is_adaptive(); }
  bool by_quantum(const Thread* thread) const { return Regime::by_quantum(*this, thread); }
  // Whether this thread has just used the monitor for a whole quantum, and so must queue (monitor_quantum.h M7).
  bool queues_at_once(Thread* thread) { return by_quantum(thread) && Quantum(*this, thread).had_quantum(); }

  static bool has_patience() { return settings().succession == Succession::bypass || settings().restrict_concurrency; }
  static i64 patience_nanoseconds() {
    return settings().succession == Succession::bypass ? settings().patience_nanoseconds
                                                       : settings().culled_patience_nanoseconds;
  }

  // --- getting in ----------------------------------------------------------------------------------------------------
  // LIFE(monitorenter) 6/10: contended and spun in vain: queue, try once more, sleep
  void enter_queueing(Thread* thread) {
    if (!by_quantum(thread) && (try_lock(thread) || try_spin(thread))) {
      withdraw_as_owner(thread);
      return;
    }
    Waiter node(thread, State::Entering);
    for (;;) {
      Waiter* head = entry_list.load(std::memory_order_relaxed);
      node.next.set(head);
      if (entry_list.compare_exchange_strong(head, &node, std::memory_order_seq_cst)) {  // R1
        W::note(thread, picture::change(picture::Step::queued, picture::monitor_rule(1)), thread->id);
        break;
      }
      if (!by_quantum(thread) && try_lock(thread)) {
        withdraw_as_owner(thread);
        return;
      }
    }
    acquire_queued(thread, &node);
  }

  // Waits until this thread is the owner, and takes its node off the entry list. If this thread was just notified, the
  // notifier puts the node on the list before the notifier releases the lock.
  void acquire_queued(Thread* thread, Waiter* node) {
    if (by_quantum(thread) || !acquire_by_competing(thread, node)) Quantum(*this, thread).acquire_from_queue(node);
  }

  // Returns false, with the thread still queued, if the monitor's regime has changed (monitor_regime.h A2).
  bool acquire_by_competing(Thread* thread, Waiter* node) {
    const SuccessorRules& rules = settings().successor;
    const bool bounded = has_patience();
    const i64 begin = bounded ? W::now_nanoseconds() : 0;
    bool is_starving = false;
    for (;;) {
      // Before each park this thread withdraws as successor, then tries to take the lock (R3). With clears_late it
      // tries before it withdraws. If looks_again is set as well, it tries once more after it has withdrawn.
      if (!rules.clears_late) {
        withdraw(thread);
        W::fence();  // R3
      }
      if (is_given(node) || try_lock_queued(thread)) break;
      if (rules.clears_late && withdraw(thread) && rules.looks_again) {
        W::fence();  // R3
        if (try_lock_queued(thread)) break;
      }
      W::count(thread, LockCounter::parks);
      i64 patience = bounded && !is_starving ? patience_nanoseconds() - (W::now_nanoseconds() - begin) : forever;
      if (patience == forever || patience > 0) W::park(thread, patience == forever ? forever : patience);
      if (bounded && !is_starving && W::now_nanoseconds() - begin >= patience_nanoseconds()) {
        // R10. While any thread is starving, exits hand over to the longest waiter, which may be a thread other than
        // this one.
        is_starving = true;
        starving.fetch_add(1, std::memory_order_seq_cst);
        W::count(thread, LockCounter::starving);
      }
      if (is_adaptive() && by_quantum(thread)) return false;
      if (is_given(node) || try_lock_queued(thread) || try_spin(thread)) break;
    }
    unlink(node);
    if (is_starving) starving.fetch_sub(1, std::memory_order_relaxed);
    withdraw_as_owner(thread);
    return true;
  }
  // Whether the monitor is adaptive and was handed to the thread of this queued node (monitor_regime.h A2).
  static bool is_given(Waiter* node) { return is_adaptive() && node->given.load(std::memory_order_acquire) != 0; }

  // Returns true if the lock was handed to this thread (R10; acquire: R2), or was free and this thread has taken it.
  bool try_lock_queued(Thread* thread) {
    return (!is_adaptive() && owner.load(std::memory_order_acquire) == thread->id) || try_lock(thread);
  }

  // Withdraws this thread as successor. Returns true if this thread was the successor; then the caller must fence.
  bool withdraw(Thread* thread) {
    if (settings().successor.clears_by_cas) {
      u64 mine = thread->id;
      if (!successor.compare_exchange_strong(mine, 0, std::memory_order_seq_cst)) return false;
    } else {
      if (successor.load(std::memory_order_relaxed) != thread->id) return false;
      successor.store(0, std::memory_order_relaxed);
    }
    W::note(thread, picture::change(picture::Step::withdrawn, picture::monitor_rule(3)), thread->id);
    return true;
  }
  // An owner must not stay the successor: its own exit would wake no thread.
  void withdraw_as_owner(Thread* thread) {
    if (successor.load(std::memory_order_relaxed) != thread->id) return;
    successor.store(0, std::memory_order_relaxed);
    W::note(thread, picture::change(picture::Step::withdrawn, picture::monitor_rule(3)), thread->id);
  }
  // Makes the thread with this id the successor. The caller spins, competes from the queue, or is the owner.
  void designate(Thread* thread, u64 id) {
    successor.store(id, std::memory_order_relaxed);
    W::note(thread, picture::change(picture::Step::designated, picture::monitor_rule(3)), id);
  }

  // Spins for the monitor's budget of reads (spin_budget.h), or for a fixed number.
  bool try_spin(Thread* thread) {
    if (W::processors() < 2) return false;
    const SuccessorRules& rules = settings().successor;
    constexpr u32 reads_between_polls = 64;
    const bool adapts = spinning_adapts();
    const u64 own = thread->id;
    auto is_free = [own](u64 holder) { return holder == nobody || holder == own; };  // own: handed over (R10)
    if (adapts && W::spin_until(owner, is_free, SpinBudget::free_reads) && try_lock_queued(thread)) {
      withdraw_as_owner(thread);
      spin_budget.has_paid();
      W::count(thread, LockCounter::spins_won);
      return true;
    }
    const i32 budget = adapts ? spin_budget.reads() : settings().spin_pauses;
    if (budget <= 0) return false;
    u64 first = owner.load(std::memory_order_relaxed);
    bool locked = false, exhausted = true;
    for (i32 left = budget; left > 0; left -= static_cast<i32>(reads_between_polls)) {
      if (!hands_over() && (rules.overwrites || successor.load(std::memory_order_relaxed) == 0)) designate(thread, own);
      u32 reads = left < static_cast<i32>(reads_between_polls) ? static_cast<u32>(left) : reads_between_polls;
      if (W::spin_until(owner, [&](u64 holder) { return is_free(holder) || (adapts && holder != first); }, reads)) {
        // The lock is free or has a new owner: it changes hands quickly, so the spin budget does not shrink.
        locked = try_lock_queued(thread);
        exhausted = false;
        if (locked || adapts) break;
      }
      if (W::safepoint_pending(thread)) {
        exhausted = false;
        break;
      }
      if (rules.clears_while_spinning && withdraw(thread) && rules.fences_while_spinning) W::fence();
    }
    if (exhausted && adapts) spin_budget.was_in_vain();
    if (locked) {
      withdraw_as_owner(thread);
    } else if (!rules.clears_late && withdraw(thread)) {
      W::fence();  // R3
      locked = try_lock_queued(thread);
    }
    if (locked && adapts) spin_budget.has_paid();
    W::count(thread, locked ? LockCounter::spins_won : LockCounter::spins_lost);
    return locked;
  }
  static bool spinning_adapts() { return settings().spin_pauses == MonitorSettings::adaptive; }
  u32 spin_reads() const {
    if (!spinning_adapts()) return static_cast<u32>(settings().spin_pauses);
    return static_cast<u32>(spin_budget.reads()) + SpinBudget::free_reads;
  }
  static u32 longest_spin_reads() {
    return static_cast<u32>(spinning_adapts() ? SpinBudget::largest : settings().spin_pauses);
  }

  // --- letting go ----------------------------------------------------------------------------------------------------
  // LIFE(monitorenter) 8/10: the owner before us gives the monitor up and wakes a successor
  // Releases the monitor. for_long: the owner releases it in Object.wait.
  void release(Thread* thread, bool for_long = false) {
    if (by_quantum(thread) && !for_long) Quantum(*this, thread).wake_successor_early();
    for (;;) {
      if (must_hand_over(thread) && entry_list.load(std::memory_order_acquire) != nullptr) {
        Waiter* chosen = choose_successor(thread);
        W::count(thread, LockCounter::hand_overs);
        if (by_quantum(thread) || is_adaptive()) return Quantum(*this, thread).hand_over(chosen);
        Thread* next = chosen->thread;
        const u64 moment = W::moment();
        owner.store(next->id, std::memory_order_release);  // R2, R10
        W::note(thread, picture::change(picture::Step::given, picture::monitor_rule(10)), next->id, moment);
        wake(thread, next);
        return;
      }
      // If a thread is queued and there is no successor, chooses one while this thread, as owner, may walk the list
      // (R4). In Object.wait a sleeping successor does not count (monitor_quantum.h M8).
      bool nobody_comes = successor.load(std::memory_order_relaxed) == 0 ||
                          (for_long && successor_sleeps.load(std::memory_order_relaxed) != 0);
      if (nobody_comes && entry_list.load(std::memory_order_acquire) != nullptr) {
        Waiter* chosen = choose_successor(thread);
        if (for_long) chosen->hint.store(WakeHint::HolderWaits, std::memory_order_relaxed);
        Thread* next = chosen->thread;  // read before the release: afterwards the chosen node may be gone (R9)
        designate(thread, next->id);
        give_up(thread);
        wake(thread, next);
        return;
      }
      give_up(thread);
      W::fence();  // R1
      if (entry_list.load(std::memory_order_seq_cst) == nullptr || successor.load(std::memory_order_seq_cst) != 0)
        return;
      // A thread has queued meanwhile. To wake it this thread must walk the list, so it takes the lock again (R4). If
      // another thread has taken the lock, that thread's exit will wake the queued thread.
      u64 free = nobody;
      if (!owner.compare_exchange_strong(free, thread->id, std::memory_order_seq_cst)) return;
      W::note(thread, picture::change(picture::Step::took, picture::monitor_rule(1)), thread->id);
    }
  }
  void give_up(Thread* thread) {
    const u64 moment = W::moment();
    owner.store(nobody, std::memory_order_release);  // R2
    W::note(thread, picture::change(picture::Step::let_go, picture::monitor_rule(2)), thread->id, moment);
  }

  bool must_hand_over(const Thread* thread) const {
    if (Regime::always_hands_over(thread)) return true;
    const bool bounded = has_patience() || by_quantum(thread) || is_adaptive();
    return hands_over() || (bounded && starving.load(std::memory_order_relaxed) != 0);
  }

  static void wake(Thread* thread, Thread* woken) {
    W::count(thread, LockCounter::unparks);
    W::unpark(woken);
  }

  // Returns the longest waiter, or under restricted concurrency the newest. With the newest, few threads share the
  // lock, and the caches keep their data while the other waiters sleep. Even then returns the longest waiter while a
  // thread is starving, and in one of wakes_per_promotion calls on average.
  Waiter* choose_successor(Thread* thread) {
    if (!settings().restrict_concurrency || starving.load(std::memory_order_relaxed) != 0 ||
        W::random() % settings().wakes_per_promotion == 0)
      return tail();
    Waiter* newest = entry_list.load(std::memory_order_acquire);
    if (newest->next.get() != nullptr) W::count(thread, LockCounter::culled);
    return newest;
  }

  // --- the entry list, owner only ------------------------------------------------------------------------------------
  void push(Thread* thread, Waiter* node) {
    Waiter* head = entry_list.load(std::memory_order_relaxed);
    do {
      node->next.set(head);
    } while (!entry_list.compare_exchange_weak(head, node, std::memory_order_seq_cst));
    W::note(thread, picture::change(picture::Step::queued, picture::monitor_rule(7)), node->thread->id);
  }

  // Builds the missing `previous` links from the head down to `last`.
  void link_back_to(Waiter* last) {
    Waiter* before = nullptr;
    for (Waiter* node = entry_list.load(std::memory_order_acquire); node != nullptr; node = node->next.get()) {
      node->previous.set(before);
      if (node == last) return;
      before = node;
    }
  }

  Waiter* tail() {
    if (Waiter* known = entry_list_tail.get()) return known;
    Waiter* before = nullptr;
    Waiter* node = entry_list.load(std::memory_order_acquire);
    for (;; before = node, node = node->next.get()) {
      node->previous.set(before);
      if (node->next.get() == nullptr) break;
    }
    entry_list_tail.set(node);
    return node;
  }

  void unlink(Waiter* node) {
    Waiter* next = node->next.get();
    if (node->previous.get() == nullptr) {
      // If this CAS fails, the node is not the head: newer nodes were pushed after the `previous` links were built.
      Waiter* head = node;
      if (entry_list.compare_exchange_strong(head, next, std::memory_order_seq_cst)) {
        if (next != nullptr) next->previous.set(nullptr);
        else entry_list_tail.set(nullptr);
        W::note(node->thread, picture::change(picture::Step::left_queue, picture::monitor_rule(4)), node->thread->id);
        return;
      }
      link_back_to(node);
    }
    Waiter* previous = node->previous.get();
    previous->next.set(next);
    if (next != nullptr) next->previous.set(previous);
    else entry_list_tail.set(previous);
    W::note(node->thread, picture::change(picture::Step::left_queue, picture::monitor_rule(4)), node->thread->id);
  }
};

}  // namespace keyhole::sync
