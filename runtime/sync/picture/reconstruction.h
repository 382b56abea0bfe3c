// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reconstruction: makes the picture of one lock from the notes and events of its threads, in the order of time.
//
//   change()     the algorithm made a step (an event lock_change)
//   entered()    a thread has entered a level of the lock (lock_enter)
//   exited()     a thread has released a level of the lock (lock_exit)
//   waits(), waited()   around Object.wait (wait_begin, wait_end)
//
// R1: the picture's owner follows from reported steps. But the VM's inlined fast paths (snippets) report none. So an
//     enter by a thread that is not the owner, and an exit of the owner's last level, count as steps of a snippet.
// R2: the effect of a snippet's step on the header follows from the picture before it: a monitor, for example, stays
//     until a reported step removes it.
// R3: a step that is reported too late changes nothing: a thread that is not the owner cannot release the lock, and a
//     thread that is in no list cannot leave a list.
// R4: only monitors have a successor, or a hash outside the header. A step at a monitor changes nothing if the object
//     no longer has that monitor.
// R5: a thread whose enter or wait has ended is in no list. In a recording, the event by which a thread joins a list
//     may come late, if the thread was descheduled between the step and its event.
#pragma once

#include <map>

#include "runtime/sync/picture/picture.h"

namespace keyhole::sync::picture {

class Reconstruction {
 public:
  explicit Reconstruction(Family family) : family_(family) {}

  void change(u32 subject, const Change& change);
  void entered(u32 thread);
  // If `says_more` is true, the same thread's next change gives the lock's new state.
  void exited(u32 thread, bool says_more = false);
  void waits(u32 thread);
  void waited(u32 thread);
  void hashed() { picture_.is_hashed = true; }
  // Called when the object has died: the reconstruction is for another object from now on.
  void died() { *this = Reconstruction(family_); }

  const Picture& picture() const { return picture_; }
  Family family() const { return family_; }

 private:
  struct Levels {
    u32 held = 0, given_up = 0;  // given up in Object.wait
  };
  void set_owner(u32 thread);
  void has_lock(u32 thread);
  bool has_monitor() const { return picture_.header.lock() == HeaderState::inflated; }
  void snippet(bool takes);

  Family family_;
  Picture picture_;
  std::map<u32, Levels> levels_;  // by thread
};

}  // namespace keyhole::sync::picture
