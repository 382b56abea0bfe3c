// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Virtual threads that sleep inside the VM, under the model checker: the VM's own parker, unmounted sleep, list of
// threads to unblock, and waiters for classes, beside a small java.lang.VirtualThread (toy_virtual.h).
#include "tests/model/protocol_check.h"
#include "tests/model/toy_virtual.h"
#include "vm/link/loading/class_waiters.h"

namespace keyhole::model {
namespace {

constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;
constexpr i64 soon = 1000;

struct Tag {
  static constexpr bool reuses_structures = false;
  static constexpr u32 empty_checks = 1;
};
struct TagOfReuse {
  static constexpr bool reuses_structures = true;
  static constexpr u32 empty_checks = 1;
};
struct TagOfShortWatch {
  static constexpr bool reuses_structures = false;
  static constexpr u32 empty_checks = 0;
};

// A program with this number of virtual threads and carriers. The derived State defines what each virtual thread does,
// in `live(number)`, and what platform threads do, in `disturb()`.
template <typename State, typename ItsTag, u32 threads, u32 carriers> struct Virtual {
  using Toy = ToyVirtual<ItsTag>;
  Virtual() {
    auto body = [](void* self, u32 number) { static_cast<State*>(self)->live(number); };
    Toy::begin(threads, carriers, body, static_cast<State*>(this));
  }
  void run(u32 thread) {
    if (thread <= carriers) return Toy::run_thread(thread);
    static_cast<State*>(this)->disturb();
  }
  void finish() {}
  void disturb() {}
  static void park(u32 number, i64 nanoseconds) { Toy::park_thread(number, nanoseconds, checked::Where::current()); }
  // Wakes a thread by its address. The waker must be managed: it reads the structure of a thread that may end
  // meanwhile.
  static void wake(u32 number) {
    CheckedMachine::become_managed(checked::Where::current());
    if (Toy::thread_of(number)->is_alive.load()) Toy::unpark_thread(number, checked::Where::current());
    CheckedMachine::become_safe();
  }
};
template <typename State> constexpr auto one_carrier = program<State, 2>;
template <typename State> constexpr auto one_carrier_disturbed = program<State, 3>;
template <typename State> constexpr auto two_carriers = program<State, 3>;

// The virtual thread sleeps until a platform thread wakes it. Writes before the wake-up must be visible after it.
// `waits`: whether it sleeps in Object.wait. `nanoseconds`: a time limit, or none.
template <bool waits, i64 nanoseconds> struct SleepUntilTold : Virtual<SleepUntilTold<waits, nanoseconds>, Tag, 1, 1> {
  using Toy = ToyVirtual<Tag>;
  CheckedWorld::Plain<u32> message;
  CheckedWorld::Atomic<u32> told{0};
  void live(u32 self) {
    Toy::note_status(self, waits);
    while (told.load(acquire) == 0) this->park(self, nanoseconds);
    expect(message.get() == 7, "a message from before the wake-up is not seen after it");
    Toy::note_status(self, false);
  }
  void disturb() {
    message.set(7);
    told.store(1, release);
    this->wake(0);
  }
};

// The permit alone orders memory: the thread sleeps once, without a flag.
struct SleepOnce : Virtual<SleepOnce, Tag, 1, 1> {
  CheckedWorld::Plain<u32> message;
  void live(u32 self) {
    park(self, forever);
    expect(message.get() == 7, "a message from before the wake-up is not seen after it");
  }
  void disturb() {
    message.set(7);
    wake(0);
  }
};

// The thread sleeps twice, in Object.wait and at a monitor. A report that the first sleep has ended must not be taken
// for a report about the second sleep, and must not suppress such a report.
template <bool first_in_wait, bool second_in_wait>
struct SleepTwice : Virtual<SleepTwice<first_in_wait, second_in_wait>, Tag, 1, 1> {
  using Toy = ToyVirtual<Tag>;
  CheckedWorld::Atomic<u32> told{0}, heard{0};
  void live(u32 self) {
    Toy::note_status(self, first_in_wait);
    while (told.load(acquire) == 0) this->park(self, soon);
    heard.store(1, release);
    Toy::note_status(self, second_in_wait);
    while (told.load(acquire) != 2) this->park(self, forever);
  }
  void disturb() {
    told.store(1, release);
    this->wake(0);
    CheckedWorld::spin_until(heard, [](u32 seen) { return seen != 0; }, 1u);
    told.store(2, release);
    this->wake(0);
  }
};

// Two threads share one carrier, sleep, and wake each other.
struct PingPong : Virtual<PingPong, Tag, 2, 1> {
  CheckedWorld::Atomic<u32> turn{0};
  void live(u32 self) {
    while (turn.load(acquire) != self) park(self, forever);
    turn.store(self + 1, release);
    if (self == 0) wake(1);
  }
};

void announce(CheckedWorld::Atomic<i32>& event) {
  event.store(1, release);
  CheckedWorld::wake(event, 1);
}
void await(CheckedWorld::Atomic<i32>& event) {
  while (event.load(acquire) == 0) CheckedWorld::wait_on(event, 0, forever);
}

// The waker keeps its carrier until the woken thread has run on the other carrier, so no carrier comes back to run the
// deferred unpark.
struct LateUnpark : Virtual<LateUnpark, Tag, 2, 2> {
  CheckedWorld::Atomic<u32> told{0};
  CheckedWorld::Atomic<i32> has_run{0};
  void live(u32 self) {
    if (self == 0) {
      while (told.load(acquire) == 0) park(self, forever);
      return announce(has_run);
    }
    told.store(1, release);
    wake(0);
    await(has_run);
  }
};

// The waker defers two unparks, one after the other. Between the two unparks the waker keeps its carrier until the
// woken thread has run on the other carrier.
struct TwoUnparks : Virtual<TwoUnparks, Tag, 2, 2> {
  CheckedWorld::Atomic<u32> told{0};
  CheckedWorld::Atomic<i32> heard{0};
  void live(u32 self) {
    if (self == 0) {
      while (told.load(acquire) == 0) park(self, forever);
      announce(heard);
      while (told.load(acquire) != 2) park(self, forever);
      return;
    }
    told.store(1, release);
    wake(0);
    await(heard);
    told.store(2, release);
    wake(0);
  }
};

// The waker defers two unparks, and keeps its carrier after each of them. The unblocker may stop watching before the
// second unpark, or while the second unpark is listed.
struct TwoLateUnparks : Virtual<TwoLateUnparks, TagOfShortWatch, 2, 2> {
  CheckedWorld::Atomic<u32> told{0};
  CheckedWorld::Atomic<i32> heard{0}, heard_again{0};
  void live(u32 self) {
    if (self == 0) {
      while (told.load(acquire) == 0) park(self, forever);
      announce(heard);
      while (told.load(acquire) != 2) park(self, forever);
      return announce(heard_again);
    }
    told.store(1, release);
    wake(0);
    await(heard);
    told.store(2, release);
    wake(0);
    await(heard_again);
  }
};

// A timed sleep ends by itself while a platform thread wakes the sleeper. A thread that has ended is created again, and
// reuses its place in the list.
struct EndWhileWoken : Virtual<EndWhileWoken, TagOfReuse, 1, 1> {
  static constexpr bool stops_the_world = true;
  void live(u32 self) {
    Toy::note_status(self, true);
    park(self, soon);
  }
  void disturb() { wake(0); }
};

// A virtual thread has to sleep inside the VM while Java is about to park it. It sleeps without unmounting from its
// carrier, and the state that Java has set is still there afterwards.
struct Stays : Virtual<Stays, Tag, 1, 1> {
  CheckedWorld::Atomic<u32> told{0};
  void live(u32 self) {
    auto* thread = Toy::thread_of(self);
    thread->state.store(Toy::parking);
    while (told.load(acquire) == 0) park(self, forever);
    expect(thread->state.load() == Toy::parking, "Java's state was changed while it was about to park");
    thread->state.store(Toy::VirtualState::running);
  }
  void disturb() {
    told.store(1, release);
    wake(0);
  }
};

// An interrupt ends a wait, wherever the waiting thread is when the interrupt comes.
template <i64 nanoseconds> struct Interrupted : Virtual<Interrupted<nanoseconds>, Tag, 1, 1> {
  using Toy = ToyVirtual<Tag>;
  void live(u32 self) {
    auto* thread = Toy::thread_of(self);
    Toy::note_status(self, true);
    for (;;) {
      thread->hint.exchange(false);  // clears the hint before it reads `interrupted` (blocking.h R1)
      if (thread->interrupted.load() != 0) break;
      while (!thread->hint.load()) this->park(self, nanoseconds);
    }
    Toy::note_status(self, false);
  }
  void disturb() {
    CheckedMachine::become_managed(checked::Where::current());
    Toy::interrupt(Toy::thread_of(0));
    CheckedMachine::become_safe();
  }
};

// A notified thread is in state BLOCKED from its notification on. It then needs a second wake-up, for the lock. The
// check reads a state and a flag. Java changes them one after the other, so the check may see the first change alone.
template <i64 nanoseconds> struct Notified : Virtual<Notified<nanoseconds>, Tag, 1, 1> {
  using Toy = ToyVirtual<Tag>;
  CheckedWorld::Atomic<i32> waits{0};
  CheckedWorld::Atomic<u32> is_notified{0}, has_lock{0};
  void live(u32 self) {
    Toy::note_status(self, true);
    announce(waits);
    while (is_notified.load(acquire) == 0) this->park(self, nanoseconds);
    while (has_lock.load(acquire) == 0) this->park(self, forever);
    Toy::note_status(self, false);
  }
  void disturb() {
    auto* thread = Toy::thread_of(0);
    await(waits);
    CheckedMachine::become_managed(checked::Where::current());
    is_notified.store(1, release);
    Toy::note_status(0, false);
    auto seems_to_wait = [thread] {
      i32 state = thread->state.load();
      return state == Toy::VirtualState::wait || state == Toy::VirtualState::timed_wait;
    };
    expect(!seems_to_wait() || thread->notified.load() != 0 || !seems_to_wait(), "notified, it still waits");
    has_lock.store(1, release);
    Toy::unpark_thread(0, checked::Where::current());
    CheckedMachine::become_safe();
  }
};

// The thread waits twice. The first wait is notified, perhaps before the thread sleeps; the second is interrupted.
template <i64 nanoseconds> struct NotifiedThenInterrupted : Virtual<NotifiedThenInterrupted<nanoseconds>, Tag, 1, 1> {
  using Toy = ToyVirtual<Tag>;
  CheckedWorld::Atomic<i32> waits{0}, waits_again{0};
  CheckedWorld::Atomic<u32> is_notified{0}, has_lock{0};
  void live(u32 self) {
    auto* thread = Toy::thread_of(self);
    Toy::note_status(self, true);
    announce(waits);
    while (is_notified.load(acquire) == 0) this->park(self, nanoseconds);
    while (has_lock.load(acquire) == 0) this->park(self, forever);
    Toy::note_status(self, true);
    announce(waits_again);
    while (!thread->hint.load()) this->park(self, forever);
    Toy::note_status(self, false);
  }
  void disturb() {
    await(waits);
    CheckedMachine::become_managed(checked::Where::current());
    is_notified.store(1, release);
    Toy::note_status(0, false);
    has_lock.store(1, release);
    Toy::unpark_thread(0, checked::Where::current());
    CheckedMachine::become_safe();
    await(waits_again);
    CheckedMachine::become_managed(checked::Where::current());
    Toy::interrupt(Toy::thread_of(0));
    CheckedMachine::become_safe();
  }
};

// --- classes ---------------------------------------------------------------------------------------------------------

// The world of class_waiters.h.
struct ClassWorld : ToyVirtual<Tag> {
  struct BlockedScope {
    explicit BlockedScope(Thread*) { CheckedMachine::become_safe(); }
    ~BlockedScope() { CheckedMachine::become_managed(checked::Where::current()); }
  };
  static void park(Thread* thread, i64 nanoseconds) {
    park_thread(thread->number, nanoseconds, checked::Where::current());
  }
  static void park_in_place(Thread* thread, i64 nanoseconds) { thread->monitor_parker.park(nanoseconds); }
  static void unpark(Thread* thread) { unpark_thread(thread->number, checked::Where::current()); }
};

// All threads need a class. The first thread initialises the class, and sleeps in the initialiser. With one carrier, no
// thread may sleep without unmounting from it.
template <u32 threads, u32 carriers>
struct Initialise : Virtual<Initialise<threads, carriers>, Tag, threads, carriers> {
  enum class State : u32 { linked, being_initialised, initialised };
  CheckedWorld::Mutex mutex;
  ClassWaitersOf<ClassWorld> waiters;
  CheckedWorld::Plain<State> state;
  CheckedWorld::Plain<u32> statics;
  CheckedWorld::Atomic<u32> is_slept{0};
  void live(u32 self) {
    auto* thread = ClassWorld::thread_of(self);
    mutex.lock();
    while (state.get() == State::being_initialised) waiters.wait(thread, mutex);
    bool is_mine = state.get() == State::linked;
    if (is_mine) state.set(State::being_initialised);
    mutex.unlock();
    if (is_mine) {
      ClassWorld::note_status(self, true);
      this->park(self, soon);  // sleeps in the initialiser
      ClassWorld::note_status(self, false);
      statics.set(7);
      mutex.lock();
      state.set(State::initialised);
      waiters.notify_all();
      mutex.unlock();
    }
    expect(statics.get() == 7, "a class is used before it is initialised");
  }
};

// Thread 1 waits for two changes by thread 0, so it may wait twice. Its second Waiter may then lie where its first one
// lay, so notify_all may not read a Waiter that it has notified (class_waiters.h R3).
struct WaitTwice : Virtual<WaitTwice, Tag, 2, 2> {
  CheckedWorld::Mutex mutex;
  ClassWaitersOf<ClassWorld> waiters;
  CheckedWorld::Plain<u32> changes;
  void live(u32 self) {
    mutex.lock();
    if (self == 0) {
      changes.set(1);
      waiters.notify_all();
      mutex.unlock();
      mutex.lock();
      changes.set(2);
      waiters.notify_all();
    } else {
      while (changes.get() != 2) waiters.wait(ClassWorld::thread_of(self), mutex);
    }
    mutex.unlock();
  }
};

constexpr ProtocolCheck sleep_checks[] = {
    {"virtual-blocked", "a virtual thread that is blocked is woken wherever it is on its way into sleep",
     one_carrier_disturbed<SleepUntilTold<false, forever>>},
    {"virtual-waits", "the same in Object.wait", one_carrier_disturbed<SleepUntilTold<true, forever>>},
    {"virtual-timed", "the same for a while: its time runs out, or it is woken, or both",
     one_carrier_disturbed<SleepUntilTold<true, soon>>},
    {"virtual-permit", "one permit ends one sleep, and orders what was before it", one_carrier_disturbed<SleepOnce>},
    {"virtual-again", "two sleeps at monitors, one times out", one_carrier_disturbed<SleepTwice<false, false>>},
    {"virtual-again-in-wait", "the same in Object.wait", one_carrier_disturbed<SleepTwice<true, true>>},
    {"virtual-ping-pong", "two virtual threads on one carrier, one waits for the other", one_carrier<PingPong>},
    {"virtual-late-unpark", "a virtual thread is woken by one that keeps its carrier", two_carriers<LateUnpark>},
    {"virtual-deferred-unparks", "a virtual thread is woken twice by another one", two_carriers<TwoUnparks>},
    {"virtual-late-unparks", "the same by one that keeps its carrier both times", two_carriers<TwoLateUnparks>},
    {"virtual-ends", "its time runs out and it ends while it is woken; its structure is used again",
     one_carrier_disturbed<EndWhileWoken>},
    {"virtual-stays", "Java cannot be told of the sleep", one_carrier_disturbed<Stays>},
    {"virtual-interrupted", "an interrupt ends its wait", one_carrier_disturbed<Interrupted<forever>>},
    {"virtual-interrupted-timed", "the same for a while", one_carrier_disturbed<Interrupted<soon>>},
    {"virtual-notified", "a notified one is blocked until it is woken", one_carrier_disturbed<Notified<forever>>},
    {"virtual-notified-timed", "the same in a wait for a while", one_carrier_disturbed<Notified<soon>>},
    {"virtual-notified-then-interrupted", "what a first wait was told does not keep an interrupt from the second",
     one_carrier_disturbed<NotifiedThenInterrupted<forever>>},
    {"virtual-notified-then-interrupted-timed", "the same with a first wait for a while",
     one_carrier_disturbed<NotifiedThenInterrupted<soon>>},
};
MODEL_PROTOCOL("virtual-sleep", "virtual threads that sleep inside the VM", sleep_checks);

constexpr ProtocolCheck class_checks[] = {
    {"classes-one-carrier", "two virtual threads need a class whose initialiser sleeps, and have one carrier",
     one_carrier<Initialise<2, 1>>},
    {"classes-two-carriers", "three of them have two carriers", two_carriers<Initialise<3, 2>>},
    {"classes-twice", "a virtual thread waits for two changes of a class", two_carriers<WaitTwice>},
};
MODEL_PROTOCOL("virtual-classes", "virtual threads that wait for a class", class_checks);

}  // namespace
}  // namespace keyhole::model
