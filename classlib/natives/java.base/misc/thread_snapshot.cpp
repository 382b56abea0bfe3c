// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// jdk.internal.vm.ThreadSnapshot of library 25: the frames, locks and waits of a thread at one moment. The library
// makes its thread dumps from these.
#include "classlib/natives/declarations.h"
#include "classlib/natives/java.base/lang/stack_trace.h"
#include "classlib/natives/java.base/lang/thread_lifecycle.h"
#include "classlib/natives/java.base/lang/thread_waits.h"
#include "classlib/natives/late_bound.h"
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/continuations/virtual_thread_state.h"
#include "runtime/threads/safepoint.h"
#include "vm/frames/layout/virtual_frame.h"

namespace keyhole::natives {

namespace {

// The order of ThreadSnapshot.BlockerLockType.
enum class Blocker : i32 { Parked, ToLock, Waited };

struct HeldMonitor {
  Handle object;
  i32 depth;  // the index of the frame that has locked it
};

struct Snapshot {
  ThreadFrames frames;
  JavaThreadStatus status = JavaThreadStatus::Runnable;
  Handle carrier;
  std::vector<HeldMonitor> monitors;
  Handle blocker, blocker_owner;
  Blocker blocker_type = Blocker::Parked;
};

// Takes the state. Only Java knows the blocker of an unmounted virtual thread that has yielded.
void take_status(Snapshot& snapshot, JavaThread* target, HandleScope& scope, const late::VirtualThread* row)
    TOUCHES_OBJECTS {
  snapshot.status = target->status.load(std::memory_order_relaxed);
  if (target->continuation == nullptr) return;
  if (target->carrier != nullptr) {
    snapshot.carrier = scope.make(target->carrier->thread->thread_object);
  } else if (snapshot.status == JavaThreadStatus::Runnable) {
    using State = VirtualThreadStateOf<HardwareWorld>;
    i32 state = target->thread_object->get<i32>(row->state) & ~State::suspended_bit;
    if (state == State::parked) snapshot.status = JavaThreadStatus::Parked;
    else if (state == State::timed_parked) snapshot.status = JavaThreadStatus::ParkedTimed;
  }
}

void take_blocker(Snapshot& snapshot, JavaThread* target, const WaitNames& names, HandleScope& scope) TOUCHES_OBJECTS {
  Object* object = sync::blocked_on(target);
  snapshot.blocker_type = Blocker::ToLock;
  if (object == nullptr) {
    object = sync::waiting_on(target);
    snapshot.blocker_type = Blocker::Waited;
  }
  if (object == nullptr) {
    object = park_blocker(target, snapshot.status, names);
    snapshot.blocker_type = Blocker::Parked;
  }
  if (object == nullptr) return;
  snapshot.blocker = scope.make(object);
  const bool can_have_owner = snapshot.blocker_type == Blocker::Parked && names.ownable_synchronizer != nullptr &&
                              object->klass()->is_subtype_of(names.ownable_synchronizer);
  const JavaThread* owner = can_have_owner ? exclusive_owner(object, names) : nullptr;
  if (owner != nullptr) snapshot.blocker_owner = scope.make(owner->thread_object);
}

// Takes the monitors of the frames that are shown. A monitor of a hidden frame counts for the frame that called it.
void take_monitors(Snapshot& snapshot, JavaThread* target, HandleScope& scope) TOUCHES_OBJECTS {
  const Object* wanted = sync::blocked_on(target);
  const bool waits = sync::waiting_on(target) != nullptr;
  const std::vector<BacktraceEntry>& shown = snapshot.frames.frames;
  u32 records_end = target->lock_record_top;
  usize depth = 0;
  for (const VirtualFrame& activation : virtual_frames(target)) {
    if (depth == shown.size()) return;
    for (u32 i = records_end; i > activation.lock_record_base(); --i) {
      Object* object = target->lock_records[i - 1].object;
      // Skips the record of a lock that is not held yet. A waiting thread is shown with the monitor that it will
      // reacquire.
      if (object == nullptr || (object == wanted && !waits && depth == 0)) continue;
      snapshot.monitors.push_back({scope.make(object), static_cast<i32>(depth)});
    }
    records_end = activation.lock_record_base();
    if (shown[depth].method == activation.method() && shown[depth].bci == activation.bci()) ++depth;
  }
}

Object* make_locks(JavaThread* thread, const std::vector<HeldMonitor>& monitors) MAY_SAFEPOINT {
  const late::ThreadLock* row = late::get<late::ThreadLock>(thread);
  if (row == nullptr || !initialize_class(thread, row->klass)) return nullptr;
  HandleScope scope(thread);
  Handle array = scope.make(new_reference_array(thread, row->klass, static_cast<i32>(monitors.size())));
  if (array.is_null()) return nullptr;
  for (usize i = 0; i < monitors.size(); ++i) {
    Object* lock = new_instance(thread, row->klass);
    if (lock == nullptr) return nullptr;
    constexpr i32 is_locked = 0;  // OwnedLockType.LOCKED: no compiler here takes a lock away
    lock->set<i32>(row->depth, monitors[i].depth);
    lock->set<i32>(row->type, is_locked);
    barrier::store(lock, row->object, monitors[i].object.get());
    barrier::store_element(array.get(), static_cast<i32>(i), lock);
  }
  return array.get();
}

}  // namespace

// Takes a snapshot of a thread. Null: it is not alive.
Object* ThreadSnapshot_create(JavaThread* thread, Handle java_thread) {
  const late::ThreadSnapshot* row = late::get<late::ThreadSnapshot>(thread);
  if (row == nullptr || !initialize_class(thread, row->klass)) return nullptr;
  HandleScope scope(thread);
  Snapshot snapshot;
  WaitNames names = wait_names();
  const late::VirtualThread* virtual_row = late::get<late::VirtualThread>(thread);
  if (virtual_row == nullptr) return nullptr;
  auto take = [&]() TOUCHES_OBJECTS {
    JavaThread* target = thread_of(java_thread.get());
    snapshot.frames = shown_frames_of(target, scope);
    if (!snapshot.frames.alive) return;
    take_status(snapshot, target, scope, virtual_row);
    take_blocker(snapshot, target, names, scope);
    take_monitors(snapshot, target, scope);
  };
  safepoint::run(thread, "ThreadSnapshot", take);
  if (!snapshot.frames.alive) return nullptr;

  Handle trace = scope.make(make_trace(thread, snapshot.frames));
  if (trace.is_null()) return nullptr;
  // Computes what the elements show about class loaders and modules; for other traces the library does so itself.
  const late::StackTraceElement* element = late::get<late::StackTraceElement>(thread);
  if (element == nullptr) return nullptr;
  Slot elements[] = {slot_of(trace)};
  call_java(thread, element->finish, elements);
  if (has_exception(thread)) return nullptr;
  Handle locks = scope.make(make_locks(thread, snapshot.monitors));
  if (locks.is_null()) return nullptr;
  Object* result = new_instance(thread, row->klass);
  if (result == nullptr) return nullptr;
  barrier::store(result, row->name, java_thread->get_reference(well_known::Thread_name));
  result->set<i32>(row->status, static_cast<i32>(snapshot.status));
  if (!snapshot.carrier.is_null()) barrier::store(result, row->carrier, snapshot.carrier.get());
  barrier::store(result, row->stack_trace, trace.get());
  barrier::store(result, row->locks, locks.get());
  if (!snapshot.blocker.is_null()) {
    result->set<i32>(row->blocker_type, static_cast<i32>(snapshot.blocker_type));
    barrier::store(result, row->blocker, snapshot.blocker.get());
    if (row->blocker_owner != 0 && !snapshot.blocker_owner.is_null())
      barrier::store(result, row->blocker_owner, snapshot.blocker_owner.get());
  }
  return result;
}

}  // namespace keyhole::natives
