// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// UnmountedSleep: the protocol by which a virtual thread sleeps inside the VM without its OS thread, and is woken. A
// template over World; continuation.h is its public interface.
//
//   sleeper, Blocked                      its mounter                          a waker
//   permit 0 -> -2 (CAS)
//   unmounts                     ->       run() returns Asleep: Java is        permit = 1 (exchange); it was -2:
//                                         told that the thread is BLOCKING,      lists it, wakes the unblocker
//                                         WAITING or TIMED_WAITING             the unblocker (Java): take
//   mounted again: permit = 0             (a timer, an interrupt) ...            -> VirtualThread.unblock()
//
//   SleeperOf::listing   in the list of threads to unblock  becomes
//   No                   no                                 Yes: by the waker that replaced -2;  Ended: by its mounter
//   Yes                  yes, or just taken from it         No: by the thread that took it;      Ended
//   Ended                if it was Yes before               -
//
// R1: a waker that replaces -2 lists the thread, unless it is listed already. Before the unblocker takes a listed
//     thread from the list, a timer may have woken the thread. If the thread sleeps again by then, it is woken
//     spuriously; if it has ended, it is not woken (R3).
// R2: the unblocker sets `listing = No` before it calls Java for the thread. A waker that still finds Yes after its
//     exchange may rely on that coming call, which ends this sleep, too.
// R3: a thread that has ended is not listed again. Its mounter, which sets Ended, reuses its structure, unless it finds
//     Yes: then the thread that takes the list reuses it, after it has followed its link. A waker that read the address
//     earlier is managed, and structures are reused only after it has polled.
// R4: while Java is changing the thread's state, the mounter cannot announce a sleep. It then runs the thread again
//     with `must_stay`, and the thread sleeps on its OS thread.
// R5: the unblocker publishes its address before it reads the list; a waker that lists a thread reads that address
//     afterwards (both seq_cst). The unblocker's own permit orders everything else.
// R6: a waker that is a mounted virtual thread may defer the unpark to the next carrier that comes back from a virtual
//     thread, so that no OS thread has to be woken. Carriers and the unblocker take deferred unparks by an exchange of
//     the whole list. The unblocker watches the list in case no carrier comes: it checks it at intervals. A waker that
//     defers an unpark reads `watches` afterwards, and wakes the unblocker if that is false. The unblocker checks the
//     list once more after it stopped watching. All of these accesses are seq_cst, so no deferred unpark is left
//     behind.
#pragma once

#include <type_traits>

#include "runtime/base/platform/world.h"

