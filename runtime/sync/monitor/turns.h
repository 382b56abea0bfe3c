// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Turns: when the eldest waiter of a lock, its successor, takes the lock, waits for it, or lets its holder be. A
// policy: it decides and never writes the lock; whatever it says, a lock that asks it excludes and strands nobody.
//
//   the successor finds the lock         and
//   Given                           has it: it was handed over
//   Free, and free it stays         takes it
//   Held for long                   parks until the exit wakes it; after its patience it is impatient
//   Saturated: free for moments     naps for the rest of a turn; then it is impatient
//   only, between two holders
//
// An impatient successor is handed the lock by the next exit, and who has handed it over has had its turn.
//
// T1: a successor takes what stays free. A saturated lock does its work without the successor, who would only have
//     threads wait for cache lines and wake-ups. It naps until one turn after it became successor. The holder may stop
//     coming before that, to wait, to sleep or at another lock: a successor may nap several times in a turn, and
//     between naps take a lock that is idle, free at more looks in a row than a saturated lock ever is. So a lock is
//     free beside a sleeping successor for one nap at most, and only when it was saturated.
// T2: turns are equally long, or Jain's index suffers. So the successor needs so many looks to believe that a lock is
//     free that it rarely takes a saturated one by chance; a successor that was woken by a busy holder is told that the
//     lock is saturated and does not look (one in six would see it free in all its looks); and at the end of a turn the
//     successor waits until it sees the lock held, because a holder that is not handed over does not know that its turn
//     is over, and would pass at once.
// T3: the patience of a successor begins when it becomes successor. The successor has the clock; holders never read
//     one.
// T4: a newcomer looks for some microseconds before it queues, because queueing costs more. Of a saturated lock two
//     threads could take each other's turns so, all the time: who is busy, or has had its turn, does not look.
//     Where entries are not counted, nobody looks at a lock that is saturated (T6).
// T5: who wakes a successor and goes on wakes it before it lets go: else the lock would be free for as long as the
//     system call lasts. And it yields: the kernel likes to put a thread on its waker's processor, other ones idle or
//     not, and would have it wait there for the end of the holder's time slice. The successor runs for a moment only,
//     to begin its nap.
// T6: a lock is saturated when newcomers collide with its holder more often than turns cost, and the holder is often
//     back at once. Both count: of a lock that is held for some microseconds each time, threads that do as much outside
//     share the time well. While a lock is saturated nobody collides. So it is measured anew after some turns, and when
//     successors find it idle several times between two turns that last to their end: once may be the kernel's doing,
//     which has a successor run in the place of a holder that is between two entries.
// T7: a virtual thread that sleeps gives its processor to another one, which costs less than the looks of T4, and who
//     holds the lock may have done the same: then no look brings it. So it looks at a held lock for a moment only, and
//     where somebody queues already, not at all.
#pragma once

#include <algorithm>
#include <atomic>

#include "runtime/base/types.h"
#include "runtime/sync/flag_defaults.h"

