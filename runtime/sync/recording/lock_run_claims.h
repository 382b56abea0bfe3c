// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Who has a run of which object, as a template over World. A run: one thread counts how often it takes and releases the
// lock, and tells nothing meanwhile (lock_runs.h); everybody else tells each time.
//
//   a thread that would count from now on          a thread that tells
//   B1  it has released the lock, and told so      O1  busy + 1
//   B2  active: nobody -> itself (CAS)             O2  read active; somebody else: handshake, which ends that run
//   B3  read busy, then last: nobody is busy, and  O3  take the lock; last = itself; tell the enter
//       it took the lock last itself?              O4  busy - 1
//   B4  yes: the run lasts; no: active = nobody
//   ...
//   E   tell what was counted; active = nobody
//
//   told by A   enter exit | counted: 0 1 2 ... 57        | pairs 57
//   told by B              |            O1 O2 --handshake-^           enter ... exit
//
// What follows: while a run lasts, no other thread takes the lock or holds it; its pairs lie between the events before
// and behind them, and the order of what is told is the order of what was.
//
// R1: whoever tells raises `busy` and then reads `active`; who begins claims `active` and then reads `busy`; all four
//     in one order (seq_cst). So it is seen by the one, who ends the run, or by the other, who begins none.
// R2: who begins reads `busy` before `last`: an operation that is over has left its name there (O3 before O4), and one
//     that is not over is seen. The other way round one could take the lock and be over between the two.
// R3: `last` is written by who holds the lock. Itself in `last`, and not holding: nobody has held it since.
// R4: B2, B3 and B4, and telling what was counted, reach no safepoint. So when a handshake runs, a claim that was seen
//     is a run, or is withdrawn.
// R5: a run's count is its thread's, and of the handshake that ends the run.
// R6: objects share slots, by their numbers: `active` and `last` name the object as well. A run that does not begin
//     because of another object is legal; one that is not seen because of it is not.
#pragma once

#include <atomic>
#include <iterator>

#include "runtime/base/types.h"

namespace keyhole::sync {

template <typename W, u32 slot_count> class LockRunClaims {
  struct alignas(64) Slot {
    typename W::template Atomic<u64> active{0};   // the number of the object that has a run, above it its thread's id
    typename W::template Atomic<u64> last{0};     // ... of the object that was taken last, above it who took it
    typename W::template Atomic<u32> busy{0};     // operations between O1 and O4
  };
  static u64 name(u64 thread, u32 number) { return thread << 32 | number; }
  Slot& slot_of(u32 number) { return slots_[number % slot_count]; }

 public:
  // All of O1, O2, O3 and O4, of a thread that takes the lock of an object, or changes the object, and tells so.
  class Operation {
   public:
    Operation(LockRunClaims& claims, u64 thread, u32 number)
        : slot_(claims.slot_of(number)), self_(name(thread, number)) {
      slot_.busy.fetch_add(1, std::memory_order_seq_cst);   // R1
    }
    ~Operation() { slot_.busy.fetch_sub(1, std::memory_order_release); }   // R2
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;

    // True: a handshake has to end a run before anything else is done.
    bool meets_run() const {
      u64 active = slot_.active.load(std::memory_order_seq_cst);   // R1
      return static_cast<u32>(active) == static_cast<u32>(self_) && active != self_;
    }
    // The thread holds the lock. False: another one had it before.
    bool took() {
      if (slot_.last.load(std::memory_order_relaxed) == self_) return true;
      slot_.last.store(self_, std::memory_order_relaxed);   // R3
      return false;
    }

   private:
    Slot& slot_;
    const u64 self_;
  };

  // All of B2, B3 and B4. True: the run lasts, until end().
  bool begin(u64 thread, u32 number) {
    Slot& slot = slot_of(number);
    const u64 self = name(thread, number);
    u64 nobody = 0;
    if (!slot.active.compare_exchange_strong(nobody, self, std::memory_order_seq_cst)) return false;   // R1
    bool is_busy = slot.busy.load(std::memory_order_seq_cst) != 0;
    bool was_last = slot.last.load(std::memory_order_relaxed) == self;   // R2
    if (!is_busy && was_last) return true;
    slot.active.store(0, std::memory_order_release);
    return false;
  }
  // E, by whoever ends the run.
  void end(u32 number) { slot_of(number).active.store(0, std::memory_order_release); }

 private:
  Slot slots_[slot_count];
};

}  // namespace keyhole::sync
