// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The requirements and the effect of one instruction on a state (JVMS 4.10.2.2, step 2).
//
// The kinds of all operands are checked first, from the top of the stack down. Then the classes are checked: the
// receiver's, then the arguments' in their order. The choice of the message depends on this order.
#pragma once

#include <string>
#include <vector>

#include "vm/verify/inference_state.h"
#include "vm/verify/type_hierarchy.h"

namespace keyhole::inference {

class Effects {
 public:
  Effects(TypeHierarchy& hierarchy, const Method* method) : hierarchy_(hierarchy), method_(method) {}

  // Does the local that the instruction reads have its type?
  bool check_local(const Instruction& instruction, const State& state);
  // Changes the state to the one after the instruction. False: fault() says why, or a class did not load.
  bool apply(const Instruction& instruction, State& state) MAY_SAFEPOINT;
  // Did the last instruction call super() or this()?
  bool constructed() const { return constructed_; }
  const std::string& fault() const { return fault_; }

 private:
  bool refuse(std::string fault) {
    fault_ = std::move(fault);
    return false;
  }
  bool pop(State& state, Type* popped = nullptr);
  bool pop_kind(State& state, char letter, const Instruction& instruction, Type* popped = nullptr);
  bool pop_reference(State& state, const Instruction& instruction, Type* popped);
  bool pop_array(State& state, const char* elements, const char* fault, Type* popped);
  void push(State& state, Type type);
  void set_local(State& state, u32 index, Type type);
  static void note_written(State& state, u32 local);
  bool is_assignable(Type wanted, Type actual) MAY_SAFEPOINT {
    return hierarchy_.is_inferred_assignable(wanted, actual);
  }
  bool is_own_field(const Instruction& instruction) const;

  bool load(const Instruction& instruction, State& state);
  bool store(const Instruction& instruction, State& state);
  bool shuffle(const Instruction& instruction, State& state);
  bool array_access(const Instruction& instruction, State& state);
  bool constant(const Instruction& instruction, State& state);
  bool field(const Instruction& instruction, State& state) MAY_SAFEPOINT;
  bool call(const Instruction& instruction, State& state) MAY_SAFEPOINT;
  bool initialize(const Instruction& instruction, State& state, Type object) MAY_SAFEPOINT;
  bool return_from(const Instruction& instruction, State& state) MAY_SAFEPOINT;
  bool create(const Instruction& instruction, State& state) MAY_SAFEPOINT;
  static void replace(State& state, Type from, Type to);

  TypeHierarchy& hierarchy_;
  const Method* method_;
  std::string fault_;
  bool constructed_ = false;
};

}  // namespace keyhole::inference
