// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests phases of the optimising tier as text: each file of tests/jit/graph/text is a test.
//
//   # Redundant loads: the second load of a field is the first one.
//   method ([II)I                          its descriptor; `locals` and `operands` are 8 and 8
//   phases number_values remove_unused
//   runs 1 2                               arguments of a run: the phases keep its result, and it does not deoptimize
//   --- input
//   b0: ...
//   --- expected
//   b0: ...                                KEYHOLE_BLESS=1 writes what came out
//
// Beside the files: every graph of the classes that the VM starts with is printed, read back and printed again.
#include <fmt/ranges.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "jit/graph/pipeline.h"
#include "tests/jit/graph/graph_fixture.h"
#include "tests/jit/graph/text/graph_parser.h"
#include "vm/link/linker.h"

namespace keyhole {
namespace {

using graph::Detail;
using testing::GraphNames;
using testing::parse_graph;
using testing::vm_thread;

const std::filesystem::path folder = std::filesystem::path(KEYHOLE_SOURCES) / "tests/jit/graph/text";

struct TextTest {
  std::string head;  // the text up to the line "--- input", unchanged
  std::string descriptor;
  std::vector<std::string> phases;
  std::vector<std::vector<std::string>> runs;
  std::string input, expected;
};

TextTest read_test(const std::filesystem::path& path) {
  TextTest test;
  std::ifstream file(path);
  std::string line, *part = &test.head;
  while (std::getline(file, line)) {
    if (line == "--- input") {
      part = &test.input;
    } else if (line == "--- expected") {
      part = &test.expected;
    } else {
      *part += line + "\n";
      std::istringstream words(line);
      std::string first, word;
      words >> first;
      if (part != &test.head || first == "#") continue;
      if (first == "method") words >> test.descriptor;
      if (first == "runs") test.runs.emplace_back();
      while (words >> word) (first == "runs" ? test.runs.back() : test.phases).push_back(word);
    }
  }
  return test;
}

class GraphTextTest : public testing::GraphTest {
 protected:
  // Finds loaded classes by internal names, and their methods by external names. If several classes or methods have the
  // same name, the first one is found.
  static GraphNames loaded_names() {
    auto klasses = std::make_shared<std::map<std::string, Klass*, std::less<>>>();
    auto methods = std::make_shared<std::map<std::string, Method*, std::less<>>>();
    for (u32 id = 1; id <= klass_count(); ++id) {
      Klass* klass = klass_of_id(id);
      if (klass == nullptr) continue;
      klasses->try_emplace(klass->name->string(), klass);
      if (!klass->is_instance()) continue;
      for (u32 i = 0; i < klass->as_instance()->method_count; ++i) {
        Method* method = klass->as_instance()->methods[i];
        methods->try_emplace(method->external_name(), method);
      }
    }
    auto find = [](const auto& all, std::string_view name) {
      auto found = all->find(name);
      return found == all->end() ? nullptr : found->second;
    };
    return {[=](std::string_view name) { return find(klasses, name); },
            [=](std::string_view name) { return find(methods, name); }};
  }

  static Slot argument_of(const std::string& text) { return slot_of(static_cast<i32>(std::stol(text))); }

  static std::optional<u64> result_of(const graph::Graph& graph, const std::vector<std::string>& words) {
    std::vector<Slot> arguments;
    std::ranges::transform(words, std::back_inserter(arguments), argument_of);
    graph::Execution run = graph::execute(vm_thread(), graph, arguments);
    return run.exit == nullptr ? std::optional(run.result) : std::nullopt;
  }
};

class GraphFileTest : public GraphTextTest, public ::testing::WithParamInterface<std::string> {};

TEST_P(GraphFileTest, IsAsExpected) {
  std::filesystem::path path = folder / (GetParam() + ".graph");
  TextTest test = read_test(path);
  // The bytecode has no meaning: it only provides the bcis below 64 that frame states may name.
  std::string code = ".locals 8\n.stack 8\n";
  for (u32 i = 0; i < 64; ++i) code += "nop\n";
  code += "aconst_null\nathrow\n";
  Method* method = make(test.descriptor.c_str(), code);
  GraphNames names = loaded_names();
  testing::ParsedGraph before = parse_graph(test.input, method, names);
  testing::ParsedGraph after = parse_graph(test.input, method, names);
  ASSERT_EQ(after.problem, "");
  EXPECT_EQ(graph::print(*after.graph, Detail::Complete), test.input) << "the input is not as it is printed";
  for (const std::string& name : test.phases) {
    const graph::Phase* phase = graph::find_phase(name);
    if (name == "optimise") {
      graph::optimise(*after.graph);
    } else {
      ASSERT_NE(phase, nullptr) << "no phase " << name;
      phase->run(*after.graph);
    }
    EXPECT_EQ(graph::verify(*after.graph), "") << "after " << name << "\n" << graph::print(*after.graph);
  }
  for (const std::vector<std::string>& run : test.runs) {
    std::optional<u64> result = result_of(*before.graph, run);
    EXPECT_TRUE(result) << fmt::format("{} exits", fmt::join(run, " "));
    EXPECT_EQ(result_of(*after.graph, run), result) << fmt::format("{}", fmt::join(run, " "));
  }
  std::string found = graph::print(*after.graph, Detail::Complete);
  if (std::getenv("KEYHOLE_BLESS") != nullptr) {
    std::ofstream(path) << test.head << "--- input\n"
                        << graph::print(*before.graph, Detail::Complete) << "--- expected\n"
                        << found;
  } else {
    EXPECT_EQ(found, test.expected);
  }
}

std::vector<std::string> file_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".graph") names.push_back(entry.path().stem());
  }
  std::ranges::sort(names);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Files, GraphFileTest, ::testing::ValuesIn(file_names()),
                         [](const auto& info) { return info.param; });

