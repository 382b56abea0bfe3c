// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emitter of monitorenter and monitorexit. It emits the null check and the lock record; the snippets in locks/ emit the
// algorithm's fast path. If the algorithm has no snippet, and on every slow path, the interpreter's handler executes
// the whole bytecode. The handler gets the operands unchanged, because the code changes nothing before its last jump to
// a slow path.
//
// An enter uses the frame's next free lock record, an exit the frame's newest record. The record is pushed after the
// snippet has locked, and popped after the snippet has unlocked (R2 of vm/interpreter/handlers/handlers_over.h).
#pragma once

#include "jit/baseline/emitters/emitter.h"
#include "jit/baseline/locks/lock_snippet.h"

namespace keyhole::baseline {

class LockEmitter : Emitter {
 public:
  explicit LockEmitter(Compilation& compilation) : Emitter(compilation) {}
  void emit(Operation operation, u64 word);

  // Whether calls may enter the code directly. False if the method is synchronized and the algorithm has no snippet;
  // then the interpreter's entry locks, and continues in the code.
  static bool is_entered_inline(const Method* method);
  // Acquires the monitor of `at.object` with a new lock record, for a method for which is_entered_inline() is true.
  void acquire_at_entry(const LockOperands& at, Label slow);
  // Releases the monitor of a synchronized method. Takes a side exit if the frame holds other monitors, too. Two
  // registers must be free.
  void release_at_return();

 private:
  void enter(const LockSnippet& snippet);
  void exit(const LockSnippet& snippet);
  void acquire(const LockSnippet& snippet, const LockOperands& at, Label slow);
  void load_record(Gp record);
};

}  // namespace keyhole::baseline
