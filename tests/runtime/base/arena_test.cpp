// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests bump allocation of metadata: memory that was given back is zeroed, and is handed out again.
#include "runtime/base/arena.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace keyhole {
namespace {

bool all_zero(const char* memory, usize bytes) {
  return std::all_of(memory, memory + bytes, [](char c) { return c == 0; });
}

TEST(Arena, ReleaseWithinAChunkReturnsZeroedMemory) {
  Arena arena;
  arena.allocate(100);
  Arena::Mark mark = arena.mark();
  char* first = static_cast<char*>(arena.allocate(200));
  memset(first, 0x5A, 200);
  EXPECT_FALSE(arena.mark() == mark);
  arena.release_to(mark);
  EXPECT_TRUE(arena.mark() == mark);
  char* again = static_cast<char*>(arena.allocate(200));
  EXPECT_EQ(again, first);
  EXPECT_TRUE(all_zero(again, 200));
}

TEST(Arena, ReleaseAcrossChunksReturnsThemToThePool) {
  Arena arena;
  char* kept = static_cast<char*>(arena.allocate(64));
  memset(kept, 0x33, 64);
  Arena::Mark mark = arena.mark();
  usize before = arena.allocated_bytes();
  char* next = static_cast<char*>(arena.allocate(64));
  memset(next, 0x5A, 64);
  for (int i = 0; i < 100; ++i) memset(arena.allocate(10'000), 0x5A, 10'000);
  arena.release_to(mark);
  EXPECT_EQ(arena.allocated_bytes(), before);
  EXPECT_TRUE(std::all_of(kept, kept + 64, [](char c) { return c == 0x33; }));
  EXPECT_EQ(arena.allocate(64), next);
  EXPECT_TRUE(all_zero(next, 64));
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(all_zero(static_cast<char*>(arena.allocate(10'000)), 10'000));
}

TEST(Arena, ReleaseToTheEmptyArena) {
  Arena arena;
  Arena::Mark empty = arena.mark();
  memset(arena.allocate(1000), 0x5A, 1000);
  arena.release_to(empty);
  EXPECT_EQ(arena.allocated_bytes(), 0u);
  EXPECT_TRUE(all_zero(static_cast<char*>(arena.allocate(1000)), 1000));
}

}  // namespace
}  // namespace keyhole
