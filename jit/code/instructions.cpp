// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Copies and reads the pre-decoded instructions of a method.
#include "jit/code/instructions.h"

#include <algorithm>

#include "vm/code/operations.h"
#include "vm/interpreter/decoder.h"
#include "vm/metadata/constant_pool.h"

namespace keyhole {

using namespace interpreter;

Instructions::Instructions(Method* method, const MethodCode* body)
    : method_(method), body_(body), words_(body->instruction_count + 1) {
  for (u32 i = 0; i <= body->instruction_count; ++i) {
    u64 word = load_instruction(body->instructions() + i);
    words_[i] = (word & ~u64{0xFFFF}) | static_cast<u64>(plain_operation(operation_of(word)));
  }
}

Opcode Instructions::opcode(u32 instruction) const {
  u32 at = bci(instruction);
  Opcode found = static_cast<Opcode>(method_->code[at]);
  return found == WIDE ? static_cast<Opcode>(method_->code[at + 1]) : found;
}

std::string_view Instructions::descriptor(u32 instruction) const {
  return method_->constants->ref_descriptor(bytecode::constant_index(method_->code, bci(instruction)))->text();
}

bool Instructions::has_subroutines() const {
  return std::any_of(words_.begin(), words_.end(), [](u64 word) {
    return operation_of(word) == Operation::jsr || operation_of(word) == Operation::ret;
  });
}

std::vector<u32> Instructions::switch_targets(u32 instruction) const {
  std::vector<u32> targets;
  auto add = [&](i32 distance) { targets.push_back(instruction_at(instruction, distance)); };
  if (operation(instruction) == Operation::tableswitch) {
    const auto* table = metadata_at<TableSwitch>(operand_b(words_[instruction]));
    add(table->default_distance);
    for (u32 k = 0; k < table->count; ++k) add(table->distances[k]);
  } else {
    const auto* table = metadata_at<LookupSwitch>(operand_b(words_[instruction]));
    add(table->default_distance);
    for (u32 k = 0; k < table->count; ++k) add(table->pairs[k].distance);
  }
  return targets;
}

}  // namespace keyhole
