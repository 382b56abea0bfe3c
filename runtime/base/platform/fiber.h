// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Fiber: a stack and the place where it stopped. One OS thread runs many, one at a time; a switch costs about 5 ns.
//
//   empty --start(body)--> ready --switch_to--> running --switch_to another--> suspended --switch_to--> running
//     ^                                            |
//     +------ start again, at any time ------------+-- body returns --> finished: its result is the next fiber
//
// R1: the resumed fiber stores where the other one stopped: only jump_fcontext provides that.
// R2: a body must not return into nothing: it returns the fiber that runs next.
// R3: start() on a suspended fiber abandons its body. No destructor runs: a body that may be abandoned owns no memory.
// R4: no address of a thread_local lives across a switch, when fibers of one group are run by several OS threads.
//
// A stack that the fiber maps itself has a guard page below. The first frame lies a few hundred bytes under the end, at
// a distance that differs from fiber to fiber: exactly at the end a switch costs 60 ns instead of 5, because all fibers
// meet in the same cache sets.
#pragma once

#include "runtime/base/types.h"

namespace keyhole {

class Fiber {
 public:
  using Body = Fiber* (*)(void* argument);  // returns the fiber that runs next (R2)
  static constexpr usize default_stack_bytes = 64 * 1024;

  // An empty Fiber, for the OS thread's own stack, to which others return.
  Fiber() = default;
  // Maps a stack. Ends the process when there is no memory.
  explicit Fiber(usize stack_bytes);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Gives the fiber a stack in the caller's memory, before its first start. The first page need not be a guard page.
  void lie_in(void* memory, usize bytes);

  // Prepares the fiber: the next switch to it begins body(argument). Not called on the running fiber.
  void start(Body body, void* argument);
  bool is_finished() const { return finished_; }
  // Abandons a suspended fiber, which will not run before its next start (R3).
  void abandon() { forget_history(); }

  // Stops `from`, which is running, and continues `to`; returns when a fiber switches to `from`.
  static void switch_between(Fiber& from, Fiber& to);

  // Called by the running fiber `guest`: runs operation(argument) on the stack of the suspended fiber `host`, and
  // returns. `host` stays suspended. The operation must not switch.
  static void run_on(Fiber& guest, Fiber& host, void (*operation)(void* argument), void* argument);

  bool contains(const void* address) const {
    return address >= mapping_ && address < static_cast<const char*>(mapping_) + mapping_bytes_;
  }

 private:
  struct Switch;  // the message that a switch passes to the other side
  void use_mapping();
  void forget_history();

  void* context_ = nullptr;
  void* mapping_ = nullptr;  // null: the OS thread's own stack
  usize mapping_bytes_ = 0;
  usize guard_bytes_ = 0;  // guard page at its low end; 0: the mapping is the caller's
  usize colour_bytes_ = 0;
  Body body_ = nullptr;
  void* argument_ = nullptr;
  bool finished_ = false;
  // AddressSanitizer keeps a shadow of local variables per stack, ThreadSanitizer a history: they must be notified of
  // each switch.
  [[maybe_unused]] void* fake_stack_ = nullptr;
  const void* sanitizer_bottom_ = nullptr;
  usize sanitizer_bytes_ = 0;
  [[maybe_unused]] void* history_ = nullptr;
};

}  // namespace keyhole
