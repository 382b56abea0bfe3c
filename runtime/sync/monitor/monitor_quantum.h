// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Sharing of an ObjectMonitor by quanta (Succession::quantum): applies the policy of quantum.h to the owner word, the
// entry list and the successor hint of object_monitor.h. Rules R.. are those of object_monitor.h, and hold here, too;
// rules T.. are those of quantum.h.
//
//   entry_list -> C -> B -> S <- tail      S, the oldest, becomes successor when an exit designates and wakes it
//   successor  =  S                        while it is set, exits wake no thread and stay in the snippet
//   starving   =  1                        the number of starving successors; while it is not 0, exits hand over
//
//   entry_list   successor   starving   the monitor                              an exit
//   empty        -           -          no thread waits                          releases it
//   A .. Z       0           0          no successor                             designates Z, the oldest, releases,
//                                                                                wakes Z
//   A .. Z       S           0          the successor runs or is in a timed wait releases it, wakes no thread
//   A .. Z       any         > 0        the quantum or the patience is over      makes Z the owner, wakes Z
//
//   the successor is    and finds the monitor   and
//   designated          free                    takes it; after retakes (M9) only if it stays free
//                       held for long           withdraws, parks until an exit designates it again
//                       heavily contended       stays designated, and sleeps in timed waits until the quantum ends or
//                                               the monitor is idle
//   starving            held                    withdraws, and sleeps until an exit hands it the monitor
//
// M1: the successor is the queued thread whose id is in `successor`. An exit writes the id. A queued thread writes its
//     own id if `successor` is 0 and the monitor is free. A successor writes its id again before a timed wait if
//     `successor` is 0. Newcomers never write `successor`, so an exit wakes a successor even while newcomers probe.
// M2: a queued thread that is not designated parks only after its node was on the list and it then saw one of two
//     things. Either `owner` was a thread, whose exit will see the list (R1). Or `successor` was another thread; that
//     thread tries once more before it parks undesignated (R3), and its own exit will see the list.
// M3: a successor that stays designated parks with a timeout, a fraction of the quantum (T1). So a monitor is free
//     beside sleeping threads for one timed wait at most, and only if it was heavily contended.
// M4: a successor whose quantum is over counts itself in `starving`, withdraws, fences and tries to take the monitor
//     (R3). From then on exits hand over to the oldest queued thread. The oldest may be another thread, because
//     designations may be overwritten; but the starving thread is on the list, and its count stays until it owns the
//     monitor.
// M5: to hand over, an exit writes the next thread's id to the owner word, then sets `given` in that thread's node, and
//     does not touch the node afterwards (R9). The next thread returns from enter only when `given` is set. `given`
//     (release, acquire) orders the critical sections, as R2 does.
// M6: an owner wakes the next successor before it releases the monitor, and then yields (T2, T5), in two cases. First,
//     the owner got the monitor by a hand-over, and this is its first contended exit since then; `quantum_of` holds its
//     id until then. Second, the monitor is heavily contended for all (M10). If the owner released the monitor first,
//     the kernel might run the woken successor in the owner's place, and the successor would find the monitor free.
//     Besides, only an owner may walk the list to choose the successor. In the second case only, the owner gives the
//     successor the hint HeavilyContended, with which it begins a timed wait without a probe. If owners gave this hint
//     at every monitor, threads that enter only once each would sleep beside a monitor that no thread wants.
// M7: `had_quantum` holds the id of the thread that handed the monitor over last. At its next contended entry this
//     thread queues at once, without a probe or an attempt to take the monitor (T4). This does not stop every thread
//     that has had its quantum: the fast path does not read the field, and the next hand-over overwrites it. Therefore
//     newcomers do not probe at all while the monitor is heavily contended for all (M10).
// M8: an owner that releases the monitor in Object.wait will not be back soon. So it designates and wakes the oldest
//     thread, with the hint HolderWaits, even if a successor is in a timed wait. A thread with that hint takes the
//     monitor as soon as it finds it free. This may overwrite another thread's designation. M2 needs only that some
//     thread is designated, and by M4 no thread relies on its own designation.
// M9: a successor counts how often another thread took the monitor before it (a retake, T1). There are two signs of a
//     retake: a probe finds the monitor free and a later probe finds it held, or an exit woke the successor and the
//     successor finds the monitor held. After `retakes_of_heavily_contended_lock` retakes this successor treats the
//     monitor as heavily contended. Before its first retake it takes the monitor at the first free probe, unless the
//     monitor is heavily contended for all (M10): more probes would slow down threads that pass a monitor on by wait
//     and notify.
// M10: collisions of newcomers make the monitor heavily contended for all threads, until the measurement restarts (T6).
//      An adaptive monitor is heavily contended for all while quanta are its regime, which trials decide (regime.h).
#pragma once

#include "runtime/base/platform/world.h"
#include "runtime/sync/monitor/monitor_waiter.h"
#include "runtime/sync/monitor/quantum.h"
#include "runtime/sync/picture/notes.h"
#include "runtime/threads/lock_counters.h"

