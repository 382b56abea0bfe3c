// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Quantum policy: decides when the successor of a contended lock takes it, sleeps, or is handed it by an exit. The
// policy never writes the lock, so no decision of the policy can break mutual exclusion or strand a thread.
//
//   successor            the queued thread that comes next; here always the oldest
//   quantum              the time that one thread has a heavily contended lock before the next thread is handed it
//   heavily contended    (a lock) free only for moments, between two holders
//   timed wait           a sleep of the successor with a timeout, a fraction of the quantum
//   starving             (a successor) its quantum or patience is over; the next exit hands it the lock
//   probe                one read of the lock by a thread that might take it
//   retake               another thread takes the free lock before the successor does
//
//   the successor finds the lock    and
//   Given                           owns it: an exit has handed it over
//   Free, and it stays free         takes it
//   Held for long                   parks until an exit wakes it; when its patience ends it is starving
//   HeavilyContended                sleeps in timed waits for the rest of the quantum; then it is starving
//
// T1: a successor takes a lock that stays free. It leaves a heavily contended lock to its holder, because one more
//     running thread would only make threads wait for cache lines and wake-ups: it sleeps until one quantum after it
//     became successor. The holder may stop entering the lock before that: it may wait, sleep, or use another lock. So
//     the successor divides the quantum into several timed waits, and after each it takes the lock if the lock is idle:
//     free at more probes in a row than a heavily contended lock ever is. Hence a lock is free beside a sleeping
//     successor for one timed wait at most, and only when it was heavily contended.
// T2: quanta are equally long; otherwise some threads have the lock more often than others, and Jain's index suffers.
//     Three things keep a successor from ending a quantum early:
//     - The successor takes the lock only when several probes in a row find it free, which is rare at a heavily
//       contended lock.
//     - When a busy holder has woken it, it gets the hint that the lock is heavily contended, and does not probe. With
//       probes, one such successor in six would find the lock free at all of them.
//     - At the end of the quantum it probes until it finds the lock held, or has found it free a few times in a row. A
//       holder that does not hand over does not know that its quantum is over, and would take the lock again at once.
// T3: a thread's patience begins when it becomes successor. Only the successor reads the clock to measure patience and
//     quantum; holders do not.
// T4: a newcomer probes for some microseconds before it queues, because queueing costs more. At a heavily contended
//     lock, probing threads would keep taking the lock during each other's quanta. So a thread does not probe if it is
//     busy (it does little else than lock) or has just had its quantum. Locks that do not count entries, and so do not
//     know busy threads, let no newcomer probe while they are heavily contended (T6).
// T5: a holder that keeps using the lock wakes the successor before it releases the lock; otherwise the lock would be
//     free for as long as the system call lasts. Then the holder yields, because the kernel tends to put a woken thread
//     on the waker's processor, even if other processors are idle. Without the yield the woken thread would wait until
//     the holder's time slice ends. The successor runs only for a moment, to begin its timed wait.
// T6: a lock is heavily contended if newcomers collide with its holder so often that quanta would cost less, and the
//     holder often takes the lock again at once. The lock counts both. Collisions alone do not decide: threads that
//     hold the lock for some microseconds and work as long outside share it well without quanta. While the lock is
//     heavily contended, no newcomer probes it (T4), so there are no collisions to count. Hence the measurement
//     restarts after some quanta, or earlier if successors have found the lock idle several times in a row. A single
//     time does not suffice: the kernel may have run a successor in the place of a holder that is between two entries.
// T7: a virtual thread that sleeps gives its carrier to another virtual thread, which costs less than the probes of T4.
//     The holder may have unmounted, too, so that no probe would find the lock free. So a virtual thread probes a held
//     lock for a moment only, and not at all if another thread is already queued.
#pragma once

#include <algorithm>
#include <atomic>

#include "runtime/base/types.h"
#include "runtime/sync/flag_defaults.h"

