// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Matcher: decides whether a tick meets a request's goal.
//
// C1: whether a tick meets a goal depends on that tick alone, not on earlier ticks. So a backward search finds exactly
//     the ticks at which a forward search would have stopped.
// C2: a line begins at each instruction that the method's LineNumberTable names. An instruction with unresolved
//     constant pool entries has two ticks, one before and one after resolution. Only the second tick begins the line.
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

// The position of a stopped thread: at a bytecode instruction, or before an operation inside an instruction.
struct Standing {
  JavaThread* thread = nullptr;
  u64 tick = 0;
  const Frame* frame = nullptr;  // frame that executes the instruction; null if the thread stands before an operation
  u64 word = 0;
  const controlled::Operation* operation = nullptr;
  const Object* base = nullptr;  // the accessed object, if the operation is a memory access
  u64 offset = 0;
  bool resumes = false;  // other threads have run since this thread stopped here
  u64 switch_tick = 0;   // the last tick before the latest thread switch
  u32 switch_event = 0;  // the event at which the latest thread switch was chosen

  bool is_first() const { return tick == switch_tick + 1; }  // after a switch
};

// Returns whether the method belongs to the program and not to the class library.
bool is_of_program(const Method* method);
u32 depth_of(const JavaThread* thread);
// Can the schedule change before the operation?
bool is_choice_point(const Standing& at);
// Returns the name of the field or element at the offset, with its class: "Account.balance", "int[][3]".
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
  // For each method, the source line that begins at each of its instructions; 0 if none does.
  std::unordered_map<const MethodCode*, std::vector<u16>> lines_;
  const MethodCode* last_body_ = nullptr;
  const u16* lines_of_last_ = nullptr;
  // by class and offset of a variable: whether the request's `stops` name it
  std::unordered_map<u64, bool> are_wanted_;
};

}  // namespace keyhole::step
