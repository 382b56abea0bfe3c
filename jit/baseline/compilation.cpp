// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Constructs the parts of a compilation and connects them.
#include "jit/baseline/compilation.h"

#include <algorithm>

namespace keyhole::baseline {

Compilation::Compilation(Method* method, const MethodCode* body, const Stubs& shared, asmjit::CodeHolder& holder,
                         Profiling profiling)
    : profiling(profiling), a(holder), method_instructions(method, body), stubs(shared), frame(method->max_locals),
      blocks(method_instructions, a), locals(a, frame), values(a, frame, locals), stack(values),
      registers(values, stack, locals), slow_paths(a, frame, locals, values, stack, method_instructions, stubs),
      null_checks(a, slow_paths), calls(a, frame, locals, method_instructions) {}

void Compilation::begin_instruction(u32 number) {
  instruction = number;
  stack.begin_instruction();
  slow_paths.begin_instruction(number);
  if (!a.is_listing()) return;
  u32 bci = instructions->bci(number);
  a.commentf("; %sbci %u line %d  %s", is_inlining() ? "inlined " : "", bci, instructions->method()->line_of(bci),
             interpreter::name_of(instructions->operation(number)).data());
}

void Compilation::note_inlined(Method* callee) {
  if (std::find(inlined.begin(), inlined.end(), callee) == inlined.end()) inlined.push_back(callee);
}

}  // namespace keyhole::baseline
