// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The order of locks, from runtime/lock_ranks.def: says whether a thread that holds a lock of one rank may take one of
// another. It is not part of lock_ranks.h, because only the check and its test use it.
#pragma once

#include "runtime/base/lock_ranks.h"

namespace keyhole::lock_ranks {

struct Row {
  const char* name;
  bool is_leaf;
};
inline constexpr Row rows[] = {
#define LOCK(name, guards) {#name, false},
#define LEAF(name, guards) {#name, true},
#define NESTS(outer, inner, reason)
#include "runtime/lock_ranks.def"
#undef LOCK
#undef LEAF
#undef NESTS
};
inline constexpr u32 count = sizeof rows / sizeof rows[0];
static_assert(count <= 64, "one bit of a word for each rank");

struct Edge {
  LockRank outer, inner;
};
inline constexpr Edge edges[] = {
#define LOCK(name, guards)
#define LEAF(name, guards)
#define NESTS(outer, inner, reason) {LockRank::outer, LockRank::inner},
#include "runtime/lock_ranks.def"
#undef LOCK
#undef LEAF
#undef NESTS
};

constexpr const char* name_of(LockRank rank) { return rows[static_cast<u32>(rank)].name; }

// The ranks that may be taken inside of each rank: the leaves, and all that its edges lead to, directly or indirectly.
struct Inside {
  u64 of[count] = {};
};
constexpr Inside make_inside() {
  Inside inside;
  u64 leaves = 0;
  for (u32 i = 0; i < count; ++i) leaves |= u64{rows[i].is_leaf} << i;
  for (u32 i = 0; i < count; ++i) {
    if (!rows[i].is_leaf) inside.of[i] = leaves;
  }
  // Edges point down the table, so a row's set is complete before the rows above it use it.
  for (u32 outer = count; outer-- != 0;) {
    for (const Edge& edge : edges) {
      u32 inner = static_cast<u32>(edge.inner);
      if (static_cast<u32>(edge.outer) == outer) inside.of[outer] |= (u64{1} << inner) | inside.of[inner];
    }
  }
  return inside;
}
inline constexpr Inside inside = make_inside();

constexpr bool may_take(LockRank held, LockRank wanted) {
  return (inside.of[static_cast<u32>(held)] >> static_cast<u32>(wanted) & 1) != 0;
}

constexpr bool edges_point_down() {
  for (const Edge& edge : edges) {
    if (edge.outer >= edge.inner || rows[static_cast<u32>(edge.outer)].is_leaf) return false;
  }
  return true;
}
static_assert(edges_point_down(),
              "runtime/lock_ranks.def: an outer lock stands above what is taken inside of it, and is no leaf");

}  // namespace keyhole::lock_ranks
