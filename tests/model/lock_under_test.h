// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// LockUnderTest gives scenarios the interface of one locking algorithm. Threads and objects are numbers. Each operation
// does what the interpreter would do: it makes a lock record, tries the fast path, and then calls the algorithm.
//
// LockOver<Machine, Parts> makes a LockUnderTest of an algorithm. Parts is a struct with
//
//   W           its ToyJava
//   protocol()  the algorithm
//   monitors()  its MonitorListOf<W>, or null when it has none
//   thread_exits(thread), drain()
//   sets_aside  optional: true if the algorithm restricts concurrency (-XX:+RestrictConcurrency)
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "runtime/sync/monitor/monitor_list.h"
#include "runtime/sync/protocol.h"
#include "runtime/sync/suspended_owner.h"
#include "tests/model/listener.h"
#include "tests/model/sight.h"
#include "tests/model/toy_java.h"

namespace keyhole::model {

using sync::Status;

class LockUnderTest {
 public:
  using Where = std::source_location;
  virtual ~LockUnderTest() = default;
  virtual void begin(u32 threads, u32 objects) = 0;  // begins an execution: a new heap, a new instance of the algorithm
  virtual void end() = 0;                            // also after an abandoned execution
  // Called when all threads have ended and no lock is held: no memory of locks may be left. Returns an error, or an
  // empty text.
  virtual std::string leftovers() = 0;

