// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// jdk.internal.vm.Continuation, and what java.lang.VirtualThread needs of the VM. Continuations themselves:
// runtime/threads/continuations/continuation.h.
//
// Java looks at a continuation's StackChunk: the continuation has started if it has one, and is empty if sp == bottom.
// In this VM the chunk is only a token: `size` and `bottom` hold the address of the JavaThread, and `sp` differs from
// `bottom` while the continuation is suspended.
#include "classlib/natives/binding.h"
#include "classlib/natives/declarations.h"
#include "classlib/natives/java.base/lang/recorded_park.h"
#include "classlib/natives/java.base/lang/thread_lifecycle.h"
#include "classlib/natives/late_bound.h"
#include "classlib/natives/support.h"
#include "runtime/base/flags.h"
#include "runtime/recorder/recorder.h"
#include "runtime/threads/continuations/continuation_switch.h"
#include "runtime/threads/continuations/virtual_thread_state.h"
#include "runtime/threads/thread_state.h"
#include "vm/interpreter/entries.h"
#include "vm/interpreter/handlers/frame_macros.h"
#include "vm/link/native_methods.h"
#include "vm/link/release_behaviour.h"

namespace keyhole::interpreter {
HANDLER(entry_enter_special);
HANDLER(entry_do_yield);
}  // namespace keyhole::interpreter

