// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Command sets ThreadReference and ThreadGroupReference.
#include <algorithm>

#include "classlib/natives/declarations.h"
#include "classlib/natives/thread_fields.h"
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/threads.h"
#include "vm/link/exceptions.h"
#include "vm/link/linker.h"
#include "vm/link/release_behaviour.h"
#include "vm/link/well_known.h"
#include "vm/tools/jdwp/events.h"
#include "vm/tools/jdwp/frames.h"
#include "vm/tools/jdwp/suspension.h"

namespace keyhole::jdwp {
namespace {

// Stops the world, and calls write(target) for the command's thread, which may have ended.
template <typename Write> Error of_thread(Call& call, Write write) MAY_SAFEPOINT {
  u64 id = call.in.read_u64();
  return stopped(call, "DebuggerThread", [&]() TOUCHES_OBJECTS {
    ThreadArgument target = thread_argument(id);
    return target.error != Error::None ? target.error : write(target);
  });
}

template <typename Write> Error of_suspended_thread(Call& call, Write write) MAY_SAFEPOINT {
  u64 id = call.in.read_u64();
  return stopped(call, "DebuggerThread", [&]() TOUCHES_OBJECTS {
    ThreadArgument target = suspended_thread(id);
    return target.error != Error::None ? target.error : write(target.thread);
  });
}

Error check_thread(u64 id) TOUCHES_OBJECTS {
  ThreadArgument target = thread_argument(id);
  return target.error == Error::None && target.thread == nullptr ? Error::InvalidThread : target.error;
}

ThreadStatus thread_status_of(const JavaThread* thread) {
  switch (thread->status.load(std::memory_order_relaxed)) {
    case JavaThreadStatus::New:
    case JavaThreadStatus::Terminated: return ThreadStatus::Zombie;
    case JavaThreadStatus::Sleeping: return ThreadStatus::Sleeping;
    case JavaThreadStatus::BlockedOnMonitorEnter: return ThreadStatus::Monitor;
    case JavaThreadStatus::Runnable: return ThreadStatus::Running;
    default: return ThreadStatus::Wait;
  }
}

std::string text_of_string(const Object* string) TOUCHES_OBJECTS {
  return string == nullptr ? std::string() : string_to_utf8(string);
}

}  // namespace

Error thread_reference_name(Call& call) {
  return of_thread(call, [&](const ThreadArgument& target) TOUCHES_OBJECTS {
    call.out.write_string(text_of_string(target.object->get_reference(well_known::Thread_name)));
    return Error::None;
  });
}

Error thread_reference_suspend(Call& call) {
  u64 id = call.in.read_u64();
  Error error = check_thread(id);
  if (error == Error::None) suspension::suspend(call.thread, id);
  return error;
}

Error thread_reference_resume(Call& call) {
  u64 id = call.in.read_u64();
  Error error = check_thread(id);
  if (error == Error::None) suspension::resume(call.thread, id);
  if (error == Error::None) events::resumed(call.thread);
  return error;
}

Error thread_reference_status(Call& call) {
  return of_thread(call, [&](const ThreadArgument& target) {
    constexpr i32 suspended = 1;
    ThreadStatus status = target.thread == nullptr ? ThreadStatus::Zombie : thread_status_of(target.thread);
    call.out.write_i32(static_cast<i32>(status));
    call.out.write_i32(target.thread != nullptr && suspension::count_of(target.thread) > 0 ? suspended : 0);
    return Error::None;
  });
}

Error thread_reference_thread_group(Call& call) {
  return of_thread(call, [&](const ThreadArgument& target) TOUCHES_OBJECTS {
    call.out.write_u64(object_ids::id_of(thread_fields::group(target.object)));
    return Error::None;
  });
}

Error thread_reference_frames(Call& call) {
  return of_suspended_thread(call, [&](JavaThread* target) TOUCHES_OBJECTS {
    i32 first = call.in.read_i32(), wanted = call.in.read_i32();
    std::vector<VirtualFrame> frames;
    for (const VirtualFrame& activation : virtual_frames(target)) frames.push_back(activation);
    i32 depth = static_cast<i32>(frames.size());
    if (first < 0 || first > depth) return Error::InvalidIndex;
    i32 count = wanted == -1 ? depth - first : wanted;
    if (count < 0 || count > depth - first) return Error::InvalidLength;
    call.out.write_i32(count);
    for (i32 i = first; i < first + count; ++i) {
      call.out.write_u64(address_id(frames[static_cast<usize>(i)].id()));
      write_location(call.out, frames[static_cast<usize>(i)]);
    }
    return Error::None;
  });
}

Error thread_reference_frame_count(Call& call) {
  return of_suspended_thread(call, [&](JavaThread* target) {
    i32 count = 0;
    for ([[maybe_unused]] const VirtualFrame& activation : virtual_frames(target)) ++count;
    call.out.write_i32(count);
    return Error::None;
  });
}

// Lists the objects of the thread's lock records. Excludes an object that the thread is still entering or waits for: it
// has a record, too, but the thread does not hold it.
Error thread_reference_owned_monitors(Call& call) {
  return of_suspended_thread(call, [&](JavaThread* target) TOUCHES_OBJECTS {
    Object *blocked = sync::blocked_on(target), *waiting = sync::waiting_on(target);
    std::vector<Object*> owned;
    for (u32 i = target->lock_record_top; i > 0; --i) {
      Object* object = target->lock_records[i - 1].object;
      if (object == nullptr || object == blocked || object == waiting) continue;
      if (std::find(owned.begin(), owned.end(), object) == owned.end()) owned.push_back(object);
    }
    call.out.write_i32(static_cast<i32>(owned.size()));
    for (Object* object : owned) write_object(call.out, object);
    return Error::None;
  });
}

Error thread_reference_current_contended_monitor(Call& call) {
  return of_suspended_thread(call, [&](JavaThread* target) TOUCHES_OBJECTS {
    Object* object = sync::blocked_on(target);
    if (object == nullptr && release::contends_while_waiting()) object = sync::waiting_on(target);
    write_object(call.out, object);
    return Error::None;
  });
}

Error thread_reference_stop(Call& call) {
  u64 id = call.in.read_u64();
  Error error = check_thread(id);
  if (error != Error::None) return error;
  auto [exception, unknown] = read_object(call);
  if (unknown != Error::None) return unknown;
  if (!exception->klass()->is_subtype_of(well_known::Throwable_class)) return Error::InvalidObject;
  Handle throwable = call.handles.make(exception);
  natives::Thread_stop0(call.thread, call.handles.make(object_ids::find(id).object), throwable);
  return Error::None;
}

Error thread_reference_interrupt(Call& call) {
  u64 id = call.in.read_u64();
  Error error = check_thread(id);
  if (error != Error::None) return error;
  Handle target = call.handles.make(object_ids::find(id).object);
  target->atomic<u8>(well_known::Thread_interrupted).store(1, std::memory_order_seq_cst);
  natives::Thread_interrupt0(call.thread, target);
  return Error::None;
}

Error thread_reference_suspend_count(Call& call) {
  return of_thread(call, [&](const ThreadArgument& target) {
    call.out.write_i32(target.thread == nullptr ? 0 : suspension::count_of(target.thread));
    return Error::None;
  });
}

Error thread_reference_is_virtual(Call& call) {
  return of_thread(call, [&](const ThreadArgument& target) TOUCHES_OBJECTS {
    bool is_virtual = false;
    for (const Klass* klass = target.object->klass(); klass != nullptr; klass = klass->super)
      is_virtual |= klass->liveness == nullptr && klass->name->text() == "java/lang/BaseVirtualThread";
    call.out.write_boolean(is_virtual);
    return Error::None;
  });
}

namespace {

struct GroupArgument {
  Object* object = nullptr;
  Error error = Error::None;
};
GroupArgument read_group(Call& call) TOUCHES_OBJECTS {
  auto [object, error] = read_object(call);
  if (error != Error::None) return {.error = error};
  if (object_tag(object) != tag::thread_group) return {.error = Error::InvalidThreadGroup};
  return {.object = object};
}

Object* reference_of(const Object* group, const char* name, const char* descriptor) TOUCHES_OBJECTS {
  const Field* field = find_field(well_known::ThreadGroup_class, Symbol::intern(name), Symbol::intern(descriptor));
  return field == nullptr ? nullptr : group->get_reference(field->offset);
}

}  // namespace

Error thread_group_reference_name(Call& call) {
  auto [group, error] = read_group(call);
  if (error != Error::None) return error;
  call.out.write_string(text_of_string(reference_of(group, "name", "Ljava/lang/String;")));
  return Error::None;
}

Error thread_group_reference_parent(Call& call) {
  auto [group, error] = read_group(call);
  if (error != Error::None) return error;
  call.out.write_u64(object_ids::id_of(group->get_reference(well_known::ThreadGroup_parent)));
  return Error::None;
}

Error thread_group_reference_children(Call& call) {
  auto [argument, unknown] = read_group(call);
  if (unknown != Error::None) return unknown;
  Handle group = call.handles.make(argument);
  return stopped(call, "DebuggerThreads", [&]() TOUCHES_OBJECTS {
    usize place = call.out.place_count();
    u32 count = 0;
    threads::for_each_platform_thread([&](JavaThread* each) TOUCHES_OBJECTS {
      if (!suspension::is_visible(each) || thread_fields::group(each->thread_object) != group.get()) return;
      call.out.write_u64(object_ids::id_of(each->thread_object));
      ++count;
    });
    call.out.set_count(place, count);
    // The array's used part ends at the first null.
    std::vector<Object*> groups;
    Object* children = reference_of(group.get(), "groups", "[Ljava/lang/ThreadGroup;");
    for (i32 i = 0; children != nullptr && i < children->length(); ++i) {
      if (Object* child = children->reference_at(i)) groups.push_back(child);
    }
    // Later libraries keep daemon groups, such as the carriers' group, in weak references.
    Object* weak = reference_of(group.get(), "weaks", "[Ljava/lang/ref/WeakReference;");
    const Field* referent =
        find_field(well_known::Reference_class, Symbol::intern("referent"), Symbol::intern("Ljava/lang/Object;"));
    for (i32 i = 0; weak != nullptr && referent != nullptr && i < weak->length(); ++i) {
      Object* reference = weak->reference_at(i);
      if (Object* child = reference == nullptr ? nullptr : reference->get_reference(referent->offset))
        groups.push_back(child);
    }
    call.out.write_i32(static_cast<i32>(groups.size()));
    for (Object* child : groups) call.out.write_u64(object_ids::id_of(child));
    return Error::None;
  });
}

}  // namespace keyhole::jdwp
