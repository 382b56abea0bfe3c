// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Decides whether a tick meets a request's goal.
//
// C1: the answer depends on the tick alone, not on the ticks before it. So a search backwards finds the ticks at which
//     one forwards would have stopped.
// C2: a line begins at an instruction that a row of the method's LineNumberTable names. An instruction that is about to
//     be resolved is no beginning: its second tick is.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/base/controlled/strands.h"
#include "runtime/threads/java_thread.h"
#include "vm/code/instruction.h"
#include "vm/tools/step/control.h"

namespace keyhole::step {

// Where a thread stands: at an instruction, or before an operation of one.
struct Standing {
  JavaThread* thread = nullptr;
  u64 tick = 0;
  const Frame* frame = nullptr;  // of the instruction; null before an operation
  u64 word = 0;
  const controlled::Operation* operation = nullptr;
  const Object* base = nullptr;  // of an access
  u64 offset = 0;
  bool resumes = false;  // others have run while it stood there
  u64 switch_tick = 0;   // the last tick of the thread that ran before
  u32 switch_event = 0;  // the event at which another thread was chosen

  bool is_first() const { return tick == switch_tick + 1; }  // after a switch
};

// The method's own code is the program's: it is not of the class library.
bool is_of_program(const Method* method);
u32 depth_of(const JavaThread* thread);
// Can the schedule change before the operation?
bool is_choice_point(const Standing& at);
// "Account.balance", "int[][3]": the variable at the address, with its holder.
std::string variable_name(const Object* base, u64 offset);

class Matcher {
 public:
  void begin(const Request& request);
  bool matches(const Standing& at);

 private:
  bool begins_line(const Standing& at);
  bool is_visible_operation(const Standing& at) const;
  bool writes_variable(const Standing& at);
  bool stores_local(const Standing& at) const;
  bool is_at_place(const Standing& at);
  bool is_wanted(std::string_view variable) const;

  u32 line_at(const Standing& at);

  Request request_;
  // The line that begins at each instruction of a method, or 0.
  std::unordered_map<const MethodCode*, std::vector<u16>> lines_;
  const MethodCode* last_body_ = nullptr;
  const u16* lines_of_last_ = nullptr;
  std::unordered_map<u64, bool> are_wanted_;  // of variables, by class and offset
};

}  // namespace keyhole::step
