// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Threads that C code made and that call Java: they become daemon threads of Java at their first call, in the thread
// group that they are given, and end for Java when the OS thread ends.
//
//   OS thread       upcall_thread   upcall ...         ends: destructor of a thread_local
//   JavaThread      InVM            InNative between   InVM, uncaught handlers and join()ers, detached
#pragma once

#include "runtime/threads/handles.h"

namespace keyhole::natives {

// Of the calling OS thread, InNative. `group`: a java.lang.ThreadGroup, kept alive by the caller. Null without memory
// for its stack or its Thread.
JavaThread* attach_caller(Handle group);

}  // namespace keyhole::natives
