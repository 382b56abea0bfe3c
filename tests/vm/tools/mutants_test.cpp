// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the edits that `keyhole lock check --mutants` makes: each rule edits code where it applies, within one line,
// and never in a comment.
#include "vm/tools/lab/mutants.h"

#include <gtest/gtest.h>

namespace keyhole::test {
namespace {

std::vector<std::string> texts_of(std::string_view text) {
  std::vector<std::string> texts;
  for (const lab::Mutant& mutant : lab::mutants_of(text)) texts.push_back(mutant.text);
  return texts;
}
using Texts = std::vector<std::string>;

TEST(MutantsTest, EachOrderIsRelaxedAlone) {
  EXPECT_EQ(texts_of("  return a.load(acquire) == b.exchange(1, acq_rel);\n"),
            (Texts{"  return a.load(acquire) == b.exchange(1, relaxed);\n",
                   "  return a.load(relaxed) == b.exchange(1, acq_rel);\n"}));
  EXPECT_EQ(texts_of("  a.load(relaxed);\n  void release(Thread*);\n"), Texts{});
}

TEST(MutantsTest, ACasBecomesALoadAndAStore) {
  Texts texts = texts_of("x\n  while (!held.cell.cas(f(1, 2), nullptr, seq_cst));\ny\n");
  ASSERT_EQ(texts.size(), 2u);
  EXPECT_EQ(texts[0],
            "x\n  while (!(held.cell.load(acquire) == (f(1, 2)) && (held.cell.store( nullptr, release), true)));\ny\n");
}

TEST(MutantsTest, TheCellOfACasIsAnElementOrBehindAPointer) {
  EXPECT_EQ(texts_of("  if (slots[at(i)].cas(0, 1, relaxed)) return;\n"),
            Texts{"  if ((slots[at(i)].load(acquire) == (0) && (slots[at(i)].store( 1, release), true))) return;\n"});
  EXPECT_EQ(texts_of("  x = memory()->slots[i]->cas(0, a[1, 2], relaxed);\n"),
            Texts{"  x = (memory()->slots[i]->load(acquire) == (0) && (memory()->slots[i]->store( a[1, 2], release), "
                  "true));\n"});
  EXPECT_EQ(texts_of("  broadcas(0, 1, relaxed); cas(0, 1, relaxed);\n"), Texts{});
}

TEST(MutantsTest, WakeUpsAndFencesAreLeftOut) {
  EXPECT_EQ(texts_of("  return held.next->gate.open(self, held.end);\n"), Texts{"  return ;\n"});
  EXPECT_EQ(texts_of("  crowd.changed(self);\n"), Texts{"  ;\n"});
  EXPECT_EQ(texts_of("  lab::wake<W>(self, sleeper);\n"), Texts{"  ;\n"});
  EXPECT_EQ(texts_of("  fence();\n  no_fence();\n"), Texts{"  ;\n  no_fence();\n"});
}

TEST(MutantsTest, CommentsAreLeftAlone) {
  EXPECT_EQ(texts_of("  // a.load(acquire), crowd.changed(self);\n"), Texts{});
  EXPECT_EQ(lab::mutants_of("\n\n  b.load(acquire);  // acquire)\n").at(0).line, 3u);
  EXPECT_EQ(lab::mutants_of("\n\n  b.load(acquire);  // acquire)\n").size(), 1u);
}

}  // namespace
}  // namespace keyhole::test
