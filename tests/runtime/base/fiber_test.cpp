// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests fibers: the order in which they run, the registers that survive a switch, a new start on an abandoned stack.
#include "runtime/base/platform/fiber_switch.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace keyhole::test {
namespace {

struct Ring {
  Fiber home;
  std::vector<std::unique_ptr<Fiber>> fibers;
  std::string log;

  struct Member {
    Ring* ring;
    usize index;
    int turns;
  };
  std::vector<Member> members;

  void fill(usize count, int turns) {
    members.resize(count);
    for (usize i = 0; i < count; ++i) {
      fibers.push_back(std::make_unique<Fiber>(usize{16} * 1024));
      members[i] = {this, i, turns};
      fibers[i]->start(body, &members[i]);
    }
  }
  Fiber* after(usize index) { return index + 1 < fibers.size() ? fibers[index + 1].get() : &home; }
  static Fiber* body(void* argument) {
    Member* member = static_cast<Member*>(argument);
    double kept = 0.5 * static_cast<double>(member->index);  // kept in a floating-point register
    for (int turn = 0; turn < member->turns; ++turn) {
      member->ring->log += static_cast<char>('a' + member->index);
      Fiber::switch_between(*member->ring->fibers[member->index], *member->ring->after(member->index));
      EXPECT_EQ(kept, 0.5 * static_cast<double>(member->index));
    }
    return member->ring->after(member->index);
  }
};

TEST(Fiber, TakesTurnsAndFinishes) {
  Ring ring;
  ring.fill(3, 2);
  for (int round = 0; round < 3; ++round) Fiber::switch_between(ring.home, *ring.fibers[0]);
  EXPECT_EQ(ring.log, "abcabc");
  for (auto& fiber : ring.fibers) EXPECT_TRUE(fiber->is_finished());
}

TEST(Fiber, StartsAnewWhereAnotherBodyWasAbandoned) {
  Ring ring;
  ring.fill(2, 1000);
  for (int round = 0; round < 100; ++round) {
    ring.log.clear();
    for (usize i = 0; i < 2; ++i) ring.fibers[i]->start(Ring::body, &ring.members[i]);
    for (int turn = 0; turn < 3; ++turn) Fiber::switch_between(ring.home, *ring.fibers[0]);
    EXPECT_EQ(ring.log, "ababab");
    EXPECT_FALSE(ring.fibers[0]->is_finished());
  }
}

TEST(Fiber, ThousandsLiveAtOnce) {
  Ring ring;
  ring.fill(5000, 1);
  Fiber::switch_between(ring.home, *ring.fibers[0]);
  EXPECT_EQ(ring.log.size(), 5000u);
}

TEST(Fiber, KnowsItsStack) {
  struct Probe {
    Fiber home;
    Fiber fiber{Fiber::default_stack_bytes};
    bool inside = false;
  } probe;
  probe.fiber.start(
      [](void* argument) -> Fiber* {
        Probe* mine = static_cast<Probe*>(argument);
        mine->inside = mine->fiber.contains(__builtin_frame_address(0));
        return &mine->home;
      },
      &probe);
  Fiber::switch_between(probe.home, probe.fiber);
  EXPECT_TRUE(probe.inside);
  EXPECT_FALSE(probe.fiber.contains(&probe));
}

}  // namespace
}  // namespace keyhole::test
