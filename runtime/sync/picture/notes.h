// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Notes: the functions by which a protocol reports each step of a lock.
//
//   W::note(thread, change, subject, moment)     a step on the object of the operation that the thread is in.
//                                                subject: a thread's id. moment: 0, or W::moment() from before the step
//   W::note_in_snippet(thread, change)           the thread's own step in a fast path, where W::notes_snippets. The VM
//                                                does not: the event of the enter or exit implies the step
//   W::note_of(reference, change, subject)       a step on another object, or by no thread
//   W::moment()                                  now, where it matters
//   W::NotedObject(thread, reference)            while it lives, the thread's notes are about that object
//
// N1: a note follows its step at once: no operation that other threads can see lies between. So if steps are reported
//     in the order in which they were made, each picture existed.
// N2: a step that lets another thread go on has the time of the moment before it. So the next step of that thread has a
//     later time.
// N3: without a recording a note is a load and a branch, and in a snippet nothing at all.
#pragma once

#include "runtime/sync/picture/header_state.h"
#include "runtime/sync/picture/step.h"

namespace keyhole::sync::picture {

// Steps that change the header's lock bits, alone or together with the owner.
constexpr Change took_header(u8 number, u8 flags = 0) {
  return change(Step::took, rule(number), header_state(HeaderState::held, flags));
}
constexpr Change freed_header(u8 number) { return change(Step::let_go, rule(number), header_state(HeaderState::free)); }
constexpr Change took_inflating(u8 number) {
  return change(Step::took, rule(number), header_state(HeaderState::inflated));
}
constexpr Change inflated_header(u8 number) {
  return change(Step::header, rule(number), header_state(HeaderState::inflated));
}
constexpr Change deflated_header(Rule rule) { return change(Step::deflated, rule, header_state(HeaderState::free)); }
constexpr Change hash_made(Rule rule = {}) { return change(Step::hashed, rule); }

}  // namespace keyhole::sync::picture
