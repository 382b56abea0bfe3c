// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The object monitor table, generation B: open addressing in an array that is replaced while others read it.
//
//   slot        meaning                                                     becomes
//   empty       the slot was never used; a probe ends                       monitor (CAS by an insert), closed (CAS)
//   closed      no insert may use the slot; a probe ends, and an insert     stays closed
//   (tombstone) goes on in a newer array
//   monitor     an entry                                                    removed
//   removed     the slot held an entry; a probe goes on                     stays removed
//
//   newest_ -> array 3 --older--> array 2 --older--> array 1        look-ups and inserts visit 1, 2, 3
//
// O1: an insert places its entry in the newest array only. Before that it closes, in each older array, the empty slot
//     that the entry would have got there. A thread that still takes an older array for the newest finds in it either
//     the object's entry or a closed slot. So of two inserts of one object, one finds the other's entry. This holds
//     because no insert ever uses a closed slot.
// O2: an insert increments the array's count of claims before it takes a slot. If an eighth of the slots is claimed
//     already, the insert closes the slot instead and adds a newer array. So probes are short and always end.
// O3: a rebuild closes the oldest array slot by slot, and inserts each entry that it finds there into the newer arrays
//     as in O1. Then it unlinks the oldest array, and a handshake later it frees it. Look-ups go from the oldest array
//     to the newest, so they meet each entry in its old or its new place. A look-up that found nothing is repeated if
//     another array has become the newest meanwhile.
// O4: either the deflater rebuilds and removes, one after the other, or the collector does so with the world stopped.
//     So an entry has two copies only during a rebuild, and no removal races with the copying.
// O5: a new array has room for twice the entries that the table has now. After removals it can be smaller than the old
//     array.
#pragma once

#include <memory>
#include <new>
#include <vector>

#include "runtime/base/check.h"
#include "runtime/sync/monitor/monitor_table.h"

