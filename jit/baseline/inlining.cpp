// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Decides which methods may be inlined. The rules are in inliner.h.
#include "jit/baseline/inlining.h"

#include <vector>

#include "jit/code/instructions.h"
#include "vm/interpreter/decoder.h"
#include "vm/metadata/constant_pool.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::baseline {

using namespace interpreter;

namespace {

constexpr u32 largest_inlined_instructions = 14, deepest_nesting = 4, largest_inlined_in_all = 40;

// An operand in the simulation of can_be_inlined.
struct Operand {
  bool not_null = false;
};

struct Inspection {
  u32 instructions = 0;  // number of bytecodes of the method and its nested callees
  bool has_effect = false;
};

// Whether an inlined callee may contain the operation. Excludes branches, operations that take a side exit for some
// values (such as f2i), and operations that are rare in small methods.
constexpr bool has_inline_form(Operation operation) {
  const OperationRow& columns = row(operation);
  switch (columns.category) {
    case Category::constant: return columns.pushes != "a";
    case Category::local: return !has(operation, effect::writes_local);
    case Category::shuffle: return operation == Operation::pop || operation == Operation::dup;
    case Category::arithmetic:
      switch (operation) {
        case Operation::frem:
        case Operation::drem:
        case Operation::f2i:
        case Operation::f2l:
        case Operation::d2i:
        case Operation::d2l: return false;
        default: return has(operation, effect::pure);
      }
    case Category::array: return !has(operation, effect::writes);
    case Category::field:
    case Category::static_field: return columns.type != '*';
    case Category::object: return operation == Operation::checkcast || operation == Operation::new_instance;
    case Category::invoke: return operation == Operation::invokestatic || operation == Operation::invokespecial;
    case Category::return_: return !has(operation, effect::throws);
    default: return false;
  }
}

// Simulates the callee on `stack`. The top operands are the callee's arguments; the callee's result replaces them.
bool inspect(Method* method, std::vector<Operand>& stack, Inspection& found, u32 nesting) {
  if (method->code == nullptr || method->is_synchronized() || method->handler_count != 0) return false;
  if (method->code_length > 64 || nesting > deepest_nesting) return false;
  MethodCode* body = prepare_bytecode(method);
  if (body->instruction_count > largest_inlined_instructions) return false;
  found.instructions += body->instruction_count;
  if (found.instructions > largest_inlined_in_all) return false;
  usize base = stack.size() - method->argument_slots;
  auto take = [&](u32 count) { stack.resize(stack.size() - count); };
  auto put = [&](u32 count, bool not_null = false) { stack.insert(stack.end(), count, Operand{not_null}); };
  for (u32 i = 0; i < body->instruction_count; ++i) {
    u64 word = load_instruction(body->instructions() + i);
    Operation operation = plain_operation(operation_of(word));
    u32 a = operand_a(word);
    if (stack.size() < base || !has_inline_form(operation)) return false;
    bool may_exit = has(operation, effect::throws | effect::safepoint);
    if (has(operation, effect::reads_local)) {
      if (a >= method->argument_slots) return false;
      put(slots_pushed(operation), operation == Operation::load && stack[base + a].not_null);
    } else if (operation == Operation::dup) {
      put(1, stack.back().not_null);
    } else if (row(operation).category == Category::invoke) {
      Method* target = metadata_at<Method>(operand_b(word));
      bool has_receiver = has(operation, effect::throws_null);
      may_exit = has_receiver && !stack[stack.size() - a].not_null;
      if (may_exit && found.has_effect) return false;
      if (has_receiver) stack[stack.size() - a].not_null = true;
      if (is_object_initializer(target)) {
        may_exit = true;
        take(1);
      } else {
        if (!inspect(target, stack, found, nesting + 1)) return false;
        continue;
      }
    } else if (row(operation).category == Category::return_) {
      if (i + 1 != body->instruction_count) return false;
      u32 slots = slots_popped(operation);
      Operand result = slots == 1 ? stack.back() : Operand{};
      stack.resize(base);
      put(slots, result.not_null);
      return true;
    } else if (operation != Operation::checkcast) {  // checkcast leaves its operand as it is
      u32 popped = slots_popped(operation);
      if (has(operation, effect::throws_null) && !stack[stack.size() - popped].not_null) may_exit = true;
      take(popped);
      put(slots_pushed(operation), has(operation, effect::allocates));
    }
    if (may_exit && found.has_effect) return false;  // I1
    found.has_effect |= has(operation, effect::writes);
  }
  return false;
}

}  // namespace

bool is_object_initializer(const Method* method) {
  return method->is_initializer() && method->holder->name == names::java_lang_Object;
}

bool can_be_inlined(Method* method) {
  std::vector<Operand> stack(method->argument_slots);
  if (!method->is_static()) stack[0].not_null = true;
  Inspection found;
  return inspect(method, stack, found, 0);
}

}  // namespace keyhole::baseline
