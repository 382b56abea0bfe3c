// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The change of stacks itself, over Boost.Context's jump_fcontext, which saves callee-saved registers and nothing else.
// It is inline, because after it the processor mispredicts each return: its return-address stack belongs to the other
// fiber. Callers of Fiber::switch_between include this header. Rules: fiber.h.
#pragma once

#include <boost/context/detail/fcontext.hpp>

#include "runtime/base/platform/fiber.h"
#include "runtime/base/platform/world.h"
#include "runtime/base/sanitizers.h"

namespace keyhole {

// A message between two fibers. It lies on the old stack, and is read on the new one.
struct Fiber::Switch {
  Fiber* from;
  Fiber* to;
  void (*operation)(void* argument) = nullptr;  // for run_on: called on the other side before it switches back
  void* argument = nullptr;

  KEYHOLE_ALWAYS_INLINE static void leave([[maybe_unused]] Switch* message) {
#if __has_feature(address_sanitizer)
    // A finished fiber never resumes, so its fake stack is freed.
    __sanitizer_start_switch_fiber(message->from->finished_ ? nullptr : &message->from->fake_stack_,
                                   message->to->sanitizer_bottom_, message->to->sanitizer_bytes_);
#elif __has_feature(thread_sanitizer)
    if (message->from->mapping_ == nullptr) message->from->history_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(message->to->history_, 0);
#endif
  }
  // Runs on the stack of `to` after the switch (fiber.h R1).
  KEYHOLE_ALWAYS_INLINE static void arrive(boost::context::detail::transfer_t arrival) {
    Switch* message = static_cast<Switch*>(arrival.data);
    message->from->context_ = arrival.fctx;
#if __has_feature(address_sanitizer)
    // The limits of the OS thread's own stack are known to the sanitizer alone, which reports them here.
    const void* bottom;
    usize bytes;
    __sanitizer_finish_switch_fiber(message->to->fake_stack_, &bottom, &bytes);
    if (message->from->mapping_ == nullptr) {
      message->from->sanitizer_bottom_ = bottom;
      message->from->sanitizer_bytes_ = bytes;
    }
#elif __has_feature(thread_sanitizer)
    if (message->from->finished_) message->from->forget_history();
#endif
  }
  // The suspended side of switch_between: runs the operations of run_on until a switch lets it continue.
  KEYHOLE_ALWAYS_INLINE __attribute__((no_sanitize("address"))) static void jump(Switch* message) {
    for (;;) {
      leave(message);
      auto arrival = boost::context::detail::jump_fcontext(message->to->context_, message);
      Switch* received = static_cast<Switch*>(arrival.data);
      arrive(arrival);
      if (received->operation == nullptr) return;
      received->operation(received->argument);
      *message = {received->to, received->from};
    }
  }

  // The first switch to a fiber arrives here; later ones arrive after a jump.
  static void enter(boost::context::detail::transfer_t arrival);
};

// The function is not sanitized, and therefore not inlined into sanitized code: the message must lie on the real stack,
// because a finished fiber's fake stack is freed before the message is read.
#if __has_feature(address_sanitizer)
[[gnu::noinline]] __attribute__((no_sanitize("address"))) inline
#else
KEYHOLE_ALWAYS_INLINE
#endif
    void
    Fiber::switch_between(Fiber& from, Fiber& to) {
  Switch message{&from, &to};
  Switch::jump(&message);
}

}  // namespace keyhole
