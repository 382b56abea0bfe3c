// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The recorder writes the VM's actions to a file, event by event.
//
//   if (recorder::is_on(recorder::Family::classes)) [[unlikely]]
//     recorder::record(recorder::Kind::class_initializes, recorder::text(klass->name->dotted()));
//
//   thread                   a thread's block                    the writer's thread          the file
//   record() -- 16 bytes --> | event | event | ...     | --full--> queue -- columns, zstd --> frame, frame, ...
//                            next one, from the pool     <-- empty --
//
// A run without a recorder pays a load and a branch for each is_on(), and only in the VM's slow paths. Fast paths of
// locks do not ask: with locks recorded from the start, the VM takes other snippets (sync::fast_path), which leave each
// enter and exit to the slow path, or coalesce it (runtime/sync/recording/coalescing.h).
//
// R1: a block belongs to one thread, which alone appends to it. `count` is stored with release after the event: a
//     reader of it (stop, dump, a crash) may read the events below it.
// R2: a thread's events are in the order of their times, except those to which record_at() gives an earlier time. So
//     readers sort.
// R3: no event is lost. A thread that finds the queue full compresses and writes its block itself.
// R4: the recorder takes no lock but its own, which are leaves, and reaches no safepoint: any thread may record in any
//     state. Objects, which move, are named by numbers (object_numbers.h); taking a number needs a managed thread.
#pragma once

#include <emmintrin.h>

#include <atomic>
#include <string>
#include <string_view>

#include "runtime/recorder/event.h"
#include "runtime/recorder/ring.h"

namespace keyhole::recorder {

extern std::atomic<u32> families_on;  // bits; all 0: nothing is recorded

inline bool is_on(Family family) { return (families_on.load(std::memory_order_relaxed) & bit_of(family)) != 0; }

inline u64 now() { return __builtin_ia32_rdtsc(); }
// Returns a time after all earlier operations of the calling thread. Without the fence the processor may read its
// counter before an earlier `lock cmpxchg` has got its cache line. Then the enter of a lock could be dated before the
// exit by the previous holder.
inline u64 now_after_loads() {
  _mm_lfence();
  return now();
}

// Records an event with a time. `ticks`: an earlier now() of this thread.
inline void record_at(u64 ticks, Kind kind, u32 a = 0, u32 b = 0, u32 detail = 0) {
  Ring* ring = own_ring;
  if (ring == nullptr) [[unlikely]]
    ring = make_ring();
  u64 time = (ticks - ring->base) >> tick_shift;
  // If the time is before the block's start, the unsigned difference is huge, so the event gets a new block, too.
  if (ring->used == block_capacity || time > UINT32_MAX) [[unlikely]] {
    next_block(ring, ticks);
    time = 0;
  }
  ring->block->events[ring->used++] = {static_cast<u32>(time), static_cast<u16>(kind), static_cast<u16>(detail), a, b};
  ring->block->count.store(ring->used, std::memory_order_release);  // R1
}
// Records an event of another thread, which is stopped and given by its id.
void record_for(u32 thread, u64 ticks, Kind kind, u32 a, u32 b, u32 detail);
inline void record(Kind kind, u32 a = 0, u32 b = 0, u32 detail = 0) { record_at(now(), kind, a, b, detail); }

// Turns "locks,threads" or "all" into bits. Returns the empty string, or a message about the error in the text.
std::string parse_families(std::string_view text, u32& bits);

// Starts a recording. Returns the empty string, or the reason why it cannot.
std::string start(const std::string& path, u32 families);
// Whether a recording has begun and not ended.
bool is_recording();
// Writes all recorded events to the file, and continues recording. Returns the empty string, or the error.
std::string dump();
std::string stop();
// Called in a dying process: writes the events that are not in the file yet, as they are in memory. Async-signal-safe.
void save_at_crash();

// Whether locks are recorded from the VM's start on. This is decided before handlers and code are made, and never
// changes.
bool replaces_fast_paths();
void set_replaces_fast_paths();

// Gives the calling thread this id. A thread that never calls it gets an id made from the OS's.
void thread_begins(u32 id);
// Records the thread's name for readers; it may change.
void name_thread(u32 id, std::string_view name);

}  // namespace keyhole::recorder
