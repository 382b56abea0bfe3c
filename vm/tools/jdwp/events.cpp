// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Matches events with the debugger's requests, and sends them.
#include "vm/tools/jdwp/events.h"

#include <algorithm>

#include "runtime/base/mutex.h"
#include "runtime/threads/handles.h"
#include "runtime/threads/thread_state.h"
#include "runtime/threads/threads.h"
#include "vm/link/loading/loader_names.h"
#include "vm/tools/jdwp/agent.h"
#include "vm/tools/jdwp/frames.h"
#include "vm/tools/jdwp/object_ids.h"
#include "vm/tools/jdwp/suspension.h"
#include "vm/tools/jdwp/values.h"

namespace keyhole::jdwp::events {
namespace {

struct State {
  Mutex mutex{LockRank::debugger_events};
  std::vector<Request> requests GUARDED_BY(mutex);
  i32 last_id GUARDED_BY(mutex) = 0;
  i32 session GUARDED_BY(mutex) = 0;  // number of debuggers that have disconnected so far
  bool held GUARDED_BY(mutex) = false;
  // an event has suspended all threads, and the debugger has not resumed them yet (V5)
  bool all_suspended GUARDED_BY(mutex) = false;
  ConditionVariable turn_ended;                            // all_suspended has become false
  std::vector<std::vector<u8>> waiting GUARDED_BY(mutex);  // packets, while held or all_suspended
};
State& state() {
  static auto* made = new State();  // outlives every static destructor
  return *made;
}

struct Happening {
  EventKind kind;
  JavaThread* thread = nullptr;
  InstanceKlass* klass = nullptr;
  std::string class_name = {};  // the name that Class.getName() returns
  const Klass* exception = nullptr;
  bool is_caught = false;  // of an exception
};

bool matches_pattern(std::string_view text, std::string_view pattern) {
  if (pattern.starts_with('*')) return text.ends_with(pattern.substr(1));
  if (pattern.ends_with('*')) return text.starts_with(pattern.substr(0, pattern.size() - 1));
  return text == pattern;
}

bool passes(Filter& filter, const Happening& what) TOUCHES_OBJECTS {
  if (auto* thread = std::get_if<ThreadFilter>(&filter))
    return what.thread != nullptr && object_ids::find(thread->thread).object == what.thread->thread_object;
  if (auto* name = std::get_if<NameFilter>(&filter))
    return what.class_name.empty() || matches_pattern(what.class_name, name->pattern) != name->excludes;
  if (auto* source = std::get_if<SourceFilter>(&filter)) {
    return what.klass == nullptr ||
           (what.klass->source_file != nullptr && matches_pattern(what.klass->source_file->text(), source->pattern));
  }
  if (auto* type = std::get_if<ClassFilter>(&filter)) {
    Object* mirror = object_ids::find(type->type).object;
    return what.klass == nullptr || (mirror != nullptr && what.klass->is_subtype_of(klass_of_mirror(mirror)));
  }
  if (auto* wanted = std::get_if<ExceptionFilter>(&filter)) {
    if (what.exception == nullptr || !(what.is_caught ? wanted->caught : wanted->uncaught)) return false;
    Object* mirror = wanted->type == 0 ? nullptr : object_ids::find(wanted->type).object;
    return wanted->type == 0 || (mirror != nullptr && what.exception->is_subtype_of(klass_of_mirror(mirror)));
  }
  CountFilter& count = std::get<CountFilter>(filter);
  return count.left > 0 && --count.left == 0;
}

// Returns the ids of the event requests that this event matches. `policy` becomes the strongest of their suspend
// policies.
std::vector<i32> take_matching(const Happening& what, SuspendPolicy& policy) REQUIRES(state().mutex) {
  std::vector<i32> ids;
  std::erase_if(state().requests, [&](Request& request) TOUCHES_OBJECTS {
    if (request.kind != what.kind) return false;
    bool is_counted = false;
    for (Filter& filter : request.filters) {
      if (!passes(filter, what)) return false;
      is_counted |= std::holds_alternative<CountFilter>(filter);
    }
    ids.push_back(request.id);
    policy = std::max(policy, request.policy);
    return is_counted;  // a request with a count is removed after the event that its count selects
  });
  return ids;
}

// Waits until no other event suspends all threads (V5). Returns false if the debugger has disconnected meanwhile.
bool take_turn(JavaThread* thread, SuspendPolicy policy) MAY_SAFEPOINT {
  NativeScope native(thread);
  MutexLock guard(state().mutex);
  i32 session = state().session;
  while (state().all_suspended) state().turn_ended.wait(state().mutex);
  if (session != state().session) return false;
  state().all_suspended = policy == SuspendPolicy::All;
  return true;
}

void deliver(JavaThread* thread, SuspendPolicy policy, std::vector<u8> packet) MAY_SAFEPOINT {
  {
    MutexLock guard(state().mutex);
    if (state().held || (state().all_suspended && policy == SuspendPolicy::None)) {
      state().waiting.push_back(std::move(packet));
      return;
    }
  }
  NativeScope native(thread);
  send_event(packet);
}

// Sends an event. write(out) adds the data that follow the request's id.
template <typename Write>
std::vector<u8> compose(SuspendPolicy policy, EventKind kind, const std::vector<i32>& ids, Write write)
    TOUCHES_OBJECTS {
  Writer out;
  out.write_tag(policy);
  out.write_i32(static_cast<i32>(ids.size()));
  for (i32 id : ids) {
    out.write_tag(kind);
    out.write_i32(id);
    write(out);
  }
  return out.bytes();
}

// Reports classes that have died since the last event. Called before the next event.
void tell_unloaded(JavaThread* thread) MAY_SAFEPOINT {
  for (const std::string& signature : object_ids::take_unloaded_classes()) {
    Happening what{.kind = EventKind::ClassUnload, .class_name = signature.substr(1, signature.size() - 2)};
    std::replace(what.class_name.begin(), what.class_name.end(), '/', '.');
    SuspendPolicy ignored = SuspendPolicy::None;  // no thread to suspend, because the class died in a collection
    MutexLock guard(state().mutex);
    std::vector<i32> ids = take_matching(what, ignored);
    guard.unlock();
    if (!ids.empty())
      deliver(thread, SuspendPolicy::None,
              compose(SuspendPolicy::None, what.kind, ids, [&](Writer& out) { out.write_string(signature); }));
  }
}

// Sends the waiting packets. When none is left, calls finish(). Meanwhile, packets of later events join the queue of
// waiting packets, so the order is kept.
template <typename Finish> void send_waiting(JavaThread* thread, bool despite_hold, Finish finish) MAY_SAFEPOINT {
  for (;;) {
    std::vector<std::vector<u8>> packets;
    {
      MutexLock guard(state().mutex);
      if (state().waiting.empty() || (state().held && !despite_hold)) {
        finish();
        return;
      }
      packets.swap(state().waiting);
    }
    NativeScope native(thread);
    for (const std::vector<u8>& packet : packets) send_event(packet);
  }
}

void end_turn() REQUIRES(state().mutex) {
  state().all_suspended = false;
  state().turn_ended.notify_all();
}

template <typename Write>
void tell(JavaThread* thread, Happening what, std::vector<i32> ids, SuspendPolicy policy, Write write) MAY_SAFEPOINT {
  tell_unloaded(thread);
  MutexLock guard(state().mutex);
  std::vector<i32> matching = take_matching(what, policy);
  guard.unlock();
  ids.insert(ids.end(), matching.begin(), matching.end());
  if (ids.empty()) return;
  if (thread->vm_internal) policy = SuspendPolicy::None;
  std::vector<u8> packet = compose(policy, what.kind, ids, write);
  bool waits = policy != SuspendPolicy::None ? what.kind != EventKind::VmStart : what.kind == EventKind::VmDeath;
  if (waits && !thread->vm_internal && !take_turn(thread, policy)) return;
  if (policy == SuspendPolicy::All) suspension::suspend_all(thread);
  if (policy == SuspendPolicy::EventThread) suspension::suspend_self(thread);
  deliver(thread, policy, std::move(packet));
  if (policy != SuspendPolicy::None && !has_debugger()) {  // V3
    suspension::forget_all(thread);
    MutexLock guard(state().mutex);
    end_turn();
  }
  suspension::stay(thread);
}

// Returns the id of a thread, or 0 for the agent's own thread, which is hidden from the debugger.
u64 id_of_thread(const JavaThread* thread) TOUCHES_OBJECTS {
  return thread->vm_internal ? 0 : object_ids::id_of(thread->thread_object);
}

// Returns the thread that VM_START names if a debugger connects to a running VM.
u64 id_of_oldest_thread() TOUCHES_OBJECTS {
  const JavaThread* oldest = nullptr;
  threads::for_each_platform_thread([&](const JavaThread* each) {
    if (suspension::is_visible(each) && (oldest == nullptr || each->id < oldest->id)) oldest = each;
  });
  return oldest == nullptr ? 0 : object_ids::id_of(oldest->thread_object);
}

}  // namespace

i32 add(Request request) {
  MutexLock guard(state().mutex);
  request.id = ++state().last_id;
  state().requests.push_back(std::move(request));
  return state().last_id;
}

void remove(EventKind kind, i32 id) {
  MutexLock guard(state().mutex);
  std::erase_if(state().requests, [&](const Request& request) { return request.kind == kind && request.id == id; });
}

void remove_all() {
  MutexLock guard(state().mutex);
  state().requests.clear();
  state().waiting.clear();
  state().held = false;
  ++state().session;
  end_turn();
}

void hold() {
  MutexLock guard(state().mutex);
  state().held = true;
}

void release(JavaThread* thread) {
  send_waiting(thread, /*despite_hold=*/true, []() REQUIRES(state().mutex) { state().held = false; });
}

void resumed(JavaThread* thread) {
  send_waiting(thread, /*despite_hold=*/false, []() REQUIRES(state().mutex) { end_turn(); });
}

void vm_started(JavaThread* thread, bool suspend) {
  tell(thread, {.kind = EventKind::VmStart, .thread = thread}, {0}, suspend ? SuspendPolicy::All : SuspendPolicy::None,
       [thread](Writer& out)
           TOUCHES_OBJECTS { out.write_u64(thread->vm_internal ? id_of_oldest_thread() : id_of_thread(thread)); });
}

void vm_dies(JavaThread* thread) {
  tell(thread, {.kind = EventKind::VmDeath}, {0}, SuspendPolicy::None, [](Writer&) {});
}

void thread_started(JavaThread* thread) {
  if (thread->vm_internal) return;
  suspension::started(thread);
  tell(thread, {.kind = EventKind::ThreadStart, .thread = thread}, {}, SuspendPolicy::None,
       [thread](Writer& out) TOUCHES_OBJECTS { out.write_u64(id_of_thread(thread)); });
  suspension::stay(thread);
}

void thread_ended(JavaThread* thread) {
  if (thread->vm_internal) return;
  tell(thread, {.kind = EventKind::ThreadEnd, .thread = thread}, {}, SuspendPolicy::None,
       [thread](Writer& out) TOUCHES_OBJECTS { out.write_u64(id_of_thread(thread)); });
  suspension::stay(thread);
  suspension::ended(thread);
}

void class_prepared(JavaThread* thread, InstanceKlass* klass) {
  // Keeps the class alive, because the thread may sleep here while a collection runs.
  HandleScope scope(thread);
  scope.make(klass->mirror);
  Happening what{.kind = EventKind::ClassPrepare, .thread = thread, .klass = klass, .class_name = external_name(klass)};
  tell(thread, what, {}, SuspendPolicy::None, [thread, klass](Writer& out) TOUCHES_OBJECTS {
    out.write_u64(id_of_thread(thread));
    out.write_tag(type_tag_of(klass));
    out.write_u64(type_id(klass));
    out.write_string(signature_of(klass));
    out.write_i32(status_of(klass));
  });
}

bool wants_exceptions() {
  MutexLock guard(state().mutex);
  return std::any_of(state().requests.begin(), state().requests.end(),
                     [](const Request& request) { return request.kind == EventKind::Exception; });
}

void exception_thrown(JavaThread* thread, Handle exception, Place thrown, Place caught) {
  InstanceKlass* klass = thrown.method->holder;
  Happening what{.kind = EventKind::Exception,
                 .thread = thread,
                 .klass = klass,
                 .class_name = external_name(klass),
                 .exception = exception->klass(),
                 .is_caught = caught.method != nullptr};
  tell(thread, what, {}, SuspendPolicy::None, [&](Writer& out) TOUCHES_OBJECTS {
    out.write_u64(id_of_thread(thread));
    write_location(out, thrown.method, thrown.bci);
    write_object(out, exception.get());
    write_location(out, caught.method, caught.bci);
  });
}

}  // namespace keyhole::jdwp::events
