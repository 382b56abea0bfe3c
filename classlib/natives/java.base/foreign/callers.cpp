// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes threads of C code threads of Java.
#include "classlib/natives/java.base/foreign/callers.h"

#include "classlib/natives/java.base/lang/thread_lifecycle.h"
#include "classlib/natives/support.h"
#include "classlib/natives/thread_fields.h"
#include "runtime/threads/blocking.h"
#include "runtime/threads/threads.h"

namespace keyhole::natives {

namespace {

// Its destructor ends the Java thread of an OS thread that was attached here.
struct Attachment {
  JavaThread* thread = nullptr;
  ~Attachment() {
    if (thread == nullptr) return;
    {
      thread_state::enter_managed(thread);
      end_java_thread(thread);
    }
    threads::detach(thread);
  }
};

}  // namespace

JavaThread* attach_caller(Handle group) {
  static thread_local Attachment attachment;
  JavaThread* thread = threads::attach_current(/*daemon=*/true, /*vm_internal=*/false, 0);
  if (thread == nullptr) return nullptr;
  thread_state::assert_managed(thread);  // attach_current leaves it managed
  if (!become_java_thread(thread, group, nullptr)) {
    if (has_exception(thread)) take_exception(thread);
    threads::detach(thread);
    return nullptr;
  }
  thread_fields::set_daemon(thread->thread_object);
  attachment.thread = thread;
  thread_state::leave_managed(thread, ThreadState::InNative);
  return thread;
}

}  // namespace keyhole::natives
