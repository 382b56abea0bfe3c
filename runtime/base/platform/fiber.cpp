// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Fibers over Boost.Context's jump_fcontext, which saves callee-saved registers and nothing else. Rules: fiber.h.
#include "runtime/base/platform/fiber.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <atomic>
#include <boost/context/detail/fcontext.hpp>
#include <cstdio>
#include <cstdlib>

#include "runtime/base/page.h"
#include "runtime/base/print.h"
#include "runtime/base/sanitizers.h"

namespace keyhole {

namespace context = boost::context::detail;

namespace {
// Sixteen colours, a cache line apart, none of them at the end of the mapping.
constexpr usize least_colour_bytes = 256, colour_step_bytes = 64, colours = 16;
std::atomic<usize> next_colour{0};
}  // namespace

// Lies on the old stack, and is read on the new one.
struct Fiber::Switch {
  Fiber* from;
  Fiber* to;
  void (*operation)(void* argument) = nullptr;   // run_on: what the other side does before it switches back
  void* argument = nullptr;

  static void leave([[maybe_unused]] Switch* message) {
#if __has_feature(address_sanitizer)
    // A finished fiber never resumes: its fake stack is freed.
    __sanitizer_start_switch_fiber(message->from->finished_ ? nullptr : &message->from->fake_stack_,
                                   message->to->sanitizer_bottom_, message->to->sanitizer_bytes_);
#elif __has_feature(thread_sanitizer)
    if (message->from->mapping_ == nullptr) message->from->history_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(message->to->history_, 0);
#endif
  }
  // On the stack of `to`. R1.
  static void arrive(context::transfer_t arrival) {
    Switch* message = static_cast<Switch*>(arrival.data);
    message->from->context_ = arrival.fctx;
#if __has_feature(address_sanitizer)
    // Only the sanitizer knows the OS thread's own stack, and only now.
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
  // The suspended side of switch_between: whoever comes is served, until one wants it to continue.
  __attribute__((no_sanitize("address"))) static void jump(Switch* message) {
    for (;;) {
      leave(message);
      context::transfer_t arrival = context::jump_fcontext(message->to->context_, message);
      Switch* received = static_cast<Switch*>(arrival.data);
      arrive(arrival);
      if (received->operation == nullptr) return;
      received->operation(received->argument);
      *message = {received->to, received->from};
    }
  }

  // The first switch to a fiber arrives here, not after a jump.
  static void enter(context::transfer_t arrival) {
    Fiber* self = static_cast<Switch*>(arrival.data)->to;
    arrive(arrival);
    Fiber* next = self->body_(self->argument_);
    self->finished_ = true;
    switch_between(*self, *next);
    print_text(stderr, "a finished fiber was run\n");
    abort();
  }
};

Fiber::Fiber(usize stack_bytes) {
  usize usable = (stack_bytes + page_bytes - 1) & ~(page_bytes - 1);
  mapping_bytes_ = usable + page_bytes;
  mapping_ = mmap(nullptr, mapping_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping_ == MAP_FAILED || mprotect(mapping_, page_bytes, PROT_NONE) != 0) {
    print_text(stderr, "no memory for a fiber's stack of {} bytes\n", mapping_bytes_);
    abort();
  }
  guard_bytes_ = page_bytes;
  use_mapping();
}

void Fiber::lie_in(void* memory, usize bytes) {
  mapping_ = memory;
  mapping_bytes_ = bytes;
  use_mapping();
}

void Fiber::use_mapping() {
  colour_bytes_ =
      least_colour_bytes + next_colour.fetch_add(1, std::memory_order_relaxed) % colours * colour_step_bytes;
  sanitizer_bottom_ = static_cast<char*>(mapping_) + guard_bytes_;
  sanitizer_bytes_ = mapping_bytes_ - guard_bytes_;
}

void Fiber::forget_history() {
#if __has_feature(thread_sanitizer)
  if (history_ != nullptr && mapping_ != nullptr) __tsan_destroy_fiber(history_);
  history_ = nullptr;
#endif
}

Fiber::~Fiber() {
  forget_history();
  if (guard_bytes_ != 0) munmap(mapping_, mapping_bytes_);
}

void Fiber::start(Body body, void* argument) {
  body_ = body;
  argument_ = argument;
  finished_ = false;
  char* end = static_cast<char*>(mapping_) + mapping_bytes_ - colour_bytes_;
  context_ = context::make_fcontext(end, mapping_bytes_ - guard_bytes_ - colour_bytes_, Switch::enter);
#if __has_feature(address_sanitizer)
  fake_stack_ = nullptr;
  // R3: of the body that ran here before.
  __asan_unpoison_memory_region(static_cast<char*>(mapping_) + guard_bytes_, mapping_bytes_ - guard_bytes_);
#elif __has_feature(thread_sanitizer)
  forget_history();
  history_ = __tsan_create_fiber(0);
#endif
}

// Not sanitized: the message must lie on the real stack, because a finished fiber's fake stack is freed before the
// message is read.
__attribute__((no_sanitize("address"))) void Fiber::switch_between(Fiber& from, Fiber& to) {
  Switch message{&from, &to};
  Switch::jump(&message);
}

__attribute__((no_sanitize("address"))) void Fiber::run_on(Fiber& guest, Fiber& host, void (*operation)(void* argument),
                                                           void* argument) {
  Switch message{&guest, &host, operation, argument};
  Switch::jump(&message);
}

}  // namespace keyhole
