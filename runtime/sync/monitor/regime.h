// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Regimes of an adaptive monitor (Succession::adaptive): whether its threads compete for it or share it by quanta. The
// monitor counts its acquisitions; a trial compares the rates of both regimes, and the faster one stays.
//
//   competing --128 collisions, less than 30 us apart on average--> trials, with a rest of 10 ms to 1 s between two
//
//   A trial has four windows of time. It measures the rate of acquisitions in each:
//
//   window    current   other   current   other   then
//   rate      r0        r1      r2        r3      r1 > 1.05 r0 and r3 > 1.05 r2: the other regime is the current one
//                                                 else: the current one stays, and the next rest is twice as long
//
// G1: the regime is a hint. An operation reads it when it begins, and protocols of both regimes meet at one monitor:
//     monitor_regime.h says why no thread is stranded and no node is used after its thread has gone.
// G2: a window ends when a contended operation sees that the window has lasted long enough and counted enough
//     acquisitions, or has reached its greatest length. Uncontended operations read no clock. One thread at a time ends
//     windows; the others go on.
// G3: after a change of regime the first part of a window is not counted, so that threads that queued under the old
//     regime can finish.
// G4: a trial ends early when the other regime is slower by a fifth in its first window. Each time that the current
//     regime wins, the rest before the next trial doubles: 10 ms, 20 ms .. 1 s. So under a constant load trials take
//     less than 1 % of the time.
// G5: if the rates of two windows in a row differ by a quarter from the rate before them, the load has changed: the
//     next trial begins as soon as the shortest rest is over.
// G6: if a monitor was not contended for 100 ms, its threads compete again, and its rests begin with the shortest one.
// G7: a thread reads the window's start time first, by an acquire, then the count, then the clock. It judges the window
//     only if it finds the same start time again after it has set ends_window_. The thread that ends a window stores
//     the start time of the next one last, by a release. So the count and the clock are never older than the start
//     time. An older clock would give a negative length, which as an unsigned number is about 71 minutes.
// G8: a thread may be preempted after it has read the clock. Then the window that it ends seems shorter than it was,
//     and a part of the old regime counts for the next one. A later trial corrects a wrong result.
#pragma once

#include <algorithm>
#include <cmath>

#include "runtime/base/platform/world.h"

