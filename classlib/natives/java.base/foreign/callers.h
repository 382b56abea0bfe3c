// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Threads made by C code that call Java. At its first call such a thread becomes a daemon thread of Java in the given
// thread group. It ends for Java when the OS thread ends.
//
//   OS thread       upcall_thread   upcall ...         ends: destructor of a thread_local
//   JavaThread      InVM            InNative between   InVM, uncaught handlers and join()ers, detached
#pragma once

#include "runtime/threads/handles.h"

namespace keyhole::natives {

// Attaches the calling OS thread, which is then InNative. `group` is a java.lang.ThreadGroup that the caller keeps
// alive. Null: there is no memory for its stack or its Thread.
JavaThread* attach_caller(Handle group);

}  // namespace keyhole::natives
