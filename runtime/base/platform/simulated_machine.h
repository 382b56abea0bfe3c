// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// SimulatedMachine: threads on CPUs with caches, all simulated, in one OS thread. cost_model.h defines the time of each
// access.
//
//   event queue (time, thread) --earliest--> the thread's fiber runs until its next access
//        ^                                                        |
//        +------------------------its cost------------------------+
//
//   thread      is                                            leaves it by
//   running     on a CPU: computing, accessing, spinning      sleep, end of its time slice, end of its body
//   ready       in a CPU's queue                              the CPU's thread sleeps or ends, or its slice is over; an
//                                                             idle CPU takes it
//   asleep      in the queue of a futex cell, or in none      wake, deadline
//
// R1: an access takes effect when it is complete, and accesses take effect in the order of time. So a thread reads what
//     the latest write before that moment left: a run is sequentially consistent, and the same for the same seed.
// R2: stores take effect when they are issued; their line is on its way (drained_at, Line::free_at), and the delay is
//     charged to the accesses that wait for it. The model checker, not this machine, explores reorderings by store
//     buffers.
// R3: a thread that spins sleeps in the line's list of watchers. A write to the line queues a read for each of them, in
//     random order, before the writer's next access; when it arrives the thread looks again.
// R5: requests for a line are served in the order in which they are made, and are booked at once. The core that has the
//     line keeps using it for a moment after its last access (Thread::recent).
// R4: a line is an address / 64, so neighbours in memory are falsely shared here, too.
// R6: virtual threads (make_threads_virtual) have CPUs for carriers. A virtual thread that sleeps gives its carrier to
//     a ready virtual thread, and not to the kernel. Every unpark is deferred, as by the policy of
//     runtime/threads/continuations/deferred_unpark_policy.h: the woken thread waits for a carrier that comes back. If
//     none comes within the unblocker's interval, the unblocker gives the thread to an idle carrier. The kernel has to
//     wake both the unblocker and that carrier. Carriers are not preempted.
//
// Where no thread runs (setting up, checking) accesses are free.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <source_location>
#include <unordered_map>
#include <vector>

#include "runtime/base/platform/cost_model.h"
#include "runtime/base/platform/fiber.h"

namespace keyhole {

// The line of a protocol that makes an access, and the line that called the library function which it is in.
struct SimulatedPlace {
  std::source_location line, caller;
};

// Gets each step of each thread, in the order of its end. The machine is not accessed meanwhile.
class SimulatedStepListener {
 public:
  using Picoseconds = cost_model::Picoseconds;
  enum class Step : u8 {
    own,           // an access to a line that this core has for itself, or reads and has
    shared,        // a line that cores of this socket share: one more reads it, or one takes it for itself
    other_core,    // a line that another core of this socket has written
    other_socket,  // a line whose transfer, read or invalidation crosses sockets
    kernel,        // a call of the kernel, a switch, a wake-up
    other,         // a fence, waiting for own stores
  };
  virtual ~SimulatedStepListener() = default;
  virtual void on_step(u32 thread, const SimulatedPlace& place, Step step, Picoseconds begin, Picoseconds end) = 0;
  // The thread has spun or slept, and was resumed at this time by a write, a wake-up, or its deadline.
  virtual void on_resumed(u32 thread, Picoseconds time) = 0;
};

class SimulatedMachine {
 public:
  using Picoseconds = cost_model::Picoseconds;
  using Step = SimulatedStepListener::Step;
  static constexpr u32 no_core = UINT32_MAX;

  // CPUs are taken in this order: the cores of socket 0, of socket 1, then the second hyperthreads. There are two
  // sockets of at most 32 cores.
  SimulatedMachine(u32 cpus, u64 seed, u32 cores_per_socket = cost_model::cores_per_socket);
  ~SimulatedMachine();
  SimulatedMachine(const SimulatedMachine&) = delete;

