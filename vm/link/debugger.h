// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Events of threads, classes and exceptions for a debugger. Without one each event costs one load; vm/tools/jdwp is
// the only listener.
//
// All may stop: the thread may be suspended inside, so no lock of the VM is held there.
#pragma once

#include <atomic>

#include "vm/metadata/instance_klass.h"

namespace keyhole {

struct DebuggerHooks {
  void (*class_prepared)(JavaThread* thread, InstanceKlass* klass);  // it has just been linked, by this thread
  void (*thread_started)(JavaThread* thread);                        // by the thread itself, before its run()
  void (*thread_ended)(JavaThread* thread);  // by the thread itself, before others see that it is dead
  // The pending exception has been thrown, or goes on through the frames of its thread: the listener tells these apart.
  // The top frame has saved its state. The exception is pending still, or again, afterwards.
  void (*exception_pending)(JavaThread* thread);
  void (*exception_caught)(JavaThread* thread);  // by Java code
};

inline std::atomic<const DebuggerHooks*> debugger{nullptr};
// A debugger may connect. Written while the VM starts; then compiled code leaves exceptions to the interpreter.
inline bool expects_debugger = false;

}  // namespace keyhole
