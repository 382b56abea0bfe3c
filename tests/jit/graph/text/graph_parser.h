// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads a graph from the text that graph::print writes (jit/graph/ir/print.cpp), so that a test of a phase can be a
// file:
//
//   b1: b0                                         a block and its predecessors, in the order of its phis' inputs
//     n3 int = constant 1                          a node: its id, its type, the operation, its operand, its inputs
//     guard range n8 @3 [- n3 | n0 n1]             a deopt point has a frame state: bci [locals | operands]
//     branch n8 b2 b3                              the end of a block names its successors
//   # a comment
//
// P1: ids are kept, and may have gaps: printing what was read gives the same text.
// P2: attributes that readable text omits (Detail::Readable) are absent: a reference without `!` may be null.
// P3: the order of blocks is that of the graph (graph.h, G4), whatever it is in the text.
// P4: a graph that the parser returns obeys all rules of graph.h. For other text, the parser reports the first error.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "jit/graph/ir/graph.h"

namespace keyhole::testing {

// Finds the classes (by internal names) and methods (by the names that messages use) that the text names. `klass` and
// `method` return null for a name that they do not find.
struct GraphNames {
  std::function<Klass*(std::string_view)> klass;
  std::function<Method*(std::string_view)> method;
};

struct ParsedGraph {
  std::unique_ptr<graph::Graph> graph;  // the parsed graph; null if the text has an error
  std::string problem;                  // the error, such as "line 3: ..."
};

// Makes a graph of `method`. The method must have been decoded, because frame states refer to its instructions, for
// which the text has bcis.
ParsedGraph parse_graph(std::string_view text, Method* method, const GraphNames& names);

}  // namespace keyhole::testing
