// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Shadow state of objects: what the detector of races remembers of a variable, and the clocks of synchronisation.
//
//   object --table, in shards--> Shadow --offset--> Variable   last write: epoch and place
//                                  |                           last read: epoch and place, or a list of them
//                                  +------offset--> Clock      shared, because pending acquires keep it (races.h D2)
//
// A side table, and not room in objects: an object has no shadow before a thread that the detector watches accesses it.
// The table follows objects as the recorder's numbers do (runtime/recorder/object_numbers.h): the collector calls
// update_objects with the world stopped.
//
// S1: the shard's lock guards the shadows of its objects. A thread holds one lock of the detector at a time.
#pragma once

#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/base/mutex.h"
#include "runtime/object/object.h"
#include "runtime/threads/races/vector_clock.h"

namespace keyhole::races {

// The clock of a monitor, a volatile variable, a thread's start ...
class Clock {
 public:
  void join_into(VectorClock& thread) {
    MutexLock guard(mutex_);
    thread.join(clock_);
  }
  void join(const VectorClock& thread) {
    MutexLock guard(mutex_);
    clock_.join(thread);
  }

 private:
  Mutex mutex_{LockRank::race_clocks};
  VectorClock clock_ GUARDED_BY(mutex_);
};
using SharedClock = std::shared_ptr<Clock>;

struct Read {
  Epoch epoch = 0;
  u32 place = 0;
};

struct Variable {
  u64 key = 0;  // offset + 1; 0: an unused entry of the table
  Epoch write = 0;
  u32 write_place = 0;
  u32 read_place = 0;
  Epoch read = 0;
  std::unique_ptr<std::vector<Read>> reads;  // replaces `read` while several threads read without an order
};

// The variables of an object by offset: a hash table with open addressing.
class Variables {
 public:
  Variable& at(u64 offset);

 private:
  Variable& slot_for(u64 key);
  void grow();
  std::vector<Variable> table_;
  u32 count_ = 0;
};

struct Shadow {
  Variables variables;
  std::vector<std::pair<u64, SharedClock>> clocks;  // by offset; few
  bool is_memory = false;                           // of an address outside the heap, which is its key
  SharedClock& clock_at(u64 offset);
};

struct Shard {
  Mutex mutex{LockRank::race_shadows};
  std::unordered_map<const Object*, Shadow> shadows GUARDED_BY(mutex);
};
Shard& shard_of(const Object* object);
// The clock of (object, offset), or of the address `offset` if the object is null.
SharedClock clock_of(const Object* object, u64 offset);
SharedClock find_clock(const Object* object, u64 offset);  // null: nothing was released to it
std::vector<SharedClock> clocks_of(const Object* object);
void update_shadows(Object* (*forward)(Object*, void*), void* context);

}  // namespace keyhole::races
