// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// ToyVirtual: a machine whose Java threads are virtual. Carriers are threads of the checker. Virtual threads are its
// continuations (M10 of checked_engine.h), which are mounted on carriers and unmounted where they sleep. The VM's own
// code makes them sleep and wakes them: parker.h, unmounted_sleep.h, virtual_thread_state.h. This file has the part
// that is Java code in a real VM: java.lang.VirtualThread (runContinuation, afterYield, unblock, interrupt, the timer)
// and its scheduler, each as small as possible.
//
//   checker's thread 0 .. carriers - 1    carriers: run runnable virtual threads, and sleep if there are none
//   carriers                              the unblocker
//   carriers + 1 ..                       platform threads, which wake virtual threads
//
// ToyVirtual is a template over a tag, a type of the file that uses it, so that several versions of one protocol can
// live in one program. Tag::reuses_structures: whether structures of ended threads are reused once all threads have
// polled. Tag::empty_checks: how often the unblocker finds no deferred unpark before it stops watching for them.
//
// V1: the scheduler and a sleeping virtual thread are safe, as native code is. Otherwise a virtual thread is managed
//     exactly when a platform thread would be (T2 of toy_java.h).
// V2: an idle carrier plays the timer: when the carrier's own sleep times out, one timed sleep of a virtual thread
//     ends. So the checker's rules for timeouts also hold for timed sleeps.
#pragma once

#include "runtime/threads/continuations/unmounted_sleep.h"
#include "runtime/threads/continuations/virtual_thread_state.h"
#include "runtime/threads/parker.h"
#include "tests/model/checked_machine.h"