namespace keyhole::natives {

namespace {

using VirtualThreadState = VirtualThreadStateOf<HardwareWorld>;

void write_token(Object* token, JavaThread* thread, bool is_suspended, const late::StackChunk& row) TOUCHES_OBJECTS {
  u64 address = reinterpret_cast<u64>(thread);
  i32 bottom = static_cast<i32>(address >> 32);
  token->set<i32>(row.size, static_cast<i32>(address));
  token->set<i32>(row.bottom, bottom);
  token->set<i32>(row.sp, is_suspended ? ~bottom : bottom);
}

JavaThread* thread_of_token(Object* token, const late::StackChunk& row) TOUCHES_OBJECTS {
  u64 low = static_cast<u32>(token->get<i32>(row.size)), high = static_cast<u32>(token->get<i32>(row.bottom));
  return reinterpret_cast<JavaThread*>(high << 32 | low);
}

// Runs as the continuation's first frame. Until it begins, its object is the thread's first root.
void run_continuation(JavaThread* thread) {
  thread_state::assert_managed(thread);
  const late::Continuation* row = late::get<late::Continuation>(thread);
  if (row == nullptr) return;
  Slot arguments[] = {slot_of(thread->handles->slots[0]), 0};
  if (!thread->continuation->is_virtual_thread) {
    call_java(thread, row->enter, arguments);
    return;
  }
  // Publishes the JavaThread in the Thread's eetop, as for a platform thread: stack traces and lock queries find it
  // there, whether it is mounted or not.
  auto publish = [thread](JavaThread* alive) TOUCHES_OBJECTS {
    thread->thread_object->atomic<i64>(well_known::Thread_eetop)
        .store(reinterpret_cast<i64>(alive), std::memory_order_release);
  };
  publish(thread);
  if (recorder::is_recording()) [[unlikely]]
    name_in_recording(thread);
  call_java(thread, row->enter, arguments);
  publish(nullptr);
}

// Tells Java that a virtual thread sleeps inside the VM. From then on Java may mount it again: by `unblock`, a timer or
// an interrupt.
bool announce_sleep(JavaThread* thread, JavaThread* sleeper) MAY_SAFEPOINT {
  const late::VirtualThread* row = late::get<late::VirtualThread>(thread);
  Object* object = sleeper->thread_object;
  i64 nanoseconds = sleeper->continuation->sleep_nanoseconds.get();
  // Exempt from the thread safety analysis: the lambda runs in the state of the function around it.
  auto set_timeout = [object, row, nanoseconds]() NO_THREAD_SAFETY_ANALYSIS {
    constexpr i64 nanoseconds_per_millisecond = 1'000'000;
    i64 milliseconds = nanoseconds / nanoseconds_per_millisecond + (nanoseconds % nanoseconds_per_millisecond != 0);
    object->set<i64>(row->timeout, milliseconds);
  };
  bool is_in_wait = sleeper->status.load(std::memory_order_relaxed) == JavaThreadStatus::InObjectWait;
  return VirtualThreadState::announce_sleep(object->atomic<i32>(row->state), is_in_wait, nanoseconds != forever,
                                            set_timeout);
}

}  // namespace

bool ContinuationSupport_isSupported0(JavaThread*) {
  return flags::VMContinuations && release::blocks_unmounted() && StackSegment::can_be_had();
}

// Hides doYield, so that traces begin with its caller, as in HotSpot, where doYield has no frame.
void Continuation_registerNatives(JavaThread* thread) {
  if (!release::blocks_unmounted()) return;
  if (const late::Continuation* row = late::get<late::Continuation>(thread)) row->do_yield->hidden_frame = true;
}

namespace {

// Makes the continuation and its token. Null: there is no memory, and an exception is pending. A virtual thread must
// not get lost, so without memory it yields instead, and is mounted again after others.
JavaThread* begin_continuation(JavaThread* thread, Handle self, bool is_virtual_thread, const late::Continuation& row,
                               const late::StackChunk& token_row) MAY_SAFEPOINT {
  HandleScope scope(thread);
  Handle token = scope.make(new_instance(thread, token_row.klass));
  JavaThread* made = token ? continuations::make(thread, is_virtual_thread, run_continuation) : nullptr;
  if (made != nullptr) {
    const late::CarrierThread* carrier_row = is_virtual_thread ? late::get<late::CarrierThread>(thread) : nullptr;
    made->continuation->is_on_carriers = carrier_row != nullptr && thread->thread_object->klass() == carrier_row->klass;
    made->handles->slots[made->handles->used++] = self.get();
    barrier::store(self.get(), row.tail, token.get());
  } else if (is_virtual_thread) {
    thread->pending_exception = nullptr;
    const late::VirtualThread* virtual_row = late::get<late::VirtualThread>(thread);
    thread->current_object->atomic<i32>(virtual_row->state)
        .store(VirtualThreadState::yielding, std::memory_order_release);
  } else if (token) {
    throw_out_of_memory(thread, "unable to create a stack for a continuation");
  }
  return made;
}

// Runs the deferred unparks on a carrier that has come back from a virtual thread (deferred_unpark_policy.h). The
// carrier is the current thread for Java meanwhile, as after unmounting.
void run_deferred_unparks(JavaThread* carrier) MAY_SAFEPOINT {
  HandleScope scope(carrier);
  Handle current = scope.make(carrier->current_object);
  carrier->current_object = carrier->thread_object;
  auto visit = [](JavaThread* sleeper, void* context) MAY_SAFEPOINT {
    JavaThread* carrier = static_cast<JavaThread*>(context);
    const late::VirtualThread* row = late::get<late::VirtualThread>(carrier);
    Object* object = continuations::thread_object_of(sleeper);
    if (object == nullptr) return;  // ended
    if (!VirtualThreadState::unblock(object->atomic<i32>(row->state), object->atomic<u8>(row->notified),
                                     object->atomic<u8>(row->block_permit)))
      return;
    Slot arguments[] = {slot_of(object)};
    call_java(carrier, row->lazy_submit, arguments);
    carrier->pending_exception = nullptr;  // the scheduler has been shut down
  };
  continuations::run_deferred_unparks(visit, carrier);
  carrier->current_object = current.get();
}

// Does the thread yield while it holds a lock? Then it yields the processor only and stays mounted: the thread that it
// has woken would find the lock held.
bool yields_with_a_lock(JavaThread* thread, const JavaThread* continuation, const late::VirtualThread& row)
    TOUCHES_OBJECTS {
  if (continuation->lock_record_top == 0) return false;
  return thread->current_object->atomic<i32>(row.state).load(std::memory_order_relaxed) == VirtualThreadState::yielding;
}

}  // namespace

// Runs a continuation until it has unmounted or ended. is_continue: it has a token. Inlined into its entry below.
[[gnu::always_inline]] void Continuation_enterSpecial(JavaThread* thread, Handle self, bool is_continue,
                                                      bool is_virtual_thread) {
  const late::Continuation* row = late::get<late::Continuation>(thread);
  const late::StackChunk* token_row = late::get<late::StackChunk>(thread);
  const late::VirtualThread* virtual_row = late::get<late::VirtualThread>(thread);
  if (row == nullptr || token_row == nullptr || virtual_row == nullptr) return;
  JavaThread* continuation = is_continue ? thread_of_token(self->get_reference(row->tail), *token_row)
                                         : begin_continuation(thread, self, is_virtual_thread, *row, *token_row);
  if (continuation == nullptr) return;
  HandleScope scope(thread);
  Handle token = scope.make(self->get_reference(row->tail));
  write_token(token.get(), continuation, false, *token_row);
  if (is_virtual_thread) {
    Object* object = thread->current_object;
    VirtualThreadState::before_mount(continuation->interrupted, object->atomic<u8>(well_known::Thread_interrupted),
                                     object->atomic<u8>(virtual_row->notified));
  }
  auto announce = [thread, continuation]() NO_THREAD_SAFETY_ANALYSIS { return announce_sleep(thread, continuation); };
  continuations::Outcome outcome = continuations::run_inlined(thread, continuation, announce);
  if (outcome == continuations::Outcome::Queued)
    thread->current_object->atomic<i32>(virtual_row->state)
        .store(VirtualThreadState::blocking, std::memory_order_release);
  bool has_ended = outcome == continuations::Outcome::Ended;
  write_token(token.get(), has_ended ? nullptr : continuation, !has_ended, *token_row);
  if (!is_virtual_thread || !continuations::has_deferred_unparks() || thread->pending_exception != nullptr) return;
  if (outcome == continuations::Outcome::Yielded && yields_with_a_lock(thread, continuation, *virtual_row)) return;
  run_deferred_unparks(thread);
}

JavaThread* thread_of_continuation(JavaThread* thread, Handle continuation) {
  const late::Continuation* row = late::get<late::Continuation>(thread);
  const late::StackChunk* token_row = late::get<late::StackChunk>(thread);
  if (row == nullptr || token_row == nullptr) return nullptr;
  Object* token = continuation->get_reference(row->tail);
  return token == nullptr ? nullptr : thread_of_token(token, *token_row);
}

Object* scope_of_continuation(JavaThread* thread, const JavaThread* continuation) {
  const late::Continuation* row = late::get<late::Continuation>(thread);
  if (row == nullptr) return nullptr;
  const HandleBlock* first = continuation->handles;
  while (first->previous != nullptr) first = first->previous;
  return first->slots[0]->get_reference(row->scope);  // begin_continuation
}

[[gnu::always_inline]] i32 Continuation_doYield(JavaThread* thread) {
  // A pinned thread parks on its carrier next, and Unsafe.park records that.
  if (recorder::is_on(recorder::Family::threads) && continuations::why_pinned(thread) == continuations::Pinned::No)
      [[unlikely]]
    record_park(thread);
  return static_cast<i32>(continuations::yield_inlined(thread));
}

void Continuation_pin(JavaThread* thread) {
  if (thread->continuation != nullptr) ++thread->continuation->pins;
}
void Continuation_unpin(JavaThread* thread) {
  if (thread->continuation != nullptr) --thread->continuation->pins;
}

i32 Continuation_isPinned0(JavaThread* thread, Handle) { return static_cast<i32>(continuations::why_pinned(thread)); }

// Does nothing: the thread parks on its carrier instead.
void VirtualThread_postPinnedEvent(JavaThread* thread, Handle operation) {
  if (thread->continuation != nullptr) continuations::log_pinned(thread, string_to_utf8(operation.get()));
}

// Returns a list, linked by `next`, of virtual threads that have been woken from a sleep inside the VM. The caller sets
// blockPermit of each; the other fields by which Java knows that its sleep has ended are written here.
Object* VirtualThread_takeVirtualThreadListToUnblock(JavaThread* thread) {
  struct List {
    const late::VirtualThread* row;
    Handle first, last;
  };
  HandleScope scope(thread);
  List list{late::get<late::VirtualThread>(thread), scope.make(nullptr), scope.make(nullptr)};
  if (list.row == nullptr) return nullptr;
  auto add = [](JavaThread* sleeper, void* context) TOUCHES_OBJECTS {
    List& list = *static_cast<List*>(context);
    Object* object = continuations::thread_object_of(sleeper);
    if (object == nullptr) return;  // ended
    VirtualThreadState::mark_notified(object->atomic<i32>(list.row->state), object->atomic<u8>(list.row->notified));
    object->atomic<u8>(list.row->on_waiting_list).store(1);
    if (list.first.is_null()) list.first.set(object);
    else barrier::store(list.last.get(), list.row->next, object);
    list.last.set(object);
  };
  while (list.first.is_null()) continuations::take_unblocked(thread, add, &list);
  return list.first.get();
}

MethodEntry continuation_entry(NativeFunction body) {
  interpreter::Handler entry = nullptr;
  if (body == bind<&Continuation_enterSpecial>) entry = interpreter::interp_entry_enter_special;
  else if (body == bind<&Continuation_doYield>) entry = interpreter::interp_entry_do_yield;
  return interpreter::as_method_entry(entry);
}

}  // namespace keyhole::natives

// --- entries without a call: continuation_switch.h says why ----------------------------------------------------------

namespace keyhole::interpreter {

// Does what Binding does, but in the handler itself.
KEYHOLE_ALWAYS_INLINE static Slot enter_special(JavaThread* thread, Slot* arguments) MAY_SAFEPOINT {
  Handle self = natives::read_argument<Handle>(arguments);
  bool is_continue = natives::read_argument<bool>(arguments);
  natives::Continuation_enterSpecial(thread, self, is_continue, natives::read_argument<bool>(arguments));
  return 0;
}

HANDLER(entry_enter_special) {
  CALL_NATIVE(enter_special(thread, locals));
  tos = *sp;
  NEXT_BEHIND_A_SWITCH();
}

HANDLER(entry_do_yield) {
  CALL_NATIVE(to_slot(natives::Continuation_doYield(thread)));
  ++sp;
  NEXT_BEHIND_A_SWITCH();
}

}  // namespace keyhole::interpreter
