// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The stop-the-world and handshake protocol, as a template over World. Its public interfaces are thread_state.h,
// safepoint.h and handshake.h.
//
// The protocol stops carriers: OS threads that run Java (carrier.h). A bit in a carrier's `requests` asks it to stop.
// The `poll` of the carrier's current thread has a copy of the bit, where Java code finds it beside its other fields.
//
//   mutator                                        coordinator (holds the operation lock: one operation at a time)
//   leave:  state = safe (release)                 stop:    generation odd; each carrier's requests |= safepoint_bit,
//                                                           then current->poll |= safepoint_bit, entry_limit = null;
//   enter:  state = managed; read poll   (Dekker)           then read current->state until all are safe
//           poll set -> enter_slow                 resume:  each requests &= ~safepoint_bit; generation even; wake all
//   loop:   read poll; set -> poll_slow
//   method entry: read entry_limit; null -> poll_slow
//
//   mounting and unmounting: `from` is current and managed; `to` is safe
//   switch_current(from, to):  current = to; from->state = Blocked
//                              (the native stack is switched)
//   enter_slow(to):            state = managed; fence; poll &= ~copies; read requests (Dekker, for current and for
//                              state); set -> state = Blocked, sleep or answer, and repeat
//
//   Carrier::pending_handshakes             who may change it
//   0 none                                  handshaker -> 1
//   1 waiting                               target -> 3, handshaker -> 2 (CAS)
//   2 the handshaker runs it for a target   handshaker -> 0, or -> 1 when the target was managed after all
//     that is safe
//   3 the target runs it at its poll        target -> 0
//
// R1: a mutator that becomes safe stores `state` with release, so the coordinator's acquire load of `state` sees all
//     that the mutator did to the heap.
// R2: enter stores state and then loads poll; the coordinator stores poll and then loads state; all four seq_cst. At
//     least one side sees the other, so no mutator is managed while the coordinator believes it safe.
// R3: a handshaker that has claimed the handshake (2) reads the state of the carrier's current thread again. If that
//     thread is safe now, it stays safe until the claim is released: its enter finds poll set, then
//     pending_handshakes == 2, and waits.
// R4: a thread that becomes safe while a bit of its `poll` is set increments `changes_`, and then wakes the waiters if
//     `waiters_` is not 0. A waiter reads `changes_`, checks its condition, increments `waiters_`, and sleeps only if
//     `changes_` still has the value that it read. Both increments and the read of `waiters_` are seq_cst. So if the
//     thread finds `waiters_` at 0, a waiter that comes later finds another value and does not sleep. A waiter that
//     misses a change wakes up by its timeout.
// R5: a thread in state New or Terminated is safe.
// R6: code that sets a bit of `poll` stores null to `entry_limit` afterwards. Only the owner stores the limit again, at
//     the end of poll_slow, and then reads `poll` once more; if a bit is set, it stores null again. All four accesses
//     are seq_cst (Dekker): either the null is stored after the limit, or the owner sees the bit. A null limit without
//     a bit is legal: only the next method entry takes the slow path.
// R7: the coordinator stores a request into the carrier, then reads `current`, then stores the copy into that thread's
//     `poll`. A thread becomes current (switch_current), then executes the fence of enter_slow, then reads the
//     carrier's requests. So a thread that becomes current too late to get the copy sees the request itself.
// R8: both threads of a switch are safe while it happens, and only enter_slow makes one of them managed. So once a
//     request stands, no thread becomes managed on this carrier, and a managed thread stays current until it is safe.
//     Therefore the coordinator may read `current` and then the state of that thread, without reading both at once.
// R9: a copy in `poll` without a request is legal: the coordinator may set it when the thread is no longer current.
//     enter_slow clears the copy before it reads the requests. So a request made between the two is read by enter_slow,
//     and one made later sets the copy again.
// R10: before `from` stores `current`, it hands over the data that belong to the carrier, such as the allocation
//      buffer, and touches no object afterwards. It becomes safe after the store. If it became safe before the store,
//      the world could stop in between, while the current thread, `from`, no longer has the buffer.
#pragma once

#include <type_traits>

#include "runtime/base/platform/world.h"
#include "runtime/threads/java_thread.h"

