// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// -XX:PrintIR=PHASE,...: prints each method that this tier compiles, after the named phases.
//
//   build           the graph as it was built
//   simplify, ...   the graph, each time that this phase has changed it (phases: jit/graph/pipeline.cpp)
//   optimise        the graph that is lowered
//   lower           the lowered function
//   before          LLVM's IR with the snippets, before LLVM's passes
//   after           LLVM's IR after its passes
//   all             all of these
//
// With the additional word `dot`, graphs are printed as pictures for Graphviz:
// -XX:PrintIR=hoist_guards,dot | dot -Tsvg > hoist.svg
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace keyhole::optimised {

bool prints_ir(std::string_view phase);
bool draws_graphs();
// If -XX:PrintIR names the phase, prints a heading, the result of `text`, and an empty line. Otherwise `text` is not
// called.
void print_ir(std::string_view method, std::string_view phase, const std::function<std::string()>& text);
// If -XX:PrintIR names the phase, prints the result of `picture` without a heading: Graphviz reads a sequence of
// pictures, and a heading is no picture.
void draw_ir(std::string_view phase, const std::function<std::string()>& picture);
// Returns the words of -XX:PrintIR that are not valid, separated by commas.
std::string unknown_phases();

}  // namespace keyhole::optimised
