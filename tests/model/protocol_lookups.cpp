// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Recycled structures of virtual threads, under the model checker: a thread ends while another thread looks it up. The
// ended thread's structure is recycled only after the other thread has passed a poll. The structure's contents are a
// Plain cell, so recycling it while another thread still reads it is a race.
#include "runtime/base/platform/checked_world.h"
#include "runtime/threads/structure_lookups.h"
#include "tests/model/protocol_check.h"

namespace keyhole::model {
namespace {

// A mutant of this file is linked into the same program. Because each of the two files has its own type W, the
// templates over W differ.
struct W : CheckedWorld {};

template <u32 operations> struct EndLookUpOperate {
  StructureLookupsOf<W> lookups;
  W::Atomic<u64> field{1};  // Java's reference to the thread's structure; 0: the thread has ended
  W::Plain<u32> contents;   // the contents of the thread's structure: 2 after it has been recycled
  W::Atomic<bool> is_retired{false};
  W::Atomic<i32> polls{0};  // number of polls of the thread that looks up; `left`: that thread has ended
  static constexpr i32 left = -1;

  EndLookUpOperate() { contents.set(1); }

  void run(u32 thread) {
    if (thread == 0) end();
    else if (thread == 1) look_up();
    else
      for (u32 i = 0; i < operations; ++i) operate();
  }
  void end() {
    field.store(0, std::memory_order_release);
    W::fence();
    if (lookups.any()) is_retired.store(true, std::memory_order_release);
    else contents.set(2);
  }
  void look_up() {
    for (u32 i = 0; i < operations; ++i) {
      if (lookups.look_up(field) != 0) expect(contents.get() == 1, "it has been recycled");
      poll(i + 1 == operations ? left : static_cast<i32>(i) + 1);
    }
  }
  void poll(i32 number) {
    polls.store(number, std::memory_order_seq_cst);
    W::wake(polls, 1);
  }
  // Makes a handshake with each of the two other threads. The thread that looks up structures reaches the handshake at
  // its next poll. The thread that ends reaches the handshake at any time.
  void operate() {
    lookups.operation_begins();
    bool meets = is_retired.exchange(false, std::memory_order_acq_rel);
    i32 before = polls.load(std::memory_order_seq_cst);
    while (before != left && polls.load(std::memory_order_seq_cst) == before) W::wait_on(polls, before, forever);
    lookups.operation_has_reached_all();
    if (meets) contents.set(2);
  }
  void finish() {}
};

constexpr ProtocolCheck lookup_checks[] = {
    {"look-up", "a thread is looked up while it ends, and an operation takes place", program<EndLookUpOperate<1>, 3>},
    {"look-up-twice", "the same with two lookups and two operations", program<EndLookUpOperate<2>, 3>},
};
MODEL_PROTOCOL("lookups", "recycled structures of virtual threads", lookup_checks);

}  // namespace
}  // namespace keyhole::model
