// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reciprocating locks (Dice & Kogan, arXiv 2501.02380): one word. Arrivals push themselves on a stack; an owner takes
// the whole stack. The threads of this segment are served from the newest to the oldest, each by the one before it,
// while newcomers begin another segment.
//
//   arrivals: free                          null
//             held, nobody came since       none()
//             held, others came             the newest of them
//
// The end of a segment is passed from owner to owner. It is compared, never followed: its node may serve another
// acquisition by then.
#include <keyhole/lock.h>

template <typename W> struct Reciprocating {
  KEYHOLE_CORE(W)
  struct Node {
    lab::Gate<W> gate;
  };
  struct Held {
    Node* next;  // who is served after this thread; null: nobody of this segment
    Node* end;   // what `arrivals` holds if nobody came since this segment began
  };
  static Node* none() { return reinterpret_cast<Node*>(uptr{1}); }

  Atomic<Node*> arrivals{nullptr};

  bool arrive(Thread*, Node& mine, Held& held) {
    mine.gate.close();
    Node* before = arrivals.exchange(&mine, acq_rel);
    held = {before == none() ? nullptr : before, &mine};
    return before == nullptr;
  }
  void await(Thread* self, Node& mine, Held& held) {
    held.end = mine.gate.await(self);
    if (held.next == held.end) held = {nullptr, none()};
  }
  void depart(Thread* self, Node&, Held& held) {
    if (held.next != nullptr) return held.next->gate.open(self, held.end);
    if (arrivals.load(relaxed) == held.end && arrivals.cas(held.end, nullptr, acq_rel)) return;
    arrivals.exchange(none(), acq_rel)->gate.open(self, held.end);
  }
  bool is_free() const { return arrivals.load(relaxed) == nullptr; }
};
KEYHOLE_LOCK(Reciprocating, .idea = "push arrivals on a stack, serve whole stacks", .fairness = "bounded bypass");
