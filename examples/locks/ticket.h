// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The ticket lock: take a number, wait until it is called. First come, first served; all waiters re-read one cell.
#include <keyhole/lock.h>

template <typename W> struct Ticket {
  KEYHOLE_CORE(W)
  struct Node {
    typename lab::Crowd<W>::Place place;
  };
  struct Held {
    u32 mine;
  };

  Atomic<u32> next{0};
  Atomic<u32> serving{0};
  lab::Crowd<W> crowd;

  bool arrive(Thread*, Node&, Held& held) {
    held.mine = next.fetch_add(1, acq_rel);
    return serving.load(acquire) == held.mine;
  }
  void await(Thread* self, Node& node, Held& held) {
    crowd.await(self, node.place, serving, [mine = held.mine](u32 now) { return now == mine; });
  }
  void depart(Thread* self, Node&, Held& held) {
    serving.store(held.mine + 1, release);
    crowd.changed(self);
  }
  bool is_free() const { return next.load(relaxed) == serving.load(relaxed); }
};
KEYHOLE_LOCK(Ticket, .idea = "take a number, wait until it is served", .fairness = "FIFO");
