// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Small methods in place of calls to them: getters, setters, constructors, forwarders, anything that is a few cells in a row without branches.
//
// Nothing is deoptimised, because the call itself is the way out: whatever an inlined cell cannot do leaves the frame to the interpreter at the
// caller's invoke, which then calls. The arguments stay on the compile-time stack, in the registers or locals they are in, until the callee has
// returned, so that the state before the call is there at any cell of it.
//
// I1: behind a cell that changes the heap no cell may leave (can_be_inlined checks).
// I2: the receiver's class, where the callee depends on it, is compared first; other classes are called (the slow path `calls`).
// I3: callees are as initialised as their quick cells say, like everything else compiled.
#include "jit/baseline/method_compiler.h"
#include "runtime/base/flags.h"
#include "vm/interpreter/decoder.h"
#include "vm/interpreter/entries.h"
#include "vm/interpreter/intrinsics.h"
#include "vm/link/constant_pool.h"
#include "vm/link/instance_klass.h"

namespace keyhole::baseline {

using Kind = Value::Kind;
using namespace interpreter;

namespace {

constexpr u32 largest_inlined_cells = 14, deepest_nesting = 4, largest_inlined_in_all = 40;

bool is_object_initializer(const Method* method) {
  return method->is_initializer() && method->holder->name == names::java_lang_Object;
}

// What can_be_inlined knows of an operand.
struct Operand {
  bool not_null = false;
};

struct Inspection {
  u32 cells = 0;          // in all, nested ones included
  bool has_effect = false;
};

// May a callee have it? What is left out of a category either is nothing that runs straight on to the return, or has code that is mostly a way
// out (f2i and the like are left for NaN and large values), or is too rare in small methods to matter.
constexpr bool has_inline_form(Operation operation) {
  const OperationRow& columns = row(operation);
  switch (columns.category) {
    case Category::constant: return columns.pushes != "a";
    case Category::local: return !has(operation, effect::writes_local);
    case Category::shuffle: return operation == Operation::pop || operation == Operation::dup;
    case Category::arithmetic:
      switch (operation) {
        case Operation::frem: case Operation::drem: case Operation::f2i: case Operation::f2l: case Operation::d2i: case Operation::d2l: return false;
        default: return has(operation, effect::pure);
      }
    case Category::array: return !has(operation, effect::writes);
    case Category::field: case Category::static_field: return columns.type != '*';
    case Category::object: return operation == Operation::checkcast || operation == Operation::new_instance;
    case Category::invoke: return operation == Operation::invokestatic || operation == Operation::invokespecial;
    case Category::return_: return !has(operation, effect::throws);
    default: return false;
  }
}

// Runs the callee over `stack`, whose top operands are its arguments; they are replaced by the result.
bool inspect(Method* method, std::vector<Operand>& stack, Inspection& found, u32 nesting) {
  if (method->code == nullptr || method->is_synchronized() || method->handler_count != 0 || method->code_length > 64 || nesting > deepest_nesting) return false;
  MethodCode* body = prepare_bytecode(method);
  if (body->cell_count > largest_inlined_cells) return false;
  found.cells += body->cell_count;
  if (found.cells > largest_inlined_in_all) return false;
  usize base = stack.size() - method->argument_slots;
  auto take = [&](u32 count) { stack.resize(stack.size() - count); };
  auto put = [&](u32 count, bool not_null = false) { stack.insert(stack.end(), count, Operand{not_null}); };
  for (u32 i = 0; i < body->cell_count; ++i) {
    u64 word = load_cell(body->cells() + i);
    Operation operation = plain_operation(operation_of(word));
    u32 a = operand_a(word);
    if (stack.size() < base || !has_inline_form(operation)) return false;
    bool may_leave = has(operation, effect::throws | effect::safepoint);
    if (has(operation, effect::reads_local)) {
      if (a >= method->argument_slots) return false;
      put(slots_pushed(operation), operation == Operation::load && stack[base + a].not_null);
    } else if (operation == Operation::dup) {
      put(1, stack.back().not_null);
    } else if (row(operation).category == Category::invoke) {
      Method* target = metadata_at<Method>(operand_b(word));
      bool has_receiver = has(operation, effect::throws_null);
      may_leave = has_receiver && !stack[stack.size() - a].not_null;
      if (may_leave && found.has_effect) return false;
      if (has_receiver) stack[stack.size() - a].not_null = true;
      if (is_object_initializer(target)) {
        may_leave = true;
        take(1);
      } else {
        if (!inspect(target, stack, found, nesting + 1)) return false;
        continue;
      }
    } else if (row(operation).category == Category::return_) {
      if (i + 1 != body->cell_count) return false;
      u32 slots = slots_popped(operation);
      Operand result = slots == 1 ? stack.back() : Operand{};
      stack.resize(base);
      put(slots, result.not_null);
      return true;
    } else if (operation != Operation::checkcast) {   // that one leaves its operand as it is
      u32 popped = slots_popped(operation);
      if (has(operation, effect::throws_null) && !stack[stack.size() - popped].not_null) may_leave = true;
      take(popped);
      put(slots_pushed(operation), has(operation, effect::allocates));
    }
    if (may_leave && found.has_effect) return false;   // I1
    found.has_effect |= has(operation, effect::writes);
  }
  return false;
}

bool can_be_inlined(Method* method) {
  std::vector<Operand> stack(method->argument_slots);
  if (!method->is_static()) stack[0].not_null = true;
  Inspection found;
  return inspect(method, stack, found, 0);
}

}  // namespace

// --- intrinsics -------------------------------------------------------------------------------------------------------------------

// Methods of java.lang.Math that are an instruction or a few.
bool MethodCompiler::emit_intrinsic(Method* target) {
  Intrinsic intrinsic = intrinsic_of(target);
  if (intrinsic == Intrinsic::sqrt) {
    reserve_xmm(2, 2);
    Value value = pop_wide();
    Xmm source = in_xmm(value, true);
    Xmm result = allocate_xmm();
    a_.sqrtsd(result, source);
    push_unused();
    return push_register(result), true;
  }
  if (intrinsic == Intrinsic::abs_double) {
    reserve(2, 1);
    Gp result = in_own_register(pop_wide());
    a_.btr(result, imm(63));
    push_unused();
    return push_register(result), true;
  }
  if (intrinsic == Intrinsic::abs_int) {
    reserve(1, 1);
    Gp result = in_own_register(pop());
    a_.mov(x86::eax, result.r32());
    a_.neg(x86::eax);
    a_.cmovns(result.r32(), x86::eax);
    return push_int(result), true;
  }
  bool is_int = intrinsic == Intrinsic::min_int || intrinsic == Intrinsic::max_int;
  if (is_int || intrinsic == Intrinsic::min_long || intrinsic == Intrinsic::max_long) {
    bool minimum = intrinsic == Intrinsic::min_int || intrinsic == Intrinsic::min_long;
    reserve(is_int ? 2 : 4, 2);
    Value right = is_int ? pop() : pop_wide();
    Value left = is_int ? pop() : pop_wide();
    Gp other = sized(in_register(right), !is_int);
    Gp result = in_own_register(left);
    a_.cmp(other, sized(result, !is_int));
    if (minimum) a_.cmovl(sized(result, !is_int), other);
    else a_.cmovg(sized(result, !is_int), other);
    if (is_int) return push_int(result), true;
    push_unused();
    return push_register(result), true;
  }
  return false;
}

// --- emission ---------------------------------------------------------------------------------------------------------------------

bool MethodCompiler::inline_call(Method* target, const std::function<void(Label)>& guard, const std::function<void()>& call) {
  if (!flags::Inline || flags::GCStressSafepointInterval != 0) return false;
  u32 arguments = target->argument_slots;
  if (target->is_static() && emit_intrinsic(target)) return note_inlined(target), true;
  if (!guard && emit_string_intrinsic(target)) return note_inlined(target), true;
  i32 guard_path = -1;
  bool empty_initializer = is_object_initializer(target);
  if (!empty_initializer && !can_be_inlined(target)) return false;
  if (!target->is_static()) {
    // The receiver in a register: it is compared, or its class is asked for.
    Value& receiver = peek(arguments - 1);
    if (receiver.kind == Kind::Home) {
      u32 slot = receiver.slot;
      reserve(arguments, 2);
      Gp loaded = allocate();
      a_.mov(loaded, home(slot));
      Value& value = stack_[slot];
      value.kind = Kind::Register;
      value.number = loaded.id();
      ++uses_[loaded.id()];
    }
    reserve(arguments, 1);
    before_ = stack_;
    if (guard) {
      guard_path = static_cast<i32>(slow_paths_.size());
      guard(guard_failure(call));
    } else if (!peek(arguments - 1).not_null) {
      Gp object = in_register(peek(arguments - 1));
      a_.test(object, object);
      a_.jz(leaving());
    }
    peek(arguments - 1).not_null = true;
  }
  inlining_ = true;
  inline_base_ = depth();
  inline_root_ = cell_;
  if (empty_initializer) {
    note_inlined(target);
    emit_object_initializer();
  } else {
    emit_inlined(target);
  }
  inlining_ = false;
  slow_of_cell_ = leaving_of_cell_ = -1;
  if (guard_path < 0) return true;
  // A register of the result's own: the call brings another value than the one that the result may be a copy of.
  SlowPath& path = slow_paths_[static_cast<u32>(guard_path)];
  if (target->return_type != BasicType::Void) {
    bool wide = slot_count(target->return_type) == 2;
    bool floating = target->return_type == BasicType::Float || target->return_type == BasicType::Double;
    if (floating) reserve_xmm(wide ? 2 : 1, 1);
    else reserve(wide ? 2 : 1, 1);
    busy_ = 0;
    Value result = wide ? pop_wide() : pop();
    bool is_int = !wide && !floating && target->return_type != BasicType::Reference;
    u32 number;
    if (floating) {
      number = xmm_base + in_own_xmm(result, wide).id();
    } else {
      Gp own = in_own_register(result);
      if (is_int && !result.zero_extended) a_.mov(own.r32(), own.r32());
      number = own.id();
    }
    if (wide) push_unused();
    push({.kind = Kind::Register, .number = number, .zero_extended = is_int});
  }
  path.again = a_.newLabel();
  a_.bind(path.again);
  path.after = stack_;
  path.good_after = good_;
  path.returns_value = target->return_type != BasicType::Void;
  slow_of_cell_ = leaving_of_cell_ = -1;
  return true;
}

void MethodCompiler::note_inlined(Method* target) {
  if (std::find(inlined_.begin(), inlined_.end(), target) == inlined_.end()) inlined_.push_back(target);
}

Label MethodCompiler::guard_failure(const std::function<void()>& call) {
  SlowPath& path = add_slow_path(cell_, false);
  path.call = call;
  return path.label;
}

// Object.<init>: nothing, unless the object is finalizable.
void MethodCompiler::emit_object_initializer() {
  slow_of_cell_ = leaving_of_cell_ = -1;
  reserve(1, 1);
  Value receiver = peek();
  if (receiver.exact_class == 0 || !klass_table()[receiver.exact_class]->is_instance() || klass_table()[receiver.exact_class]->as_instance()->has_finalizer) {
    load_klass(x86::rcx, in_register(receiver), x86::rax);
    a_.cmp(x86::byte_ptr(x86::rcx, offsetof(InstanceKlass, has_finalizer)), imm(0));
    a_.jne(leaving());
  }
  pop();
}

// The callee's arguments are on top of the stack; afterwards its result is.
void MethodCompiler::emit_inlined(Method* target) {
  note_inlined(target);
  Method* outer_method = method_;
  const MethodCode* outer_body = body_;
  std::vector<u64> outer_words = std::move(words_);
  u32 outer_cell = cell_, first_argument = depth() - target->argument_slots;
  method_ = target;
  body_ = target->body.load(std::memory_order_acquire);
  words_ = plain_words(body_);
  for (cell_ = 0; cell_ < body_->cell_count && !failed_; ++cell_) {
    u64 word = words_[cell_];
    Operation operation = operation_of(word);
    note_in_listing(operation);
    busy_ = 0;
    slow_of_cell_ = leaving_of_cell_ = -1;
    remember_before();
    switch (operation) {
      case Operation::load: case Operation::load_wide: {
        bool wide = operation == Operation::load_wide;
        u32 slot = first_argument + operand_a(word) + (wide ? 1 : 0);
        reserve(0, 1);
        Value value = stack_[slot];
        if (value.kind == Kind::Home) {
          Gp loaded = allocate();
          a_.mov(loaded, home(slot));
          value.kind = Kind::Register;
          value.number = loaded.id();
          value.zero_extended = false;
        }
        if (wide) push_unused();
        push(value);
        break;
      }
      case Operation::invokestatic: case Operation::invokespecial: {
        Method* nested = metadata_at<Method>(operand_b(word));
        if (operation == Operation::invokespecial) {
          Value& receiver = peek(nested->argument_slots - 1);
          if (!receiver.not_null) {
            reserve(nested->argument_slots, 1);
            Gp object = in_register(peek(nested->argument_slots - 1));
            a_.test(object, object);
            a_.jz(leaving());
            peek(nested->argument_slots - 1).not_null = true;
          }
        }
        if (is_object_initializer(nested)) note_inlined(nested), emit_object_initializer();
        else emit_inlined(nested);
        break;
      }
      case Operation::return_void: case Operation::return_value: case Operation::return_boolean: case Operation::return_byte: case Operation::return_char:
      case Operation::return_short: case Operation::return_wide: {
        Value result;
        u32 slots = slots_popped(operation);
        if (row(operation).type != '-') {
          reserve(1, 1);
          Gp narrowed = in_own_register(pop());
          switch (row(operation).type) {
            case 'Z': a_.and_(narrowed.r32(), imm(1)); break;
            case 'B': a_.movsx(narrowed.r32(), narrowed.r8()); break;
            case 'C': a_.movzx(narrowed.r32(), narrowed.r16()); break;
            default: a_.movsx(narrowed.r32(), narrowed.r16()); break;
          }
          result = {.kind = Kind::Register, .number = narrowed.id(), .zero_extended = true};
        } else if (slots != 0) {
          result = slots == 2 ? pop_wide() : pop();
        }
        if (result.kind == Kind::Home && slots != 0) {   // spilled on the way
          Gp loaded = allocate();
          a_.mov(loaded, home(result.slot));
          result.kind = Kind::Register;
          result.number = loaded.id();
          result.zero_extended = false;
        }
        while (depth() > first_argument) pop();
        if (slots == 2) push_unused();
        if (slots != 0) push(result);
        break;
      }
      default: emit(operation, word);
    }
  }
  method_ = outer_method;
  body_ = outer_body;
  words_ = std::move(outer_words);
  cell_ = outer_cell;
  busy_ = 0;
}

}  // namespace keyhole::baseline
