// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Methods that box and unbox, and their graphs with inlined calls, for tests of graphs and of machine code.
#pragma once

#include "jit/graph/pipeline.h"
#include "tests/jit/graph/graph_fixture.h"

namespace keyhole::testing {

template <typename Fixture> class BoxingTest : public Fixture {
 protected:
  // Makes a method from a text in which `box` and `unbox` stand for calls of Integer.valueOf and Integer.intValue.
  static Method* make_boxing(const char* descriptor, std::string_view text) {
    std::string code = replaced(std::string(text), "unbox", "invokevirtual java/lang/Integer.intValue ()I");
    code = replaced(code, "box", "invokestatic java/lang/Integer.valueOf (I)Ljava/lang/Integer;");
    return Fixture::make(descriptor, code);
  }
  // Returns the optimised graph of a method, whose instructions must have been resolved by an execution.
  static std::unique_ptr<graph::Graph> optimised(Method* method) {
    graph::BuildOptions options;
    options.inlines = true;
    graph::Built built = graph::build(method, options);
    EXPECT_EQ(built.refusal, "");
    graph::optimise(*built.graph);
    EXPECT_EQ(graph::verify(*built.graph), "") << graph::print(*built.graph);
    return std::move(built.graph);
  }
};

}  // namespace keyhole::testing