  // A thread that begins when run() is called. Threads start one per core, on both sockets in turn, before cores get a
  // second one.
  void add_thread(std::function<void()> body);
  // Makes all threads virtual (R6). Called before run().
  void make_threads_virtual() { are_virtual_ = true; }
  bool are_threads_virtual() const { return are_virtual_; }
  // Makes a write to a clean line of other cores as dear as one to a line that one of them has written. Called before
  // run(). Not part of the cost model, whose figure for such a write is that of a read: for comparisons.
  void make_shared_writes_dear() { are_shared_writes_dear_ = true; }
  // Runs until all threads have ended. False: some are asleep, and no thread is left to wake them.
  [[nodiscard]] bool run();
  // Called before run(). The listener outlives the run.
  void set_listener(SimulatedStepListener* listener) { listener_ = listener; }

  static SimulatedMachine* current() { return current_; }
  bool in_thread() const { return running_ != nullptr; }
  u32 thread_index() const { return running_ == nullptr ? UINT32_MAX : running_->index; }
  Picoseconds now() const { return now_; }
  u32 cpus() const { return static_cast<u32>(cpus_.size()); }
  u64 random();

  // --- called by the running thread ----------------------------------------------------------------------------------
  // The steps from here on are this line's.
  void at(const std::source_location& line) {
    if (running_ != nullptr) running_->place.line = line;
  }
  // ... and happen for this caller. Returns the caller before, for set_caller() at the end. The outermost one stays.
  std::source_location set_caller(const std::source_location& caller, bool replace) {
    if (running_ == nullptr) return {};
    std::source_location before = running_->place.caller;
    if (replace || before.line() == 0) running_->place.caller = caller;
    return before;
  }
  void compute(Picoseconds cost);  // takes longer while the sibling hyperthread is busy
  void load(const void* address);
  // `effect` does the store; the watchers of the line read it again.
  template <typename Effect> void store(void* address, Effect effect) {
    begin_store(address);
    effect();
    notify_watchers(address);
  }
  // `effect` does the operation and returns whether it wrote.
  template <typename Effect> void locked_operation(void* address, Effect effect) {
    begin_locked_operation(address);
    if (effect()) notify_watchers(address);
  }
  void fence();
  void yield();
  // Spins until the line is written or `deadline` has come; false at the deadline. The caller reads the line again by
  // load.
  bool watch(const void* address, Picoseconds deadline);
  // Sleeps on a futex; calls `unchanged` under the kernel's lock of that cell.
  void sleep_on(const void* cell, const std::function<bool()>& unchanged, i64 nanoseconds);
  void wake(const void* cell, u32 count);

  u64 accesses() const { return accesses_; }

 private:
  struct Thread;
  struct Line {
    u64 sharers = 0;      // the cores that have it
    u32 owner = no_core;  // the core that has written the line since others read it
    Picoseconds free_at = 0;
    Thread* watchers = nullptr;
  };
  struct Cpu {
    u32 core;
    u32 sibling;  // the other hyperthread's CPU, or itself
    Thread* thread = nullptr;
    Picoseconds slice_end = 0;
    std::deque<Thread*> ready;
  };
  struct Recent {  // a line, and the time until which its last user may keep using it
    const Line* line = nullptr;
    Picoseconds until = 0;
    bool exclusive = false;
  };
  struct Thread {
    SimulatedMachine* machine;
    u32 index;
    std::function<void()> body;
    std::unique_ptr<Fiber> fiber;
    u32 cpu = 0;
    u64 epoch = 0;               // an event of an earlier epoch is void
    Picoseconds drained_at = 0;  // R2
    bool spinning = false;
    bool timed_out = false;
    Recent recent[4];  // R5: the lines used last
    u32 next_recent = 0;
    Line* watched = nullptr;
    Thread* next_watcher = nullptr;
    const void* sleeps_on = nullptr;
    bool is_deferred_unpark = false;  // R6: woken, and in a CPU's queue
    SimulatedPlace place;
    Picoseconds resumed_at = 0;     // at the end of its last wait
    Step resumed_by = Step::other;  // the read that let it go on
  };
  struct Event {
    Picoseconds time;
    u64 order;
    Thread* thread;
    u64 epoch;
    bool operator>(const Event& other) const { return time != other.time ? time > other.time : order > other.order; }
  };
  struct Bucket {  // a bucket of the kernel, for one cell
    Picoseconds free_at = 0;
    std::deque<Thread*> sleepers;
  };

