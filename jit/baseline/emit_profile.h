// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiled code continues the interpreter's counts (vm/interpreter/method_data.h): always, with -XX:+ProfileBaseline,
// or while the tier policy keeps a profiling interval open for the method (jit/code/policy.h). In a profiling interval,
// code also counts down calls and backward branches, and at zero leaves to the interpreter, which ends the interval.
//
//   what                instructions                                   where
//   call                the counter's address, inc                     behind the check of the stack
//   branch              two each way; one more jump when taken         behind the poll
//   countdown           three                                          call: the frame is complete; branch: behind the
//                                                                      counter
//   receiver, guessed   two: the guard has compared the class          behind the guard
//   class, else         four, when it is the first row's               before the check or the look-up; a cold part
//                                                                      searches the other rows
//
// An inlined callee that leaves to the interpreter after it was counted here is counted there again. A cell's counters
// never change on the way to its step, and the step does not count. A null counter or profile emits nothing.
#pragma once

#include "jit/baseline/emitter.h"
#include "vm/interpreter/method_data.h"

namespace keyhole::baseline {

class ProfileEmitter : Emitter {
 public:
  explicit ProfileEmitter(Compilation& compilation) : Emitter(compilation) {}

  // The profile of the method whose cells are compiled, the callee's while that is inlined. Null: no counting.
  MethodData* data() const;
  // The same when it counts down; not in an inlined callee, which has no loops.
  MethodData* data_in_interval() const;
  template <typename Profile> Profile* of_cell(u32 cell) const {
    return data() == nullptr ? nullptr : data()->at<Profile>(cell);
  }

  void count(const Counter* counter, Gp scratch);
  void count_down(std::atomic<i32>& left, Gp scratch, Label ended);
  void count_way(BranchProfile* profile, bool taken);
  // The class of a guard that has succeeded; it does not die before this code.
  void count_known_class(TypeProfile* profile, u32 klass);
  // The class in eax, which stays. Scratch: rcx, rdx. `cold`: this is a cold part already.
  void count_class(TypeProfile* profile, bool cold = false);
  // Counts null and jumps to `null`, or counts the object's class and leaves it in eax.
  void count_operand(TypeProfile* profile, Gp object, Label null);
  // A label whose code counts, then jumps to `target`.
  Label counting(const Counter* counter, Label target);

 private:
  void search_rows(u32 width, Label done);
};

}  // namespace keyhole::baseline
