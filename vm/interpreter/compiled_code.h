// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiled code, as the interpreter sees it: where a frame can be handed over, and which cell a call site stands for.
//
// A compiled method has the interpreter's frame, slot by slot, so a frame changes hands at any cell where all of it is in memory:
//
//   interpreter -> compiled   `entries`: for some cells, the address to go on at with locals in r14, the thread in r15 and every operand
//                             in its home (loop headers, exception handlers, and what follows a cell that the interpreter runs)
//   compiled -> interpreter   anywhere: the code spills and dispatches the cell's handler
//
// Calls. A frame that calls from compiled code has a pc of its own making, a pair of cells:
//
//     call      a copy of the invoke's word: only its address matters, it stands for the invoke (index_of_call_site)
//     resume    resume_compiled: whoever returns to `pc + 1`, interpreted or compiled, native or intrinsic, gets back to the code
//
// so entries, returns, natives, unwinding and stack walks know nothing of compiled code.
#pragma once

#include "vm/interpreter/handlers.h"

namespace keyhole {

struct CompiledCallSite {
  Cell call;
  Cell resume;
};

// Never freed: frames, and entries being executed, may be in code that has been replaced.
struct CompiledCode {
  CompiledCode* previous;          // what it replaces
  const u32* entries;              // per cell: an address (the code cache lies below 4 GiB), or 0
  const CompiledCallSite* sites;
  const u16* site_cells;           // of each site, the invoke
  u32 site_count;
  u32 entry;                       // the method's
  u32 code_bytes;
  std::atomic<i32> unresolved_left;   // how often cells that were unresolved may run before the method is compiled again
};

namespace interpreter {

// Single-step table: every operation goes to resume_at_entry. A handler that is dispatched with it runs its cell, and what follows is
// compiled code again where there is an entry, else interpreted.
extern const Handler step_table[static_cast<usize>(Operation::count)];

}  // namespace interpreter
}  // namespace keyhole
