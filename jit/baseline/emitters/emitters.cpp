// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Maps each operation to an emitter by its category.
#include "jit/baseline/emitters/emitters.h"

namespace keyhole::baseline {

using namespace interpreter;

namespace {

using Emit = void (*)(Emitters& all, Operation operation, u64 word);

// The build fails if a category is missing in this switch, or if the file of a category omits one of its operations
// (emitted_operations.inc).
constexpr Emit emit_of(Category category) {
#pragma clang diagnostic push
#pragma clang diagnostic error "-Wswitch"
  switch (category) {
    case Category::constant:
    case Category::local:
    case Category::shuffle: return [](Emitters& all, Operation o, u64 w) { all.locals.emit(o, w); };
    case Category::arithmetic: return [](Emitters& all, Operation o, u64 w) { all.arithmetic.emit(o, w); };
    case Category::branch: return [](Emitters& all, Operation o, u64 w) { all.branches.emit(o, w); };
    case Category::array: return [](Emitters& all, Operation o, u64 w) { all.arrays.emit(o, w); };
    case Category::field:
    case Category::static_field: return [](Emitters& all, Operation o, u64 w) { all.fields.emit(o, w); };
    case Category::object: return [](Emitters& all, Operation o, u64 w) { all.objects.emit(o, w); };
    case Category::invoke: return [](Emitters& all, Operation o, u64 w) { all.invokes.emit(o, w); };
    case Category::return_: return [](Emitters& all, Operation o, u64 w) { all.returns.emit(o, w); };
    case Category::monitor: return [](Emitters& all, Operation o, u64 w) { all.locks.emit(o, w); };
    case Category::linkage:
    case Category::superinstruction: return nullptr;  // instructions.h has none
  }
#pragma clang diagnostic pop
}

constexpr PerOperation<Emit> emit_table = [] {
  PerOperation<Emit> table{};
  for (u32 i = 0; i < operation_count; ++i) table[i] = emit_of(row(operation_at(i)).category);
  return table;
}();

}  // namespace

void Emitters::emit(Operation operation, u64 word) { emit_table[index_of(operation)](*this, operation, word); }

}  // namespace keyhole::baseline
