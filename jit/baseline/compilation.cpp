// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Connects the parts of a compilation.
#include "jit/baseline/compilation.h"

#include <algorithm>

namespace keyhole::baseline {

Compilation::Compilation(Method* method, const MethodCode* body, const Stubs& shared, asmjit::CodeHolder& holder,
                         Profiling profiling)
    : profiling(profiling), a(holder), method_cells(method, body), stubs(shared), frame(method->max_locals),
      blocks(method_cells, a), locals(a, frame), values(a, frame, locals), stack(values),
      registers(values, stack, locals), slow_paths(a, frame, locals, values, stack, method_cells, stubs),
      null_checks(a, slow_paths), calls(a, frame, locals, method_cells) {}

void Compilation::begin_cell(u32 number) {
  cell = number;
  stack.begin_cell();
  slow_paths.begin_cell(number);
  if (!a.is_listing()) return;
  u32 bci = cells->bci(number);
  a.commentf("; %sbci %u line %d  %s", is_inlining() ? "inlined " : "", bci, cells->method()->line_of(bci),
             interpreter::name_of(cells->operation(number)).data());
}

void Compilation::note_inlined(Method* callee) {
  if (std::find(inlined.begin(), inlined.end(), callee) == inlined.end()) inlined.push_back(callee);
}

}  // namespace keyhole::baseline
