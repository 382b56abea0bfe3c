// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emitter of monitorenter and monitorexit: null check and lock record here, the algorithm's fast path from locks/.
// Without a fast path, and on every slow path, the interpreter's handlers do all of it. They get the operands
// unchanged, because the code changes nothing before its last jump to a slow path.
//
// The record is the frame's next one at an enter, its newest at an exit. It is pushed after the snippet has locked, and
// popped after the snippet has unlocked (R2 of vm/interpreter/handlers/handlers_over.h).
#pragma once

#include "jit/baseline/emitters/emitter.h"
#include "jit/baseline/locks/lock_snippet.h"

namespace keyhole::baseline {

class LockEmitter : Emitter {
 public:
  explicit LockEmitter(Compilation& compilation) : Emitter(compilation) {}
  void emit(Operation operation, u64 word);

  // Whether the code locks at the method's entry if it is synchronized. False: the method is synchronized, and the
  // algorithm has no snippet. Then the interpreter's entry locks, and continues in the code.
  static bool is_entered_inline(const Method* method);
  // Acquires the monitor of `at.object` with a new lock record, for a method for which is_entered_inline() is true.
  void acquire_at_entry(const LockOperands& at, Label slow);
  // Releases the monitor of a synchronized method, or takes a side exit if the frame holds other monitors, too. Two
  // registers must be free.
  void release_at_return();

 private:
  void enter(const LockSnippet& snippet);
  void exit(const LockSnippet& snippet);
  void acquire(const LockSnippet& snippet, const LockOperands& at, Label slow);
  void load_record(Gp record);
};

}  // namespace keyhole::baseline
