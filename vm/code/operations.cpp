// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Static checks of every row of operations.def.
#include "vm/code/operations.h"

namespace keyhole::interpreter {
namespace {

// Checks the properties of a row on which readers rely.
constexpr bool is_consistent(Operation operation) {
  u32 effects = effects_of(operation);
  constexpr u32 beside_pure = effect::pure | effect::reads_local | effect::writes_local | effect::notes_class;
  if ((effects & effect::pure) != 0 && (effects & ~beside_pure) != 0) return false;
  if ((effects & effect::writes_ref) != 0 && (effects & effect::writes) == 0) return false;
  if ((effects & effect::unresolved) != 0 && (effects & effect::safepoint) == 0) return false;
  if ((effects & effect::backward) != 0 && (effects & effect::branches) == 0) return false;
  if (is_superinstruction(operation) != (parts_of(operation).count != 0)) return false;
  for (u32 i = 0; i < parts_of(operation).count; ++i) {
    Operation part = parts_of(operation).parts[i];
    bool is_last = i + 1 == parts_of(operation).count;
    if (is_superinstruction(part) || (!is_last && has(part, effect::branches | effect::ends_block))) return false;
  }
  if (row(operation).category == Category::branch && is_branch(operation) && !has(operation, effect::backward)) {
    Operation back = backward_of(operation);
    if (!has(back, effect::backward) || row(back).pops != row(operation).pops) return false;
  }
  if (is_checked_return(operation)) {
    const OperationRow& plain = row(operation_at(index_of(operation) - 1));
    if (plain.category != Category::return_ || plain.type != row(operation).type) return false;
    if (plain.pops != row(operation).pops) return false;
  }
  return true;
}
#define OPERATION(name, ...) static_assert(is_consistent(Operation::name));
#include "vm/code/operations.def"
#undef OPERATION

}  // namespace
}  // namespace keyhole::interpreter