namespace keyhole::sync {

struct TurnSettings {
  // T1. Off: everybody competes for the lock all the time, none is saturated, and nobody's turn is ever over.
  bool by_turns = true;
  // A kernel now and then stretches a turn to a tick of some milliseconds; among fewer turns there are fewer of those.
  i64 turn_nanoseconds = flag_defaults::LockTurnMicros * 1000;
  i64 patience_nanoseconds = flag_defaults::ImpatienceMicros * 1000;   // T3: of a lock that is held for long
  // T4: who enters more often than each so many nanoseconds does little else than lock. 0: nobody is busy.
  i64 busy_nanoseconds = 150;
  // T2. Found free by so many more looks, a lock stays free. More would keep the successor from locks that are free
  // half of the time.
  u32 looks_at_a_free_lock = 6;
  // A lock that is found taken again so many times is saturated. With few, any busy lock looks so by chance.
  u32 gaps_of_a_saturated_lock = 8;
  // T1. Each nap more costs the holder's processor a wake-up.
  u32 naps_in_a_turn = 4;
  u32 looks_at_an_idle_lock = 48;
  // Of the successor at a lock that is held, before it sleeps; of one that leaves its processor (T7).
  u32 looks_at_a_held_lock = 8;
  u32 looks_of_who_leaves = 2;
  // T6. So many collisions, in less than so long for each; some are watched, and of so many the holder was back. Over a
  // few hot locks a thread collides rarely, and each entry takes a cache line from the one before: what tells them from
  // locks of threads that do work of their own is that holders come back.
  u32 collisions_measured = 128;
  i64 collision_nanoseconds = 30'000;
  u32 collisions_to_a_watched_one = 8;
  u32 holders_back = 6;
  i64 turns_until_measured_anew = 64;
  // Each of a few hot locks is idle now and then, while its holder is at the next one.
  u32 idle_times_until_measured_anew = 32;
};

template <typename W> class TurnsOf {
 public:
  enum class Seen : u8 { Given, Free, Held, Saturated };

  // Reads of its own cell between two looks of the successor: while the successor looks at the lock, its holder loses
  // the line.
  static constexpr u32 reads_between_looks = 64;
  // One look more and a lock that is held half of the time is taken for free half as often.
  static constexpr u32 reads_between_looks_at_a_free_lock = 6;
  static constexpr u32 reads_of_a_newcomer = 100;
  // T6. A newcomer that watches whether the holder is back: for as long as a few entries of other locks take.
  static constexpr u32 reads_of_a_free_lock = 12;
  // A successor that has no reason to think the lock saturated: so many reads until it is free for the first time.
  static constexpr u32 reads_of_a_believer = 10;
  // Not by turns: beside a lock whose exits know that the successor is awake.
  static constexpr i64 nap_in_a_race_nanoseconds = 62'500;
  static constexpr u32 visits_measured = 64;

  // Settings outlive it.
  explicit TurnsOf(const TurnSettings& settings) : settings_(settings) {}
  static constexpr u32 looks_in(u32 reads) { return 1 + reads / reads_between_looks; }

  // Looks of a successor. is_free() reads the lock; `own` is the cell in which is_given(value) says that it was handed
  // over; `gaps` counts how often the successor found the lock taken again.
  template <typename IsFree, typename Cell, typename IsGiven> class Looks {
   public:
    Looks(const TurnSettings& settings, bool leaves, IsFree is_free, Cell& own, IsGiven is_given, u32& gaps)
        : settings_(settings), is_free_(is_free), own_(own), is_given_(is_given), gaps_(gaps),
          left_(W::processors() < 2 ? 1 : leaves ? std::min(settings.looks_of_who_leaves, settings.looks_at_a_held_lock)
                                                 : settings.looks_at_a_held_lock) {}

    // Free: the caller tries to take it, and looks on when it cannot.
    template <typename MustStop> Seen next(MustStop must_stop) {
      for (;;) {
        bool free = is_free_();
        if (is_given_(own_.load(std::memory_order_acquire))) return Seen::Given;
        if (free) {
          bool stays_free = true;
          for (u32 more = more_looks(settings_); more != 0 && stays_free; --more) {
            if (W::spin_until(own_, is_given_, reads_between_looks_at_a_free_lock)) return Seen::Given;
            stays_free = is_free_();
          }
          if (stays_free) return Seen::Free;
          if (++gaps_ >= settings_.gaps_of_a_saturated_lock) return Seen::Saturated;   // T1
          continue;
        }
        if (--left_ == 0 || must_stop()) return Seen::Held;
        if (W::spin_until(own_, is_given_, reads_between_looks)) return Seen::Given;
      }
    }

   private:
    const TurnSettings& settings_;
    IsFree is_free_;
    Cell& own_;
    IsGiven is_given_;
    u32& gaps_;
    u32 left_;
  };
  // leaves: W::leaves_processor (T7).
  template <typename IsFree, typename Cell, typename IsGiven>
  auto looks(bool leaves, IsFree is_free, Cell& own, IsGiven is_given, u32& gaps) const {
    return Looks<IsFree, Cell, IsGiven>(settings_, leaves, is_free, own, is_given, gaps);
  }
  // T2, at the end of a turn: until the lock is seen held, or has stayed free.
  template <typename IsFree, typename Cell, typename IsGiven>
  void await_holder(IsFree is_free, Cell& own, IsGiven is_given) const {
    for (u32 more = more_looks(settings_); more != 0 && is_free(); --more)
      W::spin_until(own, is_given, reads_between_looks_at_a_free_lock);
  }

  // T1, between two naps.
  template <typename IsFree, typename Cell, typename IsGiven>
  bool is_idle(IsFree is_free, Cell& own, IsGiven is_given) const {
    for (u32 left = settings_.looks_at_an_idle_lock; left != 0; --left) {
      if (!is_free() || W::spin_until(own, is_given, reads_between_looks_at_a_free_lock)) return false;
    }
    return true;
  }

  // T3. The time of one successor.
  class Tenure {
   public:
    explicit Tenure(const TurnSettings& settings) : settings_(settings), begin_(W::now_nanoseconds()) {}
    // Nanoseconds until it is impatient; not positive: it is.
    i64 patience_left() const { return begin_ + settings_.patience_nanoseconds - W::now_nanoseconds(); }
    // ... and beside a saturated lock (T1).
    i64 nap(i64 patience_left) const {
      i64 left = nap_in_a_race_nanoseconds;
      if (settings_.by_turns) left = begin_ + settings_.turn_nanoseconds - W::now_nanoseconds();
      return left < patience_left ? left : patience_left;
    }
    // The next of several naps, where nap() is what is left of the turn.
    i64 one_nap(i64 left) const {
      i64 one = settings_.turn_nanoseconds / settings_.naps_in_a_turn;
      return left < one ? left : one;
    }

   private:
    const TurnSettings& settings_;
    const i64 begin_;
  };
  Tenure begin_tenure() const { return Tenure(settings_); }

  // T4. How often a thread enters, measured each so many visits. `visits` counts them all; the rest is the policy's.
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

  // T4. Whether a newcomer to a lock that is held looks before it queues.
  bool newcomer_looks(bool busy, bool had_turn) const {
    return !busy && !had_turn && settings_.by_turns && W::processors() >= 2;
  }

  // T6. Of one lock. Everybody writes it without a lock: lost counts cost time and nothing else.
  struct Collisions {
    // The upper half: holders that were back. While the lock is saturated: how often it was idle.
    typename W::template Atomic<u32> seen{0};
    typename W::template Atomic<u32> measured_at{0}, saturated_at{0};   // microseconds, wrapping; 0: not saturated
    bool is_saturated() const { return saturated_at.load(std::memory_order_relaxed) != 0; }
  };
  bool watches_the_holder(const Collisions& collisions) const {
    return collisions.seen.load(std::memory_order_relaxed) % settings_.collisions_to_a_watched_one == 0;
  }
  void count_collision(Collisions& collisions, bool holder_was_back) const {
    u32 seen = collisions.seen.load(std::memory_order_relaxed) + 1 + (holder_was_back ? 1u << 16 : 0);
    collisions.seen.store(seen, std::memory_order_relaxed);
    if ((seen & 0xffff) < settings_.collisions_measured) return;
    u32 now = microseconds();
    i64 took = i64{now - collisions.measured_at.load(std::memory_order_relaxed)} * 1000;
    measure_anew(collisions, now);   // also: never idle yet
    if (took < settings_.collision_nanoseconds * settings_.collisions_measured && seen >> 16 >= settings_.holders_back)
      collisions.saturated_at.store(now | 1, std::memory_order_relaxed);
  }
  // Asked by newcomers only. False, too, when the lock was saturated so long ago that nobody knows.
  bool is_saturated_still(Collisions& collisions) const {
    u32 since = collisions.saturated_at.load(std::memory_order_relaxed);
    if (since == 0) return false;
    u32 now = microseconds();
    if (i64{now - since} * 1000 <= settings_.turn_nanoseconds * settings_.turns_until_measured_anew) return true;
    measure_anew(collisions, now);
    return false;
  }
  // By successors that have napped: whether the lock was free, between two naps or at the end of a turn.
  void count_idle(Collisions& collisions, bool idle) const {
    if (!collisions.is_saturated()) return;
    u32 times = idle ? collisions.seen.load(std::memory_order_relaxed) + 1 : 0;
    collisions.seen.store(times, std::memory_order_relaxed);
    if (times >= settings_.idle_times_until_measured_anew) measure_anew(collisions, microseconds());
  }

 private:
  static u32 microseconds() { return static_cast<u32>(W::now_nanoseconds() / 1000); }
  static void measure_anew(Collisions& collisions, u32 now) {
    collisions.seen.store(0, std::memory_order_relaxed);
    collisions.measured_at.store(now, std::memory_order_relaxed);
    collisions.saturated_at.store(0, std::memory_order_relaxed);
  }
  static u32 more_looks(const TurnSettings& settings) { return settings.by_turns ? settings.looks_at_a_free_lock : 0; }

  const TurnSettings& settings_;
};

}  // namespace keyhole::sync
