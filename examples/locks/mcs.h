// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The queue lock of Mellor-Crummey and Scott (1991): a thread swaps itself in as the last of a list, and waits at a
// gate of its own, which the thread before it opens.
#include <keyhole/lock.h>

template <typename W> struct Mcs {
  KEYHOLE_CORE(W)
  struct Node {
    lab::Gate<W> gate;
    Atomic<Node*> next{nullptr};
  };
  struct Held {};

  Atomic<Node*> tail{nullptr};  // null: free

  bool arrive(Thread*, Node& mine, Held&) {
    mine.gate.close();
    mine.next.store(nullptr, relaxed);
    Node* before = tail.exchange(&mine, acq_rel);
    if (before == nullptr) return true;
    before->next.store(&mine, release);
    return false;
  }
  void await(Thread* self, Node& mine, Held&) { mine.gate.await(self); }
  void depart(Thread* self, Node& mine, Held&) {
    if (mine.next.load(acquire) == nullptr) {
      if (tail.cas(&mine, nullptr, acq_rel)) return;
      // Somebody is the last now, and is about to link itself to this node.
      wait_briefly(mine.next, [](Node* next) { return next != nullptr; });
    }
    mine.next.load(acquire)->gate.open(self);
  }
  bool is_free() const { return tail.load(relaxed) == nullptr; }
};
KEYHOLE_LOCK(Mcs, .idea = "a queue of nodes; the owner opens the next one's gate", .fairness = "FIFO");
