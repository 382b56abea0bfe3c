// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Findings: the problems that a recording shows, as sentences whose words link to places of the page.
//
//   topic         a finding when                                                                       is
//   deadlock      threads that wait at the end own each other's locks                                  a problem
//   data_race     two threads accessed a variable, one wrote it, and nothing orders the accesses        a problem
//   lost_notify   a thread waits in Object.wait to the end, and notify came before, to nobody          a problem
//   stuck         the program cannot end, and all its threads wait without a time limit             a problem
//   starvation    a thread waits half of its life for a lock, and the lock's usual owner hardly ever     a problem
//   lock_order    two threads acquired two locks in opposite orders, and no third one guarded them     a problem
//   hot_lock      threads waited for one lock for a tenth of the time and 20 ms                        a problem
//   pauses        collections stopped the program for a tenth of its time, or once for 100 ms          a problem
//   deoptimized   a method's code was deoptimized 100 times, or compiled and deoptimized three times   a problem
//   long_wait     the longest wait of a thread of the program, with the thread that ended it           a note
//
// F1: a recording without problems has the headline "Nothing stands out." Notes follow it.
// F2: the text of `--show --findings` and the page have the same findings, in the same order.
// F3: threads of the VM and the class library are in no finding (own_threads.h).
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "vm/tools/recording/own_threads.h"
#include "vm/tools/recording/wait_facts.h"

namespace keyhole::recording {

enum class Topic : u8 {
  deadlock,
  data_race,
  lost_notify,
  stuck,
  starvation,
  lock_order,
  hot_lock,
  pauses,
  deoptimized,
  long_wait
};

// The target of a link: a view of the page, and the thread, object, event or time to select there.
struct Place {
  std::string_view view;  // empty: the words are not a link
  u32 thread = 0, object = 0;
  u32 event = Wait::no_event;
  i64 begin = 0, end = 0;  // both 0: the whole recording
};
struct Words {
  std::string text;
  Place place = {};
};
using Sentence = std::vector<Words>;

struct Finding {
  Topic topic;
  bool is_problem;
  Sentence headline;
  std::vector<Sentence> reasons;
};

std::vector<Finding> findings_of(const recorder::Recording& recording);
// Returns "Nothing stands out.", or a sentence with the number of problems.
std::string verdict_on(const std::vector<Finding>& findings);

void show_findings_as_text(const std::vector<Finding>& findings, FILE* out);
// A line per finding.
void show_findings_as_json(const std::vector<Finding>& findings, FILE* out);
// One finding as the JSON that the page reads.
std::string json_of(const Finding& finding);

}  // namespace keyhole::recording