namespace keyhole::sync {

template <typename W> class OpenMonitorTableOf {
 public:
  using Thread = typename W::Thread;
  using Reference = typename W::Reference;
  using Monitor = typename W::Monitor;
  template <typename T> using Atomic = typename W::template Atomic<T>;

  static constexpr u32 minimum_capacity = 128;
  static constexpr u32 slots_per_entry = 8;  // at most one slot in eight is used (O2)
  static constexpr u32 slots_between_polls = 128;

  OpenMonitorTableOf() = default;
  OpenMonitorTableOf(const OpenMonitorTableOf&) = delete;
  OpenMonitorTableOf& operator=(const OpenMonitorTableOf&) = delete;
  ~OpenMonitorTableOf() {  // Called when no thread uses the table any more.
    for (Array* array = newest_.load(std::memory_order_relaxed); array != nullptr;) {
      Array* older = array->older.load(std::memory_order_relaxed);
      W::retire(array);
      array = older;
    }
    release_retired();
  }

  Monitor* find(Thread* thread, u32 hash, Reference object) const {
    ProbeCounter<W> probes(thread);
    for (;;) {
      Array* newest = newest_.load(std::memory_order_acquire);
      Monitor* found = find_from(newest, hash, object, probes);
      if (found != nullptr || newest_.load(std::memory_order_acquire) == newest) return found;  // O3
    }
  }

  Monitor* insert(Thread* thread, u32 hash, Reference object, Monitor* fresh) {
    ProbeCounter<W> probes(thread);
    Monitor* in_table = insert_beyond(nullptr, hash, object, fresh, probes);
    if (in_table == fresh) count_.fetch_add(1, std::memory_order_relaxed);
    return in_table;
  }

  void remove(Monitor* monitor) {
    bool found = false;
    for (Array* array = newest_.load(std::memory_order_acquire); array != nullptr;
         array = array->older.load(std::memory_order_acquire))
      found |= remove_in(array, monitor);
    KEYHOLE_ASSERT(found, "a monitor that is not in the table is removed");
    count_.fetch_sub(1, std::memory_order_relaxed);
  }

  u32 count() const { return count_.load(std::memory_order_relaxed); }

  // Visits all monitors, some of them twice (O4). Called by the model checker, while no thread makes a step.
  template <typename Visit> void for_each(Visit visit) const {
    for (const Array* array = newest_.load(std::memory_order_relaxed); array != nullptr;
         array = array->older.load(std::memory_order_relaxed)) {
      for (u32 i = 0; i < array->capacity; ++i) {
        if (uptr value = array->slots[i].load(std::memory_order_relaxed); is_monitor(value)) visit(monitor_of(value));
      }
    }
  }

  bool needs_tending() const {
    Array* newest = newest_.load(std::memory_order_acquire);
    return newest != nullptr && newest->older.load(std::memory_order_acquire) != nullptr;
  }

  // Rebuilds the table if it has older arrays (O3). poll() may stop the thread.
  template <typename Poll> void tend(Thread*, Poll poll) MAY_SAFEPOINT {
    while (needs_tending()) {
      Array* next = newest_.load(std::memory_order_acquire);
      Array* oldest = next->older.load(std::memory_order_acquire);
      while (Array* older = oldest->older.load(std::memory_order_acquire)) {
        next = oldest;
        oldest = older;
      }
      switch (empty_out(oldest, poll)) {
        case Emptied::Yes: break;
        case Emptied::TableIsNew: continue;
        case Emptied::NoMemory: return;
      }
      next->older.store(nullptr, std::memory_order_release);
      retired_.push_back(oldest);
    }
  }

  // World stopped: copies all entries into one array of the right size, and frees the old arrays at once, because no
  // look-up is in progress.
  void tend_stopped() {
    Array* newest = newest_.load(std::memory_order_relaxed);
    if (newest == nullptr) return;
    u32 capacity = capacity_for(count());
    if (newest->older.load(std::memory_order_relaxed) == nullptr && newest->capacity <= capacity * 8) return;
    Array* single = make_array(capacity, nullptr);
    if (single == nullptr) return;  // if memory is exhausted, the table keeps its arrays
    for (Array* array = newest; array != nullptr;) {
      for (u32 i = 0; i < array->capacity; ++i) {
        uptr value = array->slots[i].load(std::memory_order_relaxed);
        if (is_monitor(value)) place_stopped(single, monitor_of(value));
      }
      Array* older = array->older.load(std::memory_order_relaxed);
      W::retire(array);
      array = older;
    }
    newest_.store(single, std::memory_order_release);
    ++rebuilt_stopped_;
  }

  // Frees the retired arrays (O3). Called after the handshake that follows tend(), by the deflater or with the world
  // stopped.
  void release_retired() {
    for (Array* array : retired_) W::retire(array);
    retired_.clear();
  }

  // The capacity of the newest array; for tests and logs.
  u32 capacity() const {
    Array* newest = newest_.load(std::memory_order_acquire);
    return newest == nullptr ? 0 : newest->capacity;
  }
  u32 arrays() const {
    u32 arrays = 0;
    for (Array* array = newest_.load(std::memory_order_acquire); array != nullptr;
         array = array->older.load(std::memory_order_acquire))
      ++arrays;
    return arrays;
  }

 private:
  static constexpr uptr empty = 0, closed = 1, removed = 2;
  static bool is_monitor(uptr value) { return value > removed; }
  static Monitor* monitor_of(uptr value) { return reinterpret_cast<Monitor*>(value); }
  static uptr value_of(Monitor* monitor) { return reinterpret_cast<uptr>(monitor); }
  // Whether `value` is the object's entry, or the entry of the monitor `known`. A rebuild needs `known` to find the
  // entries of dead objects, too.
  static bool is_of(uptr value, Reference object, const Monitor* known = nullptr) {
    if (!is_monitor(value)) return false;
    return monitor_of(value) == known ||
           (object != nullptr && monitor_of(value)->object.load(std::memory_order_relaxed) == object);
  }

  struct Array {
    Array(u32 slot_count, Array* older_array)
        : capacity(slot_count), older(older_array), slots(new(std::nothrow) Atomic<uptr>[slot_count]()) {}
    u32 limit() const { return capacity / slots_per_entry; }
    u32 first(u32 hash) const { return hash & (capacity - 1); }
    u32 after(u32 index) const { return (index + 1) & (capacity - 1); }

    const u32 capacity;      // a power of two
    Atomic<u32> claimed{0};  // O2: slots that hold or held an entry, plus inserts that are about to take a slot
    Atomic<Array*> older;
    const std::unique_ptr<Atomic<uptr>[]> slots;
  };

  static Array* make_array(u32 capacity, Array* older) {
    Array* array = W::template allocate<Array>(capacity, older);
    if (array == nullptr || array->slots != nullptr) return array;
    W::retire(array);
    return nullptr;
  }

  static u32 capacity_for(u32 entries) {  // O5
    u32 capacity = minimum_capacity;
    while (capacity / slots_per_entry < u64{entries} * 2 && capacity < (u32{1} << 30)) capacity *= 2;
    return capacity;
  }

  static Monitor* find_from(Array* array, u32 hash, Reference object, ProbeCounter<W>& probes) {
    if (array == nullptr) return nullptr;
    // O3
    if (Monitor* found = find_from(array->older.load(std::memory_order_acquire), hash, object, probes)) return found;
    for (u32 i = array->first(hash);; i = array->after(i)) {
      probes.step();
      uptr value = array->slots[i].load(std::memory_order_acquire);  // monitor_table.h T1
      if (value == empty || value == closed) return nullptr;
      if (is_of(value, object)) return monitor_of(value);
    }
  }

  // Returns the object's monitor: `fresh`, or the monitor already in the table; null if there is no memory. Does not
  // search the array `excluded` nor older arrays.
  Monitor* insert_beyond(Array* excluded, u32 hash, Reference object, Monitor* fresh, ProbeCounter<W>& probes) {
    for (;;) {
      Array* newest = newest_.load(std::memory_order_acquire);
      if (newest != nullptr) {
        Array* older = newest->older.load(std::memory_order_acquire);
        if (Monitor* found = find_and_close(older, excluded, hash, object, fresh, probes)) return found;  // O1
        if (Monitor* in_table = place(newest, hash, object, fresh, probes)) return in_table;
      }
      if (!grow(newest)) return nullptr;
    }
  }

  // Finds the object's entry in `array` or an older array, except `excluded` and arrays older than `excluded`. If there
  // is no entry, closes a slot in each visited array, so that no thread can insert an entry for the object there any
  // more (O1).
  static Monitor* find_and_close(Array* array, Array* excluded, u32 hash, Reference object, Monitor* fresh,
                                 ProbeCounter<W>& probes) {
    if (array == excluded) return nullptr;  // `excluded` is null if all arrays are searched
    Array* older = array->older.load(std::memory_order_acquire);
    if (Monitor* found = find_and_close(older, excluded, hash, object, fresh, probes)) return found;
    for (u32 i = array->first(hash);; i = array->after(i)) {
      probes.step();
      uptr value = array->slots[i].load(std::memory_order_acquire);
      if (value == empty &&
          array->slots[i].compare_exchange_strong(value, closed, std::memory_order_acq_rel, std::memory_order_acquire))
        return nullptr;
      if (value == closed) return nullptr;
      if (is_of(value, object, fresh)) return monitor_of(value);
    }
  }

  // Inserts into the newest array. Returns the object's monitor, `fresh` or an earlier one; null if the array is full
  // or no longer the newest.
  Monitor* place(Array* array, u32 hash, Reference object, Monitor* fresh, ProbeCounter<W>& probes) {
    bool claimed = false;
    for (u32 i = array->first(hash);; i = array->after(i)) {
      probes.step();
      Atomic<uptr>& slot = array->slots[i];
      uptr value = slot.load(std::memory_order_acquire);
      if (value == empty) {
        claimed = claimed || claim(array);
        uptr mine = claimed ? value_of(fresh) : closed;  // O2
        // release: monitor_table.h T1.
        if (slot.compare_exchange_strong(value, mine, std::memory_order_acq_rel, std::memory_order_acquire)) {
          if (claimed && object != nullptr)
            W::note_of(object, picture::change(picture::Step::tabled, picture::rule(2)), 0);
          return claimed ? fresh : nullptr;
        }
      }
      if (value != closed && !is_of(value, object, fresh)) continue;
      if (claimed) array->claimed.fetch_sub(1, std::memory_order_relaxed);
      return value == closed ? nullptr : monitor_of(value);
    }
  }
  static bool claim(Array* array) {
    if (array->claimed.fetch_add(1, std::memory_order_relaxed) < array->limit()) return true;
    array->claimed.fetch_sub(1, std::memory_order_relaxed);
    return false;
  }

  // Adds a newer array, unless another thread has done so. Returns false if there is no memory.
  bool grow(Array* full) {
    if (newest_.load(std::memory_order_acquire) != full) return true;
    Array* newer = make_array(capacity_for(count()), full);
    if (newer == nullptr) return false;
    if (!newest_.compare_exchange_strong(full, newer, std::memory_order_acq_rel)) W::retire(newer);
    return true;
  }

  static bool remove_in(Array* array, Monitor* monitor) {
    for (u32 i = array->first(hash_of_monitor(monitor));; i = array->after(i)) {
      uptr value = array->slots[i].load(std::memory_order_acquire);
      if (value == empty || value == closed) return false;
      if (value != value_of(monitor)) continue;
      // No other thread writes to a slot that holds a monitor (O4).
      array->slots[i].store(removed, std::memory_order_release);
      return true;
    }
  }

  enum class Emptied { Yes, TableIsNew, NoMemory };
  // Moves the entries of the oldest array to newer ones (O3). Returns TableIsNew if a collection rebuilt the table
  // during a poll; the array has then been freed.
  template <typename Poll> Emptied empty_out(Array* oldest, Poll poll) {
    u64 seen = rebuilt_stopped_;
    ProbeCounter<W> probes(nullptr);
    for (u32 i = 0; i < oldest->capacity; ++i) {
      if (i % slots_between_polls == slots_between_polls - 1) {
        poll();
        if (rebuilt_stopped_ != seen) return Emptied::TableIsNew;
      }
      uptr value = oldest->slots[i].load(std::memory_order_acquire);
      if (value == empty &&
          oldest->slots[i].compare_exchange_strong(value, closed, std::memory_order_acq_rel, std::memory_order_acquire))
        continue;
      if (!is_monitor(value)) continue;
      Monitor* monitor = monitor_of(value);
      Reference object = monitor->object.load(std::memory_order_relaxed);
      if (insert_beyond(oldest, hash_of_monitor(monitor), object, monitor, probes) == nullptr) return Emptied::NoMemory;
    }
    return Emptied::Yes;
  }

  // World stopped: puts a monitor into `array`, which is not published yet. Does nothing if the monitor is already in
  // `array`: an entry may have two copies (O4).
  static void place_stopped(Array* array, Monitor* monitor) {
    for (u32 i = array->first(hash_of_monitor(monitor));; i = array->after(i)) {
      uptr value = array->slots[i].load(std::memory_order_relaxed);
      if (value == value_of(monitor)) return;
      if (value != empty) continue;
      array->slots[i].store(value_of(monitor), std::memory_order_relaxed);
      array->claimed.fetch_add(1, std::memory_order_relaxed);
      return;
    }
  }

  Atomic<Array*> newest_{nullptr};
  Atomic<u32> count_{0};
  u64 rebuilt_stopped_ = 0;      // written with the world stopped
  std::vector<Array*> retired_;  // unlinked arrays that look-ups may still read; used by the deflater only
};

}  // namespace keyhole::sync
