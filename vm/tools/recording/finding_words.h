// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The words of findings: readable names of threads, objects and source lines. Each name is a link to a place of the
// page.
#pragma once

#include <string>

#include "vm/tools/recording/findings.h"

namespace keyhole::recording {

class WordsOf {
 public:
  explicit WordsOf(const recorder::Recording& recording) : recording_(recording), own_threads_(recording) {}

  const recorder::Recording& recording() const { return recording_; }
  bool is_own(u32 thread) const { return own_threads_.has(thread); }
  bool is_virtual(u32 thread) const { return own_threads_.has_virtual(thread); }

  // The name of a thread. With a wait, the name links to the thread's lane at the time of the wait.
  Words thread(u32 id) const;
  Words thread(const Wait& wait) const;
  // "Account 44", "ReentrantLock 61"
  Words object(u32 number, u32 event = Wait::no_event) const;
  std::string class_of(u32 object) const;
  // Returns a source line, for example "Bank.pay(Bank.java:12)", as a link to the wait. `site` is the number of the
  // text that names the line. If the text is empty, the words are "an unknown line".
  Words line(u32 site, const Wait& wait) const;
  std::string line(u32 site) const;
  // Returns whether the line is in the class library. Unknown lines count as library lines.
  bool is_in_library(u32 site) const;

 private:
  const recorder::Recording& recording_;
  OwnThreads own_threads_;
};

inline constexpr i64 millisecond = 1'000'000;        // in nanoseconds
std::string duration(i64 nanoseconds);               // "12.3 ms"
std::string times(u64 count, std::string_view one);  // "1 thread", "3 threads"
// Appends a list of words to a sentence: "a", "a and b", "a, b and c".
void add_list(Sentence& sentence, std::vector<Words> words);

// Each of these functions appends its findings to the list.
void find_deadlocks(const WordsOf& words, const WaitFacts& facts, std::vector<Finding>& findings);
void find_data_races(const WordsOf& words, const WaitFacts& facts, std::vector<Finding>& findings);
void find_lost_notifies(const WordsOf& words, const WaitFacts& facts, std::vector<Finding>& findings);
void find_stuck(const WordsOf& words, const WaitFacts& facts, std::vector<Finding>& findings);
void find_starvation(const WordsOf& words, const WaitFacts& facts, std::vector<Finding>& findings);
void find_inversions(const WordsOf& words, const WaitFacts& facts, std::vector<Finding>& findings);
void find_hot_locks(const WordsOf& words, const WaitFacts& facts, std::vector<Finding>& findings);
void find_pauses(const WordsOf& words, const WaitFacts& facts, std::vector<Finding>& findings);
void find_deoptimizations(const WordsOf& words, const WaitFacts& facts, std::vector<Finding>& findings);
void find_long_waits(const WordsOf& words, const WaitFacts& facts, std::vector<Finding>& findings);

}  // namespace keyhole::recording
