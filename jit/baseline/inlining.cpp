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

bool between(Operation operation, Operation first, Operation last) {
  return static_cast<u32>(operation) >= static_cast<u32>(first) && static_cast<u32>(operation) <= static_cast<u32>(last);
}

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

// Runs the callee over `stack`, whose top operands are its arguments; they are replaced by the result.
bool inspect(Method* method, std::vector<Operand>& stack, Inspection& found, u32 nesting) {
  if (method->code == nullptr || method->is_synchronized() || method->handler_count != 0 || method->code_length > 64 || nesting > deepest_nesting) return false;
  MethodCode* body = prepare_bytecode(method);
  if (body->cell_count > largest_inlined_cells) return false;
  found.cells += body->cell_count;
  if (found.cells > largest_inlined_in_all) return false;
  usize base = stack.size() - method->argument_slots;
  bool may_leave = false;
  auto leaves = [&] { may_leave = true; };
  auto take = [&](u32 count) { stack.resize(stack.size() - count); };
  auto put = [&](u32 count, bool not_null = false) { stack.insert(stack.end(), count, Operand{not_null}); };
  auto object = [&](u32 from_top) { if (!stack[stack.size() - 1 - from_top].not_null) leaves(); };
  auto field_slots = [](Operation operation, Operation first) { return (static_cast<u32>(operation) - static_cast<u32>(first)) % 6 == 4 ? 2u : 1u; };
  for (u32 i = 0; i < body->cell_count; ++i) {
    u64 word = load_cell(body->cells() + i);
    Operation operation = MethodCompiler::plain_operation(operation_of(word));
    u32 a = operand_a(word);
    may_leave = false;
    bool has_effect = false;
    if (stack.size() < base) return false;
    switch (operation) {
      case Operation::nop: break;
      case Operation::constant: put(1); break;
      case Operation::constant_wide: case Operation::constant_double: case Operation::constant_pool_wide: put(2); break;
      case Operation::load: put(1, stack[base + a].not_null); if (a >= method->argument_slots) return false; break;
      case Operation::load_wide: put(2); if (a >= method->argument_slots) return false; break;
      case Operation::pop: take(1); break;
      case Operation::dup: put(1, stack.back().not_null); break;
      case Operation::iadd: case Operation::isub: case Operation::imul: case Operation::iand: case Operation::ior: case Operation::ixor:
      case Operation::ishl: case Operation::ishr: case Operation::iushr: case Operation::fadd: case Operation::fsub: case Operation::fmul:
      case Operation::fdiv: case Operation::fcmpl: case Operation::fcmpg:
        take(2); put(1); break;
      case Operation::ladd: case Operation::lsub: case Operation::lmul: case Operation::land: case Operation::lor: case Operation::lxor:
      case Operation::dadd: case Operation::dsub: case Operation::dmul: case Operation::ddiv:
        take(4); put(2); break;
      case Operation::lshl: case Operation::lshr: case Operation::lushr: take(3); put(2); break;
      case Operation::ineg: case Operation::fneg: case Operation::i2b: case Operation::i2c: case Operation::i2s: case Operation::i2f: take(1); put(1); break;
      case Operation::lneg: case Operation::dneg: case Operation::l2d: take(2); put(2); break;
      case Operation::i2l: case Operation::i2d: case Operation::f2d: take(1); put(2); break;
      case Operation::l2i: case Operation::l2f: case Operation::d2f: take(2); put(1); break;
      case Operation::lcmp: case Operation::dcmpl: case Operation::dcmpg: take(4); put(1); break;
      case Operation::arraylength: object(0); take(1); put(1); break;
      case Operation::iaload: case Operation::aaload: case Operation::baload: case Operation::caload: case Operation::saload: leaves(); take(2); put(1); break;
      case Operation::laload: leaves(); take(2); put(2); break;
      case Operation::checkcast: leaves(); break;
      case Operation::new_instance: leaves(); put(1, true); break;
      case Operation::invokestatic: case Operation::invokespecial: {
        Method* target = metadata_at<Method>(operand_b(word));
        if (operation == Operation::invokespecial) object(a - 1);
        if (may_leave && found.has_effect) return false;
        if (operation == Operation::invokespecial) stack[stack.size() - a].not_null = true;
        if (is_object_initializer(target)) {
          leaves();
          take(1);
          break;
        }
        if (!inspect(target, stack, found, nesting + 1)) return false;
        continue;
      }
      case Operation::return_value: case Operation::return_boolean: case Operation::return_byte: case Operation::return_char: case Operation::return_short: {
        if (i + 1 != body->cell_count) return false;
        Operand result = stack.back();
        stack.resize(base);
        stack.push_back(result);
        return true;
      }
      case Operation::return_wide:
        if (i + 1 != body->cell_count) return false;
        stack.resize(base);
        put(2);
        return true;
      case Operation::return_void:
        if (i + 1 != body->cell_count) return false;
        stack.resize(base);
        return true;
      default:
        if (between(operation, Operation::getfield_byte, Operation::getfield_volatile_reference)) {
          object(0);
          take(1);
          put(field_slots(operation, Operation::getfield_byte));
        } else if (between(operation, Operation::getstatic_byte, Operation::getstatic_volatile_reference)) {
          put(field_slots(operation, Operation::getstatic_byte));
        } else if (between(operation, Operation::putfield_byte, Operation::putfield_volatile_reference)) {
          u32 slots = field_slots(operation, Operation::putfield_byte);
          object(slots);
          take(slots + 1);
          has_effect = true;
        } else if (between(operation, Operation::putstatic_byte, Operation::putstatic_volatile_reference)) {
          take(field_slots(operation, Operation::putstatic_byte));
          has_effect = true;
        } else {
          return false;
        }
    }
    if (may_leave && found.has_effect) return false;   // I1
    found.has_effect |= has_effect;
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
  Handler intrinsic = find_intrinsic(target);
  if (intrinsic == nullptr) return false;
  if (intrinsic == interp_intrinsic_sqrt) {
    reserve_xmm(2, 2);
    Value value = pop_wide();
    Xmm source = in_xmm(value, true);
    Xmm result = allocate_xmm();
    a_.sqrtsd(result, source);
    push_unused();
    return push_register(result), true;
  }
  if (intrinsic == interp_intrinsic_abs_double) {
    reserve(2, 1);
    Gp result = in_own_register(pop_wide());
    a_.btr(result, imm(63));
    push_unused();
    return push_register(result), true;
  }
  if (intrinsic == interp_intrinsic_abs_int) {
    reserve(1, 1);
    Gp result = in_own_register(pop());
    a_.mov(x86::eax, result.r32());
    a_.neg(x86::eax);
    a_.cmovns(result.r32(), x86::eax);
    return push_int(result), true;
  }
  bool is_int = intrinsic == interp_intrinsic_min_int || intrinsic == interp_intrinsic_max_int;
  if (is_int || intrinsic == interp_intrinsic_min_long || intrinsic == interp_intrinsic_max_long) {
    bool minimum = intrinsic == interp_intrinsic_min_int || intrinsic == interp_intrinsic_min_long;
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
        if (operation == Operation::return_boolean || operation == Operation::return_byte || operation == Operation::return_char || operation == Operation::return_short) {
          reserve(1, 1);
          Gp narrowed = in_own_register(pop());
          switch (operation) {
            case Operation::return_boolean: a_.and_(narrowed.r32(), imm(1)); break;
            case Operation::return_byte: a_.movsx(narrowed.r32(), narrowed.r8()); break;
            case Operation::return_char: a_.movzx(narrowed.r32(), narrowed.r16()); break;
            default: a_.movsx(narrowed.r32(), narrowed.r16()); break;
          }
          result = {.kind = Kind::Register, .number = narrowed.id(), .zero_extended = true};
        } else if (operation != Operation::return_void) {
          result = operation == Operation::return_wide ? pop_wide() : pop();
        }
        if (result.kind == Kind::Home && operation != Operation::return_void) {   // spilled on the way
          Gp loaded = allocate();
          a_.mov(loaded, home(result.slot));
          result.kind = Kind::Register;
          result.number = loaded.id();
          result.zero_extended = false;
        }
        while (depth() > first_argument) pop();
        if (operation == Operation::return_wide) push_unused();
        if (operation != Operation::return_void) push(result);
        break;
      }
      default:
        if (!emit_local(operation, word) && !emit_arithmetic(operation, word) && !emit_array(operation, word) && !emit_field(operation, word) &&
            !emit_object(operation, word)) failed_ = true;
    }
  }
  method_ = outer_method;
  body_ = outer_body;
  words_ = std::move(outer_words);
  cell_ = outer_cell;
  busy_ = 0;
}

}  // namespace keyhole::baseline
