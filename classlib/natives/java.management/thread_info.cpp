// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes java.lang.management.ThreadInfo objects: the state, frames, locks and waits of threads.
//
//   1 names are looked up
//   2 ids become numbers
//   3 with the world stopped: a Picture of each thread (frames, locks as handles; synchronizers, if requested, from a
//     walk of the heap)
//   4 the pictures become ThreadInfo objects (allocates, calls Java)
#include "classlib/natives/declarations.h"
#include "classlib/natives/java.base/lang/stack_trace.h"
#include "classlib/natives/java.base/lang/thread_lifecycle.h"
#include "classlib/natives/java.base/lang/thread_waits.h"
#include "classlib/natives/java.management/support.h"
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/safepoint.h"
#include "vm/frames/layout/virtual_frame.h"

namespace keyhole::natives {

namespace {

// Bits that are added to those of Thread.threadStatus.
constexpr i32 suspended_flag = 0x0010'0000, in_native_flag = 0x0040'0000;

struct Wanted {
  usize frames = 0;
  bool monitors = false;
  bool synchronizers = false;
};

struct Picture {
  Handle java_thread;  // null: there is no such thread
  JavaThread* thread = nullptr;
  i32 state = 0;
  Handle lock, lock_owner;
  ThreadFrames frames;
  std::vector<Handle> monitors;
  std::vector<i32> monitor_depths;  // for each: the index in `frames` of the frame that locked it
  std::vector<Handle> synchronizers;
  i64 blocked = 0, blocked_milliseconds = 0, waited = 0, waited_milliseconds = 0;
};

bool is_waiting(JavaThreadStatus status) {
  return status == JavaThreadStatus::InObjectWait || status == JavaThreadStatus::InObjectWaitTimed;
}

// Takes the waits. A thread that is blocked on a monitor without an owner is about to run.
void take_waits(Picture& picture, const WaitNames& names, HandleScope& scope) TOUCHES_OBJECTS {
  JavaThread* thread = picture.thread;
  JavaThreadStatus status = thread->status.load(std::memory_order_relaxed);
  JavaThread* owner = nullptr;
  Object* lock = nullptr;
  if (status == JavaThreadStatus::BlockedOnMonitorEnter || is_waiting(status)) {
    lock = sync::blocked_on(thread);
    if (lock == nullptr) lock = sync::waiting_on(thread);
    owner = lock == nullptr ? nullptr : sync::owner(lock);
    if (lock == nullptr || (owner == nullptr && status == JavaThreadStatus::BlockedOnMonitorEnter)) {
      lock = nullptr;
      status = JavaThreadStatus::Runnable;
    }
  } else if ((lock = park_blocker(thread, names)) != nullptr) {
    owner = wait_of(thread, names).owner;
  }
  picture.state = static_cast<i32>(status);
  if (lock != nullptr) picture.lock = scope.make(lock);
  if (owner != nullptr && owner != thread && owner->thread_object != nullptr)
    picture.lock_owner = scope.make(owner->thread_object);
}

void take_monitors(Picture& picture, HandleScope& scope) TOUCHES_OBJECTS {
  if (picture.frames.frames.empty()) return;
  JavaThread* thread = picture.thread;
  Object* blocked = sync::blocked_on(thread);
  Object* waiting = sync::waiting_on(thread);
  u32 records_end = thread->lock_record_top;
  usize depth = 0;
  for (const VirtualFrame& activation : virtual_frames(thread)) {
    for (u32 i = records_end; i > activation.lock_record_base(); --i) {
      Object* object = thread->lock_records[i - 1].object;
      if (object == nullptr || object == blocked || object == waiting || depth == picture.frames.frames.size())
        continue;
      picture.monitors.push_back(scope.make(object));
      picture.monitor_depths.push_back(static_cast<i32>(depth));
    }
    records_end = activation.lock_record_base();
    const auto& next = picture.frames.frames[depth];
    if (next.method == activation.method() && next.bci == activation.bci() && ++depth == picture.frames.frames.size())
      return;
  }
}

Picture take_picture(JavaThread* thread, const Wanted& wanted, const WaitNames& names, HandleScope& scope)
    TOUCHES_OBJECTS {
  Picture picture;
  if (thread == nullptr || thread->thread_object == nullptr) return picture;
  picture.thread = thread;
  picture.java_thread = scope.make(thread->thread_object);
  take_waits(picture, names, scope);
  if (thread->suspended.load(std::memory_order_relaxed) != 0) picture.state |= suspended_flag;
  if (thread->state.load(std::memory_order_relaxed) == ThreadState::InNative) picture.state |= in_native_flag;
  picture.frames = frames_of(thread, scope, wanted.frames);
  if (wanted.monitors) take_monitors(picture, scope);
  const WaitStatistics& statistics = thread->wait_statistics;
  picture.blocked = statistics.blocked();
  picture.waited = statistics.waited();
  bool timed = WaitStatistics::is_timed.load(std::memory_order_relaxed);
  picture.blocked_milliseconds = timed ? statistics.nanoseconds(WaitStatistics::Kind::blocked) / 1'000'000 : -1;
  picture.waited_milliseconds = timed ? statistics.nanoseconds(WaitStatistics::Kind::waited) / 1'000'000 : -1;
  return picture;
}

// Takes pictures of the threads with these ids, in this order; without ids, of all threads that Java can see.
std::vector<Picture> take_pictures(JavaThread* thread, const std::vector<i64>* ids, const Wanted& wanted,
                                   HandleScope& scope) MAY_SAFEPOINT {
  std::vector<Picture> pictures;
  WaitNames names = wait_names();
  auto take = [&]() TOUCHES_OBJECTS {
    std::vector<JavaThread*> all = threads_by_age();
    auto thread_with = [&](i64 id) TOUCHES_OBJECTS -> JavaThread* {
      for (JavaThread* each : all)
        if (each->thread_object != nullptr && thread_of(each->thread_object) != nullptr &&
            each->thread_object->get<i64>(well_known::Thread_tid) == id)
          return each;
      return nullptr;
    };
    if (ids != nullptr) {
      for (i64 id : *ids) pictures.push_back(take_picture(thread_with(id), wanted, names, scope));
    } else {
      for (JavaThread* each : all)
        if (!each->vm_internal && each->thread_object != nullptr && thread_of(each->thread_object) != nullptr)
          pictures.push_back(take_picture(each, wanted, names, scope));
    }
    if (!wanted.synchronizers) return;
    for (const HeldSynchronizer& held : held_synchronizers(names))
      for (Picture& picture : pictures)
        if (picture.thread == held.owner) picture.synchronizers.push_back(scope.make(held.object));
  };
  safepoint::run(thread, "ThreadDump", take);
  return pictures;
}

// --- objects ---------------------------------------------------------------------------------------------------------

Object* make_array(JavaThread* thread, const std::vector<Handle>& objects) MAY_SAFEPOINT {
  Object* array = new_reference_array(thread, well_known::Object_class, static_cast<i32>(objects.size()));
  if (array == nullptr) return nullptr;
  for (usize i = 0; i < objects.size(); ++i) barrier::store_element(array, static_cast<i32>(i), objects[i].get());
  return array;
}

Object* make_info(JavaThread* thread, const Picture& picture) MAY_SAFEPOINT {
  const auto* row = late::get<late::ThreadInfo>(thread);
  if (row == nullptr || !initialize_class(thread, row->klass)) return nullptr;
  HandleScope scope(thread);
  auto keep = [&](Object* object) TOUCHES_OBJECTS { return object == nullptr ? Handle() : scope.make(object); };
  Handle info = keep(new_instance(thread, row->klass));
  if (info.is_null()) return nullptr;
  Handle trace = keep(make_trace(thread, picture.frames));
  if (trace.is_null()) return nullptr;
  Handle monitors = keep(make_array(thread, picture.monitors));
  if (monitors.is_null()) return nullptr;
  Handle depths = keep(new_primitive_array(thread, BasicType::Int, static_cast<i32>(picture.monitor_depths.size())));
  if (depths.is_null()) return nullptr;
  std::copy(picture.monitor_depths.begin(), picture.monitor_depths.end(), depths->elements<i32>());
  Handle synchronizers = keep(make_array(thread, picture.synchronizers));
  if (synchronizers.is_null()) return nullptr;
  Slot arguments[] = {slot_of(info),
                      slot_of(picture.java_thread),
                      slot_of(picture.state),
                      slot_of(picture.lock),
                      slot_of(picture.lock_owner),
                      0,
                      slot_of(picture.blocked),
                      0,
                      slot_of(picture.blocked_milliseconds),
                      0,
                      slot_of(picture.waited),
                      0,
                      slot_of(picture.waited_milliseconds),
                      slot_of(trace),
                      slot_of(monitors),
                      slot_of(depths),
                      slot_of(synchronizers)};
  call_java(thread, row->constructor, arguments);
  return has_exception(thread) ? nullptr : info.get();
}

// Makes the objects. An element stays null if there is no such thread. False: an exception is pending.
bool make_infos(JavaThread* thread, const std::vector<Picture>& pictures, Handle array) MAY_SAFEPOINT {
  for (usize i = 0; i < pictures.size(); ++i) {
    if (pictures[i].java_thread.is_null()) continue;
    Object* info = make_info(thread, pictures[i]);
    if (info == nullptr) return false;
    barrier::store_element(array.get(), static_cast<i32>(i), info);
  }
  return true;
}

std::vector<i64> numbers(Handle ids) TOUCHES_OBJECTS {
  return {ids->elements<i64>(), ids->elements<i64>() + ids->length()};
}

}  // namespace

// `maximum_depth` -1 means all frames.
void ThreadImpl_getThreadInfo1(JavaThread* thread, Handle ids, i32 maximum_depth, Handle result) {
  if (ids.is_null() || result.is_null()) {
    throw_null_pointer(thread);
    return;
  }
  HandleScope scope(thread);
  std::vector<i64> wanted_ids = numbers(ids);
  usize frames = maximum_depth < 0 ? SIZE_MAX : static_cast<usize>(maximum_depth);
  std::vector<Picture> pictures = take_pictures(thread, &wanted_ids, {.frames = frames}, scope);
  if (!make_infos(thread, pictures, result)) return;
}

Object* ThreadImpl_dumpThreads0(JavaThread* thread, Handle ids, bool monitors, bool synchronizers, i32 maximum_depth) {
  const auto* row = late::get<late::ThreadInfo>(thread);
  if (row == nullptr) return nullptr;
  HandleScope scope(thread);
  std::vector<i64> wanted_ids;
  if (!ids.is_null()) wanted_ids = numbers(ids);
  Wanted wanted{.frames = static_cast<usize>(maximum_depth), .monitors = monitors, .synchronizers = synchronizers};
  std::vector<Picture> pictures = take_pictures(thread, ids.is_null() ? nullptr : &wanted_ids, wanted, scope);
  Object* array = new_reference_array(thread, row->klass, static_cast<i32>(pictures.size()));
  if (array == nullptr) return nullptr;
  Handle result = scope.make(array);
  return make_infos(thread, pictures, result) ? result.get() : nullptr;
}

}  // namespace keyhole::natives
