// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emitter of profiles. Compiled code continues the interpreter's counts (vm/interpreter/method_data.h): always with
// -XX:+ProfileBaseline, else while the tier policy keeps a profiling interval open for the method
// (jit/code/profiling_intervals.h). In an interval the code also counts down calls and backward branches. At zero it
// hands the frame to the interpreter, which ends the interval.
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
// An inlined callee that takes a side exit after it was counted here is counted again in the interpreter. A bytecode's
// counters are not changed before its interpreter fallback, and the fallback itself does not count. For a null counter
// or profile nothing is emitted.
#pragma once

#include "jit/baseline/emitters/emitter.h"
#include "vm/interpreter/method_data.h"

namespace keyhole::baseline {

class ProfileEmitter : Emitter {
 public:
  explicit ProfileEmitter(Compilation& compilation) : Emitter(compilation) {}

  // The profile of the method whose bytecodes are being compiled, or of the callee while one is inlined. Null if the
  // code does not count.
  MethodData* data() const;
  // The same profile while an interval is open, and null otherwise. It is null in an inlined callee, which has no
  // loops.
  MethodData* data_in_interval() const;
  template <typename Profile> Profile* of_instruction(u32 instruction) const {
    return data() == nullptr ? nullptr : data()->at<Profile>(instruction);
  }

  void count(const Counter* counter, Gp scratch);
  void count_down(std::atomic<i32>& left, Gp scratch, Label ended);
  void count_outcome(BranchProfile* profile, bool taken);
  // Counts the class of a guard that has succeeded. The class must not die before this code.
  void count_known_class(TypeProfile* profile, u32 klass);
  // Counts the class in eax, and preserves eax. Scratch: rcx, rdx. `cold` says that the code is in a cold part already.
  void count_class(TypeProfile* profile, bool cold = false);
  // Counts null and jumps to `null`, or counts the object's class and leaves it in eax.
  void count_operand(TypeProfile* profile, Gp object, Label null);
  // Returns a label. The code at it counts, then jumps to `target`.
  Label counting(const Counter* counter, Label target);

 private:
  void search_rows(u32 width, Label done);
};

}  // namespace keyhole::baseline