namespace keyhole::sync {

struct RegimeSettings {
  u32 window_microseconds = 800;  // the minimum length of a window: two quanta
  u32 longest_window_microseconds = 5000;
  u32 settling_microseconds = 200;  // G3
  // The minimum number of acquisitions in a window, unless longest_window_microseconds is over first.
  u32 window_acquisitions = 512;
  u32 shortest_rest_microseconds = 10'000, longest_rest_microseconds = 1'000'000;
  u32 forgotten_after_microseconds = 100'000;  // G6
  // The model checker chooses regimes without trials. Alternating: each contended operation changes the regime.
  // ByThread: threads with odd ids share by quanta and hand over at each exit; the others compete.
  enum class Choice : u8 { Measured, Alternating, ByThread } choice = Choice::Measured;
};

template <typename W> class RegimeTrialOf {
  template <typename T> using Atomic = typename W::template Atomic<T>;

 public:
  enum class Regime : u8 { Competing, Quanta };

  // The first window begins now, so earlier acquisitions of the monitor do not count for that window.
  explicit RegimeTrialOf(u32 acquisitions) : began_(microseconds()), began_with_(acquisitions) {}

  // Called at a contended operation. `acquisitions` is the monitor's count of acquisitions. Returns the regime in which
  // this and later operations run.
  Regime at_contention(const RegimeSettings& settings, const Atomic<u32>& acquisitions) {
    const u32 began = began_.load(std::memory_order_acquire);  // G7
    const u32 count = acquisitions.load(std::memory_order_relaxed);
    const u32 counted = count - began_with_.load(std::memory_order_relaxed);
    Regime regime = regime_.load(std::memory_order_relaxed);
    // While threads compete and the window has too few acquisitions, reads the clock only if the number of acquisitions
    // is a multiple of 8.
    if (regime == Regime::Competing && counted < settings.window_acquisitions && counted % 8 != 0) return regime;
    const u32 now = microseconds();
    const u32 took = now - began;
    const bool settles = settles_.load(std::memory_order_relaxed);
    if (took < (settles ? settings.settling_microseconds : settings.window_microseconds)) return regime;
    const bool enough = counted >= settings.window_acquisitions || took >= settings.longest_window_microseconds;
    if (!settles && !enough) return regime;
    if (ends_window_.exchange(1, std::memory_order_acquire) != 0) return regime;  // G2
    // If another thread has ended the window meanwhile, `began`, `counted` and `took` may belong to different windows.
    // Then this thread does not judge the window (G7).
    if (began_.load(std::memory_order_relaxed) == began) {
      if (took >= settings.forgotten_after_microseconds) reset(settings);  // G6
      else if (!settles) end_window(settings, static_cast<f32>(counted) / static_cast<f32>(took), now);
      settles_.store(!settles && changed_, std::memory_order_relaxed);
      changed_ = false;
      began_with_.store(count, std::memory_order_relaxed);
      began_.store(now, std::memory_order_release);  // G7: the last store
    }
    regime = regime_.load(std::memory_order_relaxed);
    ends_window_.store(0, std::memory_order_release);
    return regime;
  }

 private:
  static constexpr f32 better = 1.05F, much_worse = 0.8F, differs = 0.25F;

  static u32 microseconds() { return static_cast<u32>(W::now_nanoseconds() / 1000); }
  static Regime other(Regime regime) { return regime == Regime::Competing ? Regime::Quanta : Regime::Competing; }
  void change() {
    regime_.store(other(regime_.load(std::memory_order_relaxed)), std::memory_order_relaxed);
    changed_ = true;
  }
  void reset(const RegimeSettings& settings) {
    if (regime_.load(std::memory_order_relaxed) != Regime::Competing) change();
    window_ = 0;
    surprises_ = 0;
    last_rate_ = 0;
    rest_ = 0;
    rested_since_ = microseconds() - settings.shortest_rest_microseconds;
  }

  void end_window(const RegimeSettings& settings, f32 rate, u32 now) {
    switch (window_) {
      case 0: {
        // No trial runs. One begins now if the rest since the last trial is over.
        surprises_ = last_rate_ != 0 && std::abs(rate - last_rate_) > differs * last_rate_ ? surprises_ + 1 : 0;
        if (surprises_ != 1) last_rate_ = rate;
        u32 rest = surprises_ >= 2 ? settings.shortest_rest_microseconds : rest_;
        if (now - rested_since_ < rest) return;
        surprises_ = 0;
        rates_[0] = rate;
        break;
      }
      case 1:
        rates_[1] = rate;
        if (rate < much_worse * rates_[0]) return end_trial(settings, false, now);  // G4
        break;
      case 2: rates_[2] = rate; break;
      default: {
        // Ends window 3, the last window of a trial. Windows 0 and 2 had the old regime; windows 1 and 3 had the regime
        // on trial.
        bool wins = rates_[1] > better * rates_[0] && rate > better * rates_[2];
        return end_trial(settings, wins, now);
      }
    }
    ++window_;
    change();
  }
  // Ends a trial, at the end of a window under the regime on trial. other_wins: whether the monitor keeps the regime on
  // trial.
  void end_trial(const RegimeSettings& settings, bool other_wins, u32 now) {
    if (!other_wins) change();
    rest_ = other_wins ? settings.shortest_rest_microseconds
                       : std::clamp(2 * rest_, settings.shortest_rest_microseconds, settings.longest_rest_microseconds);
    window_ = 0;
    last_rate_ = 0;
    surprises_ = 0;
    rested_since_ = now;
  }

  Atomic<Regime> regime_{Regime::Competing};
  Atomic<u32> ends_window_{0};
  Atomic<bool> settles_{false};
  Atomic<u32> began_, began_with_;  // written by the thread that has set ends_window_
  // The next members are accessed only by the thread that has set ends_window_.
  bool changed_ = false;
  // In a trial, the number of the current window, 0 to 3. Between trials 0, because each window may turn out to be the
  // first window of a trial.
  u8 window_ = 0;
  u8 surprises_ = 0;
  f32 rates_[3] = {};
  f32 last_rate_ = 0;
  u32 rest_ = 0, rested_since_ = 0;
};

}  // namespace keyhole::sync
