// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The stop-the-world and handshake protocol, as a template over World: thread_state.h, safepoint.h and handshake.h are
// its faces.
//
//   mutator                                        coordinator (holds the operation lock: one operation at a time)
//   leave:  state = safe (release)                 stop:    generation odd; arm each: poll |= safepoint_bit,
//                                                           entry_limit = null; then read states
//   enter:  state = managed; read poll   (Dekker)           until all are safe
//           poll set -> state = safe, sleep        resume:  each poll &= ~safepoint_bit; generation even; wake all
//   loop:   read poll; set -> poll_slow
//   method entry: read entry_limit; null -> poll_slow
//
//   JavaThread::pending_handshakes          who may change it
//   0 none                                  handshaker -> 1
//   1 waiting                               target -> 3, handshaker -> 2 (CAS)
//   2 the handshaker runs it for a target   handshaker -> 0, or -> 1 when the target was managed after all
//     that is safe
//   3 the target runs it at its poll        target -> 0
//
// R1: `state` is stored with release on leaving: the coordinator's acquire load sees all that the mutator did to the
//     heap.
// R2: enter stores state and then loads poll; the coordinator stores poll and then loads state; all four seq_cst. At
//     least one side sees the other, so no mutator is managed while the coordinator believes it safe.
// R3: a handshaker that claimed (2) re-reads the target's state: safe now means safe until it releases the claim,
//     because enter finds poll set, then pending == 2, and waits.
// R4: `changes` is bumped by whoever becomes safe while a poll is set. It is a hint, legal to miss: waiters time out.
// R5: a thread in state New or Terminated is safe.
// R6: whoever sets a bit of `poll` stores null to `entry_limit` afterwards. Only the owner stores the limit again, at
//     the end of poll_slow, and then reads `poll` once more; if a bit is set, it stores null again. All four accesses
//     are seq_cst (Dekker): either the null comes after the limit, or the owner sees the bit. Null without a bit is
//     legal: the next entry is slow once.
#pragma once

#include "runtime/base/platform/world.h"
#include "runtime/threads/java_thread.h"

