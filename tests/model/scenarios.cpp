// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The scenarios of the locking algorithms: small, so that all their executions can be explored.
#include "tests/model/scenario.h"

namespace keyhole::model {

namespace {

constexpr u32 A = 0, B = 1, C = 2;
constexpr u32 x = 0, y = 1;
constexpr i64 soon = 1'000'000;  // nanoseconds; a timed wait may end at any moment after it began

void note_hash(Stage& s, u32 t, u32 slot) { s.seen[t][slot] = s.lock.hash(t, x); }
void same_hashes(Stage& s) {
  u32 hash = 0;
  for (auto& of_thread : s.seen) {
    for (u32 seen : of_thread) {
      if (seen == 0) continue;
      if (hash == 0) hash = seen;
      Stage::expect(seen == hash, "two identity hashes of one object");
    }
  }
  if (hash != 0) Stage::expect(s.lock.hash(A, x) == hash, "the identity hash is another one at the end");
}

// Waits until flags[object] is set, in a loop like Java code.
void await_flag(Stage& s, u32 t, u32 object) {
  while (s.flags[object].get() == 0) Stage::expect(s.lock.wait(t, object, forever) == Status::Done, "wait is refused");
}
void raise_flag(Stage& s, u32 t, u32 object, bool all) {
  s.flags[object].set(1);
  Stage::expect(s.lock.notify(t, object, all) == Status::Done, "notify is refused");
}

constexpr Scenario scenarios[] = {
    {.name = "two-visits",
     .what = "two threads enter and leave",
     .threads = 2,
     .objects = 1,
     .increments = 2,
     .run = [](Stage& s, u32 t) { s.visit(t, x); },
     .spurious = 1,
     .tells_successor_variants = true,
     .for_virtual_threads = true},

    {.name = "come-again",
     .what = "two threads, twice each: what the first round left behind is met by the second",
     .threads = 2,
     .objects = 1,
     .increments = 4,
     .run =
         [](Stage& s, u32 t) {
           s.visit(t, x);
           s.visit(t, x);
         },
     .tells_successor_variants = true},

    {.name = "three-visits",
     .what = "three threads enter and leave",
     .threads = 3,
     .objects = 1,
     .increments = 3,
     .run = [](Stage& s, u32 t) { s.visit(t, x); },
     .tells_successor_variants = true,
     .for_virtual_threads = true},

    // The first thread may find two other threads in the queue, and cull the older of these two. The culled thread must
    // get the lock, too, even if it wakes up spuriously in the meantime.
    {.name = "culled",
     .what = "three threads enter and leave, one wakes up for no reason; the oldest waiter may be culled",
     .threads = 3,
     .objects = 1,
     .increments = 3,
     .run = [](Stage& s, u32 t) { s.visit(t, x); },
     .needs_restriction = true,
     .spurious = 1},

    {.name = "recursion",
     .what = "A enters twice and leaves twice while B wants in",
     .threads = 2,
     .objects = 1,
     .increments = 3,
     .run =
         [](Stage& s, u32 t) {
           if (t == B) return s.visit(t, x);
           s.lock.enter(t, x);
           s.visit(t, x);
           Stage::expect(s.lock.holds(t, x), "after the inner exit the lock is lost");
           s.add(x);
           s.leave(t, x);
         }},

    {.name = "woven-recursion",
     .what = "A enters x, y, x; B wants x, then y",
     .threads = 2,
     .objects = 2,
     .increments = 3,
     .run =
         [](Stage& s, u32 t) {
           if (t == B) {
             s.visit(t, x);
             return s.visit(t, y);
           }
           s.lock.enter(t, x);
           s.lock.enter(t, y);
           s.visit(t, x);
           s.add(y);
           s.leave(t, y);
           s.add(x);
           s.leave(t, x);
         }},

    {.name = "unstructured-exit",
     .what = "A enters x and y and leaves x first; B wants x",
     .threads = 2,
     .objects = 2,
     .increments = 2,
     .run =
         [](Stage& s, u32 t) {
           if (t == B) return s.visit(t, x);
           s.lock.enter(t, x);
           s.lock.enter(t, y);
           s.add(x);
           s.leave(t, x);
           Stage::expect(s.lock.holds(t, y), "leaving x took y along");
           s.leave(t, y);
         }},

    {.name = "not-owner",
     .what = "B asks for what only a holder may while A holds",
     .threads = 2,
     .objects = 1,
     .increments = 1,
     .run =
         [](Stage& s, u32 t) {
           if (t == A) return s.visit(t, x);
           Stage::expect(!s.lock.holds(t, x), "holds without having entered");
           Stage::expect(s.lock.notify(t, x, false) == Status::NotOwner, "notify by a thread that does not hold");
           Stage::expect(s.lock.wait(t, x, soon) == Status::NotOwner, "wait by a thread that does not hold");
           Stage::expect(s.lock.exit(t, x) == Status::NotOwner, "exit by a thread that does not hold");
         }},

    {.name = "hash-while-held",
     .what = "B asks for the identity hash while A enters and leaves",
     .threads = 2,
     .objects = 1,
     .increments = 1,
     .run =
         [](Stage& s, u32 t) {
           if (t == A) return s.visit(t, x);
           note_hash(s, t, 0);
         },
     .finish = same_hashes},

    {.name = "hash-by-holder",
     .what = "A asks for the hash while it holds, B wants in and asks too",
     .threads = 2,
     .objects = 1,
     .increments = 2,
     .run =
         [](Stage& s, u32 t) {
           s.lock.enter(t, x);
           s.add(x);
           note_hash(s, t, 0);
           s.leave(t, x);
           if (t == A) note_hash(s, t, 1);
         },
     .finish = same_hashes},

    {.name = "hash-race",
     .what = "B and C ask for the hash, A enters and leaves",
     .threads = 3,
     .objects = 1,
     .increments = 1,
     .run =
         [](Stage& s, u32 t) {
           if (t == A) return s.visit(t, x);
           note_hash(s, t, 0);
         },
     .finish = same_hashes},

    {.name = "hash-and-move",
     .what = "A enters, asks for the hash and leaves, B asks and moves all objects meanwhile; both ask again",
     .threads = 2,
     .objects = 1,
     .increments = 1,
     .run =
         [](Stage& s, u32 t) {
           if (t == A) s.lock.enter(t, x);
           note_hash(s, t, 0);
           if (t == A) s.add(x);
           if (t == A) s.leave(t, x);
           else s.lock.collect(t);
           note_hash(s, t, 1);
         },
     .finish = same_hashes,
     .stops_the_world = true},

    {.name = "wait-notify",
     .what = "A waits for a flag, B raises it and notifies",
     .threads = 2,
     .objects = 1,
     .increments = 2,
     .run =
         [](Stage& s, u32 t) {
           s.lock.enter(t, x);
           if (t == A) await_flag(s, t, x);
           else raise_flag(s, t, x, false);
           s.add(x);
           s.leave(t, x);
         },
     .spurious = 1,
     .for_virtual_threads = true},

    {.name = "wait-recursive",
     .what = "A waits two levels deep and has them back afterwards",
     .threads = 2,
     .objects = 1,
     .increments = 2,
     .run =
         [](Stage& s, u32 t) {
           s.lock.enter(t, x);
           if (t == A) {
             s.lock.enter(t, x);
             await_flag(s, t, x);
             s.leave(t, x);
             Stage::expect(s.lock.holds(t, x), "wait gave back too few levels");
           } else {
             raise_flag(s, t, x, false);
           }
           s.add(x);
           s.leave(t, x);
         }},

    {.name = "contend-wait-hash",
     .what = "A waits two levels deep, B notifies, both contend and ask for the hash: what a picture can show",
     .threads = 2,
     .objects = 1,
     .increments = 3,
     .run =
         [](Stage& s, u32 t) {
           s.lock.enter(t, x);
           if (t == A) {
             s.lock.enter(t, x);
             await_flag(s, t, x);
             s.leave(t, x);
           } else {
             raise_flag(s, t, x, true);
           }
           s.add(x);
           s.leave(t, x);
           note_hash(s, t, 0);
           if (t == B) s.visit(t, x);
         },
     .finish = same_hashes},

    {.name = "wait-timeout",
     .what = "A's wait may time out while B notifies and holds",
     .threads = 2,
     .objects = 1,
     .increments = 2,
     .run =
         [](Stage& s, u32 t) {
           s.lock.enter(t, x);
           if (t == A) Stage::expect(s.lock.wait(t, x, soon) == Status::Done, "a timed wait ends badly");
           else Stage::expect(s.lock.notify(t, x, false) == Status::Done, "notify is refused");
           s.add(x);
           s.leave(t, x);
         },
     .for_virtual_threads = true},

    {.name = "wait-interrupt",
     .what = "A waits for ever, B interrupts it",
     .threads = 2,
     .objects = 1,
     .increments = 1,
     .run =
         [](Stage& s, u32 t) {
           if (t == B) return s.lock.interrupt(t, A);
           s.lock.enter(t, x);
           Stage::expect(s.lock.wait(t, x, forever) == Status::Interrupted, "an interrupt got lost");
           s.add(x);
           s.leave(t, x);
         }},

    {.name = "suspended-waiter",
     .what = "A waits two levels deep; B suspends and notifies it, enters meanwhile, and resumes it",
     .threads = 2,
     .objects = 1,
     .increments = 3,
     .run =
         [](Stage& s, u32 t) {
           s.lock.enter(t, x);
           if (t == A) {
             s.lock.enter(t, x);
             await_flag(s, t, x);
             s.add(x);
             s.leave(t, x);
             Stage::expect(s.lock.holds(t, x), "the outer level is lost");
             return s.leave(t, x);
           }
           s.lock.suspend(t, A);
           raise_flag(s, t, x, false);
           s.add(x);
           s.leave(t, x);
           s.visit(t, x);
           s.lock.resume(t, A);
         },
     .suspends = true,
     .for_virtual_threads = true},

    {.name = "suspended-late-waiter",
     .what = "A's wait times out while B has it suspended; B enters meanwhile",
     .threads = 2,
     .objects = 1,
     .increments = 3,
     .run =
         [](Stage& s, u32 t) {
           s.lock.enter(t, x);
           if (t == A) {
             Stage::expect(s.lock.wait(t, x, soon) == Status::Done, "a timed wait ends badly");
             s.add(x);
             return s.leave(t, x);
           }
           s.lock.suspend(t, A);
           s.add(x);
           s.leave(t, x);
           s.visit(t, x);
           s.lock.resume(t, A);
         },
     .suspends = true},

    {.name = "suspended-contender",
     .what = "A is suspended by B, the holder, while it may be in the queue; B leaves and enters again meanwhile",
     .threads = 2,
     .objects = 1,
     .increments = 3,
     .run =
         [](Stage& s, u32 t) {
           s.lock.enter(t, x);
           s.add(x);
           if (t == A) {
             Stage::expect(s.flags[x].get() == 0, "a suspended thread has the lock");
             return s.leave(t, x);
           }
           s.lock.suspend(t, A);
           s.flags[x].set(1);
           s.leave(t, x);
           s.lock.enter(t, x);
           s.add(x);
           s.flags[x].set(0);
           s.lock.resume(t, A);
           s.leave(t, x);
         },
     .suspends = true},

    {.name = "wait-and-visit",
     .what = "A waits, B notifies, C wants in meanwhile",
     .threads = 3,
     .objects = 1,
     .increments = 3,
     .run =
         [](Stage& s, u32 t) {
           if (t == C) return s.visit(t, x);
           s.lock.enter(t, x);
           if (t == A) await_flag(s, t, x);
           else raise_flag(s, t, x, false);
           s.add(x);
           s.leave(t, x);
         },
     .for_virtual_threads = true},

    {.name = "notify-all",
     .what = "A and B wait, C notifies all",
     .threads = 3,
     .objects = 1,
     .increments = 3,
     .run =
         [](Stage& s, u32 t) {
           s.lock.enter(t, x);
           if (t == C) raise_flag(s, t, x, true);
           else await_flag(s, t, x);
           s.add(x);
           s.leave(t, x);
         }},

    // A notification is not lost if a thread times out: one of the two waiters is notified, and returns as notified.
    {.name = "notify-or-timeout",
     .what = "B waits for ever, A for a while; C notifies one; whoever was chosen lets the other go",
     .threads = 3,
     .objects = 1,
     .increments = 3,
     .run =
         [](Stage& s, u32 t) {
           s.lock.enter(t, x);
           s.add(x);
           if (t == C) {
             raise_flag(s, t, x, false);
           } else {
             if (s.flags[x].get() == 0)
               Stage::expect(s.lock.wait(t, x, t == A ? soon : forever) == Status::Done, "wait is refused");
             // If C has notified A, A notifies B. If A has timed out, C's notification has reached B.
             if (t == A) s.lock.notify(t, x, false);
           }
           s.leave(t, x);
         }},

    // JLS 17.2.4: a thread is notified and interrupted at the same time. Either it returns as notified, or it throws
    // and another thread is notified.
    {.name = "notify-or-interrupt",
     .what = "A and B wait; C notifies one and interrupts A; the notification reaches somebody who returns normally",
     .threads = 3,
     .objects = 1,
     .increments = 0,
     .run =
         [](Stage& s, u32 t) {
           s.lock.enter(t, x);
           if (t == C) {
             u32 waiting = s.flags[y].get();
             s.flags[x].set(1);  // a thread that enters the lock after this does not wait
             s.lock.notify(t, x, false);
             if (waiting != 2) s.lock.notify(t, x, true);
             s.leave(t, x);
             if (waiting == 2) s.lock.interrupt(t, A);
             return;
           }
           if (s.flags[x].get() == 0) {
             s.flags[y].set(s.flags[y].get() + 1);
             Status status = s.lock.wait(t, x, forever);
             if (t == B) Stage::expect(status == Status::Done, "B was interrupted");
             // A thread that was woken by the notify must wake the other waiter.
             if (status == Status::Done) s.lock.notify(t, x, true);
           }
           s.leave(t, x);
         }},

    {.name = "deflate-idle",
     .what = "A and B enter and leave, C takes idle monitors away",
     .threads = 3,
     .objects = 1,
     .increments = 2,
     .run =
         [](Stage& s, u32 t) {
           if (t == C) return s.lock.deflate(t);
           s.visit(t, x);
         },
     .stops_the_world = true,
     .needs_monitors = true},

    {.name = "deflate-and-visit",
     .what = "A leaves a monitor behind, takes it away, and B enters meanwhile",
     .threads = 2,
     .objects = 1,
     .increments = 2,
     .run =
         [](Stage& s, u32 t) {
           if (t == B) return s.visit(t, x);
           s.lock.enter(t, x);
           s.lock.wait(t, x, soon);
           s.add(x);
           s.leave(t, x);
           s.lock.deflate(t);
         },
     .stops_the_world = true,
     .needs_monitors = true},

    {.name = "deflate-and-hash",
     .what = "A leaves a monitor behind and takes it away, B asks for the hash meanwhile",
     .threads = 2,
     .objects = 1,
     .increments = 1,
     .run =
         [](Stage& s, u32 t) {
           if (t == B) return note_hash(s, t, 0);
           s.lock.enter(t, x);
           s.lock.wait(t, x, soon);
           s.add(x);
           s.leave(t, x);
           s.lock.deflate(t);
           note_hash(s, t, 1);
         },
     .finish = same_hashes,
     .stops_the_world = true,
     .needs_monitors = true},

    {.name = "deflate-and-wait",
     .what = "A waits and is notified by B, which takes idle monitors away before and after",
     .threads = 2,
     .objects = 1,
     .increments = 2,
     .run =
         [](Stage& s, u32 t) {
           if (t == B) s.lock.deflate(t);
           s.lock.enter(t, x);
           if (t == A) await_flag(s, t, x);
           else raise_flag(s, t, x, false);
           s.add(x);
           s.leave(t, x);
           if (t == B) s.lock.deflate(t);
         },
     .stops_the_world = true,
     .needs_monitors = true},

    {.name = "two-monitors",
     .what = "A makes a monitor for x, B one for y; then each visits the other's",
     .threads = 2,
     .objects = 2,
     .increments = 2,
     .run =
         [](Stage& s, u32 t) {
           u32 mine = t == A ? x : y;
           s.lock.enter(t, mine);
           s.lock.wait(t, mine, soon);
           s.add(mine);
           s.leave(t, mine);
           s.visit(t, t == A ? y : x);
         },
     .needs_monitors = true},

    {.name = "two-monitors-deflated",
     .what = "A makes monitors for x and y and takes them away; B visits both meanwhile",
     .threads = 2,
     .objects = 2,
     .increments = 2,
     .run =
         [](Stage& s, u32 t) {
           for (u32 object : {x, y}) {
             if (t == B) {
               s.visit(t, object);
               continue;
             }
             s.lock.enter(t, object);
             s.lock.wait(t, object, soon);
             s.add(object);
             s.leave(t, object);
           }
           if (t == A) s.lock.deflate(t);
         },
     .stops_the_world = true,
     .needs_monitors = true},

    // When the collector frees x, the monitor of x may lie before or after the place that the deflater's pass has
    // reached.
    {.name = "deflate-and-die",
     .what =
         "A leaves a monitor of y behind and takes idle ones away; x, which has one, dies meanwhile and is collected",
     .threads = 2,
     .objects = 2,
     .increments = 1,
     .run =
         [](Stage& s, u32 t) {
           u32 mine = t == A ? y : x;
           s.lock.enter(t, mine);
           s.lock.wait(t, mine, soon);
           s.add(mine);
           s.leave(t, mine);
           if (t == A) return s.lock.deflate(t);
           s.lock.forget(x);
           s.lock.collect(t);
         },
     .stops_the_world = true,
     .needs_monitors = true},

    {.name = "deflate-and-collect",
     .what = "A leaves monitors of x and y behind and takes idle ones away; B collects twice meanwhile",
     .threads = 2,
     .objects = 2,
     .increments = 1,
     .run =
         [](Stage& s, u32 t) {
           if (t == B) {
             s.lock.collect(t);
             return s.lock.collect(t);  // this collection deflates monitors that were idle since the first collection
           }
           for (u32 object : {x, y}) {
             s.lock.enter(t, object);
             s.lock.wait(t, object, soon);
             s.add(object);
             s.leave(t, object);
           }
           s.lock.deflate(t);
         },
     .stops_the_world = true,
     .needs_monitors = true},

    {.name = "move-held",
     .what = "A holds x while it moves, B wants in",
     .threads = 2,
     .objects = 1,
     .increments = 2,
     .run =
         [](Stage& s, u32 t) {
           if (t == B) return s.visit(t, x);
           s.lock.enter(t, x);
           s.lock.collect(t);
           s.add(x);
           Stage::expect(s.lock.holds(t, x), "the lock was lost when its object moved");
           s.leave(t, x);
         },
     .stops_the_world = true},

    // A table of chains has one bucket here. This collection finds two spine records, one for each locked object. So
    // the table grows.
    {.name = "move-two-held",
     .what = "A holds x and y while they move, B wants both",
     .threads = 2,
     .objects = 2,
     .increments = 2,
     .run =
         [](Stage& s, u32 t) {
           if (t == B) {
             s.visit(t, y);
             return s.visit(t, x);
           }
           s.lock.enter(t, x);
           s.lock.enter(t, y);
           s.lock.collect(t);
           s.add(y);
           s.leave(t, y);
           s.add(x);
           s.leave(t, x);
         },
     .stops_the_world = true},

    {.name = "move-held-and-waited",
     .what = "A waits on x; B holds y while both move, then notifies",
     .threads = 2,
     .objects = 2,
     .increments = 2,
     .run =
         [](Stage& s, u32 t) {
           if (t == B) {
             s.lock.enter(t, y);
             s.lock.collect(t);
             s.leave(t, y);
           }
           s.lock.enter(t, x);
           if (t == A) await_flag(s, t, x);
           else raise_flag(s, t, x, false);
           s.add(x);
           s.leave(t, x);
         },
     .stops_the_world = true},

    // The collection of x skips a thread that refers only to y.
    {.name = "move-one-of-two",
     .what = "B holds y, then wants x, which A holds and moves, with B left out while it may be",
     .threads = 2,
     .objects = 2,
     .increments = 2,
     .run =
         [](Stage& s, u32 t) {
           u32 first = t == A ? x : y;
           s.lock.enter(t, first);
           if (t == A) s.lock.collect_young(t, x);
           s.add(first);
           s.leave(t, first);
           s.visit(t, t == A ? y : x);
         },
     .stops_the_world = true},

    {.name = "move-one-waited",
     .what = "A waits on x; B holds y while x alone moves, then notifies",
     .threads = 2,
     .objects = 2,
     .increments = 2,
     .run =
         [](Stage& s, u32 t) {
           if (t == B) {
             s.lock.enter(t, y);
             s.lock.collect_young(t, x);
             s.add(y);
             s.leave(t, y);
           }
           s.lock.enter(t, x);
           if (t == A) await_flag(s, t, x);
           else raise_flag(s, t, x, false);
           s.add(x);
           s.leave(t, x);
         },
     .stops_the_world = true},

    {.name = "move-contended",
     .what = "C moves x at any safepoint while A and B enter and leave",
     .threads = 3,
     .objects = 1,
     .increments = 2,
     .run =
         [](Stage& s, u32 t) {
           if (t == C) return s.lock.collect(t);
           s.visit(t, x);
         },
     .stops_the_world = true},

    {.name = "move-waited",
     .what = "A waits while B moves x, then notifies",
     .threads = 2,
     .objects = 1,
     .increments = 2,
     .run =
         [](Stage& s, u32 t) {
           if (t == B) s.lock.collect(t);
           s.lock.enter(t, x);
           if (t == A) await_flag(s, t, x);
           else raise_flag(s, t, x, false);
           s.add(x);
           s.leave(t, x);
         },
     .stops_the_world = true},

    {.name = "move-hashed",
     .what = "x keeps its hash while B moves it and A enters and leaves",
     .threads = 2,
     .objects = 1,
     .increments = 1,
     .run =
         [](Stage& s, u32 t) {
           if (t == B) {
             note_hash(s, t, 0);
             s.lock.collect(t);
             return note_hash(s, t, 1);
           }
           s.visit(t, x);
         },
     .finish = same_hashes,
     .stops_the_world = true},
};

}  // namespace

std::span<const Scenario> all_scenarios() { return scenarios; }

void ScenarioProgram::set_up() {
  lock_.begin(scenario_.threads, scenario_.objects);
  if (scenario_.suspends) lock_.will_suspend();
  {
    ArenaScope scope;  // the arena gives each execution the same addresses
    stage_ = std::make_unique<Stage>(lock_);
  }
  checked::engine().name(stage_->guarded, sizeof stage_->guarded, "guarded");
  checked::engine().name(stage_->flags, sizeof stage_->flags, "flags");
}

void ScenarioProgram::run(u32 thread) {
  scenario_.run(*stage_, thread);
  lock_.thread_exits(thread);
}

void ScenarioProgram::finish() {
  if (scenario_.increments != 0 && stage_->guarded[x].get() != scenario_.increments) {
    CheckedMachine::fail(
        fmt::format("the guarded counter is {} at the end and not {}", stage_->guarded[x].get(), scenario_.increments));
    return;
  }
  if (scenario_.finish != nullptr) scenario_.finish(*stage_);
  if (std::string wrong = lock_.leftovers(); !wrong.empty()) CheckedMachine::fail(std::move(wrong));
}

void ScenarioProgram::tear_down() {
  stage_.reset();
  lock_.end();
}

}  // namespace keyhole::model
