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
  JavaThread*& list = thread->continuation->is_settled ? settled_ : active_;
  (previous != nullptr ? previous->next : list) = thread->next;
  if (thread->next != nullptr) thread->next->continuation->previous = previous;
}

void ContinuationLists::move(JavaThread* thread, bool settled) {
  if (thread->continuation->is_settled == settled) return;
  remove(thread);
  thread->continuation->is_settled = settled;
  link(settled ? settled_ : active_, thread);
}

void ContinuationLists::activate(JavaThread* thread) { move(thread, false); }

void ContinuationLists::settle() {
  // Of an unvisited continuation nothing was noted.
  auto decide = [this](JavaThread* thread) {
    bool is_young = thread->continuation->refers_to_young.exchange(false, std::memory_order_relaxed);
    move(thread, !is_young && thread->carrier == nullptr);   // R2
  };
  JavaThread* settled_before = settled_;
  visit_list(active_, decide);
  if (!are_settled_left_out()) visit_list(settled_before, decide);
}

void ContinuationLists::activate_all() {
  for_each_active([](JavaThread* thread) {
    thread->continuation->refers_to_young.store(false, std::memory_order_relaxed);
  });
  for_each_settled([this](JavaThread* thread) {
    thread->continuation->refers_to_young.store(false, std::memory_order_relaxed);
    activate(thread);
  });
}

namespace {
bool settled_left_out = false;   // written with the world stopped, while the collector's workers wait
}  // namespace

SettledLeftOut::SettledLeftOut(bool leaves_out) {
  KEYHOLE_ASSERT(!settled_left_out, "two collections at once");
  settled_left_out = leaves_out;
}
SettledLeftOut::~SettledLeftOut() { settled_left_out = false; }

bool are_settled_left_out() { return settled_left_out; }

void note_young_reference(JavaThread* thread) {
  // Two providers of roots visit it.
  if (thread->continuation != nullptr)
    thread->continuation->refers_to_young.store(true, std::memory_order_relaxed);
}

void settle_continuations() {
  safepoint::assert_holds(list_mutex);
  continuations.settle();
}

void activate_continuations() {
  safepoint::assert_holds(list_mutex);
  continuations.activate_all();
}

void activate_continuation(JavaThread* self, JavaThread* thread) {
  change_list(self, [&]() REQUIRES(list_mutex) { continuations.activate(thread); });
}

bool is_settled(const JavaThread* thread) {
  return thread->continuation != nullptr && thread->continuation->is_settled;
}

}  // namespace keyhole::threads
