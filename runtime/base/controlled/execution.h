// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Execution: one schedule of a controlled VM, as the explorer asks for it and as the VM reports it. It lies in memory
// that the explorer's process and the VM's process share.
//
//   explorer                                       controlled VM (strands.h)
//   request: script, seed, places      ----->      chooses strands by it
//   events, outcome, texts             <-----      writes each event before the operation takes effect
//
// An event's number is its index in `events`. The default policy lets the running strand go on as long as it can, and
// then takes the next strand by number. A script lists the events at which another strand runs than the default policy
// would choose. So a script stands for one schedule of a program.
//
// X1: the VM writes an event before it counts it, so the events of a process that crashed are complete.
// X2: events and the numbers of strands depend only on the script: an execution with the same script in another process
//     has the same events. Only the addresses of locations and the numbers of places may differ.
#pragma once

#include <atomic>

#include "runtime/base/controlled/strand_set.h"
#include "runtime/base/types.h"

namespace keyhole::controlled {

enum class Kind : u8 {
#define KIND(name, ...) name,
#include "runtime/base/controlled/kinds.def"
#undef KIND
};

struct KindRow {
  const char* name;
  const char* words;
  bool changes, acquires, releases, is_choice, drains;
};
inline constexpr KindRow kind_rows[] = {
#define KIND(name, words, changes, acquires, releases, is_choice, drains) \
  {#name, words, (changes) != 0, (acquires) != 0, (releases) != 0, (is_choice) != 0, (drains) != 0},
#include "runtime/base/controlled/kinds.def"
#undef KIND
};
constexpr const KindRow& row(Kind kind) { return kind_rows[static_cast<u32>(kind)]; }
// Whether the order of two operations on one location matters.
constexpr bool conflict(Kind one, u64 location, Kind other, u64 other_location) {
  return location == other_location && (row(one).changes || row(other).changes);
}
constexpr bool is_access(Kind kind) {
  return kind <= Kind::update || kind == Kind::store || (kind >= Kind::opaque_read && kind <= Kind::release_write);
}
// Whether the operation writes to memory or to a store buffer.
constexpr bool writes(Kind kind) { return row(kind).changes || kind == Kind::store; }
// Whether the operation is an access that reads, and does not write.
constexpr bool only_reads(Kind kind) { return is_access(kind) && !writes(kind); }

// X3: with store buffers, strands of threads have even numbers, and the next number is that of the thread's buffer.
//     While the buffer is not empty, it takes part in choices as a strand of its own (store_buffers.h).
constexpr u32 buffer_of(u32 strand) { return strand | 1; }
constexpr u32 owner_of(u32 buffer) { return buffer & ~1u; }
inline constexpr u32 max_events = 1u << 20;
inline constexpr u32 max_steps = 1u << 14;
inline constexpr u32 max_text_bytes = 4u << 20;
inline constexpr u32 place_slots = 1u << 14;

struct Event {
  u64 location;       // the address that the operation is about
  u64 place;          // the place in the program: a hash of method and bytecode index
  StrandSet enabled;  // the strands that could go on
  u8 strand;
  u8 before;  // the strand that ran until this choice
  Kind kind;
  u8 visible;  // Memory::jmm: how many writes the read could see, at most 255; otherwise 0
  u8 older;    // Memory::jmm: 0: the read saw the last write; otherwise how many of the visible ones were newer
  bool is_choice : 1;
  bool deviates : 1;  // the default policy would have chosen another strand: a step of the script
  bool is_free : 1;  // the running strand had used up its share (strands.h S6) or yielded, so a switch is no preemption
  bool is_quiet : 1;  // inside a method of quiet.def
  bool is_fresh : 1;  // `before` has just stored: the default policy flushes its buffer (store_buffers.h B4)
};

// A strand and its next operation. The sleep set (vm/tools/explore/dpor.h D4) consists of such strands: the search has
// already tried them, so a sleeping strand does not go on until an event of another strand conflicts with its
// operation.
struct Sleeper {
  u32 strand;
  Kind kind;
  u64 location;
};

// A step of a script: the strand that goes on at this event, or, if `older` is not 0, the write that the read of this
// event sees (Event::older). A step of the second kind comes after one of the first kind for the same event.
struct Step {
  u32 event;
  u32 strand;
  u32 older = 0;
};

// The memory model: the store whose value a load sees.
enum class Memory : u8 {
  sc,   // the last store in the order of the events
  tso,  // the strand's own last store, if it is still in the buffer; otherwise the last store in memory
  jmm,  // any write that the Java memory model permits (write_histories.h)
};

constexpr const char* name_of(Memory memory) {
  constexpr const char* names[] = {"sc", "tso", "jmm"};
  return names[static_cast<u32>(memory)];
}

enum class Policy : u8 {
  script,         // a step of the script, and between the steps the default policy
  random,         // any strand that can go on, with equal probability
  priority,       // PCT: random priorities, which sink at `depth - 1` random choices
  partial_order,  // POS: random priorities of operations
  weighted,       // SURW: weighted by the number of operations that a strand has left
};

enum class Outcome : u8 {
  running,       // if the process has ended, it crashed: it has written no outcome
  ended,         // by exit or by return
  failed,        // an exception that nobody caught
  stuck,         // no strand can go on
  uncontrolled,  // `text` says what
  exhausted,     // a limit: `text` says which
  redundant,     // only sleeping strands can go on: an earlier execution had the same order
  misfit,        // a step's strand could not go on, or the execution ended before the step
  cut,           // the explorer's time was over: the execution did not end on its own
};

struct Execution {
  // --- written by the explorer before the execution ------------------------------------------------------------------
  Policy policy;
  bool describes;   // write texts about each event
  bool is_reduced;  // strands in `sleepers` do not go on; is_quiet is set for all events, not for choices only
  bool is_strict;   // no method is quiet (vm/interpreter/points/quiet.def)
  Memory memory;
  u32 depth;   // priority: one more than the number of changes of priority
  u32 length;  // priority: the expected number of choices
  u64 seed;
  u64 focus;                 // weighted: the location whose operations count; 0: all locations
  u32 weights[max_strands];  // weighted: by strand, the expected number of these operations
  u8 parents[max_strands];   // weighted: by strand, the strand that is expected to start it
  u32 step_count;
  Step steps[max_steps];
  u32 sleeper_count;
  Sleeper sleepers[max_strands];  // they sleep from the last step on
  u64 places[place_slots];        // where plain accesses are choices: a hash table with linear probing, 0 = empty

  // --- written by the VM ---------------------------------------------------------------------------------------------
  std::atomic<Outcome> outcome;
  std::atomic<i32> process;  // the process of the execution, to end it when it hangs; 0: none
  i32 exit_code;
  u32 event_count;
  u32 choice_count;
  u32 strand_count;
  bool notified_many;            // a notify found several waiters, and took the first
  bool timed_out;                // a time limit has passed: no strand could go on before it
  u32 quiet_choices;             // operations that were no choices because their method is quiet
  u32 root_events;               // events before the root (strands.h S8)
  char names[max_strands][24];   // parent.number: "main.1"
  char titles[max_strands][32];  // Java's names of the threads, if texts are asked for
  char text[2048];               // of the outcome
  char where[256];               // its place
  u32 text_bytes;
  char texts[max_text_bytes];  // lines "event TAB strand TAB place TAB what", if asked for
  Event events[max_events];
};

// The strand of a thread: `strand` itself, or the strand whose buffer it is.
inline u32 thread_of(const Execution& execution, u32 strand) {
  return execution.memory == Memory::tso ? owner_of(strand) : strand;
}

inline u64 slot_of_place(u64 place) { return (place * 0x9E3779B97F4A7C15) >> 50; }
static_assert(place_slots == 1u << 14);
inline bool has_place(const Execution& execution, u64 place) {
  for (u64 slot = slot_of_place(place);; slot = (slot + 1) % place_slots) {
    if (execution.places[slot] == place) return true;
    if (execution.places[slot] == 0) return false;
  }
}

}  // namespace keyhole::controlled
