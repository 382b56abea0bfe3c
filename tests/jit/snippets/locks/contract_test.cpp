// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the contract of every locking algorithm, with the fast paths of the bitcode in place of those that the compiler
// inlines into the tests of runtime/sync.
#include "tests/jit/snippets/locks/bitcode_locks.h"

#define KEYHOLE_FAST_PATHS bitcode
#include "tests/runtime/sync/contract_test.cpp"

namespace keyhole::test {
namespace {

class BitcodeLocksTest : public SyncTest {};

// A fast path that always fails would also keep the contract. So this test compares the bitcode with the inlined
// snippet: the bitcode must return the same result and leave the same header.
TEST_F(BitcodeLocksTest, AnswerAsTheInlinedOnesDo) {
  u32 compared = 0;
  for (const sync::Algorithm* algorithm : sync::all_algorithms()) {
    if (!runs_on_this_layout(algorithm->name) || algorithm->name == "traced") continue;
    choose(algorithm->name);
    if (sync::fast_path().is_none()) continue;
    ++compared;
    Handle objects[2] = {make(), make()};
    for (Handle object : objects) {
      sync::identity_hash(self, object);
      use_once(object);  // this first use of the object creates the algorithm's structures
      sync::deflation::run_pass(self);
    }
    auto enter = [&](int index) {
      Handle object = objects[index];
      LockRecord* record = &self->lock_records[self->lock_record_top];
      bool done = false;
#define FAST_PATH(name, snippet, header)                                              \
  if (&sync::fast_path() == &sync::fast_path_rows::name)                              \
    done = index == 0 ? sync::fast_paths::name::try_enter(self, object.get(), record) \
                      : snippet_enter_##name(self, object.get(), record);
#include "runtime/sync/fast_paths.def"
      ++self->lock_record_top;
      record->object = object.get();
      if (!done) sync::enter(self, object, record);
      return done;
    };
    auto exit = [&](int index) {
      Handle object = objects[index];
      LockRecord* record = &self->lock_records[self->lock_record_top - 1];
      bool done = false;
#define FAST_PATH(name, snippet, header)                                             \
  if (&sync::fast_path() == &sync::fast_path_rows::name)                             \
    done = index == 0 ? sync::fast_paths::name::try_exit(self, object.get(), record) \
                      : snippet_exit_##name(self, object.get(), record);
#include "runtime/sync/fast_paths.def"
      if (!done) sync::exit(self, object, record);
      record->object = nullptr;
      --self->lock_record_top;
      return done;
    };
    auto bits = [&](int index) { return objects[index]->header_word() & layout::lock_mask; };
    bool any = false;
    for (int round = 0; round < 2; ++round) {  // the first round may create structures for the second
      for (int level = 0; level < 3; ++level) {
        bool expected = enter(0);
        layout::Word held = bits(0);
        // Locks one object at a time, because an algorithm may remember the object that was locked last.
        for (int inner = level; inner >= 0; --inner) exit(0);
        for (int inner = 0; inner < level; ++inner) enter(1);
        EXPECT_EQ(enter(1), expected) << algorithm->name << " level " << level;
        EXPECT_EQ(bits(1), held) << algorithm->name;
        EXPECT_TRUE(sync::holds_lock(self, objects[1].get())) << algorithm->name;
        for (int inner = level; inner >= 0; --inner) any |= exit(1) && expected;
        EXPECT_FALSE(sync::holds_lock(self, objects[1].get())) << algorithm->name;
        for (int inner = 0; inner <= level; ++inner) enter(0);
      }
      for (int level = 0; level < 3; ++level) exit(0);
    }
    EXPECT_TRUE(any) << algorithm->name << ": the fast path never serves";
    for (Handle object : objects) EXPECT_FALSE(sync::holds_lock(self, object.get()));
  }
  EXPECT_GE(compared, layout::can_displace ? 8u : 3u);
}

}  // namespace
}  // namespace keyhole::test
