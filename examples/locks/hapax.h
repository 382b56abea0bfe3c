// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Hapax locks (Dice & Kogan, arXiv 2511.14608), the variant whose waiters are visible: a ticket lock whose tickets are
// values used once in the process ("hapax"). A thread waits for the ticket of the one before it.
//
//   arrived    the ticket of who came last          departed   the ticket of who left last, unless it handed over
//
//   slots      one array for all locks. A waiter puts the ticket that it waits for into the slot of that ticket; who
//              has this ticket takes it out, and so hands the lock over. If the slot is taken, the waiter watches
//              `departed`.
//
// H1: a waiter fills its slot before it reads `departed`, and an owner stores `departed` before it looks at the slot
//     again: so one of the two sees the other.
// H2: the slot of a waiter that sleeps holds the address of its node, with the low bit set; a ticket has it clear. The
//     node says what its thread waits for. A `sleeper` in the slot would not do: a waiter that has its lock meanwhile
//     would write itself there, over the next one.
#include <keyhole/lock.h>

template <typename W> struct Hapax {
  KEYHOLE_CORE(W)
  struct Node {
    u64 next_ticket = 0;  // of the node's own block; kept from one acquisition to the next
    Atomic<u64> awaited{0};
    Atomic<Thread*> sleeper{nullptr};
    typename lab::Crowd<W>::Place place;
  };
  struct Held {
    u64 mine, before;
  };
  struct alignas(64) Slot {
    Atomic<u64> waiter{0};
  };
  static constexpr u32 slot_count = lab::table_size<W>(4096);
  static constexpr u64 block = 1 << 17, step = 2;
  struct Shared {
    Atomic<u64> blocks{0};
    Slot slots[slot_count];
  };

  Atomic<u64> arrived{0};
  Atomic<u64> departed{0};
  lab::Crowd<W> crowd;

  // A node always meets the same slot of a lock, so its line stays in the caches that use it.
  Slot& slot_of(u64 ticket) {
    u64 place = (reinterpret_cast<uptr>(this) >> 7) + ticket / block;
    return lab::shared<Hapax, W>().slots[place * 17 % slot_count];
  }
  static u64 ticket_of(Node& node) {
    if (node.next_ticket % block == 0)
      node.next_ticket = (lab::shared<Hapax, W>().blocks.fetch_add(1, relaxed) + 1) * block;
    node.next_ticket += step;
    return node.next_ticket - step;
  }

  bool arrive(Thread*, Node& node, Held& held) {
    held.mine = ticket_of(node);
    held.before = arrived.exchange(held.mine, acq_rel);
    return departed.load(acquire) == held.before;
  }
  void await(Thread* self, Node& node, Held& held) {
    const u64 before = held.before;
    auto has_left = [before](u64 left) { return left == before; };
    Slot& slot = slot_of(before);
    if (!slot.waiter.cas(0, before, seq_cst)) return crowd.await(self, node.place, departed, has_left);
    if (has_left(departed.load(seq_cst))) {  // H1
      slot.waiter.cas(before, 0, seq_cst);
      return;
    }
    node.awaited.store(before, relaxed);
    lab::sleep_while<W>(self, slot.waiter, node.sleeper, before, asleep(node));
  }
  static u64 asleep(Node& node) { return reinterpret_cast<uptr>(&node) | 1; }
  static bool hand_over(Thread* self, Slot& slot, u64 mine) {
    if (slot.waiter.cas(mine, 0, seq_cst)) return true;
    u64 seen = slot.waiter.load(acquire);
    if ((seen & 1) == 0) return false;
    Node* node = reinterpret_cast<Node*>(seen & ~u64{1});
    if (node->awaited.load(relaxed) != mine) return false;
    Thread* sleeper = node->sleeper.load(relaxed);
    if (!slot.waiter.cas(seen, 0, acq_rel)) return false;
    lab::wake<W>(self, sleeper);
    return true;
  }
  void depart(Thread* self, Node&, Held& held) {
    Slot& slot = slot_of(held.mine);
    if (hand_over(self, slot, held.mine)) return;
    departed.store(held.mine, release);
    crowd.changed(self);  // fences
    hand_over(self, slot, held.mine);
  }
  bool is_free() const { return arrived.load(relaxed) == departed.load(relaxed); }
};
KEYHOLE_LOCK(Hapax, .idea = "tickets used once; wait for that of the one before", .fairness = "FIFO");
