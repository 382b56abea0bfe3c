// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// -XX:+UseGdbJitInterface: compiled methods have names in gdb, and it finds the way through their frames.
//
// gdb has a breakpoint in __jit_debug_register_code and reads __jit_debug_descriptor when it gets there: a list of ELF
// files in memory. There is one per method, with a symbol and the unwind table of its code. Compiled code has nothing
// on the native stack but records of two words (vm/interpreter/compiled_code.h), so the table is short:
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

// From `begin` up to `end`, distances from the code's beginning, there is a word above the return address.
struct Call {
  u32 begin, end;
};

// Both under the compiler's lock; nothing without the flag. `calls` ascending.
void add(uptr address, usize bytes, const std::string& name, const std::vector<Call>& calls);
void remove(uptr address);

}  // namespace keyhole::gdb
