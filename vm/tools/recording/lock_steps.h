// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// One object's lock, step by step, from a recording. After each event that changes the lock, there is a picture of its
// state in the terms of its algorithm (runtime/sync/picture).
//
//   lock_change   the algorithm's step, with its rule          lock_enter, lock_exit   by a snippet alone,
//                                                              and levels
//   wait_begin, wait_end   levels released and reacquired     hash, died
//
// S1: pictures need a recording that includes locks from the start of the VM. A recording that starts later misses the
//     locks that inline code (snippets) acquires. The event lock_mode names the algorithm.
// S2: an event lock_change has no site. The site comes from the event of the operation that the thread executes. The
//     operation's event precedes its lock_change events if the operation releases the lock or requests the hash
//     (hash_asked). It follows them if the operation acquires the lock.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/recorder/recording.h"
#include "runtime/sync/picture/picture.h"

namespace keyhole::recording {

struct LockStep {
  usize entry;                     // the index of the step's event in the recording
  std::string sentence;            // "worker 1 joins the queue"
  std::string rule;                // as rules.h names it
  u32 site = 0;                    // the number of the text that names the source line; 0: not known
  sync::picture::Picture picture;  // the lock after the step
};

struct LockSteps {
  std::string mode;  // value of -XX:LockingMode=; empty: no pictures (S1)
  sync::picture::Family family = sync::picture::Family::none;
  std::vector<LockStep> steps;
};

// Replays the events of an object's lock. `problem` is empty, or says why there are no pictures.
LockSteps lock_steps_of(const recorder::Recording& recording, u32 object, std::string& problem);

// Prints what --show --picture=OBJECT shows: drawings in 80 columns, or a JSON object per step.
void show_pictures_as_text(const recorder::Recording& recording, const LockSteps& steps, u32 object, FILE* out);
void show_pictures_as_json(const recorder::Recording& recording, const LockSteps& steps, FILE* out);

}  // namespace keyhole::recording
