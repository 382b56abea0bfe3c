// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Turns of an ObjectMonitor (Succession::turns): who enters a contended monitor when, by the policy of turns.h over the
// owner word, the entry list and the successor hint of object_monitor.h. Its rules R1..R10 hold; the policy's are
// T1..T6.
//
//   entry_list -> C -> B -> H <- tail      H, the eldest: successor as soon as an exit has named and woken it
//   successor  =  H                        while it is set, exits wake nobody and stay in the snippet
//   impatient  =  successors whose turn has come; while it is not 0, exits hand over
//
//   entry_list   successor   impatient   the monitor                          an exit
//   empty        -           -           nobody waits                         lets go
//   A .. Z       0           0           nobody is on the way                 names Z, the eldest, lets go, wakes it
//   A .. Z       H           0           H, the successor, is awake or naps        lets go, wakes nobody
//   A .. Z       any         > 0         the turn is over, or the patience    makes Z the owner, wakes it
//
//   successor        finds the monitor       and
//   named       free                    takes it; if there were gaps (M9): when it stays free
//               held for long           takes its name back, parks until an exit names it again
//               saturated               naps with its name, until the turn ends or the monitor is idle
//   turn over   held                    is impatient, takes its name back, is made the owner
//
// M1: a successor is a queued thread that has its id in `successor`. An exit writes it there, or the thread itself when
//     the monitor is free and nobody is named. Newcomers never do: while one looks, an exit wakes a successor all the
//     same.
// M2: a queued thread parks without a name only after it has seen, with its node on the list, that `owner` was
//     somebody, whose exit will see the list (R1), or that `successor` was another thread: that one looks once more
//     before it parks without a name (R3), and its own exit will see the list.
// M3: a successor that keeps its name parks for a limited time: one nap, several to a turn (T1). So a monitor is free
//     beside sleeping threads for that long at most, and only when it was saturated.
// M4: a successor whose turn is over counts itself in `impatient`, takes its name back, fences and tries (R3). From
//     then on exits hand over to the eldest. It may have been passed over for a name that was overwritten: it is on the
//     list, and its count stays until it owns.
// M5: a thread is made the owner by its node, `given`, and leaves only then: the exit writes the owner word before, and
//     touches the node no more afterwards (R9). `given` (release, acquire) carries the critical sections, as R2.
// M6: `turn_of`: who was made the owner by turn wakes the next successor at its first contended exit before it lets go,
//     and yields (T2, T5). So does every owner of a saturated monitor, or its successor would find it free where the
//     kernel has the successor run in the owner's place. The successor is on the list as long as the monitor is held.
//     It hears that the monitor is saturated when it is (T6). Otherwise each thread that enters once only would have
//     the next one nap beside a monitor that nobody wants.
// M7: `had_turn`: who handed over neither looks nor tries at its next contended entry, but queues (T4). A hint: the
//     fast path does not ask, and a later hand-over forgets it. So newcomers do not look at a saturated monitor at all.
// M8: who lets go in Object.wait will not be back soon. While a successor naps it names and wakes the eldest all the
//     same, and whom it wakes hears of it, and takes the monitor when it finds it free. A name may be overwritten at
//     any time: M2 asks only that somebody is named, and M4 that nobody relies on its name.
// M9: a successor counts gaps: the monitor was free and was taken again, as it saw (T1) or because an exit woke it and
//     it finds the monitor held. After so many the monitor is saturated for this successor; after none, and where it is
//     not saturated for all (T6), the successor believes that a free monitor is free and takes it: threads that pass a
//     monitor on by wait and notify would pay for each look.
// M10: the monitor is saturated for all by what newcomers find, until it is measured anew (T6).
#pragma once

#include "runtime/base/platform/world.h"
#include "runtime/sync/monitor/monitor_waiter.h"
#include "runtime/sync/monitor/turns.h"
#include "runtime/sync/picture/notes.h"
#include "runtime/threads/lock_counters.h"

