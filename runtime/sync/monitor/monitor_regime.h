// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The regime of an ObjectMonitor: whether threads compete for it now, or share it by quanta (monitor_quantum.h). Under
// Succession::adaptive each contended monitor measures by trials which of the two is faster (regime.h), and may change
// its regime at any moment.
//
//   Regime::choose(monitor)              at a contended operation: the regime from now on
//   Regime::by_quantum(monitor, thread)  at the begin of an operation: the regime in force
//
// A1: each operation reads the regime when it begins. So operations of both regimes meet at one monitor, for example an
//     enter that competes from the queue and an exit that hands over.
// A2: at an adaptive monitor a queued thread has the lock only when `given` is set in its node (monitor_quantum.h M5).
//     Its id in the owner word says nothing, since the thread that handed over may still access the node. Exits hand
//     over while `starving` is not 0, whatever the regime.
// A3: a thread that competes from the queue reads the regime after each sleep. Then its node is on the list, and it has
//     not made itself the successor, so the rules for quanta hold from there on (monitor_quantum.h M2).
#pragma once

#include "runtime/sync/monitor/monitor_settings.h"
#include "runtime/sync/monitor/quantum.h"
#include "runtime/sync/monitor/regime.h"

namespace keyhole::sync {

template <typename Monitor> class MonitorRegimeOf {
  using W = typename Monitor::World;
  using Thread = typename W::Thread;
  using Trial = typename Monitor::Trial;
  using Choice = RegimeSettings::Choice;

 public:
  static bool is_adaptive() { return Monitor::settings().succession == Succession::adaptive; }

  static bool by_quantum(const Monitor& monitor, const Thread* thread) {
    if (Monitor::settings().succession == Succession::quantum) return true;
    if (!is_adaptive()) return false;
    if (choice() == Choice::ByThread) return thread->id % 2 != 0;
    return monitor.collisions.is_heavily_contended();
  }

  static void choose(Monitor& monitor) {
    const RegimeSettings& settings = Monitor::settings().regimes;
    if (choice() == Choice::ByThread) return;
    if (choice() == Choice::Alternating)
      return monitor.collisions.set_heavily_contended(!monitor.collisions.is_heavily_contended());
    Trial* known = monitor.trial.load(std::memory_order_acquire);
    if (known == nullptr) {
      if (QuantumPolicyOf<W>(Monitor::settings().quantum).collides_often(monitor.collisions)) begin_trials(monitor);
      return;
    }
    const bool quanta = known->at_contention(settings, monitor.acquisitions) == Trial::Regime::Quanta;
    if (quanta != monitor.collisions.is_heavily_contended()) monitor.collisions.set_heavily_contended(quanta);
  }

  // Whether the thread hands the monitor over at each exit. Always false in the VM. In the model checker true for
  // threads with odd ids, if regimes are chosen by thread (regime.h).
  static bool always_hands_over(const Thread* thread) {
    return is_adaptive() && choice() == Choice::ByThread && thread->id % 2 != 0;
  }

  // Called when no thread can have a pointer to the monitor any more. Frees the monitor's trials.
  static void forget_trials(Monitor& monitor) {
    Trial* trial = monitor.trial.load(std::memory_order_relaxed);
    if (trial != nullptr) W::retire(trial);
    monitor.trial.store(nullptr, std::memory_order_relaxed);
  }

 private:
  static Choice choice() { return Monitor::settings().regimes.choice; }

  static void begin_trials(Monitor& monitor) {
    Trial* none = nullptr;
    Trial* fresh = W::template allocate<Trial>(monitor.acquisitions.load(std::memory_order_relaxed));
    if (fresh == nullptr) return;
    if (!monitor.trial.compare_exchange_strong(none, fresh, std::memory_order_acq_rel)) W::retire(fresh);
  }
};

}  // namespace keyhole::sync