namespace keyhole::sync {

struct QuantumSettings {
  // Whether locks are shared by quanta (T1). If false, all threads compete for a lock all the time, no lock is heavily
  // contended, and no quantum ends.
  bool by_quantum = true;
  // A kernel sometimes wakes a thread only at its next tick, some milliseconds later, and so prolongs a quantum. Longer
  // quanta are prolonged less often.
  i64 quantum_nanoseconds = flag_defaults::LockTurnMicros * 1000;
  i64 patience_nanoseconds =
      flag_defaults::ImpatienceMicros * 1000;  // T3: time until a successor is starving at a lock held for long
  // T4. A thread is busy, that is, does little else than lock, if it enters the lock on average more often than once in
  // this time. If this time is 0, no thread is busy.
  i64 busy_nanoseconds = 150;
  // T2. The number of further probes that must also find the lock free. Then the successor assumes that the lock stays
  // free. If more probes had to find it free, the successor would hardly ever get a lock that is held half of the time.
  u32 probes_of_free_lock = 6;
  // After this many retakes (another thread takes the free lock first) a successor treats the lock as heavily
  // contended. With a lower limit, a few retakes by chance would suffice at any busy lock.
  u32 retakes_of_heavily_contended_lock = 8;
  // T1. The number of timed waits into which the successor divides the quantum. With more timed waits the successor
  // would notice an idle lock earlier, but each timed wait costs the holder's processor a wake-up.
  u32 timed_waits_per_quantum = 4;
  u32 probes_of_idle_lock = 48;
  // The number of probes that find the lock held before the successor sleeps. The first number is for platform threads,
  // the second for virtual threads (T7).
  u32 probes_of_held_lock = 8;
  u32 probes_of_virtual_thread = 2;
  // T6. A lock is heavily contended if two things hold for its last `collisions_measured` collisions. They came less
  // than `collision_nanoseconds` apart on average. And in at least `holders_back` of them the newcomer saw the holder
  // take the lock again at once; newcomers watch the holder in one of `collisions_to_a_watched_one` collisions. A low
  // rate of collisions suffices, because threads that share a few hot locks collide rarely at each of them, although
  // each entry takes a cache line from the previous holder. Locks whose threads also do other work may reach this rate,
  // but the holders of such locks do not take them again at once.
  u32 collisions_measured = 128;
  i64 collision_nanoseconds = 30'000;
  u32 collisions_to_a_watched_one = 8;
  u32 holders_back = 6;
  i64 quanta_until_reset = 64;
  // T6. The measurement restarts when successors have found the lock idle this many times in a row. A single time would
  // not suffice, because threads that share a few hot locks leave each lock idle now and then, while its last holder
  // uses another of these locks.
  u32 idle_times_until_reset = 32;
};

template <typename W> class QuantumPolicyOf {
 public:
  enum class Seen : u8 { Given, Free, Held, HeavilyContended };

  // The number of times that the successor reads its own cell between two probes. Each probe takes the
  // lock's cache line from the holder, so more frequent probes would cost the holder time.
  static constexpr u32 reads_between_probes = 64;
  // The number of times that the successor reads its own cell between two probes, once a probe has found the lock free.
  // The successor takes the lock only if several more probes find the lock free. At a lock that is held half of the
  // time, each further probe halves the chance that all probes find the lock free.
  static constexpr u32 reads_between_probes_of_free_lock = 6;
  // T4. The most reads of a held lock by a newcomer before it queues. If the lock becomes free meanwhile, the newcomer
  // tries to take it.
  static constexpr u32 reads_of_a_newcomer = 100;
  // T6. The number of reads during which a newcomer watches whether the last holder takes the lock again. The reads
  // take long enough for the holder to enter and exit a few other locks in between.
  static constexpr u32 reads_of_a_free_lock = 12;
  // The largest number of reads of the lock by a successor that has no reason to think the lock heavily contended. Such
  // a successor tries to take the lock after the first read that finds the lock free.
  static constexpr u32 reads_of_a_believer = 10;
  // Without quanta: how long a designated successor sleeps before it probes the lock again. The sleep needs a timeout,
  // because exits assume that a designated successor is awake, and so do not wake the successor.
  static constexpr i64 race_timeout_nanoseconds = 62'500;
  static constexpr u32 visits_measured = 64;

  // The settings must outlive the policy.
  explicit QuantumPolicyOf(const QuantumSettings& settings) : settings_(settings) {}
  static constexpr u32 probes_in(u32 reads) { return 1 + reads / reads_between_probes; }

  // A successor's series of probes. is_free() reads the lock. `own` is the successor's cell; is_given(value of own) is
  // true once the lock was handed over. `retakes` counts how often the successor saw another thread take the free lock
  // first.
  template <typename IsFree, typename Cell, typename IsGiven> class Probes {
   public:
    Probes(const QuantumSettings& settings, bool leaves, IsFree is_free, Cell& own, IsGiven is_given, u32& retakes)
        : settings_(settings), is_free_(is_free), own_(own), is_given_(is_given), retakes_(retakes),
          left_(W::processors() < 2 ? 1
                : leaves            ? std::min(settings.probes_of_virtual_thread, settings.probes_of_held_lock)
                                    : settings.probes_of_held_lock) {}

    // Probes until the successor can decide. After Free the caller tries to take the lock. If another thread has taken
    // the lock meanwhile, the caller calls next() again.
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
  // T1. Called if an exit woke the successor, and the successor found the lock held. Counts a retake (another thread
  // has taken the lock first). Returns true if the lock is now heavily contended for this successor.
  bool is_one_retake_too_many(u32& retakes) const { return ++retakes >= settings_.retakes_of_heavily_contended_lock; }
  // T2. Called at the end of a quantum. Probes the lock until one probe finds it held, or all probes_of_free_lock
  // probes have found it free.
  template <typename IsFree, typename Cell, typename IsGiven>
  void await_holder(IsFree is_free, Cell& own, IsGiven is_given) const {
    for (u32 more = more_probes(settings_); more != 0 && is_free(); --more)
      W::spin_until(own, is_given, reads_between_probes_of_free_lock);
  }

  // T1. Called between two timed waits. Returns true if the lock is idle: free at probes_of_idle_lock probes in a row.
  template <typename IsFree, typename Cell, typename IsGiven>
  bool is_idle(IsFree is_free, Cell& own, IsGiven is_given) const {
    for (u32 left = settings_.probes_of_idle_lock; left != 0; --left) {
      if (!is_free() || W::spin_until(own, is_given, reads_between_probes_of_free_lock)) return false;
    }
    return true;
  }

  // The time for which a thread has been the successor (T3).
  class Tenure {
   public:
    explicit Tenure(const QuantumSettings& settings) : settings_(settings), begin_(W::now_nanoseconds()) {}
    // Nanoseconds until the successor's patience ends; 0 or less once the successor is starving.
    i64 patience_left() const { return begin_ + settings_.patience_nanoseconds - W::now_nanoseconds(); }
    // The time for which the successor of a heavily contended lock sleeps (T1): the rest of its quantum, or the rest of
    // its patience if that is shorter. Without quanta, race_timeout_nanoseconds takes the place of the rest of the
    // quantum.
    i64 timeout(i64 patience_left) const {
      i64 left = race_timeout_nanoseconds;
      if (settings_.by_quantum) left = begin_ + settings_.quantum_nanoseconds - W::now_nanoseconds();
      return left < patience_left ? left : patience_left;
    }
    // The timeout of the next timed wait. left: the result of timeout().
    i64 timeout_of_one_wait(i64 left) const {
      i64 one = settings_.quantum_nanoseconds / settings_.timed_waits_per_quantum;
      return left < one ? left : one;
    }

   private:
    const QuantumSettings& settings_;
    const i64 begin_;
  };
  Tenure begin_tenure() const { return Tenure(settings_); }

  // Measures the rate at which a thread enters a lock (T4), once per visits_measured entries. The lock counts the
  // entries.
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

  // T4. Whether a newcomer that finds the lock held probes the lock before it queues.
  bool newcomer_probes(bool busy, bool had_quantum) const {
    return !busy && !had_quantum && settings_.by_quantum && W::processors() >= 2;
  }

  // The measurement of one lock (T6). All threads write it without synchronization; a lost count only costs time.
  struct Collisions {
    // While the lock is not heavily contended, the lower half counts collisions. The upper half counts those after
    // which the holder was seen to take the lock again at once. While the lock is heavily contended, `seen` counts how
    // many successors in a row found the lock idle.
    typename W::template Atomic<u32> seen{0};
    // Times in microseconds, modulo 2^32. heavily_contended_since is 0 if the lock is not heavily contended. At a
    // heavily contended adaptive monitor heavily_contended_since is 1, not a time.
    typename W::template Atomic<u32> measured_at{0}, heavily_contended_since{0};
    bool is_heavily_contended() const { return heavily_contended_since.load(std::memory_order_relaxed) != 0; }
    void set_heavily_contended(bool now) { heavily_contended_since.store(now ? 1 : 0, std::memory_order_relaxed); }
  };
  // Counts a collision at an adaptive monitor. Returns true if the last `collisions_measured` collisions came quickly,
  // on average less than `collision_nanoseconds` apart. Quanta may then increase the monitor's throughput.
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
    reset_measurement(collisions, now);  // sets `seen` to 0; at a heavily contended lock, count_idle counts in `seen`
    if (took < settings_.collision_nanoseconds * settings_.collisions_measured && seen >> 16 >= settings_.holders_back)
      collisions.heavily_contended_since.store(now | 1, std::memory_order_relaxed);
  }
  // Called by newcomers only. If the last measurement is too old, restarts it and returns false (T6).
  bool is_still_heavily_contended(Collisions& collisions) const {
    u32 since = collisions.heavily_contended_since.load(std::memory_order_relaxed);
    if (since == 0) return false;
    u32 now = microseconds();
    if (i64{now - since} * 1000 <= settings_.quantum_nanoseconds * settings_.quanta_until_reset) return true;
    reset_measurement(collisions, now);
    return false;
  }
  // Called by successors; counts how often in a row the lock was idle. idle: whether the lock was idle after a timed
  // wait, or free at the end of a quantum.
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