namespace keyhole::sync {

// What one thread does at one monitor.
template <typename Monitor> class MonitorTurnsOf {
  using W = typename Monitor::World;
  using Thread = typename W::Thread;
  using Waiter = typename Monitor::Waiter;
  using Turns = TurnsOf<W>;
  using Seen = typename Turns::Seen;
  using Tenure = typename Turns::Tenure;

 public:
  MonitorTurnsOf(Monitor& monitor, Thread* thread) : m_(monitor), thread_(thread), turns_(Monitor::settings().turns) {}

  // M7.
  bool had_turn() const { return m_.had_turn.load(std::memory_order_relaxed) == thread_->id; }

  // A newcomer that has found the monitor held: looks for as long as that has paid (T4). Sometimes it lets a free
  // monitor be, once, and sees whether the holder is back (T6).
  bool takes_as_newcomer() {
    if (had_turn()) {
      m_.had_turn.store(0, std::memory_order_relaxed);
      return false;
    }
    if (W::processors() < 2 || turns_.is_saturated_still(m_.collisions)) return false;
    bool watches = turns_.watches_the_holder(m_.collisions), was_back = false, takes = false;
    u32 left = m_.spin_reads();
    while (!takes && left != 0 && !W::safepoint_pending(thread_)) {
      u32 reads = left < Turns::reads_between_looks ? left : Turns::reads_between_looks;
      left -= reads;
      if (!W::spin_until(m_.owner, [](u64 holder) { return holder == Monitor::nobody; }, reads)) continue;
      if (watches) {
        watches = false;
        auto held = [](u64 holder) { return holder != Monitor::nobody; };
        if ((was_back = W::spin_until(m_.owner, held, Turns::reads_of_a_free_lock))) continue;
      }
      takes = m_.try_lock(thread_);
    }
    turns_.count_collision(m_.collisions, was_back);
    if (takes) m_.spinning_paid();
    else if (left == 0) m_.spinning_was_in_vain();
    W::count(thread_, takes ? LockCounter::spins_won : LockCounter::spins_lost);
    return takes;
  }

  // The node is on the entry list, or will be before the notifier lets the monitor go; returns as the owner, with the
  // node taken out.
  void acquire_from_queue(Waiter* node) {
    while (!is_given(node)) {
      if (is_designated() || designates_itself()) {
        compete(node);
        break;
      }
      park(forever);   // M2
    }
    m_.unlink(node);
    if (is_impatient_) m_.impatient.fetch_sub(1, std::memory_order_relaxed);
    m_.withdraw_as_owner(thread_);
  }

  // M6. By the owner.
  void wake_successor_early() {
    const bool saturated = m_.collisions.is_saturated();
    if (m_.turn_of.get() != thread_->id && !saturated) return;
    m_.turn_of.set(0);
    if (m_.entry_list.load(std::memory_order_acquire) == nullptr) return;
    if (m_.successor.load(std::memory_order_relaxed) != 0) return;
    if (m_.impatient.load(std::memory_order_relaxed) != 0) return;
    Waiter* successor = m_.tail();
    if (saturated) successor->hint.store(WakeHint::Saturated, std::memory_order_relaxed);
    m_.designate(thread_, successor->thread->id);
    m_.wake(thread_, successor->thread);
    W::yield();   // T5
  }
  // M5. By the owner, to a queued thread.
  void hand_over(Waiter* successor) {
    Thread* successor_thread = successor->thread;   // read now: afterwards the node may be gone
    m_.had_turn.store(thread_->id, std::memory_order_relaxed);
    m_.turn_of.set(successor_thread->id);
    const u64 moment = W::moment();
    m_.owner.store(successor_thread->id, std::memory_order_release);
    W::note(thread_, picture::change(picture::Step::given, picture::monitor_rule(10)), successor_thread->id, moment);
    successor->given.store(1, std::memory_order_release);
    m_.wake(thread_, successor_thread);
  }

 private:
  static bool is_given(Waiter* node) { return node->given.load(std::memory_order_acquire) != 0; }
  bool is_designated() const { return m_.successor.load(std::memory_order_relaxed) == thread_->id; }

  // M1. False: it may park (M2).
  bool designates_itself() {
    if (m_.owner.load(std::memory_order_seq_cst) != Monitor::nobody) return false;
    if (m_.successor.load(std::memory_order_seq_cst) != 0) return false;
    m_.successor.store(thread_->id, std::memory_order_seq_cst);
    W::note(thread_, picture::change(picture::Step::designated, picture::monitor_rule(3)), thread_->id);
    return true;
  }

  // M1, M3, M4. Returns as the owner.
  void compete(Waiter* node) {
    const Tenure tenure = turns_.begin_tenure();
    for (bool napped = false;;) {
      Seen seen = look(node, napped);
      if (seen == Seen::Given) return;
      napped = seen == Seen::Saturated;
      i64 left = tenure.patience_left();
      if (left <= 0) return await_turn(node, napped);
      if (napped) {
        if (m_.successor.load(std::memory_order_relaxed) == 0)
          m_.designate(thread_, thread_->id);   // M1
        left = tenure.nap(left);
        if (left <= 0) return await_turn(node, napped);
        if (is_given(node)) return;
        m_.successor_sleeps.store(1, std::memory_order_relaxed);   // M8
        park(tenure.one_nap(left));                         // M3
        m_.successor_sleeps.store(0, std::memory_order_relaxed);
      } else {
        m_.withdraw(thread_);
        W::fence();   // R3
        if (m_.try_lock(thread_) || is_given(node)) return;
        park(left);   // M2
        if (is_designated() && !is_free()) ++gaps_;   // M9
      }
    }
  }

  // M4.
  void await_turn(Waiter* node, bool napped) {
    turns_.await_holder([this] { return is_free(); }, node->given, given);
    if (napped) turns_.count_idle(m_.collisions, is_free());   // M10
    is_impatient_ = true;
    m_.impatient.fetch_add(1, std::memory_order_seq_cst);
    W::count(thread_, LockCounter::impatient);
    for (bool spun = false;;) {
      m_.withdraw(thread_);
      W::fence();   // R3
      if (is_given(node) || m_.try_lock(thread_)) return;
      if (!spun && W::processors() >= 2) {
        spun = true;
        if (W::spin_until(node->given, given, m_.longest_spin_reads())) return;
        continue;
      }
      park(forever);
    }
  }

  // Takes the monitor when it can: then it is Given.
  Seen look(Waiter* node, bool napped) {
    WakeHint told = node->hint.load(std::memory_order_relaxed);
    node->hint.store(WakeHint::Nothing, std::memory_order_relaxed);
    if (is_given(node)) return Seen::Given;
    if (told == WakeHint::Saturated) return Seen::Saturated;   // M6, T2
    bool believes = told == WakeHint::HolderWaits ||
                    (!napped && gaps_ == 0 && !m_.collisions.is_saturated());
    auto free = [](u64 holder) { return holder == Monitor::nobody; };
    if (believes && W::spin_until(m_.owner, free, Turns::reads_of_a_believer) && m_.try_lock(thread_))
      return Seen::Given;   // M9
    if (napped) return look_after_a_nap(node);
    if (gaps_ >= Monitor::settings().turns.gaps_of_a_saturated_lock) return Seen::Saturated;   // M9
    auto looks =
        turns_.looks(W::leaves_processor(thread_), [this] { return is_free(); }, node->given, given, gaps_);
    for (;;) {
      Seen seen = looks.next([this] { return W::safepoint_pending(thread_); });
      if (seen != Seen::Free) return seen;
      if (m_.try_lock(thread_)) return Seen::Given;
    }
  }

  // T1. A monitor that is not idle is saturated still.
  Seen look_after_a_nap(Waiter* node) {
    if (!turns_.is_idle([this] { return is_free(); }, node->given, given))
      return is_given(node) ? Seen::Given : Seen::Saturated;
    if (!m_.try_lock(thread_)) return Seen::Saturated;
    turns_.count_idle(m_.collisions, true);   // M10
    return Seen::Given;
  }

  static bool given(u32 value) { return value != 0; }
  bool is_free() const { return m_.owner.load(std::memory_order_acquire) == Monitor::nobody; }
  void park(i64 nanoseconds) {
    W::count(thread_, LockCounter::parks);
    W::park(thread_, nanoseconds);
  }

  Monitor& m_;
  Thread* const thread_;
  const Turns turns_;
  bool is_impatient_ = false;
  u32 gaps_ = 0;   // M9
};

}  // namespace keyhole::sync
