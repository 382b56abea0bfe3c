// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Copies and reads the pre-decoded instructions of a method.
#include "jit/code/cells.h"

#include <algorithm>

#include "vm/code/operations.h"
#include "vm/interpreter/decoder.h"
#include "vm/metadata/constant_pool.h"

namespace keyhole {

using namespace interpreter;

Cells::Cells(Method* method, const MethodCode* body) : method_(method), body_(body), words_(body->cell_count + 1) {
  for (u32 i = 0; i <= body->cell_count; ++i) {
    u64 word = load_cell(body->cells() + i);
    words_[i] = (word & ~u64{0xFFFF}) | static_cast<u64>(plain_operation(operation_of(word)));
  }
}

Opcode Cells::opcode(u32 cell) const {
  u32 at = bci(cell);
  Opcode found = static_cast<Opcode>(method_->code[at]);
  return found == WIDE ? static_cast<Opcode>(method_->code[at + 1]) : found;
}

std::string_view Cells::descriptor(u32 cell) const {
  return method_->constants->ref_descriptor(bytecode::constant_index(method_->code, bci(cell)))->text();
}

bool Cells::has_subroutines() const {
  return std::any_of(words_.begin(), words_.end(), [](u64 word) {
    return operation_of(word) == Operation::jsr || operation_of(word) == Operation::ret;
  });
}

std::vector<u32> Cells::switch_targets(u32 cell) const {
  std::vector<u32> targets;
  auto add = [&](i32 distance) { targets.push_back(cell_at(cell, distance)); };
  if (operation(cell) == Operation::tableswitch) {
    const auto* table = metadata_at<TableSwitch>(operand_b(words_[cell]));
    add(table->default_distance);
    for (u32 k = 0; k < table->count; ++k) add(table->distances[k]);
  } else {
    const auto* table = metadata_at<LookupSwitch>(operand_b(words_[cell]));
    add(table->default_distance);
    for (u32 k = 0; k < table->count; ++k) add(table->pairs[k].distance);
  }
  return targets;
}

}  // namespace keyhole
