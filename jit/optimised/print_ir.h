// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// -XX:PrintIR=PHASE,...: prints each method that this tier compiles, after the named phases.
//
//   build           the graph as it was built
//   simplify        the graph, each time that this phase has changed it
//   number_values   the same, of this phase
//   hoist_guards    the same, of this phase
//   strip_mine      the same, of this phase
//   optimise        the graph that is lowered
//   lower           the lowered function
//   before, after   LLVM's text before its passes, with the snippets, and after them
//   all             each of these
//
// Beside the phases, `dot` prints graphs as pictures for Graphviz: -XX:PrintIR=hoist_guards,dot | dot -Tsvg > hoist.svg
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace keyhole::optimised {

bool prints_ir(std::string_view phase);
bool draws_graphs();
// Prints a heading, the text and an empty line if the flag names the phase. `text` is called only then.
void print_ir(std::string_view method, std::string_view phase, const std::function<std::string()>& text);
// Prints the picture if the flag names the phase. There is no heading, because Graphviz reads a sequence of pictures.
void draw_ir(std::string_view phase, const std::function<std::string()>& picture);
// The words of the flag that are not phases, separated by commas.
std::string unknown_phases();

}  // namespace keyhole::optimised