TEST_F(GraphTextTest, PrintedGraphsAreReadBack) {
  GraphNames names = loaded_names();
  u32 read = 0, unreadable = 0;
  for_each_started_method([&](Method* method) {
    graph::BuildOptions options;
    options.inlines = true;
    graph::Built built = graph::build(method, options);
    if (built.graph == nullptr) return;
    for (bool is_optimised : {false, true}) {
      if (is_optimised) graph::optimise(*built.graph);
      std::string text = graph::print(*built.graph, Detail::Complete);
      testing::ParsedGraph parsed = parse_graph(text, method, names);
      if (parsed.problem.contains("text does not say")) {
        ++unreadable;
        continue;
      }
      ASSERT_EQ(parsed.problem, "") << text;
      EXPECT_EQ(graph::print(*parsed.graph, Detail::Complete), text);
      ++read;
    }
  });
  EXPECT_GT(read, 10 * unreadable);
}

TEST_F(GraphTextTest, APictureHasABoxForEachBlock) {
  Method* method = make("(I)I", "iload_0\nireturn\n");
  testing::ParsedGraph parsed = parse_graph(
      "b0:\n  n0 int = parameter 0\n  jump b1\n"
      "b1: b0 b2\n  branch n0 b2 b3\nb2: b1\n  jump b1\n"
      "b3: b1\n  return_ n0\n",
      method, loaded_names());
  ASSERT_EQ(parsed.problem, "");
  EXPECT_EQ(graph::print_dot(*parsed.graph, "a \"loop\""), R"(digraph "a \"loop\"" {
  node [shape=box fontname=monospace fontsize=10];
  b0 [label="b0:\l  n0 int = parameter 0\l  jump b1\l"];
  b0 -> b1;
  b1 [label="b1 (loop): b0 b2\l  branch n0 b2 b3\l" style=bold];
  b1 -> b2 [label=true];
  b1 -> b3;
  b2 [label="b2: b1\l  jump b1\l"];
  b2 -> b1 [style=dashed constraint=false];
  b3 [label="b3: b1\l  return_ n0\l"];
}
)");
}

TEST_F(GraphTextTest, ProblemsAreNamed) {
  Method* method = make("(I)I", "iload_0\nireturn\n");
  GraphNames names = loaded_names();
  struct Case {
    const char *text, *problem;
  };
  for (auto [text, problem] : {
           Case{"", "there is no block"},
           {"n0 int = parameter 0", "expected a block"},
           {"b0:\n  n0 int = parametre 0\n", "line 2: no such operation"},
           {"b0:\n  n0 integer = parameter 0\n", "line 2: expected a type"},
           {"b0:\n  n0 int = parameter 0\n", "b0 has no end"},
           {"b0:\n  n0 int = parameter 0\n  return_ n1\n", "line 3: there is no n1"},
           {"b0:\n  n0 int = parameter 0\n  n0 int = parameter 0\n  return_ n0\n", "line 3: two n0"},
           {"b0:\n  n0 int = parameter 0\n  jump b1\n", "the edge from b0 to b1"},
           {"b0: b1\n  jump b1\nb1: b0\n  n0 int = constant 1\n  return_ n0\n", "the edge from b1 to b0"},
           {"b0:\n  n0 int = parameter 0\n  guard null n0\n  return_ n0\n", "line 3: a state is missing"},
           {"b0:\n  n0 int = parameter 0\n  guard nul n0 @0 [n0 | ]\n  return_ n0\n", "line 3: no such name"},
           {"b0:\n  n0 int = parameter 0\n  guard null n0 @7 [n0 | ]\n  return_ n0\n", "line 3: no such bci"},
           {"b0:\n  n0 int = parameter 0\n  guard null n0 @0 [n0 ]\n  return_ n0\n", "line 3: expected |"},
           {"b0:\n  n0 reference = mirror {No}\n  return_ n0\n", "line 2: no class No"},
           {"b0:\n  n0 int = parameter 0 of\n  return_ n0\n", "line 2: what is this at \"of\""},
           {"b0:\n  n0 long = constant 1\n  n1 int = iadd n0 n0\n  return_ n1\n", "has an input of another type"},
           {"b0:\n  n0 int = parameter 0\n  jump b1\nb1: b0\n  n2 int = phi n0 n0\n  return_ n2\n",
            "line 4: n2 has not one input for each predecessor"},
           {"b0:\n  n99999999 int = parameter 0\n  return_ n99999999\n", "line 2: too large an id"},
       }) {
    testing::ParsedGraph parsed = parse_graph(text, method, names);
    EXPECT_EQ(parsed.graph, nullptr) << text;
    EXPECT_NE(parsed.problem.find(problem), std::string::npos) << text << "\n" << parsed.problem;
  }
}

}  // namespace
}  // namespace keyhole
