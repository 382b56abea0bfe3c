// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// CoalescerTable: holds, for each object, the thread that coalesces its lock events, as a template over World. This
// thread, the object's coalescer, counts how often it takes and releases the lock, instead of recording events
// (coalescing.h). All other threads record each operation.
//
//   a thread that becomes the coalescer            a thread that records an operation
//   B1  release the lock, and record the exit      O1  busy + 1
//   B2  active: none -> itself (CAS)               O2  read active; if it is another thread, end that thread's
//                                                      coalescing by a handshake
//   B3  read busy, then last: is no thread busy,   O3  take the lock; last = itself; record the enter
//       and did this thread take the lock last?    O4  busy - 1
//   B4  if so, this thread is the coalescer;
//       otherwise active = none
//   ...
//   E   record the count; active = none
//
//   recorded by A   enter exit | counted: 0 1 2 ... 57        | pairs 57
//   recorded by B              |            O1 O2 --handshake-^           enter ... exit
//
// Consequence: while an object has a coalescer, no other thread takes or holds its lock. So no other thread's operation
// falls between the counted pairs, and the order of the events is the order of the operations.
//
// R1: an operation increments `busy` and then reads `active`; a thread that becomes the coalescer writes `active` and
//     then reads `busy`. All four accesses are seq_cst, so at least one of the two threads sees the other's write:
//     either the operation ends the coalescing, or the coalescing does not begin.
// R2: a thread that becomes the coalescer reads `busy` before `last`. An operation that has ended is seen in `last` (O3
//     comes before O4); an operation that has not ended is seen in `busy`. If `last` were read first, an operation
//     could take the lock and end between the two reads.
// R3: only the holder of the lock writes `last`. So if `last` is a thread that does not hold the lock, no other thread
//     has held it since.
// R4: a thread reaches no safepoint while it takes the steps B2, B3 and B4, nor while it records a count. So when a
//     handshake with the thread in `active` runs, that thread is the coalescer, or has already reset `active`.
// R5: only the thread itself writes its counts, or a handshake that ends its coalescing.
// R6: several objects share a slot of the table, so `active` and `last` also contain the object's number. It is
//     harmless if another object in the slot prevents coalescing. But an operation must never miss a coalescer because
//     of another object.
#pragma once

#include <atomic>
#include <iterator>

#include "runtime/base/types.h"

namespace keyhole::sync {

template <typename W, u32 slot_count> class CoalescerTable {
  struct alignas(64) Slot {
    // The thread that coalesces now, and the object whose events it coalesces: the thread's id in the upper half, the
    // object's number in the lower half.
    typename W::template Atomic<u64> active{0};
    // The thread that last took the lock of one of this slot's objects, and that object; encoded as `active` is.
    typename W::template Atomic<u64> last{0};
    typename W::template Atomic<u32> busy{0};  // operations between O1 and O4
  };
  static u64 name(u64 thread, u32 number) { return thread << 32 | number; }
  Slot& slot_of(u32 number) { return slots_[number % slot_count]; }

 public:
  // The scope of an operation that a thread records: the thread takes the lock of an object, or changes the object.
  // Constructor, members and destructor take the numbered steps that the top of this file shows.
  class Operation {
   public:
    Operation(CoalescerTable& table, u64 thread, u32 number)
        : slot_(table.slot_of(number)), self_(name(thread, number)) {
      slot_.busy.fetch_add(1, std::memory_order_seq_cst);  // R1
    }
    ~Operation() { slot_.busy.fetch_sub(1, std::memory_order_release); }  // R2
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;

    // Whether another thread coalesces events of the object. If so, the caller must end that thread's coalescing by a
    // handshake before the operation continues (O2).
    bool meets_coalescer() const {
      u64 active = slot_.active.load(std::memory_order_seq_cst);  // R1
      return static_cast<u32>(active) == static_cast<u32>(self_) && active != self_;
    }
    // Called when the thread has taken the lock. Returns false if the previous holder was another thread.
    bool took() {
      if (slot_.last.load(std::memory_order_relaxed) == self_) return true;
      slot_.last.store(self_, std::memory_order_relaxed);  // R3
      return false;
    }

   private:
    Slot& slot_;
    const u64 self_;
  };

  // Tries to make the thread the object's coalescer (steps B2, B3 and B4). Returns true on success; then the thread is
  // the coalescer until end() is called.
  bool begin(u64 thread, u32 number) {
    Slot& slot = slot_of(number);
    const u64 self = name(thread, number);
    u64 nobody = 0;
    if (!slot.active.compare_exchange_strong(nobody, self, std::memory_order_seq_cst)) return false;  // R1
    bool is_busy = slot.busy.load(std::memory_order_seq_cst) != 0;
    bool was_last = slot.last.load(std::memory_order_relaxed) == self;  // R2
    if (!is_busy && was_last) return true;
    slot.active.store(0, std::memory_order_release);
    return false;
  }
  // Ends the coalescing (step E). Called by the coalescing thread, or in a handshake with it.
  void end(u32 number) { slot_of(number).active.store(0, std::memory_order_release); }

 private:
  Slot slots_[slot_count];
};

}  // namespace keyhole::sync
