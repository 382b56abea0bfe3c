// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests permanent symbols, and symbols that live while they are referenced.
#include "runtime/base/symbol.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <random>
#include <thread>
#include <vector>

namespace keyhole {
namespace {

TEST(Symbol, SameTextIsOneSymbol) {
  const Symbol* one = Symbol::intern("symbol_test/One");
  EXPECT_EQ(one, Symbol::intern(std::string("symbol_test/") + "One"));
  EXPECT_NE(one, Symbol::intern("symbol_test/Two"));
  EXPECT_EQ(one->text(), "symbol_test/One");
  EXPECT_EQ(one->dotted(), "symbol_test.One");
  EXPECT_TRUE(one->lives_for_ever());
  EXPECT_EQ(Symbol::intern("")->length(), 0u);
}

TEST(Symbol, LivesAsLongAsItIsHeld) {
  SymbolFigures before = symbol_figures();
  {
    SymbolHandle first("symbol_test/held");
    EXPECT_FALSE(first->lives_for_ever());
    EXPECT_EQ(symbol_figures().held, before.held + 1);
    SymbolHandle second("symbol_test/held");
    EXPECT_EQ(static_cast<const Symbol*>(first), static_cast<const Symbol*>(second));
    SymbolHandle copy = first;
    SymbolHandle moved = std::move(first);
    EXPECT_EQ(first, nullptr);
    second = SymbolHandle();
    copy = moved;
    EXPECT_EQ(symbol_figures().held, before.held + 1);
    EXPECT_EQ(static_cast<const Symbol*>(Symbol::find("symbol_test/held")), static_cast<const Symbol*>(copy));
  }
  EXPECT_EQ(Symbol::find("symbol_test/held"), nullptr);
  EXPECT_EQ(symbol_figures().held, before.held);
  EXPECT_EQ(symbol_figures().all, before.all);
  EXPECT_EQ(symbol_figures().all_bytes, before.all_bytes);
}

TEST(Symbol, WhoInternsAHeldOneKeepsItForEver) {
  const Symbol* kept;
  SymbolFigures before = symbol_figures();
  {
    SymbolHandle held("symbol_test/kept");
    SymbolHandle again = held;
    kept = Symbol::intern("symbol_test/kept");
    EXPECT_EQ(kept, static_cast<const Symbol*>(held));
  }
  EXPECT_EQ(kept->text(), "symbol_test/kept");
  EXPECT_EQ(static_cast<const Symbol*>(Symbol::find("symbol_test/kept")), kept);
  SymbolHandle one_more(kept);
  EXPECT_EQ(symbol_figures().held, before.held);
  EXPECT_EQ(symbol_figures().all, before.all + 1);
}

TEST(Symbol, AReleasedHoldIsTheCallers) {
  const Symbol* symbol = SymbolHandle("symbol_test/released").release();
  EXPECT_EQ(symbol->text(), "symbol_test/released");
  symbol->drop();
  EXPECT_EQ(Symbol::find("symbol_test/released"), nullptr);
}

// When a symbol is removed from the hash table, the symbols after it move up to close the gap. After additions and
// removals in random order, the remaining symbols must still be found.
TEST(Symbol, OthersAreFoundAfterSomeAreFreed) {
  std::mt19937 random(17);
  std::map<std::string, SymbolHandle> held;
  usize before = symbol_figures().held;
  for (int step = 0; step < 100'000; ++step) {
    std::string text = fmt::format("symbol_test/{}", random() % 20'000);
    if (random() % 2 == 0) held.try_emplace(text, SymbolHandle(text));
    else held.erase(text);
  }
  EXPECT_EQ(symbol_figures().held, before + held.size());
  for (int i = 0; i < 20'000; ++i) {
    std::string text = fmt::format("symbol_test/{}", i);
    auto found = held.find(text);
    ASSERT_EQ(static_cast<const Symbol*>(Symbol::find(text)),
              found == held.end() ? nullptr : static_cast<const Symbol*>(found->second))
        << text;
  }
  held.clear();
  EXPECT_EQ(symbol_figures().held, before);
}

// A thread drops the last reference to a symbol while other threads look up the same text.
TEST(Symbol, ThreadsDropAndLookUp) {
  usize before = symbol_figures().held;
  std::atomic<u32> wrong = 0;
  std::vector<std::thread> threads;
  for (u32 seed = 0; seed < 4; ++seed) {
    threads.emplace_back([seed, &wrong] {
      std::mt19937 random(seed);
      for (int i = 0; i < 200'000; ++i) {
        std::string text = fmt::format("symbol_test/shared {}", random() % 3);
        SymbolHandle held(text);
        SymbolHandle copy = held;
        SymbolHandle found = Symbol::find(text);
        if (held->text() != text || found == nullptr || &*found != &*copy) wrong.fetch_add(1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0u);
  EXPECT_EQ(symbol_figures().held, before);
}

#if KEYHOLE_DEBUG
TEST(SymbolDeathTest, AFreedOneIsNoticed) {
  const Symbol* freed = SymbolHandle("symbol_test/freed").release();
  freed->drop();
  EXPECT_DEATH(static_cast<void>(freed->text()), "nobody held");
  EXPECT_DEATH(freed->hold(), "nobody held");
}
#endif

}  // namespace
}  // namespace keyhole