namespace keyhole::sync {

// The actions of one thread at one monitor that is shared by quanta.
template <typename Monitor> class MonitorQuantumOf {
  using W = typename Monitor::World;
  using Thread = typename W::Thread;
  using Waiter = typename Monitor::Waiter;
  using Quantum = QuantumPolicyOf<W>;
  using Seen = typename Quantum::Seen;
  using Tenure = typename Quantum::Tenure;

 public:
  using Policy = Quantum;
  MonitorQuantumOf(Monitor& monitor, Thread* thread)
      : m_(monitor), thread_(thread), policy_(Monitor::settings().quantum) {}

  // Whether this thread was the last thread to hand the monitor over (M7).
  bool had_quantum() const { return m_.had_quantum.load(std::memory_order_relaxed) == short_id(thread_); }

  // Called by a newcomer that has found the monitor held. Probes the monitor until its spin budget is used up
  // (quantum.h T4). Now and then, when a probe finds the monitor free, the newcomer first watches whether the last
  // holder takes it again (quantum.h T6).
  bool takes_as_newcomer() {
    if (had_quantum()) {
      m_.had_quantum.store(0, std::memory_order_relaxed);
      return false;
    }
    if (W::processors() < 2) return false;
    if (Monitor::is_adaptive() || policy_.is_still_heavily_contended(m_.collisions)) return false;
    bool watches = policy_.watches_the_holder(m_.collisions), was_back = false, takes = false;
    u32 left = m_.spin_reads();
    while (!takes && left != 0 && !W::safepoint_pending(thread_)) {
      u32 reads = left < Quantum::reads_between_probes ? left : Quantum::reads_between_probes;
      left -= reads;
      if (!W::spin_until(m_.owner, [](u64 holder) { return holder == Monitor::nobody; }, reads)) continue;
      if (watches) {
        watches = false;
        auto held = [](u64 holder) { return holder != Monitor::nobody; };
        if ((was_back = W::spin_until(m_.owner, held, Quantum::reads_of_a_free_lock))) continue;
      }
      takes = m_.try_lock(thread_);
    }
    policy_.count_collision(m_.collisions, was_back);
    if (takes && m_.spinning_adapts()) m_.spin_budget.has_paid();
    else if (left == 0 && m_.spinning_adapts()) m_.spin_budget.was_in_vain();
    W::count(thread_, takes ? LockCounter::spins_won : LockCounter::spins_lost);
    return takes;
  }

  // Waits until this thread is the owner, and then takes its node off the entry list. If this thread was just notified,
  // its node may be missing from the list at first. The notifier adds the node before it releases the monitor.
  void acquire_from_queue(Waiter* node) {
    while (!is_given(node)) {
      if (is_designated() || designates_itself()) {
        compete(node);
        break;
      }
      park(forever);  // M2
    }
    m_.unlink(node);
    if (is_starving_) m_.starving.fetch_sub(1, std::memory_order_relaxed);
    m_.withdraw_as_owner(thread_);
  }

  // Called by the owner: wakes the successor before the monitor is released (M6).
  void wake_successor_early() {
    const bool heavily_contended = m_.collisions.is_heavily_contended();
    if (m_.quantum_of.get() != short_id(thread_) && !heavily_contended) return;
    m_.quantum_of.set(0);
    if (m_.entry_list.load(std::memory_order_acquire) == nullptr) return;
    if (m_.successor.load(std::memory_order_relaxed) != 0) return;
    if (m_.starving.load(std::memory_order_relaxed) != 0) return;
    Waiter* successor = m_.tail();
    if (heavily_contended) successor->hint.store(WakeHint::HeavilyContended, std::memory_order_relaxed);
    m_.designate(thread_, successor->thread->id);
    m_.wake(thread_, successor->thread);
    W::yield();  // quantum.h T5
  }
  // Called by the owner: makes a queued thread the owner (M5).
  void hand_over(Waiter* successor) {
    // The successor's thread is read before the hand-over, because afterwards the successor's node may be gone.
    Thread* successor_thread = successor->thread;
    m_.had_quantum.store(short_id(thread_), std::memory_order_relaxed);
    m_.quantum_of.set(short_id(successor_thread));
    const u64 moment = W::moment();
    m_.owner.store(successor_thread->id, std::memory_order_release);
    W::note(thread_, picture::change(picture::Step::given, picture::monitor_rule(10)), successor_thread->id, moment);
    successor->given.store(1, std::memory_order_release);
    m_.wake(thread_, successor_thread);
  }

 private:
  static u32 short_id(const Thread* thread) { return static_cast<u32>(thread->id); }  // enough for a hint
  static bool is_given(Waiter* node) { return node->given.load(std::memory_order_acquire) != 0; }
  bool is_designated() const { return m_.successor.load(std::memory_order_relaxed) == thread_->id; }

  // Makes this thread the successor if the monitor is free and has no successor (M1). Otherwise returns false: the
  // thread may park (M2).
  bool designates_itself() {
    if (m_.owner.load(std::memory_order_seq_cst) != Monitor::nobody) return false;
    if (m_.successor.load(std::memory_order_seq_cst) != 0) return false;
    m_.successor.store(thread_->id, std::memory_order_seq_cst);
    W::note(thread_, picture::change(picture::Step::designated, picture::monitor_rule(3)), thread_->id);
    return true;
  }

  // Competes as the successor (M1, M3, M4). On return the thread is the owner.
  void compete(Waiter* node) {
    const Tenure tenure = policy_.begin_tenure();
    for (bool slept = false;;) {
      Seen seen = probe(node, slept);
      if (seen == Seen::Given) return;
      slept = seen == Seen::HeavilyContended;
      i64 left = tenure.patience_left();
      if (left <= 0) return await_lock(node, slept);
      if (slept) {
        if (m_.successor.load(std::memory_order_relaxed) == 0) m_.designate(thread_, thread_->id);  // M1
        left = tenure.timeout(left);
        if (left <= 0) return await_lock(node, slept);
        if (is_given(node)) return;
        m_.successor_sleeps.store(1, std::memory_order_relaxed);  // M8
        park(tenure.timeout_of_one_wait(left));                   // M3
        m_.successor_sleeps.store(0, std::memory_order_relaxed);
      } else {
        m_.withdraw(thread_);
        W::fence();  // object_monitor.h R3
        if (m_.try_lock(thread_) || is_given(node)) return;
        park(left);                                     // M2
        if (is_designated() && !is_free()) ++retakes_;  // M9
      }
    }
  }

  // Waits as a starving successor until the monitor is handed to this thread (M4).
  void await_lock(Waiter* node, bool slept) {
    policy_.await_holder([this] { return is_free(); }, node->given, given);
    if (slept) count_idle(is_free());
    is_starving_ = true;
    m_.starving.fetch_add(1, std::memory_order_seq_cst);
    W::count(thread_, LockCounter::starving);
    for (bool spun = false;;) {
      m_.withdraw(thread_);
      W::fence();  // object_monitor.h R3
      if (is_given(node) || m_.try_lock(thread_)) return;
      if (!spun && W::processors() >= 2) {
        spun = true;
        if (W::spin_until(node->given, given, m_.longest_spin_reads())) return;
        continue;
      }
      park(forever);
    }
  }

  // Probes the monitor as the successor. Returns Given if this thread has taken the monitor, or if an exit has handed
  // the monitor to this thread.
  Seen probe(Waiter* node, bool slept) {
    WakeHint hint = node->hint.load(std::memory_order_relaxed);
    node->hint.store(WakeHint::Nothing, std::memory_order_relaxed);
    if (is_given(node)) return Seen::Given;
    if (hint == WakeHint::HeavilyContended) return Seen::HeavilyContended;  // M6, quantum.h T2
    bool believes = hint == WakeHint::HolderWaits || (!slept && retakes_ == 0 && !m_.collisions.is_heavily_contended());
    auto free = [](u64 holder) { return holder == Monitor::nobody; };
    if (believes && W::spin_until(m_.owner, free, Quantum::reads_of_a_believer) && m_.try_lock(thread_))
      return Seen::Given;  // M9
    if (slept) return probe_after_timed_wait(node);
    if (retakes_ >= Monitor::settings().quantum.retakes_of_heavily_contended_lock) return Seen::HeavilyContended;  // M9
    auto probes =
        policy_.probes(W::leaves_processor(thread_), [this] { return is_free(); }, node->given, given, retakes_);
    for (;;) {
      Seen seen = probes.next([this] { return W::safepoint_pending(thread_); });
      if (seen != Seen::Free) return seen;
      if (m_.try_lock(thread_)) return Seen::Given;
    }
  }

  // Probes between two timed waits (quantum.h T1). Returns Given if the monitor was handed to this thread, or was idle
  // and this thread has taken it. Otherwise returns HeavilyContended.
  Seen probe_after_timed_wait(Waiter* node) {
    if (!policy_.is_idle([this] { return is_free(); }, node->given, given))
      return is_given(node) ? Seen::Given : Seen::HeavilyContended;
    if (!m_.try_lock(thread_)) return Seen::HeavilyContended;
    count_idle(true);
    return Seen::Given;
  }

  // Called when a timed wait has ended: counts how often in a row the monitor was found idle. At a limit the monitor is
  // no longer heavily contended (M10). At an adaptive monitor it counts nothing, and lets the trials choose the regime.
  void count_idle(bool idle) {
    if (Monitor::is_adaptive()) Monitor::Regime::choose(m_);
    else policy_.count_idle(m_.collisions, idle);
  }
  static bool given(u32 value) { return value != 0; }
  bool is_free() const { return m_.owner.load(std::memory_order_acquire) == Monitor::nobody; }
  void park(i64 nanoseconds) {
    W::count(thread_, LockCounter::parks);
    W::park(thread_, nanoseconds);
  }

  Monitor& m_;
  Thread* const thread_;
  const Quantum policy_;
  bool is_starving_ = false;
  u32 retakes_ = 0;  // M9
};

}  // namespace keyhole::sync