namespace keyhole {

template <typename W, typename Thread> class SafepointProtocol {
 public:
  // Bits of JavaThread::poll.
  static constexpr u32 safepoint_bit = 1, handshake_bit = 2;
  static constexpr u32 stress_bit = 4;        // makes the next poll slow in any case; set by safepoint::arm_stress
  static constexpr u32 asynchronous_bit = 8;  // a request of asynchronous.h; read only where Java code polls
  // A request for a sample, set by safepoint::request_sample; read only where Java code polls.
  static constexpr u32 sample_bit = 16;
  // A request for an execution sample of a recording, set by safepoint::request_execution_sample; read only where Java
  // code polls. It has its own bit, because code of the optimising tier drops requests of the tier policy's sampler.
  static constexpr u32 execution_sample_bit = 32;
  static constexpr u32 sample_bits = sample_bit | execution_sample_bit;
  // The bits of `poll` that are not requests of this protocol. They make a poll take its slow path, too.
  static constexpr u32 others_bits = stress_bit | asynchronous_bit | sample_bits;

  static constexpr u32 request_bits = safepoint_bit | handshake_bit;
  using Carrier = std::remove_pointer_t<decltype(Thread::carrier)>;

  // R6
  static void arm(Thread* thread, u32 bit) {
    thread->poll.fetch_or(bit, std::memory_order_seq_cst);  // R2
    thread->entry_limit.store(nullptr, std::memory_order_seq_cst);
  }

  static bool is_safe(ThreadState state) { return state != ThreadState::InJava && state != ThreadState::InVM; }
  // R8
  static bool is_safe(Carrier* carrier) {
    return is_safe(carrier->current.load(std::memory_order_seq_cst)->state.load(std::memory_order_seq_cst));
  }
  bool in_progress() const { return (generation_.load(std::memory_order_acquire) & 1) != 0; }

  // --- mutator -------------------------------------------------------------------------------------------------------
  void leave(Thread* thread, ThreadState safe_state) {
    thread->state.store(safe_state, std::memory_order_release);  // R1
    if ((thread->poll.load(std::memory_order_relaxed) & ~others_bits) != 0) [[unlikely]]
      announce();  // R4
  }

  // LIFE(monitorenter) 9/10: the thread is awake and owns the monitor; it becomes managed when no safepoint is in
  // progress
  void enter(Thread* thread) {
    thread->state.store(ThreadState::InVM, std::memory_order_seq_cst);  // R2
    if ((thread->poll.load(std::memory_order_seq_cst) & ~others_bits) == 0) [[likely]]
      return;
    enter_slow(thread);
  }

  // Makes `thread` managed. Called for a thread that has just become its carrier's current thread, or that has found
  // the copy of a request in its `poll`.
  void enter_slow(Thread* thread) {
    Carrier* carrier = thread->carrier;
    for (;;) {
      thread->state.store(ThreadState::InVM, std::memory_order_release);
      W::fence();  // R2, and R7 for switch_current
      if ((thread->poll.load(std::memory_order_relaxed) & request_bits) != 0)
        thread->poll.fetch_and(~request_bits, std::memory_order_seq_cst);  // R9
      u32 requests = carrier->requests.load(std::memory_order_seq_cst);
      if (requests == 0) [[likely]]
        return;
      if ((requests & safepoint_bit) != 0) {
        thread->state.store(ThreadState::Blocked, std::memory_order_release);
        announce();
        wait_until_resumed();
      } else {
        answer_handshake(thread);
      }
    }
  }

  // Makes `to` the carrier's current thread instead of `from`. `from` is managed before the call, and safe afterwards.
  // `to` is safe; after the switch of stacks it calls enter_slow on the same OS thread.
  void switch_current(Thread* from, Thread* to) {
    from->carrier->current.store(to, std::memory_order_release);  // R10
    leave(from, ThreadState::Blocked);
  }

  // Called by a poll that found `poll` set or `entry_limit` null: stops the thread, or answers handshakes. The thread's
  // state is the same afterwards.
  void poll_slow(Thread* thread) {
    if ((thread->poll.load(std::memory_order_acquire) & ~others_bits) != 0) {
      ThreadState before = thread->state.load(std::memory_order_relaxed);
      leave(thread, ThreadState::Blocked);
      enter(thread);
      if (before != ThreadState::InVM) thread->state.store(before, std::memory_order_release);
    }
    restore_limit(thread);
  }

  // Called by the slow path of a method entry. If `entry_limit` is not null, the stack has no room, and the function
  // returns false. Otherwise it withdraws a request for a sample. If there is no other request (R6), it returns true,
  // and the method entry tries again without being sampled. If there is one, it returns false, and the caller calls
  // poll_slow.
  bool pass_entry(Thread* thread) {
    if (thread->entry_limit.load(std::memory_order_relaxed) != nullptr) return false;  // the stack has no room
    if ((thread->poll.fetch_and(~sample_bit, std::memory_order_relaxed) & ~sample_bit) != 0) return false;
    restore_limit(thread);
    return true;
  }

  // Waits until no safepoint is in progress; the next safepoint may begin at once. Also called by threads that are not
  // in the list of threads.
  void wait_until_resumed() {
    i32 generation = generation_.load(std::memory_order_acquire);
    while ((generation & 1) != 0) {
      W::wait_on(generation_, generation, forever);
      generation = generation_.load(std::memory_order_acquire);
    }
  }

  // --- coordinator ---------------------------------------------------------------------------------------------------
  // for_each(visit) calls visit(carrier) for all carriers, under the list lock. `self`, the coordinator, is managed,
  // and its carrier counts as stopped.
  template <typename ForEach> void stop(Thread* self, ForEach for_each) {
    generation_.fetch_add(1, std::memory_order_seq_cst);
    for_each([&](Carrier* carrier) {
      if (carrier != self->carrier) request(carrier, safepoint_bit);
    });
    wait_for([&] {
      bool all_safe = true;
      for_each([&](Carrier* carrier) {
        if (carrier != self->carrier && !is_safe(carrier)) all_safe = false;
      });
      return all_safe;
    });
  }

  template <typename ForEach> void resume(Thread* self, ForEach for_each) {
    for_each([&](Carrier* carrier) {
      if (carrier != self->carrier) withdraw(carrier, safepoint_bit);
    });
    generation_.fetch_add(1, std::memory_order_release);
    W::wake(generation_, wake_all);
  }

  // Runs operation(target) once for the carrier's current thread: that thread runs it at a poll, or the caller runs it
  // here while that thread is safe. The operation lock is held.
  void handshake(Carrier* carrier, void (*operation)(Thread* target, void* context), void* context) {
    operation_ = operation;
    context_ = context;
    carrier->pending_handshakes.store(1, std::memory_order_release);
    request(carrier, handshake_bit);
    wait_for([&] {
      if (carrier->pending_handshakes.load(std::memory_order_acquire) == 0) return true;
      if (!is_safe(carrier)) return false;
      u32 waiting = 1;
      if (!carrier->pending_handshakes.compare_exchange_strong(waiting, 2, std::memory_order_seq_cst)) return false;
      Thread* target = carrier->current.load(std::memory_order_seq_cst);
      ThreadState state = target->state.load(std::memory_order_seq_cst);  // R3
      if (!is_safe(state)) {
        carrier->pending_handshakes.store(1, std::memory_order_release);
        announce();
        return false;
      }
      if (state != ThreadState::Terminated) operation(target, context);
      // withdraw() stores with release, so a target that becomes managed afterwards sees what the operation wrote.
      withdraw(carrier, handshake_bit);
      carrier->pending_handshakes.store(0, std::memory_order_release);
      announce();
      return true;
    });
  }

 private:
  static constexpr i32 wake_all = 0x7FFFFFFF;
  static constexpr i64 shortest_wait_nanoseconds = 20'000, longest_wait_nanoseconds = 1'000'000;

  // R7
  static void request(Carrier* carrier, u32 bit) {
    carrier->requests.fetch_or(bit, std::memory_order_seq_cst);
    arm(carrier->current.load(std::memory_order_seq_cst), bit);
  }

  // Withdraws a request, and clears its bit in the `poll` of the carrier's current thread, too. Otherwise a thread that
  // was in a safe state during the whole operation would take the slow path at its next poll.
  static void withdraw(Carrier* carrier, u32 bit) {
    carrier->requests.fetch_and(~bit, std::memory_order_release);
    carrier->current.load(std::memory_order_relaxed)->poll.fetch_and(~bit, std::memory_order_release);
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
    Carrier* carrier = thread->carrier;
    carrier->requests.fetch_and(~handshake_bit, std::memory_order_relaxed);
    carrier->pending_handshakes.store(0, std::memory_order_release);
    announce();
  }

  // Called by a thread that found a handshake's request. Returns true if this thread has to run the operation; the
  // thread is managed then. Returns false if the handshaker has run the operation already.
  bool claim_handshake(Thread* thread) {
    Carrier* carrier = thread->carrier;
    u32 waiting = 1;
    if (carrier->pending_handshakes.compare_exchange_strong(waiting, 3, std::memory_order_seq_cst)) return true;
    if (waiting != 2) return false;
    // R3: this thread stays safe until the handshaker has finished or has released its claim. If this thread became
    //     managed in between, it might find a new claim of the handshaker each time, and never make progress.
    thread->state.store(ThreadState::Blocked, std::memory_order_release);
    announce();
    for (;;) {
      i32 seen = changes_.load(std::memory_order_acquire);
      waiting = 1;
      if (carrier->pending_handshakes.compare_exchange_strong(waiting, 3, std::memory_order_seq_cst)) break;
      if (waiting != 2) return false;
      wait_for_change(seen, longest_wait_nanoseconds);
    }
    for (;;) {
      thread->state.store(ThreadState::InVM, std::memory_order_seq_cst);  // R2
      if ((carrier->requests.load(std::memory_order_seq_cst) & safepoint_bit) == 0) return true;
      thread->state.store(ThreadState::Blocked, std::memory_order_release);
      announce();
      wait_until_resumed();
    }
  }

  // Waits until the condition holds. Evaluates it after each change and after each timeout. In between the thread spins
  // for a few reads and then sleeps, with a timeout that doubles up to a limit.
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

  typename W::template Atomic<i32> generation_{0};  // odd: a safepoint is being reached or in progress
  typename W::template Atomic<i32> changes_{0};     // R4
  typename W::template Atomic<u32> waiters_{0};     // the number of threads that sleep on changes_
  // The operation of the handshake in progress. Written under the operation lock, before pending_handshakes becomes 1
  // (release).
  void (*operation_)(Thread*, void*) = nullptr;
  void* context_ = nullptr;
};

}  // namespace keyhole
