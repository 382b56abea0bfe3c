// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// jdk.internal.foreign.abi.fallback.LibFallback: calls of C functions, and C functions that call Java.
//
//   downcall    Java has written each argument into memory of its own and passes an array of their addresses. The
//               thread is InNative during the call, and collections go on. A call that was given arrays of the heap
//               (Linker.Option.critical(true)) stays managed instead, so that nothing moves until it returns.
//   upcall      a closure of libffi calls LibFallback.doUpcall, from a thread InNative or from a thread that C made.
//               doUpcall reads the arguments where C has put them. An exception of the target ends the VM.
#include <ffi.h>

#include <cerrno>
#include <cstring>

#include "classlib/natives/java.base/foreign/callers.h"
#include "classlib/natives/java.base/foreign/declarations.h"
#include "classlib/natives/late_bound.h"
#include "classlib/natives/support.h"
#include "classlib/natives/thread_fields.h"
#include "runtime/threads/continuations/continuation.h"
#include "runtime/threads/no_safepoint.h"
#include "runtime/threads/thread_state.h"
#include "runtime/threads/threads.h"

namespace keyhole::natives {

namespace {

struct Downcall {
  ffi_cif* cif;
  void (*function)();
  void* result;
  void** arguments;
  i32* captured;  // where errno goes, or null
};

// libffi widens small integers to the size of a register, but Java has memory for the value only.
void perform(const Downcall& call) {
  ffi_arg wide = 0;
  usize result_bytes = call.cif->rtype->size;
  bool is_small = call.result != nullptr && result_bytes < sizeof(wide) && call.cif->rtype->type != FFI_TYPE_STRUCT &&
                  call.cif->rtype->type != FFI_TYPE_FLOAT;
  ffi_call(call.cif, call.function, is_small ? &wide : call.result, call.arguments);
  if (call.captured != nullptr) *call.captured = errno;
  if (is_small) memcpy(call.result, &wide, result_bytes);
}

Downcall downcall(i64 cif, i64 function, i64 result, i64 arguments, i64 captured, i32 captured_mask) {
  constexpr i32 errno_mask = 1 << 2;  // jdk.internal.foreign.abi.CapturableState
  return {reinterpret_cast<ffi_cif*>(cif), reinterpret_cast<void (*)()>(function), reinterpret_cast<void*>(result),
          reinterpret_cast<void**>(arguments),
          (captured_mask & errno_mask) != 0 ? reinterpret_cast<i32*>(captured) : nullptr};
}

void perform_in_native(JavaThread* thread, const Downcall& call) MAY_SAFEPOINT {
  NativeScope native(thread);
  perform(call);
}

// The address of an array's elements; valid until the thread's next safepoint.
char* elements(Object* array) TOUCHES_OBJECTS {
  return reinterpret_cast<char*>(array) + layout::array_base_offset(array->klass()->element_shift);
}

// Makes a critical call. For an array, Java has written the offset in the array as the argument.
void perform_critical(Downcall call, Handle captured_base, Handle bases) TOUCHES_OBJECTS {
  NoSafepoint no_safepoint;
  for (i32 i = 0; !bases.is_null() && i < bases->length(); ++i) {
    Object* array = bases->reference_at(i);
    if (array == nullptr) continue;
    char** argument = static_cast<char**>(call.arguments[i]);
    *argument = elements(array) + reinterpret_cast<i64>(*argument);
  }
  if (!captured_base.is_null() && call.captured != nullptr)
    call.captured = reinterpret_cast<i32*>(elements(captured_base.get()) + reinterpret_cast<i64>(call.captured));
  perform(call);
}

// --- C calls Java ----------------------------------------------------------------------------------------------------

// The data of a closure; freed together with it.
struct Target {
  Handle handle;  // (MemorySegment, MemorySegment) -> void
  Handle group;   // the group for threads that are not attached to Java yet
};

// The group for application threads: the child of the system group that contains the thread, or the system group.
Object* application_group(JavaThread* thread) TOUCHES_OBJECTS {
  Object* group = thread_fields::group(thread->thread_object);
  while (group != nullptr) {
    Object* parent = group->get_reference(well_known::ThreadGroup_parent);
    if (parent == nullptr || parent->get_reference(well_known::ThreadGroup_parent) == nullptr) break;
    group = parent;
  }
  return group;
}

void call_target(JavaThread* thread, void* result, void** arguments, Handle target) MAY_SAFEPOINT {
  HandleScope scope(thread);
  const late::LibFallback* row = late::get<late::LibFallback>(thread);
  KEYHOLE_CHECK(row != nullptr, "LibFallback has made this closure");
  Slot slots[] = {0, slot_of(reinterpret_cast<i64>(result)), 0, slot_of(reinterpret_cast<i64>(arguments)),
                  slot_of(target)};
  call_java(thread, row->do_upcall, slots);
  KEYHOLE_CHECK(!has_exception(thread), "an exception reached native code through an upcall");
}

void upcall(ffi_cif* cif, void* result, void** arguments, void* data) {
  const Target* target = static_cast<const Target*>(data);
  if (result != nullptr && cif->rtype->size < sizeof(ffi_arg)) *static_cast<ffi_arg*>(result) = 0;
  JavaThread* thread = threads::current_or_null();
  if (thread == nullptr) thread = attach_caller(target->group);
  KEYHOLE_CHECK(thread != nullptr, "no memory for a thread of Java that makes an upcall");
  KEYHOLE_CHECK(thread->state.load() == ThreadState::InNative, "upcall of a critical downcall");
  thread_state::enter_managed(thread);
  if (thread->continuation != nullptr) ++thread->continuation->native_frames;  // R10 of continuation.h
  call_target(thread, result, arguments, target->handle);
  if (thread->continuation != nullptr) --thread->continuation->native_frames;
  thread_state::leave_managed(thread, ThreadState::InNative);
}

}  // namespace

void LibFallback_doDowncall(JavaThread* thread, i64 cif, i64 function, i64 result, i64 arguments, Handle captured_base,
                            i64 captured, i32 captured_mask, Handle bases, i32) {
  Downcall call = downcall(cif, function, result, arguments, captured, captured_mask);
  if (bases.is_null() && captured_base.is_null()) perform_in_native(thread, call);
  else perform_critical(call, captured_base, bases);
}

void LibFallback_doDowncall_21(JavaThread* thread, i64 cif, i64 function, i64 result, i64 arguments, i64 captured,
                               i32 captured_mask) {
  perform_in_native(thread, downcall(cif, function, result, arguments, captured, captured_mask));
}

// Fills `addresses` with those of the closure, of its code, and of the Target.
i32 LibFallback_createClosure(JavaThread* thread, i64 cif, Handle handle, Handle addresses) {
  void* code = nullptr;
  auto* closure = static_cast<ffi_closure*>(ffi_closure_alloc(sizeof(ffi_closure), &code));
  if (closure == nullptr) return FFI_BAD_ABI;
  auto* target = new Target{GlobalHandles::make(handle.get()), GlobalHandles::make(application_group(thread))};
  i32 status = ffi_prep_closure_loc(closure, reinterpret_cast<ffi_cif*>(cif), upcall, target, code);
  if (status != FFI_OK) {
    LibFallback_freeClosure(thread, reinterpret_cast<i64>(closure), reinterpret_cast<i64>(target));
    return status;
  }
  i64* places = reinterpret_cast<i64*>(elements(addresses.get()));
  places[0] = reinterpret_cast<i64>(closure);
  places[1] = reinterpret_cast<i64>(code);
  places[2] = reinterpret_cast<i64>(target);
  return FFI_OK;
}

void LibFallback_freeClosure(JavaThread*, i64 closure, i64 data) {
  ffi_closure_free(reinterpret_cast<void*>(closure));
  auto* target = reinterpret_cast<Target*>(data);
  GlobalHandles::release(target->handle);
  GlobalHandles::release(target->group);
  delete target;
}

}  // namespace keyhole::natives
