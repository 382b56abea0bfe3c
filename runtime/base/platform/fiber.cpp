// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Stacks of fibers, and where they begin. Rules: fiber.h.
#include "runtime/base/platform/fiber.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "runtime/base/page.h"
#include "runtime/base/platform/fiber_switch.h"
#include "runtime/base/print.h"
#include "runtime/base/sanitizers.h"

namespace keyhole {

namespace context = boost::context::detail;

namespace {
// Offsets of the first frame from the end of the mapping, so-called colours: sixteen, a cache line apart.
constexpr usize least_colour_bytes = 256, colour_step_bytes = 64, colours = 16;
std::atomic<usize> next_colour{0};
}  // namespace

void Fiber::Switch::enter(context::transfer_t arrival) {
  Fiber* self = static_cast<Switch*>(arrival.data)->to;
  arrive(arrival);
  Fiber* next = self->body_(self->argument_);
  self->finished_ = true;
  switch_between(*self, *next);
  print_text(stderr, "a finished fiber was run\n");
  abort();
}

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
  // R3: removes the poison that an abandoned body has left on this stack.
  __asan_unpoison_memory_region(static_cast<char*>(mapping_) + guard_bytes_, mapping_bytes_ - guard_bytes_);
#elif __has_feature(thread_sanitizer)
  forget_history();
  history_ = __tsan_create_fiber(0);
#endif
}

__attribute__((no_sanitize("address"))) void Fiber::run_on(Fiber& guest, Fiber& host, void (*operation)(void* argument),
                                                           void* argument) {
  Switch message{&guest, &host, operation, argument};
  Switch::jump(&message);
}

}  // namespace keyhole
