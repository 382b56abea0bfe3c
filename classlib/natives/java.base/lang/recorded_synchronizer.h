// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The events of exclusive locks of java.util.concurrent (ReentrantLock, the write lock of ReentrantReadWriteLock):
//
//   lock():    compareAndSetState(0, 1)   setExclusiveOwnerThread(current)  --> synchronizer_acquired
//   unlock():  setExclusiveOwnerThread(null)  --> synchronizer_released     setState(0)
//
// Only the outermost level of a reentrant lock calls setExclusiveOwnerThread. In a VM that records locks from its start
// on, that method of AbstractOwnableSynchronizer is a native one, which stores the field and records the event. Any
// other VM runs the JDK's method, so it pays nothing.
//
// Y1: a release is recorded before the lock is free, and an acquisition after it. So two threads' holds do not overlap.
// Y2: an acquisition is recorded if the owner is the calling thread, as in all locks of the JDK.
#pragma once

#include "runtime/threads/java_thread.h"

namespace keyhole::natives {

// Replaces the method. Called while the VM boots, before Java code runs. False: an exception is pending.
[[nodiscard]] bool record_synchronizers(JavaThread* thread) MAY_SAFEPOINT;

}  // namespace keyhole::natives
