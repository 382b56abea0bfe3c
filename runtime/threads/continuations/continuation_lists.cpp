// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Moving continuations between the two lists. Rules: continuation_lists.h.
#include "runtime/threads/continuations/continuation_lists.h"

#include "runtime/base/check.h"
#include "runtime/threads/stopped_world.h"
#include "runtime/threads/threads_internal.h"

namespace keyhole::threads {

using namespace internal;

void ContinuationLists::link(JavaThread*& list, JavaThread* thread) {
  thread->next = list;
  thread->continuation->previous = nullptr;
  if (list != nullptr) list->continuation->previous = thread;
  list = thread;
}

void ContinuationLists::remove(JavaThread* thread) {
  JavaThread* previous = thread->continuation->previous;
  JavaThread*& list = thread->continuation->is_clean ? clean_ : dirty_;
  (previous != nullptr ? previous->next : list) = thread->next;
  if (thread->next != nullptr) thread->next->continuation->previous = previous;
}

void ContinuationLists::move(JavaThread* thread, bool clean) {
  if (thread->continuation->is_clean == clean) return;
  remove(thread);
  thread->continuation->is_clean = clean;
  link(clean ? clean_ : dirty_, thread);
}

void ContinuationLists::mark_dirty(JavaThread* thread) { move(thread, false); }

void ContinuationLists::classify() {
  // A garbage collection that skipped the clean continuations has learned nothing about their references. So only the
  // dirty continuations are sorted into clean and dirty again.
  auto decide = [this](JavaThread* thread) {
    bool is_young = thread->continuation->refers_to_young.exchange(false, std::memory_order_relaxed);
    move(thread, !is_young && thread->carrier == nullptr);  // R2
  };
  JavaThread* clean_before = clean_;
  visit_list(dirty_, decide);
  if (!are_clean_skipped()) visit_list(clean_before, decide);
}

void ContinuationLists::mark_all_dirty() {
  for_each_dirty(
      [](JavaThread* thread) { thread->continuation->refers_to_young.store(false, std::memory_order_relaxed); });
  for_each_clean([this](JavaThread* thread) {
    thread->continuation->refers_to_young.store(false, std::memory_order_relaxed);
    mark_dirty(thread);
  });
}

namespace {
// Whether the collection in progress skips clean continuations. Written with the world stopped, while no worker of the
// collector runs.
bool clean_skipped = false;
}  // namespace

CleanSkipped::CleanSkipped(bool skips) {
  KEYHOLE_ASSERT(!clean_skipped, "two collections at once");
  clean_skipped = skips;
}
CleanSkipped::~CleanSkipped() { clean_skipped = false; }

bool are_clean_skipped() { return clean_skipped; }

void note_young_reference(JavaThread* thread) {
  // A relaxed store suffices: two root providers visit the thread, possibly on different workers, and both may store
  // `true`.
  if (thread->continuation != nullptr) thread->continuation->refers_to_young.store(true, std::memory_order_relaxed);
}

void classify_continuations() {
  safepoint::assert_holds(list_mutex);
  continuations.classify();
}

void mark_continuations_dirty() {
  safepoint::assert_holds(list_mutex);
  continuations.mark_all_dirty();
}

void mark_continuation_dirty(JavaThread* self, JavaThread* thread) {
  change_list(self, [&]() REQUIRES(list_mutex) { continuations.mark_dirty(thread); });
}

bool is_clean(const JavaThread* thread) { return thread->continuation != nullptr && thread->continuation->is_clean; }

}  // namespace keyhole::threads
