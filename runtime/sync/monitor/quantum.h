// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Quantum policy: when the successor of a contended lock takes it, sleeps, or is handed it. It decides and never writes
// the lock: a lock that asks it stays exclusive, and strands no thread, whatever it answers.
//
//   successor            the waiter that comes next; here always the oldest
//   quantum              the time that one thread has a heavily contended lock before the next thread is handed it
//   heavily contended    said of a lock that is free only for moments, between two holders
//   timed wait           a sleep of the successor with a timeout: a part of the quantum that the holder has left
//   starving             said of a successor whose quantum or patience is over: the next exit hands it the lock
//   probe                one read of the lock by a thread that might take it
//   retake               the lock was free, and was taken again before the successor had it
//
//   the successor finds the lock    and
//   Given                           has it: it was handed over
//   Free, and it stays free         takes it
//   Held for long                   parks until an exit wakes it; when its patience ends it is starving
//   HeavilyContended                waits, timed, for the rest of the quantum; then it is starving
//
// T1: a successor takes a lock that stays free. It leaves a heavily contended lock to its holder, because one more
//     running thread would only make threads wait for cache lines and wake-ups: it sleeps until one quantum after it
//     became successor. The holder may stop coming before that, to wait, to sleep, or at another lock. So the quantum
//     consists of several timed waits, and between two of them the successor takes a lock that is idle: free at more
//     probes in a row than a heavily contended lock ever is. Hence a lock is free beside a sleeping successor for one
//     timed wait at most, and only when it was heavily contended.
// T2: quanta are equally long; otherwise some threads have the lock more often than others, and Jain's index suffers.
//     Three things keep a successor from ending a quantum early:
//     - It takes the lock only when it was free at several probes in a row, which is rare at a heavily contended lock.
//     - When a busy holder has woken it, it gets the hint that the lock is heavily contended, and does not probe. With
//       probes, one such successor in six would find the lock free at all of them.
//     - At the end of the quantum it waits until it sees the lock held. A holder that does not hand over does not know
//       that its quantum is over, and would take the lock again at once.
// T3: a successor's patience begins when it becomes successor. Only the successor reads the clock; holders never do.
// T4: a newcomer probes for some microseconds before it queues, because queueing costs more. At a heavily contended
//     lock two threads could take each other's quantum that way, all the time. So a busy thread, and one that has just
//     had its quantum, do not probe. Where entries are not counted, nobody probes a heavily contended lock (T6).
// T5: a holder that wakes its successor and goes on wakes it before it releases the lock; otherwise the lock would be
//     free for as long as the system call lasts. Then it yields: the kernel tends to put a thread on its waker's
//     processor, even if others are idle, and would let it wait there until the holder's time slice ends. The successor
//     runs for a moment only, to begin its timed wait.
// T6: a lock is heavily contended when newcomers collide with its holder more often than quanta would cost, and the
//     holder is often back at once. Both are counted. Collisions alone would not do: threads that hold the lock for
//     some microseconds and work as long outside share the time well without quanta. While the lock is heavily
//     contended, nobody probes it (T4), so nobody collides. Hence both are measured again after some quanta, and when
//     successors have found the lock idle several times between two quanta that lasted to their end. Once would not
//     do: the kernel may have run a successor in the place of a holder that is between two entries.
// T7: a virtual thread that sleeps gives its processor to another thread, which costs less than the probes of T4; and
//     the holder may have done the same, so that no probe finds the lock free. So a virtual thread probes a held lock
//     for a moment only, and not at all where a thread queues already.
#pragma once

#include <algorithm>
#include <atomic>

#include "runtime/base/types.h"
#include "runtime/sync/flag_defaults.h"

