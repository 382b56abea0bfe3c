// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A graph becomes a lowered function (low_graph.h): the frame, homes, object layouts and exits as loads, stores and
// jumps.
//
//   entry ── no room, or a poll ──> enter_slowly           as it found everything
//     │
//     v
//   blocks ── a guard fails, a poll ──> exit ──> leave     the state's slots go to their homes, then the interpreter
//     │                                                    executes the state's cell
//     v
//   return: status 0, the result, its home
//
// M1: locals are at constant distances from the home of the last argument, the header and the operands behind them, as
//     in every frame (runtime/threads/frame.h).
// M2: a home that holds its value already is not written: an argument that is still in its local.
// M3: code that makes no call writes no header before it leaves. An exit writes the words that baseline code writes at
//     its entry; the stub writes `locals`.
// M4: exits with one state are one block.
// M5: addresses have names (Lowered::symbols), so that code can be kept apart from where things are.
#pragma once

#include <map>
#include <string>

#include "jit/graph/graph.h"
#include "jit/graph/low_graph.h"

namespace keyhole::graph {

// Symbols of the stubs (jit/code/stubs.h), which the owner of the code resolves.
inline constexpr std::string_view leave_symbol = "stub leave", enter_slowly_symbol = "stub enter_slowly";

struct Lowered {
  low::Function function;
  std::map<std::string, uptr, std::less<>> symbols;   // but for those of the stubs
  std::string refusal;                                // why there is none; empty: there is one
};

// The graph has no inlined frames. Its units are pinned while the result is used.
Lowered lower(const Graph& graph);

}  // namespace keyhole::graph