namespace keyhole {

enum class SleeperListing : u32 { No, Yes, Ended };

// The fields that a continuation has for this protocol.
template <typename W, typename Thread> struct SleeperOf {
  // The sleeper writes is_asleep and sleep_nanoseconds before it unmounts, for its mounter to read.
  typename W::template Plain<bool> is_asleep;
  typename W::template Plain<i64> sleep_nanoseconds;  // at most
  typename W::template Plain<bool> must_stay;         // by the mounter (R4)
  typename W::template Atomic<SleeperListing> listing{SleeperListing::No};
  typename W::template Plain<Thread*>
      // The next thread in the list of threads to unblock. Written by the waker that lists the thread, then by the
      // thread that takes the list.
      next_unblocked;
};

// Settings of the unblocker's watch on deferred unparks (R6). The unblocker checks their list every `nanoseconds`. The
// watch ends when `empty_checks` checks in a row have found that no unpark was deferred since the check before.
struct UnblockerWatch {
  i64 nanoseconds;
  u32 empty_checks;
};

template <typename W, typename Thread> class UnmountedSleepOf {
 public:
  explicit UnmountedSleepOf(UnblockerWatch watch) : watch_(watch) {}

  // Puts the virtual thread `self` to sleep for at most `nanoseconds`, or until it is woken, which may be spurious.
  // `self` is Blocked before and afterwards. The function calls unmount(), which returns when `self` is mounted again.
  template <typename Unmount> static void park(Thread* self, i64 nanoseconds, Unmount unmount) {
    auto& sleeper = *self->continuation;
    if (nanoseconds == 0 || !self->monitor_parker.prepare_unmounted()) return;
    sleeper.is_asleep.set(true);
    sleeper.must_stay.set(false);
    sleeper.sleep_nanoseconds.set(nanoseconds);
    unmount();
    sleeper.is_asleep.set(false);
    bool is_woken = self->monitor_parker.end_unmounted();
    if (is_woken || !sleeper.must_stay.get()) return;
    self->monitor_parker.park(nanoseconds);  // R4
  }

  // Called by the mounter. run() runs the continuation until it unmounts. announce() announces the continuation's sleep
  // to Java. If announce() returns false, the continuation is run again and sleeps on its OS thread (R4).
  template <typename Run, typename Announce>
  KEYHOLE_ALWAYS_INLINE static auto run(Thread* continuation, Run run, Announce announce) {
    for (;;) {
      auto outcome = run();
      if (outcome != decltype(outcome)::Asleep || announce()) return outcome;
      continuation->continuation->must_stay.set(true);
    }
  }

  // Wakes a platform thread or a continuation. The caller is managed.
  void wake(Thread* thread) {
    if (thread->monitor_parker.unpark()) unblock(thread);
  }
  // Adds a thread that sleeps unmounted to the list of threads to unblock. Called by a waker whose unpark has returned
  // true.
  void unblock(Thread* thread) {
    if (list(thread, listed_)) wake_unblocker();
  }
  // Does the same as unblock(), but defers the unpark to the next carrier that comes back from a virtual thread (R6).
  void unblock_deferred(Thread* thread) {
    if (!list(thread, deferred_)) return;
    if (!had_deferred_.load(std::memory_order_relaxed)) had_deferred_.store(true, std::memory_order_relaxed);
    if (!watches_.load(std::memory_order_seq_cst)) wake_unblocker();
  }
  void wake_unblocker() {
    Thread* unblocker = unblocker_.load(std::memory_order_seq_cst);  // R5
    if (unblocker != nullptr) unblocker->monitor_parker.unpark();
  }

  // Called by the mounter once `thread` has left its stacks for the last time. Returns true if the mounter may reuse
  // the structure of `thread`. Returns false if `thread` is still in a list; the thread that takes the list reuses the
  // structure then (R3).
  [[nodiscard]] static bool end(Thread* thread) {
    return thread->continuation->listing.exchange(SleeperListing::Ended) != SleeperListing::Yes;  // R3
  }

  // Called by the unblocker: waits until there are threads to unblock. Calls visit(thread) for each of them, oldest
  // entry first, and reuse(thread) for those that have ended. sleep(nanoseconds) parks the unblocker on its own parker.
  // The unblocker is in state Blocked during sleep(), and managed at all other times. Returns true if the unblocker has
  // taken threads from the list of deferred unparks, because no carrier took them first.
  template <typename Sleep, typename Visit, typename Reuse>
  bool take(Thread* self, Sleep sleep, Visit visit, Reuse reuse) {
    unblocker_.store(self, std::memory_order_seq_cst);
    for (;;) {
      if (visit_all(listed_, visit, reuse)) {
        // Every sixteenth call (rounds_to_deferred) also takes the deferred unparks. Otherwise threads in listed_ could
        // delay them for ever.
        rounds_.set(rounds_.get() + 1);
        return rounds_.get() % rounds_to_deferred == 0 && visit_all(deferred_, visit, reuse);
      }
      if (!watches_.load(std::memory_order_relaxed)) {
        if (deferred_.load(std::memory_order_seq_cst) == nullptr) {
          sleep(forever);
          continue;
        }
        watches_.store(true, std::memory_order_seq_cst);
      }
      sleep(watch_.nanoseconds);
      if (listed_.load(std::memory_order_relaxed) != nullptr) continue;
      if (visit_all(deferred_, visit, reuse)) return true;
      empty_checks_.set(had_deferred_.exchange(false, std::memory_order_relaxed) ? 0 : empty_checks_.get() + 1);
      if (empty_checks_.get() < watch_.empty_checks) continue;
      empty_checks_.set(0);
      watches_.store(false, std::memory_order_seq_cst);  // R6: and checks once more
    }
  }

  // Called by a managed carrier between two virtual threads: takes deferred unparks as take() does, without waiting.
  // Returns true if there were any.
  template <typename Visit, typename Reuse> bool take_deferred(Visit visit, Reuse reuse) {
    return visit_all(deferred_, visit, reuse);
  }
  bool has_deferred_unparks() const { return deferred_.load(std::memory_order_relaxed) != nullptr; }

 private:
  using List = typename W::template Atomic<Thread*>;

  // Adds the thread to `list`. Returns false if the thread is in a list already, or has ended.
  static bool list(Thread* thread, List& list) {
    auto& sleeper = *thread->continuation;
    SleeperListing not_listed = SleeperListing::No;
    if (!sleeper.listing.compare_exchange_strong(not_listed, SleeperListing::Yes)) return false;  // R1, R3
    Thread* head = list.load(std::memory_order_relaxed);
    do sleeper.next_unblocked.set(head);
    while (!list.compare_exchange_weak(head, thread, std::memory_order_seq_cst, std::memory_order_relaxed));
    return true;
  }

  // Takes all threads from the list and visits them, oldest entry first. Returns false if the list is empty.
  template <typename Visit, typename Reuse> static bool visit_all(List& list, Visit visit, Reuse reuse) {
    Thread* taken = list.exchange(nullptr, std::memory_order_seq_cst);
    if (taken == nullptr) return false;
    Thread* first = nullptr;
    while (taken != nullptr) {
      Thread* next = taken->continuation->next_unblocked.get();
      taken->continuation->next_unblocked.set(first);
      first = taken;
      taken = next;
    }
    while (first != nullptr) {
      Thread* thread = first;
      first = thread->continuation->next_unblocked.get();
      SleeperListing listed = SleeperListing::Yes;
      if (thread->continuation->listing.compare_exchange_strong(listed, SleeperListing::No)) visit(thread);  // R2
      else reuse(thread);                                                                                    // R3
    }
    return true;
  }

  static constexpr u32 rounds_to_deferred = 16;

  const UnblockerWatch watch_;
  List listed_{nullptr}, deferred_{nullptr};               // newest first
  typename W::template Atomic<bool> watches_{false};       // R6
  typename W::template Atomic<bool> had_deferred_{false};  // a hint
  // Written by the unblocker: the number of checks in a row that found no new deferred unpark.
  typename W::template Plain<u32> empty_checks_;
  // Written by the unblocker: the number of times that it has taken threads from listed_.
  typename W::template Plain<u32> rounds_;
  typename W::template Atomic<Thread*> unblocker_{nullptr};  // R5
};

}  // namespace keyhole
