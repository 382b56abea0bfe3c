// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The machine of the checked world: 2 to 4 threads as fibers, memory with store buffers, and a scheduler that consults
// an Oracle at each choice.
//
//   thread A   load x   store y   cas z                    pending: its operation when it is chosen next
//                  \        |        \  needs an empty buffer
//   buffer A        \     [y = 1] --flush--> memory        a flush is a step of its own, by no thread: not a preemption
//   memory           x .. y .. z ..
//
// Steps, and when they are possible
//
//   program   a thread does its pending operation        its condition holds (a free mutex, a permit, a stopped world
//                                                        ...)
//   flush     the oldest store of a buffer reaches       a thread may see it, or no other step is possible (M8)
//             memory
//   timeout   a timed park or wait times out             it is the thread's pending operation; a thread's third one
//                                                        only when no other step is possible
//   spurious  a park or wait ends spuriously             the same, as often as the program under check allows
//
// M1: x86's memory: a load sees the thread's own buffer first, then memory; stores leave a buffer in order;
//     read-modify-writes, fences and system calls empty the own buffer first.
// M2: a choice is made only before an operation that others can see. Not seen: stores, which enter the buffer, and
//     cells that only one thread uses. Those are discovered on the way: when a second thread accesses a cell, the cell
//     is shared from then on and the exploration starts again. (A load that finds its cell in its own buffer is a
//     choice, too: the store might have left it, and been overwritten.)
// M3: spinning is one load. Fewer or more reads of the same value make no difference, so a spin that found nothing ends
//     at once; the executions in which it waits longer are those in which its thread is chosen later. Switching threads
//     at such a spin is not a preemption. A thread that spins at one place repeatedly, and has seen nothing new, waits
//     until there is something new.
// M4: a thread's future is a function of what it has observed. So a state is: what each thread has observed, memory,
//     and how far buffers are flushed; its hash does not need the stacks.
// M5: happens-before is that of C++ and not of x86: acquire, release, fences. Plain cells are checked against it.
// M6: memory of one execution comes from arenas, one per thread, and is never reused: every access to freed memory is
//     caught.
// M7: each thread has a clock of its own that moves when it times out: no thread sees another one's.
// M8: a store is held back as long as that makes no difference. It makes a difference to a thread whose pending
//     operation is on that cell, to a thread that holds back a store to the same cell, and to its own thread when that
//     needs an empty buffer. Any execution is equivalent to one in which each flush comes just before such a step, so
//     after a flush that step comes next.
// M9: stopping the world and handshakes exclude each other; a thread that waits for its turn is safe meanwhile, like a
//     blocked one.
// M10: continuations have stacks of their own, on which threads take turns. What a thread has observed (M4) includes
//     what those have observed whose stacks it has run on, up to then.
#pragma once

#include <atomic>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/address_space.h"
#include "runtime/base/platform/world.h"

namespace keyhole::checked {

inline constexpr u32 maximum_threads = 4;
inline constexpr u32 maximum_continuations = 4;
using Where = std::source_location;

struct Clock {
  u32 of[maximum_threads] = {};
  void join(const Clock& other) {
    for (u32 i = 0; i < maximum_threads; ++i) of[i] = of[i] < other.of[i] ? other.of[i] : of[i];
  }
};

enum class Action : u8 {
  begin,
  load,
  store,
  rmw,
  fence,
  spin,
  park,
  unpark,
  wait,
  wake,
  lock,
  unlock,
  managed,
  stop_world,
  handshake,
  flush,
  note,
  end,
};

// A step as one number: kind * maximum_threads + thread.
using Step = u8;
enum class StepKind : u8 { program, flush, timeout, spurious };
inline constexpr u32 step_count = 4 * maximum_threads;
constexpr Step step_of(StepKind kind, u32 thread) {
  return static_cast<Step>(static_cast<u32>(kind) * maximum_threads + thread);
}
constexpr StepKind kind_of(Step step) { return static_cast<StepKind>(step / maximum_threads); }
constexpr u32 thread_of(Step step) { return step % maximum_threads; }

// The footprint of a step: the data that it touches. Steps with different footprints commute.
struct Footprint {
  const void* cell = nullptr;  // null: the step touches only its own thread
  bool writes = false;
  bool everything = false;
};
constexpr bool commute(const Footprint& a, const Footprint& b) {
  if (a.everything || b.everything) return false;
  return a.cell == nullptr || a.cell != b.cell || (!a.writes && !b.writes);
}

struct Choice {
  Step steps[step_count];
  u32 count = 0;
  u64 state = 0;           // hash (M4)
  u32 current;             // the thread that ran last
  bool current_can_go_on;  // choosing another program step is a preemption
};

class Engine;
class Oracle {
 public:
  virtual ~Oracle() = default;
  static constexpr int prune = -1;
  // Returns an index into choice.steps, or `prune` when this execution is no longer of interest. Also called when there
  // is only one step.
  virtual int choose(Engine& engine, const Choice& choice) = 0;
};

struct Event {
  u32 thread;
  Action action;
  const void* cell;
  u8 bytes;
  u64 before, after;
  Where where;
  const char* text;  // of notes and outcomes; may be null
};

// The program under check, run in each execution. set_up and finish run alone, before and after the threads.
class Program {
 public:
  virtual ~Program() = default;
  virtual u32 thread_count() const = 0;
  virtual u32 spurious_wakeups() const { return 0; }  // per execution
  virtual bool stops_the_world() const { return false; }
  virtual void set_up() = 0;
  virtual void run(u32 thread) = 0;
  virtual void finish() = 0;     // all threads have ended
  virtual void tear_down() = 0;  // frees what set_up took; after failed executions, too
  // Checks the data of the threads before each choice; its loads see memory and are no steps. stores_are_held: a store
  // has not reached memory yet. Returns the empty string, or what is wrong.
  virtual std::string look_between_steps([[maybe_unused]] bool stores_are_held) { return {}; }
};

enum class Outcome : u8 { completed, pruned, failed };

class Engine {
 public:
  Engine();
  ~Engine();
  static Engine& instance();

