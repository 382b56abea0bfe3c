// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// -XX:+ProfileBaseline: compiled code goes on counting where the interpreter has stopped
// (vm/interpreter/method_data.h).
//
//   what                instructions                                   where
//   call                the counter's address, inc                     behind the check of the stack
//   branch              two each way; a jump more when it is taken     behind the poll
//   receiver, guessed   two: the guard has compared the class          behind the guard
//   class, else         four, when it is that of the first row         before the check or the look-up; a cold part
//                                                                      searches the other rows
//
// What is counted here and leaves to the interpreter afterwards is counted there again: an inlined callee that cannot
// go on. Counters of a cell are never changed on the way to its step, which does not count. A null counter or profile
// emits nothing.
#pragma once

#include "jit/baseline/emitter.h"

namespace keyhole::baseline {

class ProfileEmitter : Emitter {
 public:
  explicit ProfileEmitter(Compilation& compilation) : Emitter(compilation) {}

  // Of the method whose cells are compiled, the callee's while that is inlined. Null: nothing is counted.
  MethodData* data() const;
  template <typename Profile> Profile* of_cell(u32 cell) const {
    return data() == nullptr ? nullptr : data()->at<Profile>(cell);
  }

  void count(const Counter* counter, Gp scratch);
  void count_way(BranchProfile* profile, bool taken);
  // The class is that of a guard which has held: one that does not die before this code.
  void count_known_class(TypeProfile* profile, u32 klass);
  // The class in eax, which stays. Scratch: rcx, rdx. `cold`: this is a cold part already.
  void count_class(TypeProfile* profile, bool cold = false);
  // Leads to `null` when the object is null, having counted that; else its class is counted, and in eax.
  void count_operand(TypeProfile* profile, Gp object, Label null);
  // A label that counts and goes to `target`.
  Label counting(const Counter* counter, Label target);

 private:
  void search_rows(u32 width, Label done);
};

}  // namespace keyhole::baseline
