// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// gdb interface (-XX:+UseGdbJitInterface): gdb names compiled methods and unwinds their frames.
//
// gdb sets a breakpoint in __jit_debug_register_code. When it is reached, gdb reads __jit_debug_descriptor: a list of
// ELF files in memory. There is one file per method, with a symbol and the unwind table of its code. Compiled code has
// only records of two words on the native stack (vm/code/compiled_code.h), so the table is short:
//
//    everywhere else            rsp -> return address
//    around a call (Call)       rsp -> a word, then the return address
//
// An interpreted frame has no code of its own and is not seen in `bt`.
#pragma once

#include <string>
#include <vector>

#include "runtime/base/types.h"

namespace keyhole::gdb {

// A range of code in which there is a word above the return address; given as distances from the code's beginning.
struct Call {
  u32 begin, end;
};

// Both functions require the compiler's lock, and do nothing without the flag. `calls` is in ascending order.
void add(uptr address, usize bytes, const std::string& name, const std::vector<Call>& calls);
void remove(uptr address);

}  // namespace keyhole::gdb
