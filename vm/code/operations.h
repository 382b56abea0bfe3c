// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Access to the columns of operations.def, for code that decodes, executes, counts, compiles or prints pre-decoded
// instructions.
//
//   row(operation).category       has(operation, effect::throws)       slots_popped(operation)       name_of(operation)
//
// The columns describe the instruction, not one tier's implementation: what a compiler leaves to the interpreter is
// that compiler's choice.
#pragma once

#include <array>
#include <string_view>

#include "vm/bytecodes.h"

namespace keyhole {

namespace interpreter {

enum class Operation : u16 {
#define OPERATION(name, ...) name,
#include "vm/code/operations.def"
#undef OPERATION
};

enum class Category : u8 {
  constant,
  local,
  shuffle,
  arithmetic,
  branch,
  array,
  field,
  static_field,
  object,
  invoke,
  return_,
  monitor,
  linkage,  // not an instruction of a method
  superinstruction,
};

// Bits of the column `effects`. Bits taken from vm/bytecodes.def have the same meaning here.
//
// An effect is a permission: an operation with it may do this, one without it never does. `pure` is a promise.
namespace effect {
using bytecode::flag::branches;    // may continue elsewhere than at the next instruction
using bytecode::flag::ends_block;  // never continues at the next instruction
using bytecode::flag::throws;      // may raise an exception by itself, other than throws_null
// May reach a safepoint, and receive an asynchronous exception there. Raising an exception may, too; that is not
// included.
using bytecode::flag::blocks;  // may wait for another thread
using bytecode::flag::safepoint;
// Changes only operand stack and locals, and depends only on these and the operands of the instruction.
using bytecode::flag::calls;  // enters another method
using bytecode::flag::pure;
using bytecode::flag::writes_ref;  // may store a reference into the heap: barrier
// Raises NullPointerException when the object that it works on, the deepest operand, is null.
inline constexpr u32 throws_null = 1u << 8;
inline constexpr u32 reads = 1u << 9;         // reads heap data that others may write; not lengths and classes
inline constexpr u32 writes = 1u << 10;       // writes heap data that others may read
inline constexpr u32 ordered = 1u << 11;      // volatile or a monitor: no access to the heap moves across it
inline constexpr u32 reads_local = 1u << 12;  // reads the local in operand a; of a two-slot value the next one, too
inline constexpr u32 writes_local = 1u << 13;
inline constexpr u32 allocates = 1u << 14;  // makes an object
// Resolves in the constant pool, which may run Java code, and rewrites its instruction into a form without this effect.
inline constexpr u32 unresolved = 1u << 15;
inline constexpr u32 backward = 1u << 16;  // branches to its own instruction or before it
// A profile counts classes: of a call's receiver, else of the top operand.
inline constexpr u32 notes_class = 1u << 17;

// The effects of resolving, including those of Java code that may run during it.
inline constexpr u32 resolving = unresolved | throws | safepoint | reads | writes;
}  // namespace effect

struct OperationRow {
  std::string_view name;
  Category category;
  std::string_view pops, pushes;
  char type;
  u32 effects;
};

namespace detail {
using namespace effect;
inline constexpr OperationRow rows[] = {
#define OPERATION(name, category, pops, pushes, type, effects) {#name, Category::category, pops, pushes, type, effects},
#include "vm/code/operations.def"
#undef OPERATION
};
}  // namespace detail

inline constexpr u32 operation_count = static_cast<u32>(std::size(detail::rows));

constexpr u32 index_of(Operation operation) { return static_cast<u32>(operation); }
constexpr Operation operation_at(u32 index) { return static_cast<Operation>(index); }
// A table over operations: one entry each.
template <typename Entry> using PerOperation = std::array<Entry, operation_count>;

// The row of an operation. For a superinstruction only name and category are valid (parts_of).
constexpr const OperationRow& row(Operation operation) { return detail::rows[index_of(operation)]; }
constexpr std::string_view name_of(Operation operation) { return row(operation).name; }

// --- superinstructions -----------------------------------------------------------------------------------------------

struct Parts {
  u32 count = 0;  // 0: not a superinstruction
  Operation parts[3] = {};
};

namespace detail {
inline constexpr PerOperation<Parts> parts = [] {
  PerOperation<Parts> table{};
#define SUPER2(name, first, second) table[index_of(Operation::name)] = {2, {Operation::first, Operation::second}};
#define SUPER3(name, first, second, third) \
  table[index_of(Operation::name)] = {3, {Operation::first, Operation::second, Operation::third}};
#define SUPER_RESOLVED(name, first, second) SUPER2(name, first, second)
#include "vm/code/superinstructions.def"
#undef SUPER2
#undef SUPER3
#undef SUPER_RESOLVED
  return table;
}();
}  // namespace detail

constexpr const Parts& parts_of(Operation operation) { return detail::parts[index_of(operation)]; }
constexpr bool is_superinstruction(Operation operation) {
  return row(operation).category == Category::superinstruction;
}
// The first part of a superinstruction, which finds its operand where its own handler expects it; any other operation
// itself.
constexpr Operation plain_operation(Operation operation) {
  return is_superinstruction(operation) ? parts_of(operation).parts[0] : operation;
}

// --- effects ---------------------------------------------------------------------------------------------------------

namespace detail {
constexpr u32 effects_of_row(Operation operation) {
  const Parts& run = parts[index_of(operation)];
  if (run.count == 0) return rows[index_of(operation)].effects;
  u32 any = 0, all = effect::pure;
  for (u32 i = 0; i < run.count; ++i) {
    any |= row(run.parts[i]).effects;
    all &= row(run.parts[i]).effects;
  }
  return (any & ~effect::pure) | all;
}
inline constexpr PerOperation<u32> effects = [] {
  PerOperation<u32> table{};
  for (u32 i = 0; i < operation_count; ++i) table[i] = effects_of_row(operation_at(i));
  return table;
}();
}  // namespace detail

// A superinstruction has the effects of its parts; it is pure when all of them are.
constexpr u32 effects_of(Operation operation) { return detail::effects[index_of(operation)]; }
constexpr bool has(Operation operation, u32 any_of) { return (effects_of(operation) & any_of) != 0; }

constexpr bool is_conditional_branch(Operation operation) {
  return row(operation).category == Category::branch && !has(operation, effect::ends_block);
}
// Is operand b the table of targets?
constexpr bool is_switch(Operation operation) {
  return operation == Operation::tableswitch || operation == Operation::lookupswitch;
}
// Is operand b the distance to the branch's target?
constexpr bool is_branch(Operation operation) {
  if (operation == Operation::jsr || operation == Operation::ret) return false;
  return row(operation).category == Category::branch && !is_switch(operation);
}

// --- the operand stack -----------------------------------------------------------------------------------------------

inline constexpr std::string_view depends_on_operands = "*";

constexpr u32 slots_of(std::string_view letters) {
  u32 slots = 0;
  for (char letter : letters) slots += letter == 'l' || letter == 'd' || letter == 'w' ? 2 : 1;
  return slots;
}
constexpr bool has_fixed_effect(Operation operation) {
  const OperationRow& columns = row(operation);
  return !is_superinstruction(operation) && columns.pops != depends_on_operands &&
         columns.pushes != depends_on_operands;
}
// The number of slots; only for operations with a fixed effect.
constexpr u32 slots_popped(Operation operation) { return slots_of(row(operation).pops); }
constexpr u32 slots_pushed(Operation operation) { return slots_of(row(operation).pushes); }

// --- families --------------------------------------------------------------------------------------------------------

// The backward form of a branch. It follows the forward form, because both macros of operations.def make them in this
// order.
constexpr Operation backward_of(Operation forward) { return operation_at(index_of(forward) + 1); }
constexpr Operation forward_of(Operation branch) {
  return has(branch, effect::backward) ? operation_at(index_of(branch) - 1) : branch;
}
constexpr Operation checked_of(Operation returning) { return operation_at(index_of(returning) + 1); }
// Does a return release the method's locks?
constexpr bool is_checked_return(Operation operation) {
  return row(operation).category == Category::return_ && has(operation, effect::ordered);
}

}  // namespace interpreter
}  // namespace keyhole
