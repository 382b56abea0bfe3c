// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Events of threads and classes for a debugger. Without one each event costs one load; vm/launcher/jdwp is the only
// listener.
//
// All may stop: the thread may be suspended inside, so no lock of the VM is held there.
#pragma once

#include <atomic>

#include "vm/link/instance_klass.h"

namespace keyhole {

struct DebuggerHooks {
  void (*class_prepared)(JavaThread* thread, InstanceKlass* klass);   // it has just been linked, by this thread
  void (*thread_started)(JavaThread* thread);   // by the thread itself, before its run()
  void (*thread_ended)(JavaThread* thread);     // by the thread itself, before others see that it is dead
};

inline std::atomic<const DebuggerHooks*> debugger{nullptr};

}  // namespace keyhole
