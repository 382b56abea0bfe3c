// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emitter of a method's entry: the check of the stack limit, which is also the poll, and the construction of the frame.
//
//     in   rdi the caller's frame, whose pc is saved; r13 its last argument; rdx the method; the call record
//
// A synchronized method locks between the check of the stack and the stores of its frame (R1 of
// vm/interpreter/handlers/handlers_over.h). A thread that has to wait makes the frame first and waits in the
// interpreter, which returns to the code after it has locked. A return unlocks the one lock record of the frame. If the
// frame has more records, or none, the return is a side exit to the interpreter.
#pragma once

#include "jit/baseline/emitters/emit_profile.h"
#include "jit/baseline/emitters/emit_sync.h"

namespace keyhole::baseline {

class EntryEmitter : Emitter {
 public:
  EntryEmitter(Compilation& compilation, ProfileEmitter& profile, LockEmitter& locks)
      : Emitter(compilation), profile_(profile), locks_(locks) {}
  void emit();
  void count_down_calls(bool is_caller_known);

 private:
  void link_frame(u32 held_records);
  void lock();
  void wait_for_monitor();
  void hand_over(bool is_caller_known, const void* handler);

  ProfileEmitter& profile_;
  LockEmitter& locks_;
};

}  // namespace keyhole::baseline
