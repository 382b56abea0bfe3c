// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Replays a load: each thread of the load becomes a simulated thread, which executes the thread's steps.
//
// R1: a wait lasts until the notify that ended it in the recording. Under another algorithm, or on more CPUs, that
//     notify may come before the wait. Then the thread does not wait, like a program that tests its condition first. A
//     thread that is woken by a notify for another wait waits again.
#include "bench/lockreplay/replay.h"

#include <algorithm>
#include <deque>

#include "bench/mutexbench/simulated_rows.h"
#include "runtime/base/check.h"

namespace keyhole::lockreplay {

namespace {

using compare::LoadStep;
using compare::LockLoad;
using mutexbench::SimulatedJavaWorld;
using mutexbench::SimulatedObject;
using mutexbench::SimulatedRecord;
using mutexbench::SimulatedThread;

struct Locked {
  SimulatedObject* object;
  std::deque<i64> waiting{};  // numbers of the current waits, in the order in which the algorithm would end them
};

struct Cells {  // of a thread
  SimulatedAtomic<i32> done{0}, never{0};
};

// Time slices end between pieces.
constexpr i64 piece_of_work = 100'000;

template <typename Protocol> class Player {
 public:
  Player(Protocol& protocol, SimulatedMachine& machine, std::vector<Locked>& objects, std::vector<bool>& ended,
         SimulatedThread* thread, Cells* cells)
      : protocol_(protocol), machine_(machine), objects_(objects), ended_(ended), thread_(thread), cells_(cells) {}

  void take(const LoadStep& step) {
    switch (step.kind) {
      case LoadStep::work: work(step.amount); break;
      case LoadStep::sleep: sleep(step.amount); break;
      case LoadStep::lock: lock(objects_[step.object]); break;
      case LoadStep::unlock: unlock(objects_[step.object]); break;
      case LoadStep::wait: wait(objects_[step.object], step.amount); break;
      case LoadStep::notify: notify(objects_[step.object], step.amount); break;
    }
  }

 private:
  // As test::enter_level and exit_level.
  void lock(Locked& locked) {
    KEYHOLE_CHECK(thread_->lock_record_top < SimulatedThread::lock_record_capacity, "locks are nested too deeply");
    SimulatedRecord* record = &thread_->lock_records[thread_->lock_record_top];
    bool done = Protocol::FastPath::try_enter(thread_, locked.object, record);
    ++thread_->lock_record_top;
    record->object = locked.object;
    if (!done) protocol_.enter(thread_, &locked.object, record);
  }
  void unlock(Locked& locked) {
    u32 top = thread_->lock_record_top - 1;
    SimulatedRecord* record = &thread_->lock_records[top];
    if (!Protocol::FastPath::try_exit(thread_, locked.object, record)) protocol_.exit(thread_, locked.object, record);
    record->object = nullptr;
    thread_->lock_record_top = top;
  }
  void work(i64 nanoseconds) {
    for (; nanoseconds > 0; nanoseconds -= piece_of_work) machine_.compute(std::min(nanoseconds, piece_of_work) * 1000);
  }
  // Sleeps without the simulated timer's delay, because the recorded length of a sleep already includes the real
  // timer's delay.
  void sleep(i64 nanoseconds) {
    constexpr i64 lateness = cost_model::timer_lateness / 1000;
    if (nanoseconds > lateness) SimulatedJavaWorld::wait_on(cells_->never, 0, nanoseconds - lateness);
    else work(nanoseconds);
  }
  void wait(Locked& locked, i64 number) {
    while (!ended_[static_cast<usize>(number)]) {
      locked.waiting.push_back(number);
      protocol_.wait(thread_, &locked.object, forever);
    }
  }
  void notify(Locked& locked, i64 number) {
    ended_[static_cast<usize>(number)] = true;
    while (std::ranges::find(locked.waiting, number) != locked.waiting.end()) {
      locked.waiting.pop_front();
      protocol_.notify(thread_, locked.object, false);
    }
  }

  Protocol& protocol_;
  SimulatedMachine& machine_;
  std::vector<Locked>& objects_;
  std::vector<bool>& ended_;  // waits
  SimulatedThread* thread_;
  Cells* cells_;
};

template <typename Protocol> Replay play(Protocol& protocol, u32 cpus, const LockLoad& load) {
  namespace arena = mutexbench::arena;
  constexpr usize line_pair = 128;
  SimulatedMachine machine(cpus, 1);
  std::vector<Locked> objects(load.objects);
  std::vector<bool> ended(static_cast<usize>(load.waits));
  for (Locked& locked : objects) {
    locked.object = static_cast<SimulatedObject*>(arena::allocate(line_pair, line_pair));
    locked.object->header = layout::prototype_word(1);
  }
  std::vector<SimulatedThread*> threads;
  std::vector<Cells*> cells;
  for (u32 i = 0; i < load.threads.size(); ++i) {
    SimulatedThread* thread = arena::make<SimulatedThread>();
    thread->id = i + 3;
    thread->hash_state[0] = i + 2;
    thread->next = SimulatedJavaWorld::first_thread;
    SimulatedJavaWorld::first_thread = thread;
    threads.push_back(thread);
    cells.push_back(arena::make<Cells>());
  }
  Replay result;
  SimulatedMachine::Picoseconds last = 0;
  for (u32 i = 0; i < load.threads.size(); ++i) {
    machine.add_thread([&, i] {
      const LockLoad::Thread& mine = load.threads[i];
      if (mine.after != LockLoad::nobody) {
        SimulatedAtomic<i32>& before = cells[mine.after]->done;
        while (before.load() == 0) SimulatedJavaWorld::wait_on(before, 0, forever);
      }
      Player<Protocol> player(protocol, machine, objects, ended, threads[i], cells[i]);
      for (const LoadStep& step : mine.steps) player.take(step);
      last = std::max(last, machine.now());
      cells[i]->done.store(1);
      SimulatedJavaWorld::wake(cells[i]->done, INT32_MAX);
    });
  }
  result.end = machine.run() ? Replay::End::done : Replay::End::stuck;
  result.nanoseconds = last / 1000;
  for (const SimulatedThread* thread : threads) {
    for (u32 i = 0; i < lock_counter_count; ++i)
      result.counters[i] += thread->lock_counters.get(static_cast<LockCounter>(i));
  }
  return result;
}

}  // namespace

Replay replay(std::string_view algorithm, u32 cpus, const LockLoad& load) {
  mutexbench::arena::clear();
  SimulatedJavaWorld::first_thread = nullptr;
  Replay result;
  mutexbench::with_simulated_row(algorithm, [&](auto& protocol) { result = play(protocol, cpus, load); });
  return result;
}

}  // namespace keyhole::lockreplay
