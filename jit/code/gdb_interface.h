// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// gdb interface (-XX:+UseGdbJitInterface): gdb names compiled methods and unwinds their frames.
//
// gdb sets a breakpoint in __jit_debug_register_code. When a thread reaches the breakpoint, gdb reads
// __jit_debug_descriptor, a list of ELF files in memory. Each file has a symbol and the unwind table for one piece of
// code. During a call, compiled code has a record of two words on the native stack (vm/code/compiled_code.h), so the
// unwind table is short:
//
//    everywhere else            rsp -> return address
//    around a call (Call)       rsp -> a word, then the return address
//
// gdb's `bt` does not show interpreted frames, because they have no code of their own.
#pragma once

#include <string>
#include <vector>

#include "runtime/base/types.h"

namespace keyhole::gdb {

// A range of code in which the stack has an additional word below the return address, given as offsets from the
// beginning of the code.
struct Call {
  u32 begin, end;
};

// add() and remove() require the compiler's lock, and do nothing without -XX:+UseGdbJitInterface. `calls` are the
// ranges in which the code has an additional word on the stack for a call, in ascending order.
void add(uptr address, usize bytes, const std::string& name, const std::vector<Call>& calls);
void remove(uptr address);

}  // namespace keyhole::gdb
