// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The detector of data races (-XX:+DetectDataRaces): happens-before, observed while the program runs.
//
//   interpreter, Unsafe      read, write --------> shadow of (object, offset): last write, last reads     (shadow.h)
//   monitors, volatiles,     acquire, release ---> clock of (object, offset)
//   start, join, classes                                  |
//                                                         v
//                                        an access that the thread's clock does not cover: a race --> hooks.report
//
// A thread of the detector is a JavaThread: a platform thread, or a virtual thread, whichever carrier runs it.
//
// D1: a release joins the thread's clock into the clock of (object, offset) BEFORE the operation that other threads can
//     see, and an acquire joins that clock into the thread's clock AFTER the operation. So an edge is never missed, and
//     a race is never reported where the program has an order. An edge too many hides races only.
// D2: handlers call the detector before they access memory. So a volatile read leaves its acquire pending, and the
//     thread does it before its next operation that the detector sees (acquire_later).
// D3: a carrier acquires nothing, so that no order flows from one virtual thread to another through the scheduler. A
//     virtual thread begins with what was released to its Thread object, by Thread.start. When the virtual thread ends,
//     its carrier keeps the thread's clock until the carrier continues in the scheduler. Meanwhile the carrier sets the
//     state TERMINATED and opens the latches that Thread.join awaits, and so releases the clock to them.
// D4: a final field has no race. A thread that reads it without an order acquires what its writer had done when it last
//     left a constructor (JLS 17.5: a thread that sees the object sees what its final fields lead to).
// D5: slots of clocks are reused once more than `slots_kept` threads have ended. The new thread then counts as a
//     continuation of the ended one, which hides races between the two.
// D6: callers are managed, and the detector stops nowhere. So objects do not move while it looks one up. The collector
//     gives moved objects their new keys, and drops those of dead objects (update_objects).
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/base/controlled/execution.h"
#include "runtime/base/flags.h"
#include "runtime/object/object.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::races {

inline bool is_on() { return flags::DetectDataRaces; }

// The detector looks up a clock by an object and an offset. For an access to a field, the offset is the field's. For
// operations that access no field, the offset is one of these numbers, which are greater than the offset of any field.
inline constexpr u64 of_monitor = ~u64{0};         // enter and exit of the object's monitor
inline constexpr u64 of_start = ~u64{1};           // Thread.start; the object is the started thread
inline constexpr u64 of_initialization = ~u64{2};  // the initialization of a class; the object is the class's mirror

// --- order -----------------------------------------------------------------------------------------------------------

void acquire(JavaThread* thread, const Object* object, u64 offset);
void acquire_later(JavaThread* thread, const Object* object, u64 offset);  // D2
void release(JavaThread* thread, const Object* object, u64 offset);
// An atomic update: a release and an acquire.
void update(JavaThread* thread, const Object* object, u64 offset);
// An access by Unsafe or a VarHandle, at `offset` in the object, or at the address `offset` if it is null.
void access_memory(JavaThread* thread, controlled::Kind kind, const Object* object, u64 offset);

// Called by a thread before its first Java code, and by the carrier's thread after a virtual thread's last.
void thread_begins(JavaThread* thread);
void virtual_thread_ends(JavaThread* thread, JavaThread* carrier);
// While a thread runs Thread.exit, its monitors order nothing: the library locks the ThreadGroup there and in
// Thread.start, and the next thread that is started would count as ordered after this one.
void set_leaving(JavaThread* thread, bool is_leaving);
// Called by a platform thread after its last operation.
void thread_ends(JavaThread* thread);

// Called when a constructor of the program returns (D4).
void leave_constructor(JavaThread* thread);
// Between tryOptimisticRead and validate of a StampedLock the thread's reads are not checked: a read that met a write
// is discarded by the program. Any release ends this, too.
void begin_optimistic_read(JavaThread* thread);
void end_optimistic_read(JavaThread* thread);

// --- accesses --------------------------------------------------------------------------------------------------------

struct Access {
  const Object* object;
  u64 offset;
  u32 place;  // a number of the caller's choice, not 0
  bool writes;
  bool is_final = false;  // a final field
};
void access(JavaThread* thread, const Access& access);

struct Accessor {
  u32 thread;  // its id
  u32 place;
  bool writes;
};
struct Race {
  const Object* object;
  u64 offset;
  Accessor earlier, later;
};
// The scheduler's own code, the scheduler called on behalf of a virtual thread (unpark), or other code.
enum class Caller : u8 { scheduler, scheduler_for_thread, other };
struct Hooks {
  // Called by the later thread, before its access.
  void (*report)(JavaThread* thread, const Race& race) = nullptr;
  // A plain access by Unsafe: calls access() if the detector is to check it.
  void (*plain_access)(JavaThread* thread, const Object* object, u64 offset, bool writes) = nullptr;
  // The access of a native method that copies to or from a variable: calls access() if the detector is to check it.
  void (*copy_access)(JavaThread* thread, const Object* object, u64 offset, bool writes) = nullptr;
  // Whose operation a carrier executes (D3).
  Caller (*caller)(const JavaThread* carrier) = nullptr;
  // Called for each thread when the detector first sees it. Returns whether it is a carrier of virtual threads.
  bool (*meet)(const JavaThread* thread) = nullptr;
};
extern Hooks hooks;

// Per thread, for the layer that knows instructions: what it found out about them. `key` is 0 in unused entries. All
// entries are forgotten when objects move, because classes may then be unloaded.
struct KnownInstruction {
  u64 key = 0;
  u32 place = 0;
  u32 traits = 0;
};
KnownInstruction& known_instruction(JavaThread* thread, u64 key);

// Called by the collector with the world stopped. forward() returns the object's new address, or null if it is dead.
void update_objects(Object* (*forward)(Object*, void*), void* context);

}  // namespace keyhole::races
