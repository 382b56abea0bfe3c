// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The parker, and the safepoint and handshake protocol under the model checker, from the VM's own headers.
#include "tests/model/protocol_check.h"

#include "runtime/base/platform/checked_world.h"
#include "runtime/threads/parker.h"
#include "runtime/threads/safepoint_protocol.h"

namespace keyhole::model {

namespace {

using W = CheckedWorld;
constexpr u32 A = 0;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;
constexpr auto relaxed = std::memory_order_relaxed;

// --- the parker ------------------------------------------------------------------------------------------------------

// A sleeps until a flag is set. Writes before unpark must be visible after park.
template <i64 nanoseconds> struct ParkUntilTold {
  ParkerOf<W> parker;
  W::Plain<u32> message;
  W::Atomic<u32> told{0};
  void run(u32 thread) {
    if (thread == A) {
      while (told.load(relaxed) == 0) parker.park(nanoseconds);
      // An earlier park may have consumed the permit. Then A has seen only the flag, by a relaxed load, which orders
      // nothing.
      if (told.load(acquire) != 0) expect(message.get() == 7, "a message from before unpark is not seen after park");
    } else {
      message.set(7);
      told.store(1, release);
      parker.unpark();
    }
  }
  void finish() {}
};

// The permit alone orders memory: A parks once, without a time limit and without spurious returns.
struct ParkOnce {
  ParkerOf<W> parker;
  W::Plain<u32> message;
  void run(u32 thread) {
    if (thread == A) {
      parker.park();
      expect(message.get() == 7, "a message from before unpark is not seen after park");
    } else {
      message.set(7);
      parker.unpark();
    }
  }
  void finish() {}
};

// Two unparks give one permit. The second park needs the second unpark.
struct ParkTwice {
  ParkerOf<W> parker;
  W::Atomic<u32> told{0};
  void run(u32 thread) {
    if (thread == A) {
      while (told.load(acquire) != 2) parker.park();
    } else {
      told.fetch_add(1, release);
      parker.unpark();
    }
  }
  void finish() { expect(told.load() == 2, "somebody has not told"); }
};

// --- safepoints ------------------------------------------------------------------------------------------------------

struct Mutator;
struct Carrier {
  W::Atomic<u32> requests{0};
  W::Atomic<Mutator*> current{nullptr};
  W::Atomic<u32> pending_handshakes{0};
};

struct Mutator {
  static inline Slot slots[1];
  struct Stack {
    Slot* const java_limit = slots;
  } stack;
  Carrier own_carrier;
  Carrier* carrier = &own_carrier;
  Mutator() { own_carrier.current.store(this, relaxed); }
  W::Atomic<u32> poll{0};
  W::Atomic<Slot*> entry_limit{slots};
  W::Atomic<ThreadState> state{ThreadState::Blocked};
  W::Plain<u32> objects;  // touched by the managed thread, and by a thread that has stopped the managed thread
  W::Plain<u32> handshakes;
  W::Plain<u32> buffer;  // 1: the thread has its carrier's allocation buffer; the carrier's current thread must have it
};

template <u32 mutators> struct Threads {
  SafepointProtocol<W, Mutator> protocol;
  Mutator threads[mutators];
  Mutator coordinator;
  auto for_each() {
    return [this](auto visit) {
      for (Mutator& thread : threads) visit(&thread.own_carrier);
    };
  }
  // Becomes managed (may touch objects), touches its objects, polls, touches them again, and becomes Blocked.
  void mutate(u32 thread) {
    Mutator* mine = &threads[thread];
    protocol.enter(mine);
    mine->objects.set(mine->objects.get() + 1);
    if (mine->poll.load(relaxed) != 0) protocol.poll_slow(mine);
    mine->objects.set(mine->objects.get() + 1);
    protocol.leave(mine, ThreadState::Blocked);
  }
};

// The coordinator touches the objects of all threads while the world is stopped. A race shows that a thread still runs.
template <u32 mutators> struct StopAndResume : Threads<mutators> {
  void run(u32 thread) {
    if (thread < mutators) return this->mutate(thread);
    this->protocol.stop(&this->coordinator, this->for_each());
    for (Mutator& mutator : this->threads) mutator.objects.set(mutator.objects.get() + 10);
    this->protocol.resume(&this->coordinator, this->for_each());
  }
  void finish() {
    for (Mutator& mutator : this->threads) expect(mutator.objects.get() == 12, "a touch was lost");
  }
};

struct Handshake : Threads<1> {
  void run(u32 thread) {
    if (thread == A) return mutate(thread);
    protocol.handshake(
        &threads[0].own_carrier,
        [](Mutator* target, void*) {
          target->objects.set(target->objects.get() + 10);
          target->handshakes.set(target->handshakes.get() + 1);
        },
        nullptr);
  }
  void finish() {
    expect(threads[0].handshakes.get() == 1, "a handshake did not run exactly once");
    expect(threads[0].objects.get() == 12, "a touch was lost");
  }
};

// Thread A only enters methods. A safepoint must stop it through the stack limit alone, whatever other requests there
// are. The test arms this limit at the start, so A's first entry may take the slow path without a request. After that,
// at most one further entry may do so.
template <bool is_sampled> struct EntriesOnly : Threads<1> {
  W::Plain<bool> is_over{false};  // written with the world stopped
  static bool is_armed(Slot* limit) { return limit == nullptr; }
  EntriesOnly() { threads[A].entry_limit.store(nullptr); }
  void run(u32 thread) {
    if (thread == A) {
      Mutator* mine = &threads[A];
      protocol.enter(mine);
      while (!is_over.get()) {
        if (!W::spin_until(mine->entry_limit, is_armed, ~0u)) continue;
        if (!protocol.pass_entry(mine)) protocol.poll_slow(mine);
      }
      protocol.leave(mine, ThreadState::Blocked);
      return;
    }
    if (is_sampled) protocol.arm(&threads[A], protocol.sample_bit);
    protocol.stop(&coordinator, for_each());
    is_over.set(true);
    protocol.resume(&coordinator, for_each());
  }
  void finish() {
    if (is_sampled && is_armed(threads[A].entry_limit.load())) protocol.pass_entry(&threads[A]);
    protocol.poll_slow(&threads[A]);
    expect(!is_armed(threads[A].entry_limit.load()), "entries are slow, and nobody has asked");
  }
};

// --- mounting --------------------------------------------------------------------------------------------------------

// Changes the current thread of the carrier. The new current thread also gets the carrier's allocation buffer.
void switch_with_buffer(SafepointProtocol<W, Mutator>& protocol, Mutator* from, Mutator* to) {
  to->buffer.set(from->buffer.get());
  from->buffer.set(0);
  protocol.switch_current(from, to);
}
void expect_buffer_on(Carrier& carrier) {
  expect(carrier.current.load(acquire)->buffer.get() == 1, "the current thread has no buffer");
}

// A mounts a continuation. The continuation touches its own objects, is Blocked for a while, touches them again, and
// unmounts.
struct Mounting : Threads<1> {
  Mutator continuation;
  Mounting() { threads[A].buffer.set(1); }
  void run_mounted(Mutator* mounter) {
    continuation.carrier = mounter->carrier;
    switch_with_buffer(protocol, mounter, &continuation);
    protocol.enter_slow(&continuation);
    continuation.objects.set(continuation.objects.get() + 1);
    protocol.leave(&continuation, ThreadState::Blocked);
    protocol.enter(&continuation);
    continuation.objects.set(continuation.objects.get() + 1);
    switch_with_buffer(protocol, &continuation, mounter);
    protocol.enter_slow(mounter);
  }
  void mount() {
    Mutator* mine = &threads[A];
    protocol.enter(mine);
    mine->objects.set(mine->objects.get() + 1);
    run_mounted(mine);
    mine->objects.set(mine->objects.get() + 1);
    protocol.leave(mine, ThreadState::Blocked);
  }
};

// A safepoint stops the current thread of each carrier, whichever thread that is.
struct StopWhileMounting : Mounting {
  void run(u32 thread) {
    if (thread == A) return mount();
    protocol.stop(&coordinator, for_each());
    expect_buffer_on(threads[A].own_carrier);
    for (Mutator* each : {&threads[A], &continuation}) each->objects.set(each->objects.get() + 10);
    protocol.resume(&coordinator, for_each());
  }
  void finish() { expect(threads[A].objects.get() == 12 && continuation.objects.get() == 12, "a touch was lost"); }
};

// A handshake with a carrier runs once, while no thread on that carrier touches objects.
struct HandshakeWhileMounting : Mounting {
  W::Plain<u32> handshakes;
  void run(u32 thread) {
    if (thread == A) return mount();
    protocol.handshake(
        &threads[A].own_carrier,
        [](Mutator*, void* context) {
          auto* here = static_cast<HandshakeWhileMounting*>(context);
          for (Mutator* each : {&here->threads[A], &here->continuation}) each->objects.set(each->objects.get() + 10);
          here->handshakes.set(here->handshakes.get() + 1);
        },
        this);
  }
  void finish() {
    expect(handshakes.get() == 1, "a handshake did not run exactly once");
    expect(threads[A].objects.get() == 12 && continuation.objects.get() == 12, "a touch was lost");
  }
};

// A continuation is mounted first on one carrier and then on another carrier, and touches the same objects on each
// carrier. Thread A mounts the continuation on each carrier. The second mount begins only when the first mount has
// ended.
struct Migrating : Threads<2> {
  Mutator continuation;
  Migrating() {
    for (Mutator& thread : threads) thread.buffer.set(1);
  }
  void run_mounted(Mutator* mounter) {
    continuation.carrier = mounter->carrier;
    switch_with_buffer(protocol, mounter, &continuation);
    protocol.enter_slow(&continuation);
    continuation.objects.set(continuation.objects.get() + 1);
    switch_with_buffer(protocol, &continuation, mounter);
    protocol.enter_slow(mounter);
  }
  void run(u32 thread) {
    if (thread != A) {
      protocol.stop(&coordinator, for_each());
      for (Mutator& each : threads) expect_buffer_on(each.own_carrier);
      continuation.objects.set(continuation.objects.get() + 10);
      protocol.resume(&coordinator, for_each());
      return;
    }
    for (Mutator& mounter : threads) {
      protocol.enter(&mounter);
      run_mounted(&mounter);
      protocol.leave(&mounter, ThreadState::Blocked);
    }
  }
  void finish() { expect(continuation.objects.get() == 12, "a touch was lost"); }
};

constexpr ProtocolCheck parker_checks[] = {
    {"parker-told", "A parks until B has told it; wake-ups for no reason", program<ParkUntilTold<forever>, 2, 1>},
    {"parker-timed", "the same with parks that time out", program<ParkUntilTold<1000>, 2>},
    {"parker-once", "one permit lets one park return, and orders what was before it", program<ParkOnce, 2>},
    {"parker-twice", "A waits for two tellers", program<ParkTwice, 3>},
};
MODEL_PROTOCOL("parker", "a thread that parks, and others that wake it", parker_checks);

constexpr ProtocolCheck safepoint_checks[] = {
    {"safepoint-one", "the world of one thread stops and goes on", program<StopAndResume<1>, 2>},
    {"safepoint-two", "the world of two threads stops and goes on", program<StopAndResume<2>, 3>},
    {"handshake",
     "an operation for a thread that polls, enters and leaves runs exactly once, while the thread touches nothing",
     program<Handshake, 2>},
    {"entries", "a thread that only enters methods is stopped through its limit", program<EntriesOnly<false>, 2>},
    {"entries-sampled", "the same, and somebody asks for samples, which it withdraws", program<EntriesOnly<true>, 2>},
    {"mounting", "a carrier is stopped while a continuation mounts and unmounts", program<StopWhileMounting, 2>},
    {"mounting-handshake", "a handshake with that carrier runs exactly once, while no thread on it touches anything",
     program<HandshakeWhileMounting, 2>},
    {"migrating", "a continuation that is mounted on one carrier and then on another one is stopped on both",
     program<Migrating, 2>},
};
MODEL_PROTOCOL("safepoint", "stopping threads and operating on them", safepoint_checks);

}  // namespace
}  // namespace keyhole::model
