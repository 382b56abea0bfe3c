// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Events of threads, classes and exceptions for a debugger. Without one each event costs one load; vm/tools/jdwp is
// the only listener.
//
// Each listener may suspend the thread, so the VM holds no lock when it calls one.
#pragma once

#include <atomic>

#include "vm/metadata/instance_klass.h"

namespace keyhole {

struct DebuggerHooks {
  void (*class_prepared)(JavaThread* thread, InstanceKlass* klass);  // this thread has just linked it
  void (*thread_started)(JavaThread* thread);                        // called by the thread, before its run()
  void (*thread_ended)(JavaThread* thread);  // called by the thread, before others see that it is dead
  // Called when the pending exception has been thrown, and again as it passes through further frames of its thread; the
  // listener tells these cases apart. The top frame has saved its state. The same exception is pending again
  // afterwards.
  void (*exception_pending)(JavaThread* thread);
  void (*exception_caught)(JavaThread* thread);  // by Java code
};

inline std::atomic<const DebuggerHooks*> debugger{nullptr};
// Set while the VM starts if a debugger may connect. Compiled code then leaves exceptions to the interpreter.
inline bool expects_debugger = false;

}  // namespace keyhole