  // --- for the explorer ----------------------------------------------------------------------------------------------
  // Runs one execution. `every_operation`: makes a choice before each operation, even those that M2 omits (for
  // replays).
  Outcome execute(Program& program, Oracle& oracle, bool every_operation = false, std::vector<Event>* trace = nullptr);
  const std::string& failure() const { return failure_; }
  u64 operations() const { return operations_; }  // of all executions
  u64 choices_seen() const { return choices_seen_; }
  Footprint footprint(Step step) const;
  // Whether cells have become shared since the last call (M2).
  bool take_news() {
    bool news = news_;
    news_ = false;
    return news;
  }
  void forget_shared_cells();
  // The steps of the last execution, as text that replays it: `A5aB3A!`.
  std::string schedule() const;
  std::string name_of(const void* cell) const;

  // --- for the world: operations of the running thread ---------------------------------------------------------------
  u64 load(const void* cell, u32 bytes, Order order, Where where);
  void store(void* cell, u32 bytes, u64 value, Order order, Where where);
  // A read-modify-write; returns the value before it. change(before, &after) returns whether `after` is written; if
  // not, this is a load with order `otherwise`.
  template <typename Change>
  u64 modify(void* cell, u32 bytes, Order order, Order otherwise, Where where, Change change) {
    u64 before = begin_modify(cell, bytes);
    u64 after = before;
    bool writes = change(before, &after);
    end_modify(cell, bytes, before, after, writes, writes ? order : otherwise, where);
    return before;
  }
  void fence(Where where);
  // One read of a spinning loop, which `where` identifies (M3).
  bool spin(const void* cell, u32 bytes, bool (*predicate)(const void* context, u64 value), const void* context,
            Where where);
  void plain_read(const void* cell, u64 value, Where where);
  void plain_write(const void* cell, u64 before, u64 after, Where where);
  void cell_begins(const void* cell);  // a constructor ran at this address: there is a new cell

  bool park(u32 thread, i64 nanoseconds, Where where);  // true: a permit ended it
  void unpark(u32 thread, Where where);
  void wait_on(const void* cell, i32 expected, i64 nanoseconds, Where where);
  void wake(const void* cell, i32 count, Where where);
  void lock(u64* mutex, Where where);
  bool try_lock(u64* mutex, Where where);
  void unlock(u64* mutex, Where where);
  // Makes the thread safe: it touches no objects, and the world can be stopped. Calls nest.
  void become_safe();
  void become_managed(Where where);
  // Runs the operation once all other threads are safe, without any other step in between.
  void stop_world(void (*operation)(void*), void* context, Where where);
  // Runs operation(thread) for each other thread, at a moment when that thread is safe.
  void handshake_all(void (*operation)(u32 thread, void* context), void* context, Where where);

  // Prepares a continuation (M10): its next mount begins body(argument).
  void start_continuation(u32 number, void (*body)(void* argument), void* argument);
  // The running thread continues on the continuation's stack until it unmounts, or its body returns.
  void mount(u32 number);
  // Called by a mounted continuation; returns when it is mounted again, perhaps by another thread.
  void unmount(u32 number);

  i64 now_nanoseconds() const;
  u64 random();
  u32 thread_count() const { return thread_count_; }
  u32 running_thread() const { return running_; }
  bool is_running() const { return is_running_; }
  void note(const char* text, Where where = Where::current());
  // Ends the execution; returns only when no thread runs (set_up, finish).
  void fail(const std::string& text);
  void mark_hint(const void* cell) { hints_.push_back(cell); }  // races on it only cost time, so it makes no choices
  void name(const void* begin, usize bytes, const std::string& label);

  // True while a thread runs code under check and not the engine: then memory from `new` belongs to the execution.
  inline static bool runs_code_under_check = false;

  // --- memory of an execution (M6) -----------------------------------------------------------------------------------
  void* allocate(usize bytes, usize alignment);
  void release(void* memory, usize bytes);
  // Sequential consistency, for explorations that are too large otherwise: a store is a choice, and reaches memory at
  // once. There are fewer executions, and each exists without the flag, too. Errors that need a delayed store are not
  // found.
  bool stores_at_once = false;

  static bool is_arena_address(const void* address) {
    uptr place = reinterpret_cast<uptr>(address);
    return place >= arena_address && place < arena_address + arena_bytes;
  }

 private:
  // Arenas lie where headers can point, under each sanitizer, too.
  static constexpr uptr arena_address = address_space::stacks_base;
  static constexpr usize arena_bytes = usize{64} << 20;
  static constexpr usize arena_of_thread_bytes = usize{4} << 20;
  static constexpr u32 longest_execution = 20'000;  // in operations; a longer execution is a livelock

  struct Impl;
  struct Thread;
  struct Continuation;
  struct Cell;
  struct Pending;

  u64 begin_modify(void* cell, u32 bytes);
  void end_modify(void* cell, u32 bytes, u64 before, u64 after, bool writes, Order order, Where where);

  Impl* impl_;
  bool is_running_ = false;  // threads run
  bool news_ = false;
  u32 running_ = 0;
  u32 thread_count_ = 0;
  u64 operations_ = 0;
  u64 choices_seen_ = 0;
  void* arena_ = nullptr;
  std::string failure_;
  std::vector<const void*> hints_;
  friend struct Impl;
};

}  // namespace keyhole::checked
