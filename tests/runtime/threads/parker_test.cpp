// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests Parker: permits, deadlines, hand-over between real threads.
#include "runtime/threads/parker.h"

#include <gtest/gtest.h>

#include <thread>

namespace keyhole {
namespace {

TEST(Parker, PermitGivenBeforeParkIsConsumed) {
  Parker parker;
  parker.unpark();
  parker.unpark();  // one permit, not two
  parker.park();
  EXPECT_FALSE(parker.consume());
}

TEST(Parker, ReturnsAtTheDeadline) {
  Parker parker;
  i64 begin = hardware::now_nanoseconds();
  i64 end = begin;
  while (end - begin < 20'000'000) {  // park may return spuriously
    parker.park(20'000'000 - (end - begin));
    end = hardware::now_nanoseconds();
  }
  EXPECT_GE(end - begin, 20'000'000);
  EXPECT_FALSE(parker.consume());
}

TEST(Parker, ZeroTimeoutDoesNotSleep) {
  Parker parker;
  parker.park(0);
  EXPECT_FALSE(parker.consume());
}

TEST(Parker, ClearForgetsThePermit) {
  Parker parker;
  parker.unpark();
  parker.clear();
  EXPECT_FALSE(parker.consume());
}

// Writes before unpark are visible after park, and no wake-up is lost: two threads pass a ball to and fro.
TEST(Parker, PingPongLosesNoWakeUp) {
  constexpr int rounds = 20000;
  Parker ping, pong;
  std::atomic<int> turn{0};
  int ball = 0;  // intentionally not atomic, because `turn` orders the accesses to `ball`
  std::thread other([&] {
    for (int i = 0; i < rounds; ++i) {
      while (turn.load(std::memory_order_acquire) != 1) pong.park();
      ++ball;
      turn.store(0, std::memory_order_release);
      ping.unpark();
    }
  });
  for (int i = 0; i < rounds; ++i) {
    ++ball;
    turn.store(1, std::memory_order_release);
    pong.unpark();
    while (turn.load(std::memory_order_acquire) != 0) ping.park();
  }
  other.join();
  EXPECT_EQ(ball, 2 * rounds);
}

}  // namespace
}  // namespace keyhole
