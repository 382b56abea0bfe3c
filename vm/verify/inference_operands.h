// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks the static constraints on code (JVMS 4.9.1) for class files that are verified by inference: of every
// instruction, reachable or not, in the order of the code.
#pragma once

#include <string>
#include <vector>

#include "vm/verify/inference_state.h"
#include "vm/verify/method_verifiers.h"

namespace keyhole::inference {

class OperandReader {
 public:
  OperandReader(TypeHierarchy& hierarchy, const Method* method) : hierarchy_(hierarchy), method_(method) {}

  // Fills in instructions and handlers. False: fault() says why, or a class did not load.
  bool read() MAY_SAFEPOINT;

  std::vector<Instruction>& instructions() { return instructions_; }
  const std::vector<Handler>& handlers() const { return handlers_; }
  const std::string& fault() const { return fault_; }
  bool is_format_fault() const { return is_format_fault_; }

 private:
  bool refuse(std::string fault) {
    fault_ = std::move(fault);
    return false;
  }
  bool find_instructions();
  bool is_cut_off(u32 bci) const;
  bool read_handlers() MAY_SAFEPOINT;
  bool read_operands(Instruction& instruction) MAY_SAFEPOINT;
  bool read_switch(Instruction& instruction);
  bool read_local(Instruction& instruction);
  bool read_class(Instruction& instruction);
  bool read_call(Instruction& instruction) MAY_SAFEPOINT;
  bool read_constant(Instruction& instruction, u32 allowed);
  bool add_target(Instruction& instruction, i64 bci, const char* fault);
  bool starts_at(i64 bci) const { return bci >= 0 && bci < method_->code_length && numbers_[bci] != no_instruction; }

  TypeHierarchy& hierarchy_;
  const Method* method_;
  std::vector<Instruction> instructions_;
  std::vector<Handler> handlers_;
  std::vector<u32> numbers_;  // by bci
  std::string fault_;
  bool is_format_fault_ = false;
};

}  // namespace keyhole::inference
