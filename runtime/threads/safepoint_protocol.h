// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The stop-the-world and handshake protocol, as a template over World: thread_state.h, safepoint.h and handshake.h are
// its faces.
//
// An OS thread is a seat (carrier.h), on which one thread sits at a time. What is asked of the seat stands in
// `requests`; the `poll` of who sits there is a copy that Java code finds beside its other fields.
//
//   mutator                                        coordinator (holds the operation lock: one operation at a time)
//   leave:  state = safe (release)                 stop:    generation odd; for each seat: requests |= safepoint_bit,
//                                                           then current->poll |= safepoint_bit, entry_limit = null;
//   enter:  state = managed; read poll   (Dekker)           then read current->state until all are safe
//           poll set -> enter_seat                 resume:  each requests &= ~safepoint_bit; generation even; wake all
//   loop:   read poll; set -> poll_slow
//   method entry: read entry_limit; null -> poll_slow
//
//   a change of seats: `from` is managed and sits; `to` is safe
//   give_seat(from, to):  current = to; from->state = Blocked
//                         (the native stack is switched)
//   enter_seat(to):       state = managed; fence; poll &= ~copies; read requests (Dekker, for current and for state);
//                         set -> state = Blocked, sleep or answer, and once more
//
//   Seat::pending_handshakes                who may change it
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
// R3: a handshaker that claimed (2) re-reads the state of who sits there: safe now means safe until it releases the
//     claim, because enter finds poll set, then pending == 2, and waits.
// R4: `changes` is bumped by whoever becomes safe while a poll is set. It is a hint, legal to miss: waiters time out.
//     Who is about to wait for it is counted first: whoever bumps it and then finds nobody counted need wake nobody, as
//     a wait that begins later finds another value (both seq_cst).
// R5: a thread in state New or Terminated is safe.
// R6: whoever sets a bit of `poll` stores null to `entry_limit` afterwards. Only the owner stores the limit again, at
//     the end of poll_slow, and then reads `poll` once more; if a bit is set, it stores null again. All four accesses
//     are seq_cst (Dekker): either the null comes after the limit, or the owner sees the bit. Null without a bit is
//     legal: the next entry is slow once.
// R7: a request is stored into the seat before `current` is read and the copy is stored. Who sits down stores `current`
//     (give_seat) before it reads the seat; the fence of enter_seat is between them, as it is between `state` and the
//     seat. So whoever misses the copy, because it sat down meanwhile, sees the seat's.
// R8: both sides of a change are safe while it happens, and only enter_seat makes one managed. So once a request
//     stands, nobody becomes managed on this seat; who was managed sits there until it is safe. Therefore one look at
//     current and then at its state suffices, though the two are read one after the other, at different moments.
// R9: a copy without a request is legal (armed late, when its thread had already left): enter_seat takes away the one
//     that it finds before it reads the seat, so that a request of this moment sets it again or is seen.
// R10: `from` has handed over what belongs to the seat, such as the allocation buffer, and touches no object any more
//     when it stores `current`; it becomes safe afterwards. The other way round the world could stop in between, and
//     the thread that sits, as far as the coordinator sees, would be one that has nothing.
#pragma once

