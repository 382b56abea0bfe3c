// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The ticket lock with a waiting array (Dice & Kogan, "TWA", 2018): only the thread that is served next watches the
// lock. The others watch slots of one array for all locks, each that of its own ticket, and are told when they come
// next.
//
//   serving 7:   owner 7   | 8 watches `serving`   | 9, 10, ... watch slots[hash(lock, 9)], slots[hash(lock, 10)], ...
//
// T1: a far waiter reads the version of its slot before it reads `serving`, and an owner stores `serving` before it
//     changes the version: so a waiter that still is far will see the change.
// T2: tickets and locks share slots: a change may be for somebody else. The waiter looks again.
#include <keyhole/lock.h>

template <typename W> struct Twa {
  KEYHOLE_CORE(W)
  struct Node {
    typename lab::Crowd<W>::Place place;
  };
  struct Held {
    u32 mine;
  };
  struct alignas(64) Slot {
    Atomic<u32> version{0};
    lab::Crowd<W> crowd;
  };
  static constexpr u32 slot_count = lab::table_size<W>(4096);
  struct Shared {
    Slot slots[slot_count];
  };

  Atomic<u32> next{0};
  Atomic<u32> serving{0};
  lab::Crowd<W> crowd;  // who comes next

  Slot& slot_of(u32 ticket) {
    u64 place = (reinterpret_cast<uptr>(this) >> 7) + ticket;
    return lab::shared<::Twa, W>().slots[place * 127 % slot_count];
  }
  bool is_far(u32 ticket) { return ticket - serving.load(seq_cst) > 1; }

  bool arrive(Thread*, Node&, Held& held) {
    held.mine = next.fetch_add(1, acq_rel);
    return serving.load(acquire) == held.mine;
  }
  void await(Thread* self, Node& node, Held& held) {
    const u32 mine = held.mine;
    Slot& slot = slot_of(mine);
    for (;;) {
      u32 version = slot.version.load(acquire);  // T1
      if (!is_far(mine)) break;
      slot.crowd.await(self, node.place, slot.version, [version](u32 now) { return now != version; });
    }
    crowd.await(self, node.place, serving, [mine](u32 now) { return now == mine; });
  }
  void depart(Thread* self, Node&, Held& held) {
    u32 served = held.mine + 1;
    serving.store(served, release);
    crowd.changed(self);  // fences
    Slot& slot = slot_of(served + 1);
    slot.version.fetch_add(1, acq_rel);
    slot.crowd.changed(self);
  }
  bool is_free() const { return next.load(relaxed) == serving.load(relaxed); }
};
KEYHOLE_LOCK(Twa, .idea = "a ticket lock whose far waiters watch slots of an array", .fairness = "FIFO");
