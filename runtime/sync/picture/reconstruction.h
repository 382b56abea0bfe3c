// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reconstruction: the picture of one lock, from what its threads say in the order of time.
//
//   change()     the algorithm made a step (an event lock_change)
//   entered()    a thread has the lock, or one level more of it (lock_enter)
//   exited()     it has given a level up (lock_exit)
//   waits(), waited()   around Object.wait (wait_begin, wait_end)
//
// R1: steps say who owns. Snippets say none in the VM, so an enter by a thread that does not own, and an exit of the
//     owner's last level, are steps themselves.
// R2: what came before says what such a step did to the header: a monitor stays until a step takes it away.
// R3: what comes too late is left out: who is not the owner lets nothing go, who is in no list leaves none.
// R4: a successor is a monitor's, and so is a hash that is put there: what a thread does at a monitor that the object
//     does not have any more is in vain.
// R5: whose enter or wait has ended is in no list. In a recording a thread that was descheduled between a step and its
//     event may tell late that it came.
#pragma once

#include <map>

#include "runtime/sync/picture/picture.h"

namespace keyhole::sync::picture {

class Reconstruction {
 public:
  explicit Reconstruction(Family family) : family_(family) {}

  void change(u32 subject, const Change& change);
  void entered(u32 thread);
  // says_more: a change by the same thread follows, which says what became of the lock.
  void exited(u32 thread, bool says_more = false);
  void waits(u32 thread);
  void waited(u32 thread);
  void hashed() { picture_.is_hashed = true; }
  // Another object from now on.
  void died() { *this = Reconstruction(family_); }

  const Picture& picture() const { return picture_; }
  Family family() const { return family_; }

 private:
  struct Levels {
    u32 held = 0, given_up = 0;   // given up in Object.wait
  };
  void set_owner(u32 thread);
  void has_lock(u32 thread);
  bool has_monitor() const { return picture_.header.lock() == HeaderState::inflated; }
  void snippet(bool takes);

  Family family_;
  Picture picture_;
  std::map<u32, Levels> levels_;   // by thread
};

}  // namespace keyhole::sync::picture
