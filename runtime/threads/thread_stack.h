// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// ThreadStack: the limits of a thread's Java stack and native stack, and their mapping. The record stack lies in the
// same mapping; compiled code and the locking protocols reach it through JavaThread::lock_records.
#pragma once

#include "runtime/base/types.h"
#include "runtime/threads/frame.h"

namespace keyhole {

struct ThreadStack {
  Slot* java_base = nullptr;
  // The limit that Java frames must end below; the reserved zone for StackOverflowError lies above it.
  Slot* java_limit = nullptr;
  Slot* java_end = nullptr;
  char* native_limit = nullptr;  // the limit above which C++ recursion into Java must stay
  // Threads below this limit do not enter optimised code that makes calls (stacks.h).
  char* native_entry_limit = nullptr;
  // The mapping has lock records, Java stack and guard page, then the signal stack of an OS thread or the native stack
  // of a continuation.
  void* mapping = nullptr;
  usize mapping_bytes = 0;
};

}  // namespace keyhole