  // The operations of a lock. `thread` is the number of the thread that executes the operation.
  virtual void enter(u32 thread, u32 object, Where where = Where::current()) = 0;
  virtual Status exit(u32 thread, u32 object, Where where = Where::current()) = 0;
  virtual Status wait(u32 thread, u32 object, i64 nanoseconds, Where where = Where::current()) = 0;
  virtual Status notify(u32 thread, u32 object, bool all, Where where = Where::current()) = 0;
  virtual u32 hash(u32 thread, u32 object, Where where = Where::current()) = 0;
  virtual bool holds(u32 thread, u32 object, Where where = Where::current()) = 0;
  virtual void interrupt(u32 thread, u32 target, Where where = Where::current()) = 0;
  // Thread.suspend and Thread.resume. A scenario that uses them must set Scenario::suspends.
  virtual void suspend(u32 thread, u32 target, Where where = Where::current()) = 0;
  virtual void resume(u32 thread, u32 target, Where where = Where::current()) = 0;
  virtual void will_suspend() = 0;
  // A pass of the deflater; does nothing if the algorithm has no monitors.
  virtual void deflate(u32 thread, Where where = Where::current()) = 0;
  virtual void collect(u32 thread, Where where = Where::current()) = 0;  // stops the world and moves every object
  // Moves one object, and skips the threads that do not refer to it.
  virtual void collect_young(u32 thread, u32 object, Where where = Where::current()) = 0;
  // Declares the object dead, so that the next collection frees it. A new object then takes its place and its number.
  virtual void forget(u32 object) = 0;
  virtual void thread_exits(u32 thread) = 0;
  // Called between two steps. Returns the state of the object's lock in memory, and whether a thread is in the middle
  // of an operation on it.
  virtual Sight sight(u32 object) = 0;
  virtual bool is_in_use(u32 object) const = 0;
  virtual bool has_monitors() const = 0;
  virtual bool sets_aside() const = 0;  // whether the algorithm restricts concurrency
};

template <typename Machine, typename Parts> class LockOver : public LockUnderTest {
 public:
  using W = typename Parts::W;
  using Thread = typename W::Thread;
  using Reference = typename W::Reference;
  using Root = typename W::Root;
  using LockRecord = typename W::LockRecord;
  using Protocol = std::remove_reference_t<decltype(std::declval<Parts&>().protocol())>;
  static_assert(sync::LockProtocol<Protocol, W>);

  void begin(u32 threads, u32 objects) override {
    W::begin(threads, objects);
    dead_count_ = 0;
    typename Machine::SetUpScope scope;
    parts_ = std::make_unique<Parts>();
  }
  void end() override { parts_.reset(); }

  void enter(u32 number, u32 object, Where where) override {
    Managed managed(where);
    Thread* thread = W::state->threads[number];
    LockRecord* record = &thread->lock_records[thread->lock_record_top];
    Reference* slot = &W::state->roots[object];
    W::stay_while_suspended(thread);  // polls for suspension, as Java code does between instructions
    bool is_fast;
    {
      Noted noted(thread, object);
      is_fast = Protocol::FastPath::try_enter(thread, *slot, record);
      ++thread->lock_record_top;
      record->object = *slot;
      if (!is_fast && protocol().enter(thread, Root{slot}, record) != Status::Done)
        Machine::fail("enter says out of memory");
      noted.done(Operation::entered);
    }
    if (!is_fast) Suspended::after_enter(thread, record, entering(thread, object), exiting(thread, object));
  }

  Status exit(u32 number, u32 object, Where where) override {
    Managed managed(where);
    Thread* thread = W::state->threads[number];
    Reference reference = W::state->roots[object];
    Noted noted(thread, object);
    u32 index = thread->lock_record_top;
    while (index != 0 && thread->lock_records[index - 1].object != reference) --index;
    if (index == 0) return protocol().exit(thread, reference, &thread->lock_records[thread->lock_record_top]);
    LockRecord* record = &thread->lock_records[index - 1];
    Status status = Status::Done;
    if (!Protocol::FastPath::try_exit(thread, reference, record)) status = protocol().exit(thread, reference, record);
    if (status == Status::Done) noted.done(Operation::exited);
    record->object = nullptr;
    while (thread->lock_record_top != 0 && thread->lock_records[thread->lock_record_top - 1].object == nullptr)
      --thread->lock_record_top;
    return status;
  }

  Status wait(u32 number, u32 object, i64 nanoseconds, Where where) override {
    Managed managed(where);
    Thread* thread = W::state->threads[number];
    Root root{&W::state->roots[object]};
    Status status;
    {
      Noted noted(thread, object);
      noted.done(Operation::waits);
      status = protocol().wait(thread, root, nanoseconds);
      if (status == Status::NotOwner) return status;
      noted.done(Operation::waited);
    }
    Suspended::after_wait(thread, root, entering(thread, object), exiting(thread, object));
    return status;
  }
  Status notify(u32 number, u32 object, bool all, Where where) override {
    Managed managed(where);
    Noted noted(W::state->threads[number], object);
    return protocol().notify(W::state->threads[number], W::state->roots[object], all);
  }
  u32 hash(u32 number, u32 object, Where where) override {
    Managed managed(where);
    Noted noted(W::state->threads[number], object);
    u32 found = protocol().identity_hash(W::state->threads[number], W::state->roots[object]);
    noted.done(Operation::hashed);
    return found;
  }
  bool holds(u32 number, u32 object, Where where) override {
    Managed managed(where);
    return protocol().holds(W::state->threads[number], W::state->roots[object]);
  }
  void interrupt(u32, u32 target, Where where) override {
    Managed managed(where);
    W::state->threads[target]->interrupted.store(true, std::memory_order_seq_cst, where);
    W::unpark(W::state->threads[target], where);
  }
  void suspend(u32, u32 target, Where where) override {
    Managed managed(where);
    auto operation = [](void* thread) { static_cast<Thread*>(thread)->suspended.store(1, std::memory_order_seq_cst); };
    Machine::stop_world(operation, W::state->threads[target], where);
  }
  void resume(u32, u32 target, Where where) override {
    Managed managed(where);
    W::state->threads[target]->suspended.store(0, std::memory_order_seq_cst, where);
    W::unpark(W::state->threads[target], where);
  }
  void will_suspend() override { W::state->suspends = true; }

  void deflate(u32 number, Where where) override {
    Managed managed(where);
    auto* monitors = parts_->monitors();
    if (monitors == nullptr) return;
    Thread* thread = W::state->threads[number];
    monitors->run_pass(thread, poll, [&] {
      auto* home = monitors->home();
      if (home != nullptr) home->forget_remembered(thread);
      Machine::handshake_all(
          [](u32 other, void* context) {
            if (context != nullptr)
              static_cast<sync::MonitorHomeOf<W>*>(context)->forget_remembered(W::state->threads[other]);
          },
          home, where);
      if (home != nullptr) home->release_retired();
    });
  }

  void collect(u32, Where where) override {
    Managed managed(where);
    Machine::stop_world([](void* self) { static_cast<LockOver*>(self)->move_objects(); }, this, where);
  }
  void collect_young(u32, u32 object, Where where) override {
    Managed managed(where);
    struct Call {
      LockOver* self;
      u32 object;
    } call{this, object};
    auto operation = [](void* context) {
      Call& call = *static_cast<Call*>(context);
      W::state->young = 1u << call.object;
      call.self->move_objects();
      W::state->young = W::all_young;
    };
    Machine::stop_world(operation, &call, where);
  }

  void forget(u32 object) override {
    dead_[dead_count_++] = W::state->roots[object];
    W::state->roots[object] = W::new_object(layout::prototype_word(77), object);
    if constexpr (requires { Machine::died(object); }) Machine::died(object);
  }

  void thread_exits(u32 number) override {
    Managed managed(Where::current());
    parts_->thread_exits(W::state->threads[number]);
  }
  Sight sight(u32 object) override { return SightOf<W, Protocol>(protocol(), W::state->roots[object]).look(); }
  bool is_in_use(u32 object) const override {
    bool found = false;
    W::for_each_thread([&](const Thread* thread) { found |= thread->noted_object == object + 1; });
    return found;
  }
  bool has_monitors() const override { return Parts::has_monitors; }
  bool sets_aside() const override {
    if constexpr (requires { Parts::sets_aside; }) return Parts::sets_aside;
    return false;
  }

  std::string leftovers() override {
    for (u32 i = 0; i < W::state->object_count; ++i) {
      Reference object = W::state->roots[i];
      if (protocol().owner(object) != nullptr)
        return fmt::format("object {} has an owner at the end", static_cast<char>('x' + i));
      for (u32 t = 0; t < W::state->thread_count; ++t) {
        if (protocol().holds(W::state->threads[t], object))
          return fmt::format("{} holds an object at the end", static_cast<char>('A' + t));
      }
    }
    for (u32 t = 0; t < W::state->thread_count; ++t) {
      const Thread* thread = W::state->threads[t];
      if (thread->lock_stack_top != 0 || thread->lock_record_top != 0)
        return fmt::format("{} has lock records at the end", static_cast<char>('A' + t));
      for (const LockRecord& record : thread->lock_records) {
        if (record.displaced.load() != 0)
          return fmt::format("a lock record of {} was left in use", static_cast<char>('A' + t));
      }
    }
    protocol().update_references([](Reference) -> Reference { return nullptr; });
    if (u32 left = protocol().in_use(); left != 0)
      return fmt::format("{} monitors or elements are in use at the end", left);
    parts_->drain();
    if (W::state->monitors != 0) return fmt::format("{} monitors were never freed", W::state->monitors);
    if (W::state->elements != 0) return fmt::format("{} elements were never freed", W::state->elements);
    return {};
  }

 private:
  using Operation = Listener::Operation;
  using Suspended = sync::SuspendedOwner<W>;
  // A suspended owner gives its lock back, and later takes it again. The release and the acquisition are two
  // operations, as in synchronizer.cpp.
  auto entering(Thread* thread, u32 object) {
    return [this, thread, object](LockRecord* record) {
      Noted noted(thread, object);
      Status status = protocol().enter(thread, Root{&W::state->roots[object]}, record);
      noted.done(Operation::entered);
      return status;
    };
  }
  auto exiting(Thread* thread, u32 object) {
    return [this, thread, object](LockRecord* record) {
      Noted noted(thread, object);
      Status status = protocol().exit(thread, W::state->roots[object], record);
      if (status == Status::Done) noted.done(Operation::exited);
      return status;
    };
  }
  // Reports an operation and its events as recorded.cpp does.
  class Noted {
   public:
    Noted(Thread* thread, u32 object) : scope_(thread, W::state->roots[object]), thread_(thread), object_(object) {
      if constexpr (requires { Machine::begins(0u, u64{0}); }) Machine::begins(object, thread->id);
    }
    void done(Operation operation) {
      if constexpr (requires { Machine::operated(0u, operation, u64{0}); })
        Machine::operated(object_, operation, thread_->id);
    }

   private:
    typename W::NotedObject scope_;
    Thread* thread_;
    u32 object_;
  };

  // While the scope lasts, the thread is managed: it may touch objects (toy_java.h T2).
  class Managed {
   public:
    explicit Managed(Where where) { Machine::become_managed(where); }
    ~Managed() { Machine::become_safe(); }
  };

  static void poll(Thread*) {
    Machine::become_safe();
    Machine::become_managed(Where::current());
  }

  Protocol& protocol() { return parts_->protocol(); }

  // Makes the object's copy at its new place. As runtime/object/identity.h I2 requires, a hash that came from the old
  // address is stored in the copy. `stores_hash` is always false if the header word contains the hash.
  static Reference moved(Reference from, u32 number) {
    bool stores_hash = (from->header & layout::hash_state_mask) == layout::hash_by_address;
    if (!stores_hash && (from->header & layout::hash_state_mask) != layout::hash_stored)
      return W::new_object(from->header, number);
    u32 hash = layout::hash_at(from, from->header);
    Reference to = W::new_object((from->header & ~layout::hash_state_mask) | layout::hash_stored, number);
    to->stored_hash = hash;
    return to;
  }

  // The work of the collector, while the world is stopped.
  void move_objects() {
    Reference from[toy_objects], to[toy_objects];
    u32 count = W::state->object_count;
    for (u32 i = 0; i < count; ++i) {
      from[i] = W::state->roots[i];
      to[i] = W::is_young(from[i]) ? moved(from[i], i) : from[i];
      W::state->roots[i] = to[i];
    }
    auto forward = [&](Reference old) -> Reference {
      for (u32 i = 0; i < count; ++i) {
        if (from[i] == old) return to[i];
      }
      return nullptr;
    };
    W::for_each_thread([&](Thread* thread) {
      for (u32 i = 0; i < thread->lock_stack_top; ++i) thread->lock_stack[i] = forward(thread->lock_stack[i]);
      for (LockRecord& record : thread->lock_records) {
        if (record.object != nullptr) record.object = forward(record.object);
      }
      for (auto& cached : thread->monitor_cache) cached = {};
    });
    protocol().update_references(forward);
    for (u32 i = 0; i < count; ++i) {
      if (to[i] != from[i]) Machine::release_bytes(from[i], sizeof(ToyObject));
    }
    while (dead_count_ != 0) Machine::release_bytes(dead_[--dead_count_], sizeof(ToyObject));
  }

  std::unique_ptr<Parts> parts_;
  Reference dead_[toy_objects];
  u32 dead_count_ = 0;
};

}  // namespace keyhole::model