namespace keyhole {

template <typename W, typename Thread> class SafepointProtocol {
 public:
  // Bits of JavaThread::poll.
  static constexpr u32 safepoint_bit = 1, handshake_bit = 2;
  static constexpr u32 stress_bit = 4;   // armed (safepoint::arm_stress): the next poll is slow whatever happens
  static constexpr u32 asynchronous_bit = 8;   // asynchronous.h: looked at where Java code polls, and nowhere else
  static constexpr u32 sample_bit = 16;        // safepoint::request_sample: looked at where Java code polls
  // Take the slow path of a poll, and mean nothing here.
  static constexpr u32 others_bits = stress_bit | asynchronous_bit | sample_bit;

  // R6
  static void arm(Thread* thread, u32 bit) {
    thread->poll.fetch_or(bit, std::memory_order_seq_cst);   // R2
    thread->entry_limit.store(nullptr, std::memory_order_seq_cst);
  }

  static bool is_safe(ThreadState state) { return state != ThreadState::InJava && state != ThreadState::InVM; }
  bool in_progress() const { return (generation_.load(std::memory_order_acquire) & 1) != 0; }

  // --- mutator -------------------------------------------------------------------------------------------------------
  void leave(Thread* thread, ThreadState safe_state) {
    thread->state.store(safe_state, std::memory_order_release);   // R1
    if ((thread->poll.load(std::memory_order_relaxed) & ~others_bits) != 0) [[unlikely]] announce();   // R4
  }

  // LIFE(monitorenter) 9/10: awake and owner; the way back into managed code stops first if a safepoint is in progress
  void enter(Thread* thread) {
    for (;;) {
      thread->state.store(ThreadState::InVM, std::memory_order_seq_cst);   // R2
      u32 poll = thread->poll.load(std::memory_order_seq_cst);
      if ((poll & ~others_bits) == 0) [[likely]] return;
      if ((poll & safepoint_bit) != 0) {
        thread->state.store(ThreadState::Blocked, std::memory_order_release);
        announce();
        wait_until_resumed();
      } else {
        answer_handshake(thread);
      }
    }
  }

  // A poll that found its word set, or the limit null: stops here, answers handshakes; the state is what it was.
  void poll_slow(Thread* thread) {
    if ((thread->poll.load(std::memory_order_acquire) & ~others_bits) != 0) {
      ThreadState before = thread->state.load(std::memory_order_relaxed);
      leave(thread, ThreadState::Blocked);
      enter(thread);
      if (before != ThreadState::InVM) thread->state.store(before, std::memory_order_release);
    }
    restore_limit(thread);
  }

  // An entry found the limit null, and whoever has stored it wants nothing (R6), or a sample of code that is not to be
  // sampled: withdraws that, and the entry may be tried again. False: poll_slow.
  bool pass_entry(Thread* thread) {
    if (thread->entry_limit.load(std::memory_order_relaxed) != nullptr) return false;   // there is no room
    if ((thread->poll.fetch_and(~sample_bit, std::memory_order_relaxed) & ~sample_bit) != 0) return false;
    restore_limit(thread);
    return true;
  }

  // For threads outside the list: returns when no safepoint is in progress (one may begin at once).
  void wait_until_resumed() {
    i32 generation = generation_.load(std::memory_order_acquire);
    while ((generation & 1) != 0) {
      W::wait_on(generation_, generation, forever);
      generation = generation_.load(std::memory_order_acquire);
    }
  }

  // --- coordinator; for_each(visit) calls visit(thread) for all threads, under the list lock -------------------------
  // `self` is managed and counts as stopped. begin() runs under the list lock of the first pass.
  template <typename ForEach> void stop(Thread* self, ForEach for_each) {
    generation_.fetch_add(1, std::memory_order_seq_cst);
    for_each([&](Thread* thread) {
      if (thread != self) arm(thread, safepoint_bit);
    });
    wait_for([&] {
      bool all_safe = true;
      for_each([&](Thread* thread) {
        if (thread != self && !is_safe(thread->state.load(std::memory_order_seq_cst))) all_safe = false;
      });
      return all_safe;
    });
  }

  template <typename ForEach> void resume(Thread* self, ForEach for_each) {
    for_each([&](Thread* thread) {
      if (thread != self) thread->poll.fetch_and(~safepoint_bit, std::memory_order_release);
    });
    generation_.fetch_add(1, std::memory_order_release);
    W::wake(generation_, wake_all);
  }

  // Runs operation(target) once for `target`, by itself at a poll or here while it is safe. The operation lock is held.
  void handshake(Thread* target, void (*operation)(Thread* target, void* context), void* context) {
    operation_ = operation;
    context_ = context;
    target->pending_handshakes.store(1, std::memory_order_release);
    arm(target, handshake_bit);
    wait_for([&] {
      if (target->pending_handshakes.load(std::memory_order_acquire) == 0) return true;
      if (!is_safe(target->state.load(std::memory_order_seq_cst))) return false;
      u32 waiting = 1;
      if (!target->pending_handshakes.compare_exchange_strong(waiting, 2, std::memory_order_seq_cst)) return false;
      ThreadState state = target->state.load(std::memory_order_seq_cst);   // R3
      if (!is_safe(state)) {
        target->pending_handshakes.store(1, std::memory_order_release);
        announce();
        return false;
      }
      if (state != ThreadState::Terminated) operation(target, context);
      // A target that enters now has what the operation wrote.
      target->poll.fetch_and(~handshake_bit, std::memory_order_release);
      target->pending_handshakes.store(0, std::memory_order_release);
      announce();
      return true;
    });
  }

 private:
  static constexpr i32 wake_all = 0x7FFFFFFF;
  static constexpr i64 shortest_wait_nanoseconds = 20'000, longest_wait_nanoseconds = 1'000'000;

  // R6
  void restore_limit(Thread* thread) {
    thread->entry_limit.store(thread->java_stack_limit, std::memory_order_seq_cst);
    if (thread->poll.load(std::memory_order_seq_cst) != 0)
      thread->entry_limit.store(nullptr, std::memory_order_relaxed);
  }

  void announce() {
    changes_.fetch_add(1, std::memory_order_seq_cst);
    W::wake(changes_, wake_all);
  }

  void answer_handshake(Thread* thread) {
    if (!claim_handshake(thread)) return;
    operation_(thread, context_);
    thread->poll.fetch_and(~handshake_bit, std::memory_order_relaxed);
    thread->pending_handshakes.store(0, std::memory_order_release);
    announce();
  }

  // True: the operation is this thread's to run, and the thread is managed. False: it has been run, or the claim is to
  // be looked at again.
  bool claim_handshake(Thread* thread) {
    u32 waiting = 1;
    if (thread->pending_handshakes.compare_exchange_strong(waiting, 3, std::memory_order_seq_cst)) return true;
    if (waiting != 2) return false;
    // R3: be safe, and stay so, until the handshaker has finished or has given the claim back. A thread that became
    //     managed again to look
    // could meet the handshaker's claims for ever, each seeing the other just too late.
    thread->state.store(ThreadState::Blocked, std::memory_order_release);
    announce();
    for (;;) {
      i32 seen = changes_.load(std::memory_order_acquire);
      waiting = 1;
      if (thread->pending_handshakes.compare_exchange_strong(waiting, 3, std::memory_order_seq_cst)) break;
      if (waiting != 2) return false;
      W::wait_on(changes_, seen, longest_wait_nanoseconds);
    }
    for (;;) {
      thread->state.store(ThreadState::InVM, std::memory_order_seq_cst);   // R2
      if ((thread->poll.load(std::memory_order_seq_cst) & safepoint_bit) == 0) return true;
      thread->state.store(ThreadState::Blocked, std::memory_order_release);
      announce();
      wait_until_resumed();
    }
  }

  // Re-evaluates after each change, politely: a few reads, then sleeps that grow.
  template <typename Condition> void wait_for(Condition condition) {
    i64 nanoseconds = shortest_wait_nanoseconds;
    for (;;) {
      i32 seen = changes_.load(std::memory_order_acquire);
      if (condition()) return;
      if (W::spin_until(changes_, [&](i32 now) { return now != seen; }, 64)) continue;
      W::wait_on(changes_, seen, nanoseconds);
      if (nanoseconds < longest_wait_nanoseconds) nanoseconds *= 2;
    }
  }

  typename W::template Atomic<i32> generation_{0};   // odd: a safepoint is being reached or in progress
  typename W::template Atomic<i32> changes_{0};      // R4
  // Written under the operation lock, before pending becomes 1 (release).
  void (*operation_)(Thread*, void*) = nullptr;
  void* context_ = nullptr;
};

}  // namespace keyhole
