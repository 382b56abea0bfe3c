// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// From a frame's pc to its site.
#include "vm/interpreter/compiled_code.h"

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

CallSiteViews* views_of_call_site(const Frame* frame) {
  // While a method is being redefined its frames still name it, and its body is the copy's.
  for (const Method* method = frame->method; method != nullptr; method = method->replaced) {
    const MethodCode* body = method->body.load(std::memory_order_acquire);
    if (body == nullptr) continue;
    if (FoundSite site = find_site(body, frame->pc); site.code != nullptr)
      return &site.code->sites.views[site.index];
  }
  KEYHOLE_FATAL("no call site of {}: {}", frame->method->external_name(), static_cast<const void*>(frame->pc));
}

}  // namespace interpreter

u32 MethodCode::index_of_call_site(const Cell* cell) const {
  KEYHOLE_ASSERT(interpreter::find_site(this, cell).code != nullptr, "no cell of {}: {}", method->external_name(),
                 static_cast<const void*>(cell));
  return interpreter::operand_a(interpreter::load_cell(cell + 1));
}

}  // namespace keyhole
