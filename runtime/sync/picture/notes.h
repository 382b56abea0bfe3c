// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Notes: the functions by which a protocol reports each step of a lock.
//
//   W::note(thread, change, subject, moment)     a step on the object of the operation that the thread is in.
//                                                subject: a thread's id. moment: 0, or W::moment() from before the step
//   W::note_in_snippet(thread, change)           the thread's own step in a fast path. Called only if
//                                                W::notes_snippets is true. It is false in the VM, where the event of
//                                                the enter or exit implies the step
//   W::note_of(reference, change, subject)       a step on another object, or by no thread
//   W::moment()                                  the time now, or 0 in a world that needs no times
//   W::NotedObject(thread, reference)            while it lives, the thread's notes are about that object
//
// N1: a note follows its step at once, with no operation in between that other threads can see. So if the notes are in
//     the order of their steps, each picture shows a state in which the lock was at some moment.
// N2: a step that lets another thread continue is reported with the time just before it. So the next step of the other
//     thread has a later time.
// N3: without a recording a note costs a load and a branch; in a snippet it costs nothing.
#pragma once

#include "runtime/sync/picture/header_state.h"
#include "runtime/sync/picture/step.h"

namespace keyhole::sync::picture {

// Steps that change the object's header. took_header, freed_header and took_inflating also change the lock's owner.
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
