// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Strands: the threads of a controlled VM. All of them run on one OS thread, one at a time, each on a fiber of its own,
// and an oracle (oracle.h) chooses which one goes on.
//
//                 start                     chosen                         its function returns
//     (nothing) --------> ready, not begun --------> running ------------------------------------> ended
//                                                    |    ^
//                 stop_before(operation): a choice   |    | chosen
//                                                    v    |
//                                                    ready, at its next operation
//                                                    |    ^
//                 sleep_on(key)                      v    | wake(key), or its time limit
//                                                    asleep
//
// In a controlled VM, operations that would enter the kernel are served by system_calls.h: futexes and condition
// variables (keys are their addresses), the clock, random numbers, yielding.
//
// S1: exactly one strand runs. Every other one stands before an operation, or sleeps. The caller is in a safe state
//     (Blocked) when it calls go_on() or sleep_on(), so safepoints and handshakes do not wait for stopped strands.
// S2: no strand is stopped while it holds a Mutex: other strands would wait for it without the oracle's knowledge.
// S3: the clock stands still while any strand can run. When no strand can, the clock advances to the earliest time
//     limit of a sleeping strand, and that strand is woken.
// S4: nothing is recorded or chosen before explore(): the VM boots by the default policy.
// S5: a strand that waits for a Monitor is enabled while the monitor is free, or its own.
// S6: when a strand has run fair_events events while another one could go on, the default policy takes the next one. So
//     a loop that waits for another strand's write ends.
// S7: events begin when the program starts its first thread, because no earlier operation can race.
// S8: the root is the first operation before which two strands can go on, whether or not it is a choice. A search may
//     later make any operation a choice, so everything that follows must be executed again in each schedule.
// S9: with store buffers (store_buffers.h), the buffer of a strand takes part in choices while it is not empty. If it
//     is chosen, its oldest store becomes memory, and the choice is made again. A strand cannot execute an operation
//     that drains before its buffer is empty. It executes a `drain` only if it has stored since its last operation that
//     drained. This depends on the strand's own operations alone, so executions of equal order have equal events.
#pragma once

#include "runtime/base/controlled/execution.h"
#include "runtime/base/controlled/system_calls.h"

namespace keyhole::controlled {

// A lock whose holder is a strand. The lock's owner changes it; strands.cpp reads it (S5).
struct Monitor {
  static constexpr u32 nobody = UINT32_MAX;
  u32 owner = nobody;
  u32 levels = 0;
};

struct Operation {
  Kind kind;
  u64 location = 0;
  u64 place = 0;
  bool is_quiet = false;
  // Only with write histories, of an access to a field or an array element:
  u64 holder = 0;  // the object
  u32 bytes = 0;   // the size of the variable
  bool is_final = false, is_reference = false;
  bool is_part = false;  // of a copy whose accesses take place together, after the last one has been recorded
};

inline constexpr u32 fair_events = 20'000;

// Functions of the layers above. `current` and `set_current` are about the current JavaThread, which a switch saves and
// restores, because the layers above keep it per OS thread.
struct Context {
  void* (*current)() = nullptr;
  void (*set_current)(void* thread) = nullptr;
  // Explains why no strand can go on.
  void (*describe_stuck)() = nullptr;
  // Describes the last access, whose effect was not in memory yet when it was recorded.
  void (*describe_last)() = nullptr;
  // Describes a flush that is not directly after its store. `store`: the event of the store.
  void (*describe_flush)(u32 event, u32 store, u64 value) = nullptr;
  // Called before explore(): prepares data that all schedules need, so that it is computed once.
  void (*before_program)() = nullptr;
  // Called at the root (S8). Returns once for each execution of a schedule, in the process that executes it
  // (vm/tools/explore/engine.h).
  void (*at_root)() = nullptr;
  // Called before another strand goes on.
  void (*at_switch)() = nullptr;
};
extern Context context;

// Makes the calling OS thread the strand "main".
void begin(Execution* shared);
// Lets all other strands run until they sleep, so that the VM's own strands do not take part in choices. The caller is
// in a safe state.
void settle();
// Turns on choices and events (S4).
void explore();
extern bool exploring;  // written by explore()
inline bool is_exploring() { return exploring; }

// Starts a strand. Returns its number, or max_strands if there are too many. Strands that start before explore() are
// the VM's own.
u32 start(void* (*body)(void*), void* argument, usize stack_bytes);
// The strand that was started last, or main. A caller of start() records the event Kind::start with this number as its
// location before another strand runs. The new strand's first event, Kind::begin, has the same location, so everything
// that happened before the start happens before the strand.
u32 last_started();
// The argument with which a strand was started; null for main.
void* argument_of(u32 strand);
// Marks the strand that was started last as the VM's own, which may wait for ever.
void mark_last_as_system();
u32 current();
bool is_system(u32 strand);
u32 most_threads();
bool is_before_root();        // S8: everything before the root is executed once, for all requests
StrandSet enabled_strands();  // those that can go on
bool has_ended(u32 strand);

// Makes a choice. If it returns true, another strand was chosen, and the caller calls go_on() in a safe state. If it
// returns false, the operation takes place now. In both cases the caller then calls record(). `needed`: the monitor
// that the operation takes.
[[nodiscard]] bool stop_before(const Operation& operation, const Monitor* needed = nullptr);
void go_on();
// Adds the event. Returns its number.
u32 record(const Operation& operation);
// Adds an event of an operation that is no choice.
u32 note(const Operation& operation);
// S9: whether the write becomes an event `store`. Called when the write is about to take place.
bool enters_buffer(const Operation& operation);
// Called after record() of a write or a store, before memory changes.
void buffer_store(const Operation& operation, u32 event, u32 bytes);
// Whether the strand has stored since it last drained. If so, it needs a `drain` before the VM writes to the heap past
// the buffer.
bool must_drain();
// With write histories (write_histories.h), a read may see an older write. Its value is in memory from record() on
// until the strand's next operation, or until show_last_writes().
bool has_histories();
void show_last_writes();
// Whether the store of this event is still in its store buffer.
bool is_in_buffer(u32 event);
bool describes();
// Appends a line to the texts of an event.
void describe(u32 event, const char* place, const char* what);

// Ends the process with an outcome. An earlier outcome is not overwritten.
[[noreturn]] void finish(Outcome outcome, const char* text, const char* where);
// Sets the texts of the outcome that follows.
void explain(const char* text, const char* where);
// Notes a failure; the process goes on to its end.
void fail(const char* text, const char* where);

}  // namespace keyhole::controlled
