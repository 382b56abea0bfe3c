// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the site of a frame's pc, and converts between bcis and instructions.
#include <algorithm>

#include "vm/code/compiled_code.h"

namespace keyhole {
namespace interpreter {

FoundSite find_site(const MethodCode* body, const Instruction* pc) {
  for (const CompiledCode* code = body->compiled.load(std::memory_order_acquire); code != nullptr;
       code = previous_of(code)) {
    usize distance = reinterpret_cast<uptr>(pc) - reinterpret_cast<uptr>(code->sites.call_sites);
    if (distance < code->sites.count * sizeof(CompiledCallSite)) return {code, distance / sizeof(CompiledCallSite)};
  }
  return {};
}

}  // namespace interpreter

u32 MethodCode::index_of_call_site(const Instruction* instruction) const {
  KEYHOLE_ASSERT(interpreter::find_site(this, instruction).code != nullptr, "no instruction of {}: {}",
                 method->external_name(), static_cast<const void*>(instruction));
  return interpreter::operand_a(interpreter::load_instruction(instruction + 1));
}

const Instruction* MethodCode::instruction_at(u32 bci) const {
  const u16* found = std::lower_bound(bcis, bcis + instruction_count, static_cast<u16>(bci));
  KEYHOLE_ASSERT(found != bcis + instruction_count && *found == bci, "no instruction at bci {}", bci);
  return instructions() + (found - bcis);
}

}  // namespace keyhole
