// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Throwing from C++: makes the exception pending in the thread; the caller returns null/false at once.
//
//   if (index >= length)
//     return throw_new(thread, names::java_lang_ArrayIndexOutOfBoundsException, "Index {} out of bounds ...", ...);
#pragma once

#include <fmt/format.h>

#include "runtime/base/capabilities.h"
#include "runtime/threads/handles.h"
#include "vm/metadata/instance_klass.h"
#include "vm/metadata/method.h"

namespace keyhole {

// Converts to null, zero or false: the result of a failed function.
struct Thrown {
  template <typename T> operator T*() const { return nullptr; }
  operator bool() const { return false; }
};

// Makes the errors that are needed when memory is exhausted. Called once, after well_known::load.
[[nodiscard]] bool initialize_exceptions(JavaThread* thread) MAY_SAFEPOINT;
// Initialises the classes of errors for exhausted resources. Their first use may be in a full heap or at the end of the
// stack, where the initialiser (first of all Throwable's) would fail, and no exception could ever be thrown. Called
// once, when Java code runs.
[[nodiscard]] bool initialize_thrown_classes(JavaThread* thread) MAY_SAFEPOINT;

Thrown throw_object(JavaThread* thread, Object* exception) TOUCHES_OBJECTS;
Thrown throw_message(JavaThread* thread, const Symbol* class_name, const char* message_or_null, Handle cause = {})
    MAY_SAFEPOINT;
Thrown throw_message(JavaThread* thread, const Symbol* class_name, const std::string& message) MAY_SAFEPOINT;
template <typename... Arguments>
MAY_SAFEPOINT Thrown throw_new(JavaThread* thread, const Symbol* class_name, fmt::format_string<Arguments...> format,
                               Arguments&&... arguments) {
  return throw_message(thread, class_name, fmt::format(format, std::forward<Arguments>(arguments)...));
}
// Throws OutOfMemoryError, without a message if `message` is "". It throws a preallocated error when nothing can be
// allocated.
Thrown throw_out_of_memory(JavaThread* thread, const char* message) MAY_SAFEPOINT;
Thrown throw_stack_overflow(JavaThread* thread) MAY_SAFEPOINT;
Thrown throw_illegal_monitor_state(JavaThread* thread) MAY_SAFEPOINT;

inline bool has_exception(const JavaThread* thread) { return thread->pending_exception != nullptr; }
inline Object* take_exception(JavaThread* thread) {
  Object* exception = thread->pending_exception;
  thread->pending_exception = nullptr;
  return exception;
}

// Does Throwable.fillInStackTrace: walks the frames, skips those of the exception's constructors, and stores (method,
// bci) pairs in the object's `backtrace`. classlib/natives/java.base/lang/stack_trace.h makes the Java objects later.
void fill_in_stack_trace(JavaThread* thread, Handle throwable) MAY_SAFEPOINT;
// Frame `index` of the trace that fill_in_stack_trace stored, innermost first. A native method has bci -1; past the end
// the method is null.
struct BacktraceEntry {
  Method* method = nullptr;
  i32 bci = -1;
  bool is_below_hidden = false;  // the innermost shown frame is not where the exception was made
};
BacktraceEntry backtrace_entry(const Object* throwable, i32 index) TOUCHES_OBJECTS;
// The same for the value of a `backtrace` field; null: no trace was stored.
BacktraceEntry entry_of_backtrace(Object* backtrace, i32 index) TOUCHES_OBJECTS;
// Prints a throwable when Java itself fails. Normally the launcher prints an uncaught exception through Java
// (Thread.dispatchUncaughtException).
void print_throwable(JavaThread* thread, Handle throwable, FILE* out = stderr) MAY_SAFEPOINT;

}  // namespace keyhole