namespace keyhole::sync {

struct QuantumSettings {
  // Whether locks are shared by quanta (T1). False: all threads compete for the lock all the time, no lock is heavily
  // contended, and no quantum ends.
  bool by_quantum = true;
  // Kernels now and then stretch a quantum to a tick of some milliseconds; with longer quanta that happens less often.
  i64 quantum_nanoseconds = flag_defaults::LockTurnMicros * 1000;
  i64 patience_nanoseconds =
      flag_defaults::ImpatienceMicros * 1000;  // T3: the patience at a lock that is held for long
  // T4: a thread that enters more often than once in this time does little else than lock. 0: no thread is busy.
  i64 busy_nanoseconds = 150;
  // T2. A lock counts as one that stays free if this many further probes find it free. With more probes the successor
  // would miss locks that are free half of the time.
  u32 probes_of_free_lock = 6;
  // After this many retakes a lock is heavily contended. After fewer, any busy lock would seem so by chance.
  u32 retakes_of_heavily_contended_lock = 8;
  // T1. More timed waits would notice an idle lock earlier, but each costs the holder's processor a wake-up.
  u32 timed_waits_per_quantum = 4;
  u32 probes_of_idle_lock = 48;
  // Probes of a held lock by the successor before it sleeps: by a platform thread, and by a virtual thread (T7).
  u32 probes_of_held_lock = 8;
  u32 probes_of_virtual_thread = 2;
  // T6. A lock is heavily contended if `collisions_measured` collisions took less than `collision_nanoseconds` each,
  // and at least `holders_back` of the watched holders came back at once. Collisions alone do not decide: with a few
  // hot locks a thread collides rarely, although each entry takes a cache line from the one before. Holders that come
  // back tell such locks from locks of threads that do work of their own.
  u32 collisions_measured = 128;
  i64 collision_nanoseconds = 30'000;
  u32 collisions_to_a_watched_one = 8;
  u32 holders_back = 6;
  i64 quanta_until_reset = 64;
  // Where threads use a few hot locks, each lock is idle now and then, while its holder is at another one.
  u32 idle_times_until_reset = 32;
};

template <typename W> class QuantumPolicyOf {
 public:
  enum class Seen : u8 { Given, Free, Held, HeavilyContended };

  // Reads of its own cell between two probes by the successor: each probe takes the cache line from the holder.
  static constexpr u32 reads_between_probes = 64;
  // Each further probe halves the chance that a lock which is held half of the time is taken for a free one.
  static constexpr u32 reads_between_probes_of_free_lock = 6;
  static constexpr u32 reads_of_a_newcomer = 100;
  // T6. Reads of a newcomer that watches whether the holder comes back: about as long as a few entries of other locks.
  static constexpr u32 reads_of_a_free_lock = 12;
  // A successor that has no reason to think the lock heavily contended reads it this often until it is free for the
  // first time.
  static constexpr u32 reads_of_a_believer = 10;
  // Without quanta: the timeout with which the successor sleeps while exits wake nobody, because they assume that it is
  // awake.
  static constexpr i64 race_timeout_nanoseconds = 62'500;
  static constexpr u32 visits_measured = 64;

  // The settings must outlive the policy.
  explicit QuantumPolicyOf(const QuantumSettings& settings) : settings_(settings) {}
  static constexpr u32 probes_in(u32 reads) { return 1 + reads / reads_between_probes; }

  // Probes by a successor. is_free() reads the lock; `own` is the cell in which is_given(value) says that it was handed
  // over; `retakes` counts how often the successor found the lock taken again.
  template <typename IsFree, typename Cell, typename IsGiven> class Probes {
   public:
    Probes(const QuantumSettings& settings, bool leaves, IsFree is_free, Cell& own, IsGiven is_given, u32& retakes)
        : settings_(settings), is_free_(is_free), own_(own), is_given_(is_given), retakes_(retakes),
          left_(W::processors() < 2 ? 1
                : leaves            ? std::min(settings.probes_of_virtual_thread, settings.probes_of_held_lock)
                                    : settings.probes_of_held_lock) {}

    // Probes until the successor can decide. Free: the caller tries to take the lock, and calls again if it cannot.
    template <typename MustStop> Seen next(MustStop must_stop) {
      for (;;) {
        bool free = is_free_();
        if (is_given_(own_.load(std::memory_order_acquire))) return Seen::Given;
        if (free) {
          bool stays_free = true;
          for (u32 more = more_probes(settings_); more != 0 && stays_free; --more) {
            if (W::spin_until(own_, is_given_, reads_between_probes_of_free_lock)) return Seen::Given;
            stays_free = is_free_();
          }
          if (stays_free) return Seen::Free;
          if (++retakes_ >= settings_.retakes_of_heavily_contended_lock) return Seen::HeavilyContended;  // T1
          continue;
        }
        if (--left_ == 0 || must_stop()) return Seen::Held;
        if (W::spin_until(own_, is_given_, reads_between_probes)) return Seen::Given;
      }
    }

   private:
    const QuantumSettings& settings_;
    IsFree is_free_;
    Cell& own_;
    IsGiven is_given_;
    u32& retakes_;
    u32 left_;
  };
  // leaves: W::leaves_processor (T7).
  template <typename IsFree, typename Cell, typename IsGiven>
  auto probes(bool leaves, IsFree is_free, Cell& own, IsGiven is_given, u32& retakes) const {
    return Probes<IsFree, Cell, IsGiven>(settings_, leaves, is_free, own, is_given, retakes);
  }
  // T1. Counts the retake that an exit has woken the successor and the lock is held. True: it is heavily contended.
  bool is_one_retake_too_many(u32& retakes) const { return ++retakes >= settings_.retakes_of_heavily_contended_lock; }
  // T2, at the end of a quantum: waits until the lock is seen held, or has stayed free.
  template <typename IsFree, typename Cell, typename IsGiven>
  void await_holder(IsFree is_free, Cell& own, IsGiven is_given) const {
    for (u32 more = more_probes(settings_); more != 0 && is_free(); --more)
      W::spin_until(own, is_given, reads_between_probes_of_free_lock);
  }

  // Whether the lock is idle, between two timed waits (T1).
  template <typename IsFree, typename Cell, typename IsGiven>
  bool is_idle(IsFree is_free, Cell& own, IsGiven is_given) const {
    for (u32 left = settings_.probes_of_idle_lock; left != 0; --left) {
      if (!is_free() || W::spin_until(own, is_given, reads_between_probes_of_free_lock)) return false;
    }
    return true;
  }

  // The time since one thread became successor (T3).
  class Tenure {
   public:
    explicit Tenure(const QuantumSettings& settings) : settings_(settings), begin_(W::now_nanoseconds()) {}
    // Nanoseconds until the successor is starving; 0 or less: it is starving.
    i64 patience_left() const { return begin_ + settings_.patience_nanoseconds - W::now_nanoseconds(); }
    // The rest of the quantum beside a heavily contended lock (T1), or the rest of the patience if that is shorter.
    i64 timeout(i64 patience_left) const {
      i64 left = race_timeout_nanoseconds;
      if (settings_.by_quantum) left = begin_ + settings_.quantum_nanoseconds - W::now_nanoseconds();
      return left < patience_left ? left : patience_left;
    }
    // The timeout of the next timed wait; left: what timeout() has returned.
    i64 timeout_of_one_wait(i64 left) const {
      i64 one = settings_.quantum_nanoseconds / settings_.timed_waits_per_quantum;
      return left < one ? left : one;
    }

   private:
    const QuantumSettings& settings_;
    const i64 begin_;
  };
  Tenure begin_tenure() const { return Tenure(settings_); }

  // The rate at which a thread enters a lock (T4): measured once per visits_measured visits. The lock counts the
  // visits.
  struct Pace {
    typename W::template Plain<i64> measured_at_nanoseconds;
    typename W::template Plain<u32> measured_visits;
    typename W::template Plain<bool> is_busy;
  };
  bool is_busy(Pace& pace, u32 visits) const {
    if (settings_.busy_nanoseconds == 0) return false;
    u32 more = visits - pace.measured_visits.get();
    if (more >= visits_measured) {
      pace.is_busy.set(W::now_nanoseconds() - pace.measured_at_nanoseconds.get() < settings_.busy_nanoseconds * more);
      measure_from_now(pace, visits);
    }
    return pace.is_busy.get();
  }
  void measure_from_now(Pace& pace, u32 visits) const {
    if (settings_.busy_nanoseconds == 0) return;
    pace.measured_visits.set(visits);
    pace.measured_at_nanoseconds.set(W::now_nanoseconds());
  }

  // T4. Whether a newcomer to a held lock probes it before it queues.
  bool newcomer_probes(bool busy, bool had_quantum) const {
    return !busy && !had_quantum && settings_.by_quantum && W::processors() >= 2;
  }

  // The measurement of one lock (T6). All threads write it without synchronization; a lost count only costs time.
  struct Collisions {
    // Lower half: collisions; upper half: holders that came back. While the lock is heavily contended: the number of
    // times that it was idle.
    typename W::template Atomic<u32> seen{0};
    // Times in microseconds, wrapping around. heavily_contended_since is 0 if the lock is not heavily contended.
    typename W::template Atomic<u32> measured_at{0}, heavily_contended_since{0};
    bool is_heavily_contended() const { return heavily_contended_since.load(std::memory_order_relaxed) != 0; }
    void set_heavily_contended(bool now) { heavily_contended_since.store(now ? 1 : 0, std::memory_order_relaxed); }
  };
  // Counts a collision of an adaptive monitor. True: `collisions_measured` of them came so quickly that quanta may pay.
  bool collides_often(Collisions& collisions) const {
    u32 seen = collisions.seen.load(std::memory_order_relaxed) + 1;
    collisions.seen.store(seen, std::memory_order_relaxed);
    if (seen < settings_.collisions_measured) return false;
    u32 now = microseconds();
    i64 took = i64{now - collisions.measured_at.load(std::memory_order_relaxed)} * 1000;
    reset_measurement(collisions, now);
    return took < settings_.collision_nanoseconds * settings_.collisions_measured;
  }
  bool watches_the_holder(const Collisions& collisions) const {
    return collisions.seen.load(std::memory_order_relaxed) % settings_.collisions_to_a_watched_one == 0;
  }
  void count_collision(Collisions& collisions, bool holder_was_back) const {
    u32 seen = collisions.seen.load(std::memory_order_relaxed) + 1 + (holder_was_back ? 1u << 16 : 0);
    collisions.seen.store(seen, std::memory_order_relaxed);
    if ((seen & 0xffff) < settings_.collisions_measured) return;
    u32 now = microseconds();
    i64 took = i64{now - collisions.measured_at.load(std::memory_order_relaxed)} * 1000;
    reset_measurement(collisions, now);  // resets the count of idle times, too
    if (took < settings_.collision_nanoseconds * settings_.collisions_measured && seen >> 16 >= settings_.holders_back)
      collisions.heavily_contended_since.store(now | 1, std::memory_order_relaxed);
  }
  // Called by newcomers only. False as well when the last measurement is too old (T6).
  bool is_still_heavily_contended(Collisions& collisions) const {
    u32 since = collisions.heavily_contended_since.load(std::memory_order_relaxed);
    if (since == 0) return false;
    u32 now = microseconds();
    if (i64{now - since} * 1000 <= settings_.quantum_nanoseconds * settings_.quanta_until_reset) return true;
    reset_measurement(collisions, now);
    return false;
  }
  // Called by successors after a timed wait: whether the lock was free, between two waits or at the end of a quantum.
  void count_idle(Collisions& collisions, bool idle) const {
    if (!collisions.is_heavily_contended()) return;
    u32 times = idle ? collisions.seen.load(std::memory_order_relaxed) + 1 : 0;
    collisions.seen.store(times, std::memory_order_relaxed);
    if (times >= settings_.idle_times_until_reset) reset_measurement(collisions, microseconds());
  }

 private:
  static u32 microseconds() { return static_cast<u32>(W::now_nanoseconds() / 1000); }
  static void reset_measurement(Collisions& collisions, u32 now) {
    collisions.seen.store(0, std::memory_order_relaxed);
    collisions.measured_at.store(now, std::memory_order_relaxed);
    collisions.heavily_contended_since.store(0, std::memory_order_relaxed);
  }
  static u32 more_probes(const QuantumSettings& settings) {
    return settings.by_quantum ? settings.probes_of_free_lock : 0;
  }

  const QuantumSettings& settings_;
};

}  // namespace keyhole::sync
