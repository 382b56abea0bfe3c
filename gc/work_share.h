// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// One worker's share of the objects whose slots are still to be scanned, and how workers share them.
//
//   push --> private stack --a worker is idle, or the stack is long--> queue that others steal from
//                  ^                                                               |
//                  +----------------------------full-------------------------------+
//
// An entry is an object: address | chunk << 36. Long reference arrays are scanned in chunks: a worker that takes one
// pushes the next before it starts, so that others can continue.
#pragma once

#include <vector>

#include "gc/terminator.h"
#include "gc/work_queue.h"
#include "runtime/base/platform/hardware_world.h"
#include "runtime/object/object.h"

namespace keyhole::gc {

class WorkShare;

// The workers that share work. The coordinator makes and resets the group while none of them runs.
struct WorkGroup {
  std::vector<WorkShare*> shares;
  TerminatorOf<HardwareWorld> terminator;

  void begin() { terminator.reset(static_cast<u32>(shares.size())); }
};

class WorkShare {
 public:
  using Entry = u64;

  explicit WorkShare(WorkGroup& group) : group_(group), number_(static_cast<u32>(group.shares.size())) {
    group.shares.push_back(this);
  }
  WorkShare(const WorkShare&) = delete;

  // Whether no other worker runs: then nothing is shared, and nothing needs to be atomic.
  bool alone() const { return alone_; }
  void set_alone(bool alone) { alone_ = alone; }

  static Object* object_of(Entry entry) { return reinterpret_cast<Object*>(entry & ((Entry{1} << chunk_shift) - 1)); }

  void push(Object* object) { push_entry(reinterpret_cast<uptr>(object)); }
  // Pops an entry of the worker's own; 0: none is left.
  Entry pop() {
    if (private_.empty()) return queue_.pop();
    Entry entry = private_.back();
    private_.pop_back();
    return entry;
  }

  // Calls visit(NarrowRef*) for the elements of an entry that is a reference array.
  template <typename Visitor>
  [[gnu::always_inline]] void for_each_in_chunk(Entry entry, Visitor&& visit) TOUCHES_OBJECTS {
    Object* array = object_of(entry);
    u64 length = static_cast<u64>(array->length());
    u64 from = (entry >> chunk_shift) * chunk_elements, to = from + chunk_elements;
    if (to < length) push_entry(entry + (Entry{1} << chunk_shift));
    else to = length;
    NarrowRef* elements = array->address<NarrowRef>(Object::element_offset(2, 0));
    for (NarrowRef *slot = elements + from, *end = elements + to; slot < end; ++slot) visit(slot);
  }

  // Works until all workers are done. drain() does all of the worker's own work, process(entry) that of a stolen entry.
  template <typename Drain, typename Process> void work_with_others(Drain&& drain, Process&& process) TOUCHES_OBJECTS {
    for (;;) {
      drain();
      if (Entry entry = steal()) {
        process(entry);
        continue;
      }
      if (group_.terminator.offer([this] { return others_have_work(); })) return;
    }
  }

 private:
  static constexpr u32 chunk_shift = 36;
  static constexpr u32 chunk_elements = 2048;
  static constexpr usize longest_private_stack = 64;
  static constexpr u32 queue_capacity = 1 << 12;

  void push_entry(Entry entry) {
    if (!alone_ && (group_.terminator.somebody_idle() || private_.size() >= longest_private_stack) &&
        queue_.push(entry)) {
      group_.terminator.announce();
      return;
    }
    private_.push_back(entry);
  }
  Entry steal() {
    u32 count = static_cast<u32>(group_.shares.size());
    for (u32 i = 1; i < count; ++i) {
      if (Entry entry = group_.shares[(number_ + i) % count]->queue_.steal()) return entry;
    }
    return 0;
  }
  bool others_have_work() const {
    for (const WorkShare* share : group_.shares) {
      if (share != this && !share->queue_.looks_empty()) return true;
    }
    return false;
  }

  WorkGroup& group_;
  const u32 number_;
  bool alone_ = true;
  std::vector<Entry> private_;
  WorkQueueOf<HardwareWorld, queue_capacity> queue_;
};

}  // namespace keyhole::gc
