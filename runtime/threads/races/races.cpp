// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The algorithm of FastTrack, and the clocks of threads. Rules: races.h.
#include "runtime/threads/races/races.h"

#include <array>
#include <set>

#include "runtime/threads/continuations/continuation.h"
#include "runtime/threads/races/shadow.h"

namespace keyhole::races {

Hooks hooks;

namespace {

constexpr u32 slots_kept = 512;          // D5
constexpr usize most_races = 1000;       // pairs of places
constexpr u32 known_instructions = 512;  // a power of two

struct ThreadState {
  u64 id;
  u32 slot;
  u32 time;
  bool is_carrier = false;
  // whether this thread is a carrier whose `clock` contains the clock of the virtual thread that has ended on it (D3)
  bool has_thread_clock = false;
  bool is_optimistic = false;
  bool wrote_final = false;
  bool is_leaving = false;
  VectorClock clock = {};
  std::vector<SharedClock> pending = {};  // D2
  std::array<KnownInstruction, known_instructions> known = {};

  Epoch epoch() const { return epoch_of(slot, time); }
};

// The threads that have used a slot of clocks, one after another.
struct SlotHistory {
  u32 time = 0;  // the slot's time when the latest of these threads ended
  // for each thread: the slot's time when the thread began, and the thread's id
  std::vector<std::pair<u32, u32>> threads;
  SharedClock constructed = std::make_shared<Clock>();  // D4
};

Mutex threads_mutex{LockRank::race_threads};
struct Threads {
  std::vector<SlotHistory> slots;
  std::vector<u32> ended;  // slots of ended threads, the oldest first
  usize next_ended = 0;
  std::set<ThreadState*> states;
  std::set<std::pair<u32, u32>> reported;  // pairs of places
};
Threads& all() REQUIRES(threads_mutex) {
  static auto* threads = new Threads;
  return *threads;
}

ThreadState* make_state(const JavaThread* thread) {
  bool is_carrier = hooks.meet != nullptr && hooks.meet(thread);
  MutexLock guard(threads_mutex);
  Threads& threads = all();
  u32 slot;
  if (threads.ended.size() - threads.next_ended > slots_kept) {
    slot = threads.ended[threads.next_ended++];
  } else {
    slot = static_cast<u32>(threads.slots.size());
    threads.slots.emplace_back();
  }
  SlotHistory& history = threads.slots[slot];
  auto* state = new ThreadState{.id = thread->id, .slot = slot, .time = history.time + 1, .is_carrier = is_carrier};
  history.threads.emplace_back(state->time, static_cast<u32>(thread->id));
  state->clock.set(slot, state->time);
  threads.states.insert(state);
  return state;
}

// A continuation that is no virtual thread runs as a part of its mounter. A structure that is reused for another thread
// has another id than its old state, which thread_ends or virtual_thread_ends has freed.
ThreadState& state_of(JavaThread* thread) {
  while (thread->continuation != nullptr && !thread->continuation->is_virtual_thread)
    thread = thread->continuation->mounter;
  auto* state = static_cast<ThreadState*>(thread->race_state);
  if (state == nullptr) thread->race_state = state = make_state(thread);
  return *state;
}

void free_state(JavaThread* thread) {
  auto* state = static_cast<ThreadState*>(std::exchange(thread->race_state, nullptr));
  if (state == nullptr) return;
  MutexLock guard(threads_mutex);
  all().slots[state->slot].time = state->time;
  all().ended.push_back(state->slot);
  all().states.erase(state);
  delete state;
}

void settle(ThreadState& state) {
  for (const SharedClock& clock : state.pending) clock->join_into(state.clock);
  state.pending.clear();
}

void forget_thread_clock(ThreadState& carrier) {
  if (!std::exchange(carrier.has_thread_clock, false)) return;
  carrier.clock.clear();
  carrier.clock.set(carrier.slot, carrier.time);
}

u32 thread_at(Epoch epoch) REQUIRES(threads_mutex) {
  const auto& threads = all().slots[slot_of_epoch(epoch)].threads;
  auto next = std::ranges::upper_bound(threads, time_of_epoch(epoch), {}, &std::pair<u32, u32>::first);
  return std::prev(next)->second;
}

// --- FastTrack -------------------------------------------------------------------------------------------------------

// The earlier access of a race, if there is one.
struct Conflict {
  Epoch epoch = 0;
  u32 place = 0;
  bool writes = false;
};

Conflict read(const ThreadState& state, Variable& variable, u32 place) {
  Epoch now = state.epoch();
  if (variable.reads == nullptr && variable.read == now) return {};
  Conflict conflict;
  if (!state.clock.covers(variable.write)) conflict = {variable.write, variable.write_place, true};
  if (variable.reads != nullptr) {
    auto own =
        std::ranges::find(*variable.reads, state.slot, [](const Read& each) { return slot_of_epoch(each.epoch); });
    if (own != variable.reads->end()) *own = {now, place};
    else variable.reads->push_back({now, place});
  } else if (state.clock.covers(variable.read)) {
    variable.read = now;
    variable.read_place = place;
  } else {
    variable.reads =
        std::make_unique<std::vector<Read>>(std::vector<Read>{{variable.read, variable.read_place}, {now, place}});
  }
  return conflict;
}

Conflict write(const ThreadState& state, Variable& variable, u32 place) {
  Epoch now = state.epoch();
  if (variable.write == now && variable.read == 0 && variable.reads == nullptr) return {};
  Conflict conflict;
  if (!state.clock.covers(variable.write)) {
    conflict = {variable.write, variable.write_place, true};
  } else if (variable.reads != nullptr) {
    for (const Read& each : *variable.reads)
      if (!state.clock.covers(each.epoch)) conflict = {each.epoch, each.place, false};
  } else if (!state.clock.covers(variable.read)) {
    conflict = {variable.read, variable.read_place, false};
  }
  variable.write = now;
  variable.write_place = place;
  variable.read = 0;
  variable.reads.reset();
  return conflict;
}

// D4. Returns the clock to acquire, or null.
SharedClock access_final(ThreadState& state, const Access& access) {
  Epoch written = 0;
  {
    Shard& shard = shard_of(access.object);
    MutexLock guard(shard.mutex);
    Variable& variable = shard.shadows[access.object].variables.at(access.offset);
    if (access.writes) variable.write = state.epoch();
    else written = variable.write;
  }
  state.wrote_final |= access.writes;
  if (state.clock.covers(written)) return nullptr;
  MutexLock guard(threads_mutex);
  return all().slots[slot_of_epoch(written)].constructed;
}

void report(JavaThread* thread, const Access& access, const Conflict& conflict) {
  Race race{access.object, access.offset, {0, conflict.place, conflict.writes}, {0, access.place, access.writes}};
  {
    MutexLock guard(threads_mutex);
    std::pair<u32, u32> places = std::minmax(conflict.place, access.place);
    if (all().reported.size() >= most_races || !all().reported.insert(places).second) return;
    race.earlier.thread = thread_at(conflict.epoch);
    race.later.thread = thread_at(state_of(thread).epoch());
  }
  if (hooks.report != nullptr) hooks.report(thread, race);
}

}  // namespace

void access(JavaThread* thread, const Access& access) {
  ThreadState& state = state_of(thread);
  settle(state);
  if (state.is_optimistic && !access.writes) return;
  if (access.is_final) {
    if (SharedClock clock = access_final(state, access)) clock->join_into(state.clock);
    return;
  }
  Conflict conflict;
  {
    Shard& shard = shard_of(access.object);
    MutexLock guard(shard.mutex);
    Variable& variable = shard.shadows[access.object].variables.at(access.offset);
    conflict = access.writes ? write(state, variable, access.place) : read(state, variable, access.place);
  }
  if (conflict.epoch != 0) report(thread, access, conflict);
}

// --- order -----------------------------------------------------------------------------------------------------------

void acquire(JavaThread* thread, const Object* object, u64 offset) {
  ThreadState& state = state_of(thread);
  if (state.is_carrier) return;  // D3
  settle(state);
  if (SharedClock clock = find_clock(object, offset)) clock->join_into(state.clock);
}

void acquire_later(JavaThread* thread, const Object* object, u64 offset) {
  ThreadState& state = state_of(thread);
  if (state.is_carrier) return;  // D3
  settle(state);
  state.pending.push_back(clock_of(object, offset));
}

void release(JavaThread* thread, const Object* object, u64 offset) {
  ThreadState& state = state_of(thread);
  if (state.is_leaving && offset == of_monitor) return;
  settle(state);
  state.is_optimistic = false;
  if (state.has_thread_clock) {  // D3
    Caller caller = hooks.caller != nullptr ? hooks.caller(thread) : Caller::other;
    if (caller == Caller::scheduler_for_thread) return;
    if (caller == Caller::scheduler) forget_thread_clock(state);
  }
  clock_of(object, offset)->join(state.clock);
  state.clock.set(state.slot, ++state.time);
}

void update(JavaThread* thread, const Object* object, u64 offset) {
  release(thread, object, offset);
  acquire_later(thread, object, offset);
}

void access_memory(JavaThread* thread, controlled::Kind kind, const Object* object, u64 offset) {
  using controlled::Kind;
  switch (kind) {
    case Kind::volatile_read: return acquire_later(thread, object, offset);
    case Kind::volatile_write: return release(thread, object, offset);
    case Kind::update: return update(thread, object, offset);
    default:
      if (object != nullptr && hooks.plain_access != nullptr)
        hooks.plain_access(thread, object, offset, kind == Kind::write);
  }
}

void thread_begins(JavaThread* thread) {
  ThreadState& state = state_of(thread);
  bool is_virtual = thread->continuation != nullptr && thread->continuation->is_virtual_thread;
  if (!is_virtual) return acquire(thread, thread->thread_object, of_start);
  forget_thread_clock(state_of(thread->carrier->thread));
  for (const SharedClock& clock : clocks_of(thread->thread_object)) clock->join_into(state.clock);
}

void virtual_thread_ends(JavaThread* thread, JavaThread* mounter) {
  if (!thread->continuation->is_virtual_thread) return;
  ThreadState& state = state_of(thread);
  ThreadState& carrier = state_of(mounter);
  settle(state);
  forget_thread_clock(carrier);
  carrier.clock.join(state.clock);
  carrier.has_thread_clock = carrier.is_carrier;
  free_state(thread);
}

void set_leaving(JavaThread* thread, bool is_leaving) { state_of(thread).is_leaving = is_leaving; }
void thread_ends(JavaThread* thread) { free_state(thread); }

void leave_constructor(JavaThread* thread) {
  ThreadState& state = state_of(thread);
  if (!state.wrote_final) return;
  settle(state);
  SharedClock clock;
  {
    MutexLock guard(threads_mutex);
    clock = all().slots[state.slot].constructed;
  }
  clock->join(state.clock);
}

void begin_optimistic_read(JavaThread* thread) { state_of(thread).is_optimistic = true; }
void end_optimistic_read(JavaThread* thread) { state_of(thread).is_optimistic = false; }

KnownInstruction& known_instruction(JavaThread* thread, u64 key) {
  return state_of(thread).known[(key >> 3) & (known_instructions - 1)];
}

// Thread safety is not analysed: the world is stopped.
void update_objects(Object* (*forward)(Object*, void*), void* context) NO_THREAD_SAFETY_ANALYSIS {
  update_shadows(forward, context);
  for (ThreadState* state : all().states) state->known.fill({});
}

}  // namespace keyhole::races
