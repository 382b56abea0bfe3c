// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The object monitor table, generation A: a chained hash table that is resized without moving nodes. It is the
// split-ordered list of Shalev and Shavit, with removal after Harris and Michael.
//
//   one list, sorted by the hash read from its lowest bit on           buckets: marks in the list
//
//     (0) -> ..0000 -> ..0100 -> (2) -> ..1010 -> (1) -> ..1001 -> ..0101 -> (3) -> ..1011
//      |                          |                |                         |
//   bucket 0                   bucket 2         bucket 1                  bucket 3
//
//   Bucket b of 2^n holds the hashes that end in the n bits of b; in this order they are neighbours. When the
//   number of buckets doubles, the first use of a new bucket puts a mark into the middle of the old bucket's nodes.
//   (HotSpot's first table moves its nodes to new chains instead.)
//
//   key    reversed hash, lowest bit 1     a node with a monitor; several may have the same key
//          reversed bucket, lowest bit 0   a mark: before all nodes of its bucket; never removed
//   next   the node after; bit 0 set       this node has been removed: its next does not change any more
//
// C1: a node is inserted by a CAS of its predecessor's next, after all nodes of the same key. So two inserts of one
//     object compete for the same `next`, and the insert whose CAS fails finds the other's node.
// C2: a removal first sets bit 0 of the node's next, so that no node can be inserted after it. The next insert or
//     removal that passes the node unlinks it. Look-ups write nothing.
// C3: remove() returns when the node is out of the list, so the handshake that follows covers every reader. The thread
//     that unlinks a node puts it on the retired list before its own next poll.
// C4: the table grows by the number of monitors in it, which remove() decrements.
#pragma once

#include <bit>
#include <memory>
#include <new>

#include "runtime/base/check.h"
#include "runtime/sync/monitor/monitor_table.h"