#include <type_traits>

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

  static constexpr u32 request_bits = safepoint_bit | handshake_bit;
  using Seat = std::remove_pointer_t<decltype(Thread::carrier)>;

  // R6
  static void arm(Thread* thread, u32 bit) {
    thread->poll.fetch_or(bit, std::memory_order_seq_cst);   // R2
    thread->entry_limit.store(nullptr, std::memory_order_seq_cst);
  }

  static bool is_safe(ThreadState state) { return state != ThreadState::InJava && state != ThreadState::InVM; }
  // R8
  static bool is_safe(Seat* seat) {
    return is_safe(seat->current.load(std::memory_order_seq_cst)->state.load(std::memory_order_seq_cst));
  }
  bool in_progress() const { return (generation_.load(std::memory_order_acquire) & 1) != 0; }

  // --- mutator -------------------------------------------------------------------------------------------------------
  void leave(Thread* thread, ThreadState safe_state) {
    thread->state.store(safe_state, std::memory_order_release);   // R1
    if ((thread->poll.load(std::memory_order_relaxed) & ~others_bits) != 0) [[unlikely]] announce();   // R4
  }

  // LIFE(monitorenter) 9/10: awake and owner; the way back into managed code stops first if a safepoint is in progress
  void enter(Thread* thread) {
    thread->state.store(ThreadState::InVM, std::memory_order_seq_cst);   // R2
    if ((thread->poll.load(std::memory_order_seq_cst) & ~others_bits) == 0) [[likely]] return;
    enter_seat(thread);
  }

  // Who has sat down, or has found its copy set, becomes managed.
  void enter_seat(Thread* thread) {
    Seat* seat = thread->carrier;
    for (;;) {
      thread->state.store(ThreadState::InVM, std::memory_order_release);
      W::fence();                                                      // R2, and R7 for give_seat's store
      if ((thread->poll.load(std::memory_order_relaxed) & request_bits) != 0)
        thread->poll.fetch_and(~request_bits, std::memory_order_seq_cst);   // R9
      u32 requests = seat->requests.load(std::memory_order_seq_cst);
      if (requests == 0) [[likely]] return;
      if ((requests & safepoint_bit) != 0) {
        thread->state.store(ThreadState::Blocked, std::memory_order_release);
        announce();
        wait_until_resumed();
      } else {
        answer_handshake(thread);
      }
    }
  }

  // The seat changes hands: `from` is managed and becomes safe; `to` is safe and will enter_seat on the same OS thread.
  void give_seat(Thread* from, Thread* to) {
    from->carrier->current.store(to, std::memory_order_release);   // R10
    leave(from, ThreadState::Blocked);
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

  // --- coordinator; for_each(visit) calls visit(seat) for all seats, under the list lock -----------------------------
  // `self` is managed, and its seat counts as stopped.
  template <typename ForEach> void stop(Thread* self, ForEach for_each) {
    generation_.fetch_add(1, std::memory_order_seq_cst);
    for_each([&](Seat* seat) {
      if (seat != self->carrier) request(seat, safepoint_bit);
    });
    wait_for([&] {
      bool all_safe = true;
      for_each([&](Seat* seat) {
        if (seat != self->carrier && !is_safe(seat)) all_safe = false;
      });
      return all_safe;
    });
  }

  template <typename ForEach> void resume(Thread* self, ForEach for_each) {
    for_each([&](Seat* seat) {
      if (seat != self->carrier) withdraw(seat, safepoint_bit);
    });
    generation_.fetch_add(1, std::memory_order_release);
    W::wake(generation_, wake_all);
  }

  // Runs operation(target) once for who sits there, by itself at a poll or here while it is safe. The operation lock is
  // held.
  void handshake(Seat* seat, void (*operation)(Thread* target, void* context), void* context) {
    operation_ = operation;
    context_ = context;
    seat->pending_handshakes.store(1, std::memory_order_release);
    request(seat, handshake_bit);
    wait_for([&] {
      if (seat->pending_handshakes.load(std::memory_order_acquire) == 0) return true;
      if (!is_safe(seat)) return false;
      u32 waiting = 1;
      if (!seat->pending_handshakes.compare_exchange_strong(waiting, 2, std::memory_order_seq_cst)) return false;
      Thread* target = seat->current.load(std::memory_order_seq_cst);
      ThreadState state = target->state.load(std::memory_order_seq_cst);   // R3
      if (!is_safe(state)) {
        seat->pending_handshakes.store(1, std::memory_order_release);
        announce();
        return false;
      }
      if (state != ThreadState::Terminated) operation(target, context);
      // A target that enters now has what the operation wrote.
      withdraw(seat, handshake_bit);
      seat->pending_handshakes.store(0, std::memory_order_release);
      announce();
      return true;
    });
  }

 private:
  static constexpr i32 wake_all = 0x7FFFFFFF;
  static constexpr i64 shortest_wait_nanoseconds = 20'000, longest_wait_nanoseconds = 1'000'000;

  // R7
  static void request(Seat* seat, u32 bit) {
    seat->requests.fetch_or(bit, std::memory_order_seq_cst);
    arm(seat->current.load(std::memory_order_seq_cst), bit);
  }

  // The copy goes as well, so that a thread that was safe meanwhile is not slow once more.
  static void withdraw(Seat* seat, u32 bit) {
    seat->requests.fetch_and(~bit, std::memory_order_release);
    seat->current.load(std::memory_order_relaxed)->poll.fetch_and(~bit, std::memory_order_release);
  }

  // R6
  void restore_limit(Thread* thread) {
    thread->entry_limit.store(thread->stack.java_limit, std::memory_order_seq_cst);
    if (thread->poll.load(std::memory_order_seq_cst) != 0)
      thread->entry_limit.store(nullptr, std::memory_order_relaxed);
  }

  void announce() {
    changes_.fetch_add(1, std::memory_order_seq_cst);
    if (waiters_.load(std::memory_order_seq_cst) != 0) W::wake(changes_, wake_all);
  }

  void wait_for_change(i32 seen, i64 nanoseconds) {
    waiters_.fetch_add(1, std::memory_order_seq_cst);
    W::wait_on(changes_, seen, nanoseconds);
    waiters_.fetch_sub(1, std::memory_order_relaxed);
  }

  void answer_handshake(Thread* thread) {
    if (!claim_handshake(thread)) return;
    operation_(thread, context_);
    Seat* seat = thread->carrier;
    seat->requests.fetch_and(~handshake_bit, std::memory_order_relaxed);
    seat->pending_handshakes.store(0, std::memory_order_release);
    announce();
  }

  // True: the operation is this thread's to run, and the thread is managed. False: it has been run, or the claim is to
  // be looked at again.
  bool claim_handshake(Thread* thread) {
    Seat* seat = thread->carrier;
    u32 waiting = 1;
    if (seat->pending_handshakes.compare_exchange_strong(waiting, 3, std::memory_order_seq_cst)) return true;
    if (waiting != 2) return false;
    // R3: be safe, and stay so, until the handshaker has finished or has given the claim back. A thread that became
    //     managed again to look
    // could meet the handshaker's claims for ever, each seeing the other just too late.
    thread->state.store(ThreadState::Blocked, std::memory_order_release);
    announce();
    for (;;) {
      i32 seen = changes_.load(std::memory_order_acquire);
      waiting = 1;
      if (seat->pending_handshakes.compare_exchange_strong(waiting, 3, std::memory_order_seq_cst)) break;
      if (waiting != 2) return false;
      wait_for_change(seen, longest_wait_nanoseconds);
    }
    for (;;) {
      thread->state.store(ThreadState::InVM, std::memory_order_seq_cst);   // R2
      if ((seat->requests.load(std::memory_order_seq_cst) & safepoint_bit) == 0) return true;
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
      wait_for_change(seen, nanoseconds);
      if (nanoseconds < longest_wait_nanoseconds) nanoseconds *= 2;
    }
  }

  typename W::template Atomic<i32> generation_{0};   // odd: a safepoint is being reached or in progress
  typename W::template Atomic<i32> changes_{0};      // R4
  typename W::template Atomic<u32> waiters_{0};      // for changes
  // Written under the operation lock, before pending becomes 1 (release).
  void (*operation_)(Thread*, void*) = nullptr;
  void* context_ = nullptr;
};

}  // namespace keyhole