namespace keyhole::model {

template <typename Tag> struct WorldOf : CheckedMachine {};

template <typename Tag> struct ToyVirtual : WorldOf<Tag> {
  using World = WorldOf<Tag>;
  using Where = std::source_location;
  template <typename T> using Atomic = CheckedWorld::Atomic<T>;
  template <typename T> using Plain = CheckedWorld::Plain<T>;

  struct Thread;
  struct Continuation : SleeperOf<World, Thread> {};
  using Sleep = UnmountedSleepOf<World, Thread>;
  using VirtualState = VirtualThreadStateOf<World>;
  // States of java.lang.VirtualThread that the VM does not use.
  static constexpr i32 started = 1, parking = 3, terminated = 99;

  struct Thread {
    u32 number = 0;
    ParkerOf<World> monitor_parker;
    Continuation* continuation = nullptr;  // the thread's continuation; null for a platform thread
    Atomic<bool> hint{false};              // stands for JavaThread::interrupted
    Atomic<bool> is_in_wait{false};        // whether the thread's status says Object.wait
    Plain<bool> is_mounted;
    Plain<bool> has_ended;
    Plain<u32> lives;             // how often the thread's structure was reused
    i64 elapsed_nanoseconds = 0;  // the time that the thread has slept
    // java.lang.VirtualThread
    typename VirtualState::State state{started};
    Atomic<u8> notified{0}, interrupted{0};
    Atomic<u8> block_permit{0};
    Atomic<bool> has_carrier{false};  // whether Java's field carrierThread is not null
    Atomic<bool> is_alive{true};      // whether Java's field eetop is not 0
  };

  struct Scene {
    u32 threads = 0, carriers = 0;
    Thread virtual_threads[checked::maximum_continuations];
    Continuation continuations[checked::maximum_continuations];
    Thread unblocker, last;  // the thread `last` is unblocked when all other threads have ended
    Continuation continuation_of_last;
    Sleep sleep{{.nanoseconds = idle_nanoseconds, .empty_checks = Tag::empty_checks}};
    Atomic<i32> work{0};  // a bit for each runnable thread; the bit `over`: all threads have ended
    Atomic<i32> ended{0};
    Thread* mounted[checked::maximum_threads] = {};  // the mounted thread of each carrier
    void (*body)(void* context, u32 thread) = nullptr;
    void* context = nullptr;
  };
  static constexpr i32 over = 1 << 30;
  static constexpr i64 idle_nanoseconds = 1000;
  inline static Scene* scene = nullptr;

  // Called while an execution is set up. body(context, i) is the code of virtual thread i.
  static void begin(u32 threads, u32 carriers, void (*body)(void*, u32), void* context) {
    scene = new (CheckedMachine::allocate_bytes(sizeof(Scene), 64)) Scene;
    CheckedMachine::name(scene, sizeof(Scene), "scene ", '1');
    scene->threads = threads;
    scene->carriers = carriers;
    scene->body = body;
    scene->context = context;
    scene->last.continuation = &scene->continuation_of_last;
    for (u32 i = 0; i < threads; ++i) {
      Thread* thread = &scene->virtual_threads[i];
      thread->number = i;
      thread->continuation = &scene->continuations[i];
      CheckedMachine::name(thread, sizeof(Thread), "virtual thread ", '1' + static_cast<int>(i));
      checked::engine().start_continuation(i, run_body, thread);
      scene->work.fetch_or(1 << i);
    }
  }
  // Runs a carrier or the unblocker.
  static void run_thread(u32 thread) { thread < scene->carriers ? carry(thread) : run_unblocker(); }

  static Thread* thread_of(u32 number) { return &scene->virtual_threads[number]; }
  static Thread* current() { return scene->mounted[checked::engine().running_thread()]; }

  // --- functions that ToyJava and worlds over this one call ----------------------------------------------------------
  static constexpr bool unmounts = true;
  static void park_thread(u32 number, i64 nanoseconds, Where) {
    Sleep::park(thread_of(number), nanoseconds, [number] { checked::engine().unmount(number); });
  }
  static void park_thread_in_place(u32 number, i64 nanoseconds, Where) {
    thread_of(number)->monitor_parker.park(nanoseconds);
  }
  // A virtual thread does not wake carriers: it defers the unpark.
  static void unpark_thread(u32 number, Where) {
    Thread* thread = thread_of(number);
    if (current() == nullptr) return scene->sleep.wake(thread);
    if (thread->monitor_parker.unpark()) scene->sleep.unblock_deferred(thread);
  }
  // Like JavaView::set_status: sets the status of the running thread, or of a waiter that it has notified.
  static void note_status(u32 number, bool is_in_wait) {
    Thread* thread = thread_of(number);
    thread->is_in_wait.store(is_in_wait, std::memory_order_relaxed);
    VirtualState::follow_status(thread->state, thread->notified, is_in_wait, thread == current());
  }
  static i64 now_nanoseconds() {
    const Thread* thread = current();
    return 1'000'000'000 + (thread != nullptr ? thread->elapsed_nanoseconds : 0);
  }

  // --- java.lang.VirtualThread ---------------------------------------------------------------------------------------
  static bool change(Thread* thread, i32 from, i32 to) { return thread->state.compare_exchange_strong(from, to); }
  static void submit(Thread* thread) {
    scene->work.fetch_or(1 << thread->number);
    CheckedMachine::wake(scene->work, static_cast<i32>(checked::maximum_threads));
  }
  static void unblock(Thread* thread) {
    thread->block_permit.store(1);
    if (thread->state.load() == VirtualState::blocked && change(thread, VirtualState::blocked, VirtualState::unblocked))
      submit(thread);
  }
  static void run_deferred_unparks() {
    CheckedMachine::become_managed(Where::current());
    auto visit = [](Thread* thread) {
      if (VirtualState::unblock(thread->state, thread->notified, thread->block_permit)) submit(thread);
    };
    scene->sleep.take_deferred(visit, reuse);
    CheckedMachine::become_safe();
  }
  static void interrupt(Thread* thread) {
    thread->interrupted.store(1);
    // Does what Thread.setInterrupt does for the carrier.
    if (thread->has_carrier.load()) {
      thread->hint.store(true);
      scene->sleep.wake(thread);
    }
    for (i32 waits : {VirtualState::wait, VirtualState::timed_wait}) {
      if (change(thread, waits, VirtualState::unblocked)) return submit(thread);
    }
  }
  static void run_continuation(Thread* thread) {
    i32 before = thread->state.load();
    if (before != started && before != VirtualState::unblocked) return;
    if (!change(thread, before, VirtualState::running)) return;
    if (before == VirtualState::unblocked) thread->block_permit.store(0);
    thread->has_carrier.store(true);
    Outcome outcome = enter_special(thread);
    if (scene->sleep.has_deferred_unparks()) run_deferred_unparks();
    thread->has_carrier.store(false);
    if (outcome == Outcome::Ended) return end(thread);
    after_yield(thread);
  }
  static void after_yield(Thread* thread) {
    i32 state = thread->state.load();
    if (state == VirtualState::blocking) {
      thread->state.store(VirtualState::blocked);
      if (thread->block_permit.load() != 0 && change(thread, VirtualState::blocked, VirtualState::unblocked))
        submit(thread);
      return;
    }
    bool is_timed = state == VirtualState::timed_waiting;
    if (!is_timed && state != VirtualState::waiting) CheckedMachine::fail("unmounted, and Java does not know why");
    i32 waits = is_timed ? VirtualState::timed_wait : VirtualState::wait;
    thread->state.store(waits);
    if (thread->notified.load() != 0 && change(thread, waits, VirtualState::blocked)) {
      if (thread->block_permit.load() != 0 && change(thread, VirtualState::blocked, VirtualState::unblocked))
        submit(thread);
    } else if (thread->interrupted.load() != 0 && change(thread, waits, VirtualState::unblocked)) {
      submit(thread);
    }
  }

 private:
  enum class Outcome { Yielded, Asleep, Ended };

  // Does what jdk.internal.vm.Continuation.enterSpecial does in the VM, with the checker's mount() as the change of
  // stacks.
  static Outcome enter_special(Thread* thread) {
    VirtualState::before_mount(thread->hint, thread->interrupted, thread->notified);
    auto mount = [thread] {
      u32 carrier = checked::engine().running_thread();
      if (thread->is_mounted.get()) CheckedMachine::fail("a virtual thread is mounted twice");
      thread->is_mounted.set(true);
      scene->mounted[carrier] = thread;
      checked::engine().mount(thread->number);
      scene->mounted[carrier] = nullptr;
      thread->is_mounted.set(false);
      if (thread->has_ended.get()) return Outcome::Ended;
      return thread->continuation->is_asleep.get() ? Outcome::Asleep : Outcome::Yielded;
    };
    auto announce = [thread] {
      bool is_timed = thread->continuation->sleep_nanoseconds.get() != forever;
      bool is_in_wait = thread->is_in_wait.load(std::memory_order_relaxed);
      return VirtualState::announce_sleep(thread->state, is_in_wait, is_timed, [] {});
    };
    return Sleep::run(thread, mount, announce);
  }

  static void run_body(void* argument) {
    Thread* thread = static_cast<Thread*>(argument);
    scene->body(scene->context, thread->number);
    thread->is_alive.store(false);
    thread->has_ended.set(true);
  }
  static void end(Thread* thread) {
    thread->state.store(terminated);
    if (Sleep::end(thread)) reuse(thread);
    if (scene->ended.fetch_add(1) + 1 != static_cast<i32>(scene->threads)) return;
    scene->work.fetch_or(over);
    CheckedMachine::wake(scene->work, static_cast<i32>(checked::maximum_threads));
    scene->sleep.unblock(&scene->last);
  }
  static void reuse(Thread* thread) {
    if constexpr (Tag::reuses_structures) {
      bool was_managed = checked::engine().running_thread() == scene->carriers;
      if (was_managed) CheckedMachine::become_safe();
      CheckedMachine::handshake_all([](u32, void*) {}, nullptr, Where::current());
      if (was_managed) CheckedMachine::become_managed(Where::current());
      thread->lives.set(thread->lives.get() + 1);
      thread->continuation->next_unblocked.set(nullptr);
    }
  }

  static void carry(u32 carrier) {
    for (;;) {
      i32 work = scene->work.load();
      if ((work & over) != 0) return;
      if (work == 0) {
        idle();
        continue;
      }
      // A carrier prefers the virtual thread with its own number.
      u32 number = (work >> carrier & 1) != 0 ? carrier : static_cast<u32>(std::countr_zero(static_cast<u32>(work)));
      if ((scene->work.fetch_and(~(1 << number)) >> number & 1) != 0) run_continuation(thread_of(number));
    }
  }
  // Sleeps, and plays the timer if the sleep times out (V2).
  static void idle() {
    bool somebody_waits = false;
    for (u32 i = 0; i < scene->threads; ++i) somebody_waits |= thread_of(i)->state.load() == VirtualState::timed_wait;
    i64 before = checked::engine().now_nanoseconds();
    CheckedMachine::wait_on(scene->work, 0, somebody_waits ? idle_nanoseconds : forever);
    if (checked::engine().now_nanoseconds() == before) return;
    for (u32 i = 0; i < scene->threads; ++i) {
      Thread* thread = thread_of(i);
      if (!change(thread, VirtualState::timed_wait, VirtualState::unblocked)) continue;
      thread->elapsed_nanoseconds += thread->continuation->sleep_nanoseconds.get();
      return submit(thread);
    }
  }

  // VirtualThread.unblockVirtualThreads, and takeVirtualThreadListToUnblock.
  static void run_unblocker() {
    Thread* self = &scene->unblocker;
    bool is_over = false;
    while (!is_over) {
      Thread* taken[checked::maximum_continuations];
      u32 count = 0;
      CheckedMachine::become_managed(Where::current());
      auto sleep = [self](i64 nanoseconds) {
        CheckedMachine::become_safe();
        self->monitor_parker.park(nanoseconds);
        CheckedMachine::become_managed(Where::current());
      };
      auto visit = [&](Thread* thread) {
        if (thread == &scene->last) {
          is_over = true;
          return;
        }
        VirtualState::mark_notified(thread->state, thread->notified);
        taken[count++] = thread;
      };
      scene->sleep.take(self, sleep, visit, reuse);
      CheckedMachine::become_safe();
      for (u32 i = 0; i < count; ++i) unblock(taken[i]);
    }
  }
};

}  // namespace keyhole::model
