// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emitter of profiling code. Compiled code counts in the same MethodData as the interpreter
// (vm/interpreter/method_data.h). With -XX:+ProfileBaseline it always counts; otherwise it counts while the tier policy
// keeps a profiling interval open for the method (jit/code/profiling_intervals.h). In an interval the code also counts
// down calls and backward branches. When a countdown reaches zero, the code hands the frame to the interpreter, which
// ends the interval.
//
//   what                instructions                                   where
//   call                the counter's address, inc                     after the check of the stack
//   branch              two each way; one more jump when taken         after the poll
//   countdown           three                                          call: the frame is complete; branch: after the
//                                                                      counter
//   receiver, guarded   two: the guard has compared the class          after the guard
//   class, else         four, when it is the first row's               before the check or the look-up; a cold part
//                                                                      searches the other rows
//
// If an inlined callee takes a side exit after its call was counted, the interpreter counts the call again. A bytecode
// that takes an interpreter fallback is not counted at all. If a counter or profile is null, no code is emitted for it.
#pragma once

#include "jit/baseline/emitters/emitter.h"
#include "vm/interpreter/method_data.h"

namespace keyhole::baseline {

class ProfileEmitter : Emitter {
 public:
  explicit ProfileEmitter(Compilation& compilation) : Emitter(compilation) {}

  // Returns the MethodData of the method whose bytecodes are being compiled; while a callee is inlined, of the callee.
  // Returns null if the code does not count.
  MethodData* data() const;
  // Returns data() if a profiling interval is open, otherwise null. Returns null in an inlined callee, which has no
  // loops.
  MethodData* data_in_interval() const;
  template <typename Profile> Profile* of_instruction(u32 instruction) const {
    return data() == nullptr ? nullptr : data()->at<Profile>(instruction);
  }

  void count(const Counter* counter, Gp scratch);
  void count_down(std::atomic<i32>& left, Gp scratch, Label ended);
  void count_outcome(BranchProfile* profile, bool taken);
  // Counts the class of a guard after the guard has succeeded. The class must not die before this code.
  void count_known_class(TypeProfile* profile, u32 klass);
  // Counts the class in eax, and preserves eax. Scratch: rcx, rdx. `cold` is true if the code is emitted in a cold
  // part.
  void count_class(TypeProfile* profile, bool cold = false);
  // If the object is null, counts null and jumps to `null`. Otherwise counts the object's class and leaves it in eax.
  void count_operand(TypeProfile* profile, Gp object, Label null);
  // Returns the label of cold code that counts, then jumps to `target`.
  Label counting(const Counter* counter, Label target);

 private:
  void search_rows(u32 width, Label done);
};

}  // namespace keyhole::baseline
