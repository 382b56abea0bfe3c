// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the site of a frame's pc, and converts between bcis and instructions.
#include <algorithm>

#include "vm/code/compiled_code.h"

namespace keyhole {
namespace interpreter {

FoundSite find_site(const MethodCode* body, const Cell* pc) {
  for (const CompiledCode* code = body->compiled.load(std::memory_order_acquire); code != nullptr;
       code = previous_of(code)) {
    usize distance = reinterpret_cast<uptr>(pc) - reinterpret_cast<uptr>(code->sites.cells);
    if (distance < code->sites.count * sizeof(CompiledCallSite)) return {code, distance / sizeof(CompiledCallSite)};
  }
  return {};
}

}  // namespace interpreter

u32 MethodCode::index_of_call_site(const Cell* cell) const {
  KEYHOLE_ASSERT(interpreter::find_site(this, cell).code != nullptr, "no cell of {}: {}", method->external_name(),
                 static_cast<const void*>(cell));
  return interpreter::operand_a(interpreter::load_cell(cell + 1));
}

const Cell* MethodCode::cell_of(u32 bci) const {
  const u16* found = std::lower_bound(bcis, bcis + cell_count, static_cast<u16>(bci));
  KEYHOLE_ASSERT(found != bcis + cell_count && *found == bci, "no instruction at bci {}", bci);
  return cells() + (found - bcis);
}

}  // namespace keyhole