namespace keyhole::sync {

template <typename W> class ChainedMonitorTableOf {
 public:
  using Thread = typename W::Thread;
  using Reference = typename W::Reference;
  using Monitor = typename W::Monitor;
  template <typename T> using Atomic = typename W::template Atomic<T>;

  // The table starts with 2^(10 + log2 processors) buckets, as in HotSpot, and has at most 2^24; more would not be
  // worth their memory.
  static constexpr u32 log2_buckets_per_processor = 10, log2_maximum_buckets = 24;

  ChainedMonitorTableOf() = default;
  ChainedMonitorTableOf(const ChainedMonitorTableOf&) = delete;
  ChainedMonitorTableOf& operator=(const ChainedMonitorTableOf&) = delete;
  ~ChainedMonitorTableOf() {  // Called when no thread uses the table any more.
    for (Node* node = &first_mark_; node != nullptr;) {
      Node* next = node_of(node->next.load(std::memory_order_relaxed));
      if (node != &first_mark_) W::retire(node);
      node = next;
    }
    release_retired();
    for (auto& segment : segments_) delete[] segment.load(std::memory_order_relaxed);
  }

  Monitor* find(Thread* thread, u32 hash, Reference object) const {
    ProbeCounter<W> probes(thread);
    u32 key = key_of(hash);
    // monitor_table.h T1
    for (const Node* node = nearest_mark(hash); node != nullptr;
         node = node_of(node->next.load(std::memory_order_acquire))) {
      probes.step();
      if (node->key > key) return nullptr;
      // The node may be under removal. The node's monitor is then deflated, and the monitor's memory is not reused
      // before this thread's next poll (monitor_table.h T3).
      if (node->key == key && node->monitor->object.load(std::memory_order_relaxed) == object) return node->monitor;
    }
    return nullptr;
  }

  Monitor* insert(Thread* thread, u32 hash, Reference object, Monitor* fresh) {
    ProbeCounter<W> probes(thread);
    u32 key = key_of(hash);
    Node* node = nullptr;
    for (;;) {
      Place place = walk(mark_of(hash), key, probes, [&](const Node* found) {
        return found->key == key && found->monitor->object.load(std::memory_order_relaxed) == object;
      });
      if (place.found != nullptr) {
        if (node != nullptr) W::retire(node);  // no other thread has seen `node`
        return place.found->monitor;
      }
      if (node == nullptr) node = W::template allocate<Node>(key, fresh);
      if (node == nullptr) return nullptr;
      node->next.store(value_of(place.after), std::memory_order_relaxed);
      uptr expected = value_of(place.after);
      // C1; release: monitor_table.h T1.
      if (place.before->next.compare_exchange_strong(expected, value_of(node), std::memory_order_acq_rel)) break;
    }
    W::note_of(object, picture::change(picture::Step::tabled, picture::rule(2)), 0);
    grow_if_loaded(count_.fetch_add(1, std::memory_order_relaxed) + 1);
    return fresh;
  }

  void remove(Monitor* monitor) {
    ProbeCounter<W> probes(nullptr);
    u32 hash = hash_of_monitor(monitor);
    u32 key = key_of(hash);
    auto is_it = [&](const Node* found) { return found->key == key && found->monitor == monitor; };
    Node* node = walk(mark_of(hash), key, probes, is_it).found;
    KEYHOLE_ASSERT(node != nullptr, "a monitor that is not in the table is removed");
    uptr next = node->next.load(std::memory_order_relaxed);
    // C2. The CAS fails only if another node was inserted after this node.
    while (!node->next.compare_exchange_weak(next, next | gone, std::memory_order_acq_rel)) {
    }
    count_.fetch_sub(1, std::memory_order_relaxed);                       // C4
    walk(mark_of(hash), key, probes, [](const Node*) { return false; });  // C3: past the node
  }

  u32 count() const { return count_.load(std::memory_order_relaxed); }
  u32 buckets() const { return u32{1} << log2_buckets_.load(std::memory_order_acquire); }

  // Visits all monitors. Called by the model checker, while no thread makes a step.
  template <typename Visit> void for_each(Visit visit) const {
    for (const Node* node = &first_mark_; node != nullptr;) {
      uptr next = node->next.load(std::memory_order_relaxed);
      if (node->monitor != nullptr && (next & gone) == 0) visit(node->monitor);
      node = node_of(next);
    }
  }

  bool needs_tending() const { return false; }
  template <typename Poll> void tend(Thread*, Poll) {}
  // Frees removed nodes without a handshake: the world is stopped, so no look-up is in progress.
  void tend_stopped() { release_retired(); }

  void release_retired() {
    for (Node* node = retired_.exchange(nullptr, std::memory_order_acquire); node != nullptr;) {
      Node* next = node->next_retired;
      W::retire(node);
      node = next;
    }
  }

 private:
  struct Node {
    Node(u32 node_key, Monitor* node_monitor) : key(node_key), monitor(node_monitor) {}
    const u32 key;
    Monitor* const monitor;  // null: a mark
    Atomic<uptr> next{0};
    Node* next_retired = nullptr;
  };
  static constexpr uptr gone = 1;  // C2
  static Node* node_of(uptr value) { return reinterpret_cast<Node*>(value & ~gone); }
  static uptr value_of(const Node* node) { return reinterpret_cast<uptr>(node); }

  static constexpr u32 reversed(u32 bits) { return __builtin_bitreverse32(bits); }
  // Keys of nodes with monitors have bit 0 set; keys of marks (the buckets' sentinel nodes) have bit 0 clear. Bit 0 of
  // a reversed hash is free, because hashes have 31 bits.
  static constexpr u32 key_of(u32 hash) { return reversed(hash) | 1; }
  static constexpr u32 mark_key_of(u32 bucket) { return reversed(bucket); }

  // --- the list ------------------------------------------------------------------------------------------------------
  struct Place {
    Node* found;   // the node that walk() searched for, or null
    Node* before;  // if `found` is null: the last node whose key is not greater than the key searched for
    Node* after;   // if `found` is null: the node that followed `before`
  };

  // Walks from `mark` to the end of the nodes with `key`, or until is(node) is true. Unlinks removed nodes that it
  // passes (C2).
  template <typename Is> Place walk(Node* mark, u32 key, ProbeCounter<W>& probes, Is is) {
    for (;;) {
      Node* before = mark;
      Node* node = node_of(mark->next.load(std::memory_order_acquire));  // marks are never removed
      for (;;) {
        if (node == nullptr) return {nullptr, before, nullptr};
        probes.step();
        uptr next = node->next.load(std::memory_order_acquire);
        if ((next & gone) != 0) {
          uptr expected = value_of(node);
          // Unlinks the removed node `node`. The CAS fails if another thread has changed before->next. Then the walk
          // starts again from `mark`, the first node of the bucket.
          if (!before->next.compare_exchange_strong(expected, next & ~gone, std::memory_order_acq_rel)) break;
          retire(node);
          node = node_of(next);
          continue;
        }
        if (is(node)) return {node, nullptr, nullptr};
        if (node->key > key) return {nullptr, before, node};
        before = node;
        node = node_of(next);
      }
    }
  }

  void retire(Node* node) {
    Node* head = retired_.load(std::memory_order_relaxed);
    do {
      node->next_retired = head;
    } while (!retired_.compare_exchange_weak(head, node, std::memory_order_release, std::memory_order_relaxed));
  }

  // --- buckets -------------------------------------------------------------------------------------------------------
  // Each bucket in use has a mark: a sentinel node in the list, in front of the bucket's nodes. Segment k is an array
  // of pointers to the marks of buckets 2^k to 2^(k+1) - 1. The mark of bucket 0 is the first node of the list.
  using Slot = Atomic<Node*>;
  static u32 segment_of(u32 bucket) { return 31 - static_cast<u32>(std::countl_zero(bucket)); }
  static u32 without_highest_bit(u32 bucket) { return bucket & ~(u32{1} << segment_of(bucket)); }

  u32 bucket_of(u32 hash) const { return hash & (buckets() - 1); }

  // Called by look-ups, which insert no nodes. Returns the mark (sentinel node) of the hash's bucket. If that bucket
  // has no mark yet, returns the mark of the bucket it was split from, or of the nearest further ancestor that has one.
  const Node* nearest_mark(u32 hash) const {
    for (u32 bucket = bucket_of(hash); bucket != 0; bucket = without_highest_bit(bucket)) {
      const Slot* segment = segments_[segment_of(bucket)].load(std::memory_order_acquire);
      if (segment == nullptr) continue;
      if (const Node* mark = segment[without_highest_bit(bucket)].load(std::memory_order_acquire)) return mark;
    }
    return &first_mark_;
  }

  // Called by inserts and removals. Returns the mark (sentinel node) of the hash's bucket, and inserts a missing mark.
  // If there is no memory for a mark, returns the mark of the nearest ancestor, as nearest_mark() does.
  Node* mark_of(u32 hash) { return mark_of_bucket(bucket_of(hash)); }
  Node* mark_of_bucket(u32 bucket) {
    if (bucket == 0) return &first_mark_;
    Slot* slot = slot_of(bucket);
    if (slot != nullptr) {
      if (Node* mark = slot->load(std::memory_order_acquire)) return mark;
    }
    Node* from = mark_of_bucket(without_highest_bit(bucket));
    if (slot == nullptr) return from;
    Node* mark = insert_mark(from, mark_key_of(bucket));
    if (mark == nullptr) return from;
    // No CAS is needed: a thread that stores to the bucket's slot at the same time stores the same mark.
    slot->store(mark, std::memory_order_release);
    return mark;
  }

  Slot* slot_of(u32 bucket) {
    u32 index = segment_of(bucket);
    Slot* segment = segments_[index].load(std::memory_order_acquire);
    if (segment == nullptr) {
      Slot* fresh = new (std::nothrow) Slot[u32{1} << index]();
      if (fresh == nullptr) return nullptr;
      if (segments_[index].compare_exchange_strong(segment, fresh, std::memory_order_acq_rel)) segment = fresh;
      else delete[] fresh;
    }
    return &segment[without_highest_bit(bucket)];
  }

  Node* insert_mark(Node* from, u32 key) {
    ProbeCounter<W> probes(nullptr);
    Node* mark = nullptr;
    for (;;) {
      Place place = walk(from, key, probes, [key](const Node* node) { return node->key == key; });
      if (place.found != nullptr) {
        if (mark != nullptr) W::retire(mark);
        return place.found;
      }
      if (mark == nullptr) mark = W::template allocate<Node>(key, nullptr);
      if (mark == nullptr) return nullptr;
      mark->next.store(value_of(place.after), std::memory_order_relaxed);
      uptr expected = value_of(place.after);
      if (place.before->next.compare_exchange_strong(expected, value_of(mark), std::memory_order_acq_rel)) return mark;
    }
  }

  void grow_if_loaded(u32 entries) {
    u32 log2 = log2_buckets_.load(std::memory_order_relaxed);
    if (u64{entries} * 4 <= (u64{1} << log2) * 3 || log2 == log2_maximum_buckets) return;
    log2_buckets_.compare_exchange_strong(log2, log2 + 1, std::memory_order_acq_rel);
  }

  static u32 log2_buckets_at_start() {
    u32 log2 = log2_buckets_per_processor + static_cast<u32>(std::bit_width(W::processors())) - 1;
    return log2 < log2_maximum_buckets ? log2 : log2_maximum_buckets;
  }

  Node first_mark_{mark_key_of(0), nullptr};
  Atomic<Slot*> segments_[log2_maximum_buckets] = {};
  Atomic<u32> log2_buckets_{log2_buckets_at_start()};
  Atomic<u32> count_{0};
  Atomic<Node*> retired_{nullptr};
};

}  // namespace keyhole::sync
