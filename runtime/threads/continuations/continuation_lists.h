// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// ContinuationLists: two lists of all continuations. Young collections visit the dirty ones and skip the clean ones.
//
//   made --> dirty -- a collection found no young reference, and it is unmounted --> clean
//              ^                                                                       |
//              +------ is about to be mounted; refers to a young object after all; ----+
//                      a collection slid the heap
//
// A clean continuation refers only to old objects, which stay in place until a collection moves old objects. So the
// cost of a young collection depends on the continuations that ran, however many are parked.
//
// R1: only a continuation itself, its mounter and the collector write references to objects into it. Other threads
//     write only other data into an unmounted thread: locking protocols write permits, grants and links between
//     elements; redefinition and the sweeper replace methods and code. Asynchronous exceptions are thrown into platform
//     threads only (asynchronous.h).
// R2: the mounter marks a continuation dirty before it writes to it. It passes no poll from there until it has mounted
//     the continuation or has queued it for a stack segment. JavaThread::carrier is set from the mount until the
//     mounter runs again, and keeps the continuation dirty.
// R3: a collection that moves old objects, or makes them young, visits clean continuations, too. If it knows the new
//     addresses when it visits roots, it classifies each continuation again; a sliding collection marks all dirty.
// R4: records or handles of a thread refer to the same objects as the lock elements that it has lent, so these elements
//     need not be visited to classify the thread. Locking algorithms skip the same threads as the collection
//     (W::for_each_thread_in_collection), because their data for a clean continuation stays valid. A table that moves
//     elements moves only those of visited threads.
//
// The verifier checks that clean continuations are unmounted, refer to no young object and remember no monitor
// (gc/verify.h V15).
#pragma once

#include "runtime/base/mutex.h"
#include "runtime/threads/continuations/continuation.h"

namespace keyhole::threads {

class ContinuationLists {
 public:
  void add(JavaThread* continuation) { link(dirty_, continuation); }
  void remove(JavaThread* continuation);
  // R2
  void mark_dirty(JavaThread* continuation);

  // These functions visit those continuations of the dirty list, or of the clean list, that are in use
  // (continuation_cache.h R2).
  template <typename Visit> void for_each_dirty(Visit&& visit) const { visit_list(dirty_, visit); }
  template <typename Visit> void for_each_clean(Visit&& visit) const { visit_list(clean_, visit); }

  // Makes a visited continuation clean if it is unmounted and note_young_reference was not called for it; otherwise
  // makes it dirty. Called with the world stopped.
  void classify();
  void mark_all_dirty();

 private:
  static void link(JavaThread*& list, JavaThread* continuation);
  template <typename Visit> static void visit_list(JavaThread* list, Visit&& visit) {
    for (JavaThread* next; list != nullptr; list = next) {
      next = list->next;
      if (list->continuation->is_in_use.load(std::memory_order_relaxed)) visit(list);
    }
  }
  void move(JavaThread* continuation, bool clean);

  JavaThread* dirty_ = nullptr;
  JavaThread* clean_ = nullptr;
};

// --- the collector, world stopped ------------------------------------------------------------------------------------
// A scope. While it is open, for_each_in_collection (threads.h) skips clean continuations if `skips` is true.
class CleanSkipped {
 public:
  explicit CleanSkipped(bool skips);
  ~CleanSkipped();
  CleanSkipped(const CleanSkipped&) = delete;
};
bool are_clean_skipped();
// Notes that `thread`, which a worker of the collector has just visited, refers to a young object. Called by this
// worker.
void note_young_reference(JavaThread* thread);
// Makes each visited continuation clean or dirty. Called after all roots have been visited and updated.
void classify_continuations();
void mark_continuations_dirty();
bool is_clean(const JavaThread* thread);

}  // namespace keyhole::threads
