// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// ContinuationLists: all continuations, apart by whether a young collection has to visit them.
//
//   made --> active -- a collection found no young reference, and nobody runs it --> settled
//              ^                                                                       |
//              +------ about to be mounted; refers to a young object after all;  ------+
//                      a collection slid the heap
//
// What a settled continuation refers to is old and stays where it is until a collection moves old objects, so young
// collections pay for those that ran, however many are parked.
//
// R1: references are written into a continuation by itself, by its mounter and by the collector, and by no one else:
//     locking protocols give an unmounted thread permits, grants and links between elements; redefinition and the
//     sweeper replace methods and code; exceptions are thrown into platform threads only (asynchronous.h).
// R2: the mounter makes it active before it writes to it, and passes no poll from there until it has given its seat
//     away, or has queued it for a stack. From then until the mounter has arrived again JavaThread::carrier is set,
//     which keeps it active.
// R3: a collection that moves old objects, or makes them young, visits settled continuations, too. Where the new
//     addresses are known as roots are visited, it decides anew about each; a sliding collection makes all active.
// R4: an element that a thread has lent is for an object to which its records or handles refer, so it needs no visit of
//     its own. Locking algorithms leave out the same threads (W::for_each_thread_in_collection): what they keep for a
//     settled one stays right, and a table in which elements change places changes those of the others only.
//
// The verifier checks that the settled are unmounted, refer to no young object and remember no monitor (gc/verify.h,
// V15).
#pragma once

#include "runtime/base/mutex.h"
#include "runtime/threads/continuations/continuation.h"

namespace keyhole::threads {

class ContinuationLists {
 public:
  void add(JavaThread* continuation) { link(active_, continuation); }
  void remove(JavaThread* continuation);
  // R2
  void activate(JavaThread* continuation);

  // Those in use: continuation_cache.h, R2.
  template <typename Visit> void for_each_active(Visit&& visit) const { visit_list(active_, visit); }
  template <typename Visit> void for_each_settled(Visit&& visit) const { visit_list(settled_, visit); }

  // World stopped: what visits of the collection in progress have found (note_young_reference) decides.
  void settle();
  void activate_all();

 private:
  static void link(JavaThread*& list, JavaThread* continuation);
  template <typename Visit> static void visit_list(JavaThread* list, Visit&& visit) {
    for (JavaThread* next; list != nullptr; list = next) {
      next = list->next;
      if (list->continuation->is_in_use.load(std::memory_order_relaxed)) visit(list);
    }
  }
  void move(JavaThread* continuation, bool settled);

  JavaThread* active_ = nullptr;
  JavaThread* settled_ = nullptr;
};

// --- the collector, world stopped ------------------------------------------------------------------------------------
// Exists while for_each_in_collection (threads.h) leaves out the settled continuations.
class SettledLeftOut {
 public:
  explicit SettledLeftOut(bool leaves_out);
  ~SettledLeftOut();
  SettledLeftOut(const SettledLeftOut&) = delete;
};
bool are_settled_left_out();
// Any worker: after its visit, the thread refers to a young object.
void note_young_reference(JavaThread* thread);
// All roots have been visited, and updated.
void settle_continuations();
void activate_continuations();
bool is_settled(const JavaThread* thread);

}  // namespace keyhole::threads
