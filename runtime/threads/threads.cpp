// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The list of platform threads: making, starting and ending them, and their stacks. The structures' memory:
// thread_structures.h; continuations: continuation_cache.h.
//
//   one mapping per thread, below 4 TiB, backed only where touched
//   | lock records | Java stack ................................... | reserved zone | guard page | signal stack |
//                  ^ java_base                                      ^ limit         ^ end
//
// The reserved zone is for frames that handle a StackOverflowError. The guard page catches an overflow that the checks
// missed. Fatal signals are handled on the signal stack, so that an overflow of the native stack is reported, too.
#include "runtime/threads/threads.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <utility>

#include "runtime/base/address_space.h"
#include "runtime/base/check.h"
#include "runtime/base/controlled/strands.h"
#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/base/mutex.h"
#include "runtime/base/platform/event_ring.h"
#include "runtime/base/safe_state.h"
#include "runtime/recorder/recorder.h"
#include "runtime/threads/continuations/continuation.h"
#include "runtime/threads/continuations/continuation_cache.h"
#include "runtime/threads/handles.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/stacks.h"
#include "runtime/threads/thread_state.h"
#include "runtime/threads/thread_structures.h"
#include "runtime/threads/threads_internal.h"

namespace keyhole::threads {

using namespace internal;

namespace internal {
Mutex list_mutex{LockRank::thread_list};
JavaThread* first_thread = nullptr;
ContinuationLists continuations;
}  // namespace internal

namespace {

void (*detach_hooks[4])(JavaThread* thread) = {};  // written while the VM starts

u32 thread_count GUARDED_BY(list_mutex) = 0;
u32 non_daemon_count GUARDED_BY(list_mutex) = 0;
ConditionVariable non_daemon_changed;
Totals visible GUARDED_BY(list_mutex);  // the threads that Java sees
i64 ended_allocated_bytes GUARDED_BY(list_mutex) = 0;

thread_local JavaThread* current_thread = nullptr;

bool map_stacks(JavaThread* thread, usize requested_bytes) {
  usize java_bytes = stacks::java_stack_bytes(requested_bytes);
  u32 records = static_cast<u32>(java_bytes / stacks::java_bytes_per_lock_record);
  usize record_bytes = align_up(records * sizeof(LockRecord), page_bytes);
  usize total = record_bytes + java_bytes + page_bytes + stacks::signal_stack_bytes;
  char* mapping = static_cast<char*>(address_space::map_stack(total));
  if (mapping == nullptr) return false;
  // The stacks get no huge pages, because with them the first frame would take two megabytes of memory.
  madvise(mapping, total, MADV_NOHUGEPAGE);
  mprotect(mapping + record_bytes + java_bytes, page_bytes, PROT_NONE);
  thread->stack.mapping = mapping;
  thread->stack.mapping_bytes = total;
  thread->lock_records = reinterpret_cast<LockRecord*>(mapping);
  thread->lock_record_capacity = records;
  thread->stack.java_base = reinterpret_cast<Slot*>(mapping + record_bytes);
  thread->stack.java_end = reinterpret_cast<Slot*>(mapping + record_bytes + java_bytes);
  thread->stack.java_limit = thread->stack.java_end - stacks::reserved_zone_bytes / sizeof(Slot);
  thread->entry_limit.store(thread->stack.java_limit, std::memory_order_relaxed);
  return true;
}

// Takes the stacks from the thread. The caller unmaps them when it holds no lock.
ThreadStack take_stacks(JavaThread* thread) {
  thread->lock_records = nullptr;
  thread->lock_record_capacity = 0;
  return std::exchange(thread->stack, {});
}
void unmap_stacks(const ThreadStack& stack) { address_space::unmap(stack.mapping, stack.mapping_bytes); }

// Makes the JavaThread of a platform thread. It is in no list yet. Returns null if its stacks cannot be mapped.
JavaThread* make_thread(bool daemon, bool vm_internal, usize java_stack_bytes) {
  PlatformThread* made = make_platform_thread();
  if (made == nullptr) return nullptr;
  JavaThread* thread = &made->thread;
  if (!map_stacks(thread, java_stack_bytes)) {
    release_structure(thread);
    return nullptr;
  }
  thread->carrier = &made->carrier;
  thread->allocation = &made->carrier.allocation;
  made->carrier.thread = thread;
  made->carrier.current.store(thread, std::memory_order_relaxed);
  thread->daemon = daemon;
  thread->vm_internal = vm_internal;
  thread->start_nanoseconds = hardware::now_nanoseconds();
  begin(thread);
  return thread;
}

void link(JavaThread* thread) REQUIRES(list_mutex) {
  thread->next = first_thread;
  first_thread = thread;
  ++thread_count;
  if (thread->vm_internal) return;
  ++visible.started;
  if (++visible.live > visible.peak) visible.peak = visible.live;
  if (thread->daemon) ++visible.daemon;
  else ++non_daemon_count;
}

void count_out_locked(JavaThread* thread) REQUIRES(list_mutex) {
  if (thread->vm_internal || std::exchange(thread->counted_out, true)) return;
  --visible.live;
  if (thread->daemon) --visible.daemon;
}

void unlink_and_retire(JavaThread* thread) REQUIRES(list_mutex) {
  JavaThread** position = &first_thread;
  while (*position != thread) position = &(*position)->next;
  *position = thread->next;
  --thread_count;
  ended_allocated_bytes += static_cast<i64>(thread->allocated_bytes);
  count_out_locked(thread);
  if (!thread->daemon && !thread->vm_internal) {
    --non_daemon_count;
    if (controlled::is_on()) controlled::wake(&non_daemon_changed, INT32_MAX);
    non_daemon_changed.notify_all();
  }
  retire(thread);
}

void use_signal_stack(JavaThread* thread) {
  stack_t stack = {};
  if (sigaltstack(nullptr, &stack) == 0 && (stack.ss_flags & SS_DISABLE) == 0)
    // A thread that was attached may have a signal stack of its own already.
    return;
  stack = {};
  stack.ss_sp = static_cast<char*>(thread->stack.mapping) + thread->stack.mapping_bytes - stacks::signal_stack_bytes;
  stack.ss_size = stacks::signal_stack_bytes;
  sigaltstack(&stack, nullptr);
}
// Gives up the signal stack that use_signal_stack has set. Does nothing for an attached thread that has a signal stack
// of its own.
void leave_signal_stack(JavaThread* thread) {
  stack_t stack;
  if (sigaltstack(nullptr, &stack) != 0 || (stack.ss_flags & SS_DISABLE) != 0) return;
  char* mapping = static_cast<char*>(thread->stack.mapping);
  if (stack.ss_sp < mapping || stack.ss_sp >= mapping + thread->stack.mapping_bytes) return;
  stack_t none = {};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
}

void become_current(JavaThread* thread) {
  current_thread = thread;
  recorder::thread_begins(static_cast<u32>(thread->id));
  thread->carrier->os_thread = pthread_self();
  thread->carrier->os_id = static_cast<i32>(syscall(SYS_gettid));
  if (recorder::is_on(recorder::Family::threads)) [[unlikely]]
    recorder::record(recorder::Kind::thread_start, static_cast<u32>(thread->carrier->os_id), 0, thread->daemon);
}

void set_native_entry_limit(JavaThread* thread) {
  auto java_bytes = static_cast<usize>(thread->stack.java_end - thread->stack.java_base) * sizeof(Slot);
  thread->stack.native_entry_limit = stacks::native_entry_limit(thread->stack.native_limit, java_bytes);
}

void* run_started_thread(void* argument) {
  JavaThread* thread = static_cast<JavaThread*>(argument);
  std::atomic<i32>& gate = thread->carrier->start_gate;
  while (gate.load(std::memory_order_acquire) == 0) hardware::futex_wait(gate, 0, forever);
  // In a controlled VM, the strand that ran on this OS thread before may have been in a safe state. The mark of
  // safe_state.h belongs to the OS thread, so the new strand has to clear it.
  safe_state::left();
  become_current(thread);
  if (!controlled::is_on()) use_signal_stack(thread);  // strands share their OS thread's
  thread->stack.native_limit = stacks::native_limit_of_started_thread(thread->stack.mapping_bytes);
  set_native_entry_limit(thread);
  events::record("Thread {} started, nid {}", thread->id, thread->carrier->os_id);
  KEYHOLE_LOG(info, thread, "Thread started (tid: {}, daemon: {})", thread->carrier->os_id, thread->daemon);
  protocol.enter(thread);
  thread->carrier->body(thread);
  detach(thread);
  return nullptr;
}

// Starts the thread's OS thread. In a controlled VM (--explore), starts a strand instead
// (runtime/base/controlled/strands.h). Returns the error of pthread_create, or 0.
int start_native(JavaThread* thread) {
  usize stack_bytes = stacks::native_stack_bytes(thread->stack.mapping_bytes);
  if (controlled::is_on()) [[unlikely]] {
    if (controlled::start(run_started_thread, thread, stack_bytes) != controlled::max_strands) return 0;
    controlled::finish(controlled::Outcome::exhausted,
                       fmt::format("the program starts more than {} threads", controlled::most_threads()).c_str(), "");
  }
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  pthread_t os_thread;
  int error = pthread_create(&os_thread, &attributes, run_started_thread, thread);
  pthread_attr_destroy(&attributes);
  return error;
}

}  // namespace

namespace internal {

void begin(JavaThread* thread) {
  thread->hash_state[0] = hardware::random();
  thread->hash_state[1] = hardware::random() | 1;
  thread->status.store(JavaThreadStatus::Runnable, std::memory_order_relaxed);
  if (flags::GCStressSafepointInterval != 0) safepoint::arm_stress(thread);
  handle_blocks::push(thread);
}

void clear_roots(JavaThread* thread) {
  std::atomic_ref(thread->thread_object).store(nullptr, std::memory_order_relaxed);  // R9 of continuation.h
  thread->current_object = nullptr;
  thread->memory_fault.store(false, std::memory_order_relaxed);
  thread->pending_exception = thread->asynchronous_exception = thread->scoped_value_cache = nullptr;
  thread->top_frame = nullptr;
  handle_blocks::pop_all(thread);
  thread->lock_record_top = 0;
}

void run_detach_hooks(JavaThread* thread) {
  for (auto hook : detach_hooks) {
    if (hook != nullptr) hook(thread);
  }
  KEYHOLE_ASSERT(thread->lock_stack_top == 0, "thread {} ends with {} objects locked", thread->id,
                 thread->lock_stack_top);
}

}  // namespace internal

JavaThread* attach_current(bool daemon, bool vm_internal, usize java_stack_bytes) {
  KEYHOLE_CHECK(current_thread == nullptr, "this OS thread is attached already");
  if (controlled::is_on()) [[unlikely]] {
    controlled::context.current = [] { return static_cast<void*>(current_thread); };
    controlled::context.set_current = [](void* switched_to) { current_thread = static_cast<JavaThread*>(switched_to); };
  }
  JavaThread* thread = make_thread(daemon, vm_internal, java_stack_bytes);
  if (thread == nullptr) return nullptr;
  become_current(thread);
  use_signal_stack(thread);
  thread->stack.native_limit = stacks::native_limit_of_attached_thread();
  set_native_entry_limit(thread);
  change_list(nullptr, [&]() REQUIRES(list_mutex) { link(thread); });
  protocol.enter(thread);
  KEYHOLE_LOG(info, thread, "Thread attached (tid: {}, daemon: {})", thread->carrier->os_id, daemon);
  return thread;
}

JavaThread* start(usize java_stack_bytes, bool daemon, bool vm_internal, void (*prepare)(JavaThread*, void*),
                  void* context, void (*body)(JavaThread*)) {
  JavaThread* self = current_or_null();
  if (self != nullptr) reuse_retired(self);

  JavaThread* thread = make_thread(daemon, vm_internal, java_stack_bytes);
  if (thread == nullptr) return nullptr;
  thread->carrier->body = body;
  if (int error = start_native(thread); error != 0) {
    KEYHOLE_LOG(
        warning, thread,
        "Failed to start thread \"Unknown thread\" - pthread_create failed ({}) for attributes: stacksize: {}k, "
        "guardsize: 4k, detached.",
        error == EAGAIN ? "EAGAIN" : std::to_string(error).c_str(),
        stacks::native_stack_bytes(thread->stack.mapping_bytes) / 1024);
    clear_roots(thread);
    unmap_stacks(take_stacks(thread));
    release_structure(thread);  // no other thread has seen the JavaThread
    return nullptr;
  }
  change_list(self, [&]() REQUIRES(list_mutex) { link(thread); });
  // The new thread is in the list of threads, so an object that `prepare` stores into it is a root at once. The calling
  // thread passes no poll between link() and the store into start_gate, so no safepoint sees a half-prepared thread.
  if (prepare != nullptr) prepare(thread, context);
  thread->carrier->start_gate.store(1, std::memory_order_release);
  hardware::futex_wake(thread->carrier->start_gate, 1);
  return thread;
}

void at_detach(void (*hook)(JavaThread* thread)) {
  for (auto& place : detach_hooks) {
    if (place == nullptr) place = hook;
    if (place == hook) return;
  }
  KEYHOLE_CHECK(false, "more than {} hooks at the end of threads", std::size(detach_hooks));
}

void detach(JavaThread* thread) {
  run_detach_hooks(thread);
  release_continuation_cache(thread);
  thread->status.store(JavaThreadStatus::Terminated, std::memory_order_relaxed);
  events::record("Thread {} ended, nid {}", thread->id, thread->carrier->os_id);
  if (recorder::is_on(recorder::Family::threads)) [[unlikely]]
    recorder::record(recorder::Kind::thread_end);
  KEYHOLE_LOG(info, thread, "Thread finished (tid: {}).", thread->carrier->os_id);
  protocol.leave(thread, ThreadState::Terminated);
  current_thread = nullptr;
  if (!controlled::is_on()) leave_signal_stack(thread);
  ThreadStack taken;
  change_list(nullptr, [&] {
    clear_roots(thread);
    taken = take_stacks(thread);
  });
  unmap_stacks(taken);
  // unlink_and_retire() takes this thread out of the counts of threads. It comes last, because the process may end when
  // no non-daemon thread is counted any more.
  change_list(nullptr, [&]() REQUIRES(list_mutex) { unlink_and_retire(thread); });
}

JavaThread* current_or_null() { return current_thread; }

namespace {
using Visit = std::function<void(JavaThread*)>;
void visit_list(JavaThread* list, const Visit& visit) {
  for (JavaThread* thread = list; thread != nullptr; thread = thread->next) visit(thread);
}
enum class Kinds { Platform, AllButClean, All };
void for_each_locked(Kinds kinds, const Visit& visit) REQUIRES(list_mutex) {
  visit_list(first_thread, visit);
  if (kinds == Kinds::Platform) return;
  continuations.for_each_dirty(visit);
  if (kinds == Kinds::All) continuations.for_each_clean(visit);
}
// Clang's thread safety analysis is off: a safepoint is in progress, so change_list waits, and the links of the list do
// not change.
void for_each_stopped(Kinds kinds, const Visit& visit) NO_THREAD_SAFETY_ANALYSIS { for_each_locked(kinds, visit); }
void for_each_of(Kinds kinds, const Visit& visit) {
  if (protocol.in_progress()) return for_each_stopped(kinds, visit);
  MutexLock guard(list_mutex);
  for_each_locked(kinds, visit);
}
}  // namespace

void for_each(const Visit& visit) { for_each_of(Kinds::All, visit); }
void for_each_in_collection(const Visit& visit) {
  for_each_of(are_clean_skipped() ? Kinds::AllButClean : Kinds::All, visit);
}
void for_each_platform_thread(const Visit& visit) { for_each_of(Kinds::Platform, visit); }
void for_each_current(const Visit& visit) {
  auto visit_current = [&](JavaThread* thread) { visit(thread->carrier->current.load(std::memory_order_acquire)); };
  for_each_of(Kinds::Platform, visit_current);
}

// Not inlined: a caller would keep the address of the thread_local across a switch of stacks to another OS thread.
[[gnu::noinline]] void set_current(JavaThread* thread) { current_thread = thread; }

u32 count() {
  MutexLock guard(list_mutex);
  return thread_count;
}

void count_out(JavaThread* thread) {
  MutexLock guard(list_mutex);
  count_out_locked(thread);
}

void count_in(JavaThread* thread) {
  MutexLock guard(list_mutex);
  if (!std::exchange(thread->counted_out, false)) return;
  ++visible.live;
  if (thread->daemon) ++visible.daemon;
}

Totals totals() {
  MutexLock guard(list_mutex);
  return visible;
}

i64 allocated_bytes_of_ended() {
  MutexLock guard(list_mutex);
  return ended_allocated_bytes;
}

void forget_peak() {
  MutexLock guard(list_mutex);
  visible.peak = visible.live;
}

u32 count_non_daemon() {
  MutexLock guard(list_mutex);
  return non_daemon_count;
}

// Waits until non_daemon_count may have changed. Returns false if the deadline has passed.
static bool wait_for_change(i64 deadline) REQUIRES(list_mutex) {
  if (!controlled::is_on()) return non_daemon_changed.wait_until(list_mutex, deadline);
  list_mutex.unlock();
  i64 left = deadline == INT64_MAX ? -1 : std::max<i64>(deadline - controlled::now_nanoseconds(), 0);
  bool is_woken = controlled::sleep_on(&non_daemon_changed, left);
  list_mutex.lock();
  return is_woken;
}

bool wait_until_last_non_daemon(JavaThread* thread, i64 nanoseconds) {
  u32 own = thread->daemon || thread->vm_internal ? 0 : 1;
  i64 deadline;
  if (nanoseconds == forever || __builtin_add_overflow(hardware::now_nanoseconds(), nanoseconds, &deadline)) {
    deadline = INT64_MAX;
  }
  BlockedScope blocked(thread);
  MutexLock guard(list_mutex);
  while (non_daemon_count > own) {
    if (!wait_for_change(deadline)) break;
  }
  return non_daemon_count <= own;
}

usize default_java_stack_bytes() { return stacks::default_requested_bytes(); }

}  // namespace keyhole::threads
