// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// -XX:PrintIR=PHASE,...: what becomes of each method that this tier compiles, phase by phase.
//
//   build           the graph that its cells became
//   simplify        ... each time that this phase has changed it
//   number_values   ... and this one
//   hoist           ... and this one
//   strip_mine      ... and this one
//   optimise        the graph that is lowered
//   lower           the lowered function
//   before, after   LLVM's text before its passes, with the snippets, and after them
//   all             each of these
//
// Beside the phases, `dot` draws graphs for Graphviz in place of text: -XX:PrintIR=hoist,dot | dot -Tsvg > hoist.svg
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace keyhole::optimised {

bool prints_ir(std::string_view phase);
bool draws_graphs();
// A heading, the text, an empty line; nothing if the phase is not asked for. The text is made only then.
void print_ir(std::string_view method, std::string_view phase, const std::function<std::string()>& text);
// The same of a picture, without a heading: Graphviz reads one picture after the other.
void draw_ir(std::string_view phase, const std::function<std::string()>& picture);
// Of the flag: phases that there are not, separated by commas.
std::string unknown_phases();

}  // namespace keyhole::optimised
