// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The results of locking operations, and the causes of inflations, for all locking algorithms.
#pragma once

#include "runtime/base/types.h"

namespace keyhole::sync {

enum class Status : u8 {
  Done,
  // The thread does not hold the lock: the caller throws IllegalMonitorStateException "current thread is not owner".
  NotOwner,
  Interrupted,  // returned by wait(), which has cleared the interrupt flag: the caller throws InterruptedException
  OutOfMemory,
};

// Readers: the text in monitors.cpp.
enum class InflationCause : u8 { Contention, Wait, LockStackFull, NotLastLocked, Enter, Hash, Recursion };

}  // namespace keyhole::sync
