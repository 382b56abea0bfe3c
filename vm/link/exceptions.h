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

// Makes the errors that are needed when memory is exhausted. Once, after well_known::load.
[[nodiscard]] bool initialize_exceptions(JavaThread* thread) MAY_SAFEPOINT;
// Initialises the classes of errors for exhausted resources. Their first use may be in a full heap or at the end of the
// stack: there the initialiser would fail, Throwable's first of all, and no exception could ever be thrown. Once, when
// Java code runs.
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
// "": without a message. The error is preallocated when nothing can be allocated.
Thrown throw_out_of_memory(JavaThread* thread, const char* message) MAY_SAFEPOINT;
Thrown throw_stack_overflow(JavaThread* thread) MAY_SAFEPOINT;
Thrown throw_illegal_monitor_state(JavaThread* thread) MAY_SAFEPOINT;

inline bool has_exception(const JavaThread* thread) { return thread->pending_exception != nullptr; }
inline Object* take_exception(JavaThread* thread) {
  Object* exception = thread->pending_exception;
  thread->pending_exception = nullptr;
  return exception;
}

// Throwable.fillInStackTrace: walks the frames, skipping those of the exception's own constructors; keeps (method, bci)
// pairs in the object's `backtrace`. classlib/natives/java.base/lang/stack_trace.h makes the Java objects later.
void fill_in_stack_trace(JavaThread* thread, Handle throwable) MAY_SAFEPOINT;
// Frame `index` of what fill_in_stack_trace kept, innermost first; bci -1 in native methods, null method past the end.
struct BacktraceEntry {
  Method* method = nullptr;
  i32 bci = -1;
  bool is_below_hidden = false;  // the innermost that is shown, but not where it was made
};
BacktraceEntry backtrace_entry(const Object* throwable, i32 index) TOUCHES_OBJECTS;
// The same of what its field `backtrace` holds; null: nothing was kept.
BacktraceEntry entry_of_backtrace(Object* backtrace, i32 index) TOUCHES_OBJECTS;
// What the launcher prints for an uncaught exception goes through Java (Thread.dispatchUncaughtException); this is the
// last resort when Java itself fails.
void print_throwable(JavaThread* thread, Handle throwable, FILE* out = stderr) MAY_SAFEPOINT;

}  // namespace keyhole
