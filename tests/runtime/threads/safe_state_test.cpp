// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the report of debug builds about a thread that touches objects in a safe state. Compile-time errors for the
// same mistake: tests/capabilities.
#include "runtime/base/safe_state.h"

#include <gtest/gtest.h>

#include <thread>

#include "runtime/threads/handles.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/thread_state.h"
#include "runtime/threads/threads.h"

namespace keyhole {
namespace {

class SafeStateTest : public testing::Test {
 protected:
  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    self = threads::attach_current(false, false, 0);
    object = reinterpret_cast<Object*>(words);
  }
  void TearDown() override { threads::detach(self); }

  JavaThread* self = nullptr;
  alignas(8) u64 words[4] = {};
  Object* object = nullptr;
};
using SafeStateDeathTest = SafeStateTest;

// Functions without annotations, so the thread-safety analysis does not see that they touch objects.
[[gnu::noinline]] u32 reads(Object* object) NO_THREAD_SAFETY_ANALYSIS { return object->get<u32>(8); }
[[gnu::noinline, maybe_unused]] void locks(Object* object) NO_THREAD_SAFETY_ANALYSIS { object->header().store(1); }
[[gnu::noinline]] Object* takes_out(Handle handle) NO_THREAD_SAFETY_ANALYSIS { return handle.get(); }

TEST_F(SafeStateTest, AManagedThreadTouchesObjects) {
  EXPECT_EQ(reads(object), 0u);
  {
    NativeScope native(self);
  }
  {
    BlockedScope blocked(self);
  }
  EXPECT_EQ(takes_out(Handle(&object)), object);
}

TEST_F(SafeStateTest, AManagedThreadInsideOfAnNativeOneTouchesObjects) {
  NativeScope native(self);
  VMScope managed(self);
  EXPECT_EQ(reads(object), 0u);
}

TEST_F(SafeStateTest, AThreadThatIsNoneOfJavasTouchesObjects) {
  NativeScope native(self);
  std::thread([&] { EXPECT_EQ(reads(object), 0u); }).join();
}

TEST_F(SafeStateTest, AnOperationOfASafepointTouchesObjects) {
  u32 found = 1;
  auto operation = [&]() WORLD_STOPPED { found = reads(object); };
  safepoint::run(self, "Read", operation);
  EXPECT_EQ(found, 0u);
}

#if KEYHOLE_DEBUG
TEST_F(SafeStateDeathTest, AFieldInStateInNativeNamesBothStacks) {
  auto wrong = [&] {
    NativeScope native(self);
    reads(object);
  };
  EXPECT_DEATH(wrong(),
               "an object is touched in a safe state\n#    .*NativeStack(.|\n)*#    .*AFieldInState(.|\n)*"
               "the safe state was entered at\n#    .*NativeStack(.|\n)*#    .*AFieldInState");
}

TEST_F(SafeStateDeathTest, AHeaderInStateBlocked) {
  auto wrong = [&] {
    BlockedScope blocked(self);
    locks(object);
  };
  EXPECT_DEATH(wrong(), "an object is touched in a safe state");
}

TEST_F(SafeStateDeathTest, AHandleInStateInNative) {
  auto wrong = [&] {
    NativeScope native(self);
    takes_out(Handle(&object));
  };
  EXPECT_DEATH(wrong(), "an object is touched in a safe state");
}

TEST_F(SafeStateDeathTest, ANativeThreadThatHasComeBackFromAManagedStretch) {
  auto wrong = [&] {
    NativeScope native(self);
    {
      VMScope managed(self);
    }
    reads(object);
  };
  EXPECT_DEATH(wrong(), "an object is touched in a safe state");
}

TEST_F(SafeStateDeathTest, WhatIsSaidToBeManagedIsChecked) {
  auto wrong = [&]() NO_THREAD_SAFETY_ANALYSIS {
    NativeScope native(self);
    thread_state::assert_managed(self);
  };
  EXPECT_DEATH(wrong(), "the thread is in a safe state");
}
#endif

}  // namespace
}  // namespace keyhole