  Line& line_of(const void* address) { return lines_[reinterpret_cast<uptr>(address) >> 6]; }
  u32 core_of(const Thread* thread) const { return cpus_[thread->cpu].core; }
  u32 socket_of_core(u32 core) const { return core / cores_per_socket_; }
  u64 cores_of_socket(u32 socket) const { return ((u64{1} << cores_per_socket_) - 1) << (socket * cores_per_socket_); }
  bool on_socket_of(u32 core, u64 cores) const;
  Picoseconds jittered(Picoseconds cost);
  Picoseconds fetch_cost(const Line& line, u32 core);
  Picoseconds write_cost(const Line& line, u32 core);
  Picoseconds invalidation_cost(const Line& line, u32 core);
  void keep(Thread* thread, const Line& line, Picoseconds used_at, bool exclusive);
  bool kept(const Thread* thread, const Line& line, Picoseconds until, bool exclusive) const;
  Picoseconds queue_load(Thread* thread, Line& line);

  // What the listener gets to know of an access, before it changes the line.
  Step step_of_load(const Line& line, u32 core) const;
  Step step_of_write(const Line& line, u32 core) const;
  void tell(Thread* thread, Step step, Picoseconds begin) {
    if (listener_ != nullptr) listener_->on_step(thread->index, thread->place, step, begin, now_);
  }
  void tell_resumed(Thread* thread) {
    if (listener_ != nullptr) listener_->on_resumed(thread->index, thread->resumed_at);
  }

  void begin_store(void* address);
  void begin_locked_operation(void* address);
  void notify_watchers(const void* address);
  void stop_watching(Thread* thread);

  void schedule(Thread* thread, Picoseconds time);
  void advance_to(Picoseconds time);
  void switch_away();
  Fiber* next_fiber();
  void give_up_cpu(Thread* thread);
  void yield_to_ready_threads();
  std::optional<u32> find_idle_cpu(const Thread* thread) const;
  void start_on(u32 cpu, Thread* thread, Picoseconds latency);
  void make_ready(Thread* thread);
  void call_awake(Thread* thread);
  void defer_unpark(Thread* thread);
  void look_for_idle_carrier(Thread* thread);
  Picoseconds end_of_slice(Picoseconds begin) const {
    return are_virtual_ ? INT64_MAX : begin + cost_model::time_slice;
  }
  void enter_kernel_bucket(Bucket& bucket);
  static Fiber* thread_body(void* argument);

  static SimulatedMachine* current_;
  Fiber home_;
  u32 cores_per_socket_;
  std::vector<Cpu> cpus_;
  std::vector<u32> placement_;  // the order in which threads get CPUs
  std::vector<std::unique_ptr<Thread>> threads_;
  std::unordered_map<uptr, Line> lines_;
  std::unordered_map<const void*, Bucket> buckets_;
  std::priority_queue<Event, std::vector<Event>, std::greater<Event>> events_;
  std::vector<Thread*> woken_;  // a buffer of notify_watchers
  SimulatedStepListener* listener_ = nullptr;
  Thread* running_ = nullptr;
  Picoseconds now_ = 0;
  u64 next_order_ = 0;
  u64 random_state_;
  u64 accesses_ = 0;
  u32 alive_ = 0;
  bool are_virtual_ = false;
  bool are_shared_writes_dear_ = false;
};

}  // namespace keyhole
