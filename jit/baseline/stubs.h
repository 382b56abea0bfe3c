// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The pieces of code that all methods share, at the bottom of the code cache.
#pragma once

#include "runtime/base/types.h"

namespace keyhole::baseline {

//   step, leave, recompile   r12 the cell, r13 the home of the top operand, rdx its value, rdi the frame: dispatch the cell in the interpreter
//   return_...               r12 the caller's pc, r13 its sp, rdi its frame, rcx the word behind its pc: the caller is interpreted
struct Stubs {
  uptr step, leave, recompile, return_to_interpreter, return_void_to_interpreter;
};

Stubs make_stubs();   // after code_cache::initialize

}  // namespace keyhole::baseline
