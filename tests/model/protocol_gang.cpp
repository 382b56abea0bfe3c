// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The gang's three dispatchers under the model checker: a coordinator and the workers' loops, as WorkerGang has them
// (gc/gang/worker_gang.cpp).
//
// The checks test the rules of gc/gang/dispatcher.h. `calls` and `input` are Plain cells. So it is a race if two
// workers get the same number, if a run returns before all workers have finished, or if a worker touches the task after
// stop. After a lost wake-up the coordinator or a worker sleeps for ever.
#include "gc/gang/broadcast_dispatcher.h"
#include "gc/gang/monitor_dispatcher.h"
#include "gc/gang/semaphore_dispatcher.h"
#include "runtime/base/platform/checked_world.h"
#include "tests/model/protocol_check.h"

namespace keyhole::model {
namespace {

constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;

// With one processor, a semaphore wakes one worker immediately, and the other workers when the coordinator is about to
// sleep. With many processors it wakes all workers immediately.
template <u32 count> struct Machine : CheckedWorld {
  static u32 processors() { return count; }
};
using Narrow = Machine<1>;
using Wide = Machine<8>;

// A count whose value other threads wait for.
struct Tally {
  CheckedWorld::Atomic<i32> count{0};
  void add() {
    count.fetch_add(1, release);
    CheckedWorld::wake(count, 4);
  }
  void await(i32 wanted) {
    for (i32 seen; (seen = count.load(acquire)) < wanted;) CheckedWorld::wait_on(count, seen, forever);
  }
};

template <typename D, u32 created> struct Gang {
  D dispatcher;
  // The coordinator writes `input` before it runs a task and after it stops the workers.
  CheckedWorld::Plain<u32> input;
  CheckedWorld::Plain<u32> calls[created];  // how often the task was called with each worker number
  Tally gone;                               // the number of workers that have left their loop, awaited by a join

  void run_task(u32 workers) {
    input.set(input.get() + 1);
    dispatcher.run(workers);
    for (u32 number = 0; number < created; ++number) {
      expect(calls[number].get() == (number < workers ? 1 : 0), "a number was not called once");
      calls[number].set(0);
    }
  }
  void stop() {
    dispatcher.stop(created);
    input.set(0);
  }
  template <typename Task> void work(u32 tasks_before, Task task) {
    u64 memory = 0;
    for (u32 number; (number = dispatcher.next_task(memory)) != gc::stopped;) {
      expect(number < created, "a number that nobody has asked for");
      expect(input.get() > tasks_before, "the task of before");
      task(number);
      calls[number].set(calls[number].get() + 1);
      dispatcher.finished();
    }
    gone.add();
  }
  void work() {
    work(0, [](u32) {});
  }
  void finish() { expect(gone.count.load() % static_cast<i32>(created) == 0, "a worker is left"); }
};

template <typename D> struct TwoTasks : Gang<D, 2> {
  void run(u32 thread) {
    if (thread != 0) return this->work();
    this->run_task(2);
    this->run_task(2);
    this->stop();
  }
};
template <typename D> struct SomeOfThem : Gang<D, 3> {
  void run(u32 thread) {
    if (thread != 0) return this->work();
    this->run_task(2);
    this->stop();
  }
};
template <typename D> struct FewerThenMore : Gang<D, 2> {
  void run(u32 thread) {
    if (thread != 0) return this->work();
    this->run_task(1);
    this->run_task(2);
    this->stop();
  }
};
// D2: a worker that waits in its task keeps its number. So workers that wait for each other get different numbers.
template <typename D, u32 workers> struct Meeting : Gang<D, workers> {
  Tally here;
  void run(u32 thread) {
    if (thread != 0) {
      return this->work(0, [&](u32) {
        here.add();
        here.await(workers);
      });
    }
    this->run_task(workers);
    this->stop();
  }
};
template <typename D> struct StopAtOnce : Gang<D, 2> {
  void run(u32 thread) {
    if (thread != 0) return this->work();
    this->stop();
  }
};
template <typename D> struct Restart : Gang<D, 2> {
  Tally again;
  void run(u32 thread) {
    if (thread != 0) {
      this->work();
      again.await(1);
      return this->work(0, [](u32) {});  // works as a new worker, which has not seen any task yet
    }
    this->run_task(2);
    this->stop();
    this->gone.await(2);
    this->dispatcher.restart();
    again.add();
    this->run_task(2);
    this->stop();
  }
};

constexpr const char* two_tasks = "two tasks for both workers: each number once, memory passed on both ways";
constexpr const char* spurious = "the same with wake-ups for no reason";
constexpr const char* some_of_them = "a task for two of three workers";
constexpr const char* fewer = "a task for one of two workers, then one for both";
constexpr const char* meeting = "a task whose workers wait for each other";
constexpr const char* at_once = "stopped before there was a task";
constexpr const char* restart = "stopped, joined, restarted, and a task again";

// A limit of states that suffices for one to three preemptions in each check. All checks take a minute of one
// processor.
constexpr u64 states = 400'000;

using gc::BroadcastDispatcherOf, gc::MonitorDispatcherOf, gc::SemaphoreDispatcherOf;
constexpr ProtocolCheck semaphore_checks[] = {
    {"gang-semaphore-tasks", two_tasks, program<TwoTasks<SemaphoreDispatcherOf<Wide>>, 3>},
    {"gang-semaphore-narrow", "the same on one processor", program<TwoTasks<SemaphoreDispatcherOf<Narrow>>, 3>},
    {"gang-semaphore-spurious", spurious, program<TwoTasks<SemaphoreDispatcherOf<Narrow>>, 3, 1>},
    {"gang-semaphore-fewer", fewer, program<FewerThenMore<SemaphoreDispatcherOf<Wide>>, 3>},
    {"gang-semaphore-some", some_of_them, program<SomeOfThem<SemaphoreDispatcherOf<Narrow>>, 4>},
    {"gang-semaphore-meeting", meeting, program<Meeting<SemaphoreDispatcherOf<Narrow>, 2>, 3>},
    {"gang-semaphore-meeting-3", meeting, program<Meeting<SemaphoreDispatcherOf<Narrow>, 3>, 4>},
    {"gang-semaphore-stop", at_once, program<StopAtOnce<SemaphoreDispatcherOf<Narrow>>, 3>},
    {"gang-semaphore-restart", restart, program<Restart<SemaphoreDispatcherOf<Narrow>>, 3>},
};
MODEL_PROTOCOL("gang-semaphore", "dispatch by two semaphores", semaphore_checks, states);

constexpr ProtocolCheck monitor_checks[] = {
    {"gang-monitor-tasks", two_tasks, program<TwoTasks<MonitorDispatcherOf<Wide>>, 3>},
    {"gang-monitor-spurious", spurious, program<TwoTasks<MonitorDispatcherOf<Wide>>, 3, 1>},
    {"gang-monitor-fewer", fewer, program<FewerThenMore<MonitorDispatcherOf<Wide>>, 3>},
    {"gang-monitor-some", some_of_them, program<SomeOfThem<MonitorDispatcherOf<Wide>>, 4>},
    {"gang-monitor-meeting", meeting, program<Meeting<MonitorDispatcherOf<Wide>, 2>, 3>},
    {"gang-monitor-stop", at_once, program<StopAtOnce<MonitorDispatcherOf<Wide>>, 3>},
    {"gang-monitor-restart", restart, program<Restart<MonitorDispatcherOf<Wide>>, 3>},
};
MODEL_PROTOCOL("gang-monitor", "dispatch by a mutex and two conditions", monitor_checks, states);

constexpr ProtocolCheck broadcast_checks[] = {
    {"gang-broadcast-tasks", two_tasks, program<TwoTasks<BroadcastDispatcherOf<Wide>>, 3>},
    {"gang-broadcast-spurious", spurious, program<TwoTasks<BroadcastDispatcherOf<Wide>>, 3, 1>},
    {"gang-broadcast-fewer", fewer, program<FewerThenMore<BroadcastDispatcherOf<Wide>>, 3>},
    {"gang-broadcast-some", some_of_them, program<SomeOfThem<BroadcastDispatcherOf<Wide>>, 4>},
    {"gang-broadcast-meeting", meeting, program<Meeting<BroadcastDispatcherOf<Wide>, 2>, 3>},
    {"gang-broadcast-stop", at_once, program<StopAtOnce<BroadcastDispatcherOf<Wide>>, 3>},
    {"gang-broadcast-restart", restart, program<Restart<BroadcastDispatcherOf<Wide>>, 3>},
};
MODEL_PROTOCOL("gang-broadcast", "dispatch by a mutex, a condition and sequence numbers", broadcast_checks, states);

}  // namespace
}  // namespace keyhole::model
