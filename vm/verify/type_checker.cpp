// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks operands, locals, and the instructions that bytecodes.def describes fully. type_checker_members.cpp has
// members and objects.
#include "vm/verify/type_checker.h"

#include <fmt/format.h>

#include "vm/link/loading/loader_names.h"
#include "vm/verify/slot_types.h"

namespace keyhole {
namespace {

VerificationType type_of_letter(char letter) {
  switch (letter) {
    case 'i': return TypeTag::Int;
    case 'f': return TypeTag::Float;
    case 'l': return TypeTag::Long;
    case 'd': return TypeTag::Double;
    default: return TypeTag::AnyReference;
  }
}

}  // namespace

// --- refusals --------------------------------------------------------------------------------------------------------

bool TypeChecker::refuse(const std::string& what, const ErrorContext& context) {
  if (!failed()) text_ = verify_error_text(method_, what, context);
  return false;
}

bool TypeChecker::refuse_code(u32 bci, const std::string& what) {
  return refuse(what, {ErrorContext::Kind::InvalidBytecode, bci});
}

bool TypeChecker::refuse_pool(u32 index, const std::string& what) {
  return refuse(what, {ErrorContext::Kind::BadPoolIndex, bci_, index});
}

bool TypeChecker::refuse_type(TypeOrigin type, TypeOrigin expected, const std::string& what) {
  return refuse(what, {ErrorContext::Kind::WrongType, bci_, 0, std::move(type), std::move(expected)});
}

TypeOrigin TypeChecker::on_stack(const TypeState& state) const {
  Type type = state.slots[state.locals + state.depth];
  return {TypeOrigin::Place::FrameStack, state.depth, type, describe_frame(state, bci_, depth_before_)};
}

TypeOrigin TypeChecker::in_local(const TypeState& state, u32 index) const {
  return {TypeOrigin::Place::FrameLocal, index, state.slots[index], describe_frame(state, bci_, depth_before_)};
}

std::string TypeChecker::class_in_text() const { return "in class " + external_name(method_->holder); }

bool TypeChecker::pool_entry(u32 index, std::initializer_list<ConstantTag> tags) {
  if (index == 0 || index >= constants_->count) {
    return refuse_pool(index, fmt::format("Illegal constant pool index {} {}", index, class_in_text()));
  }
  for (ConstantTag tag : tags)
    if (constants_->tag(index) == tag) return true;
  return refuse_pool_type(index);
}

bool TypeChecker::refuse_pool_type(u32 index) {
  return refuse_pool(index, fmt::format("Illegal type at constant pool entry {} {}", index, class_in_text()));
}

// --- operands --------------------------------------------------------------------------------------------------------

bool TypeChecker::pop(TypeState& state, Type wanted, Type* popped) {
  if (state.depth == 0) {
    ErrorContext context{ErrorContext::Kind::StackUnderflow, bci_};
    context.type.frame = describe_frame(state, bci_, depth_before_);
    return refuse("Operand stack underflow", context);
  }
  Type top = state.operand(--state.depth);
  if (popped != nullptr) *popped = top;
  if (hierarchy_.is_assignable(wanted, top)) return true;
  return refuse_type(on_stack(state), TypeOrigin::implicit(wanted), "Bad type on operand stack");
}

bool TypeChecker::pop_slots(TypeState& state, Type wanted) {
  return (!wanted.is_category2() || pop(state, wanted.upper())) && pop(state, wanted);
}

bool TypeChecker::pop_value(TypeState& state, Type wanted) {
  if (!wanted.is_category2() || pop(state, wanted.upper())) return pop(state, wanted);
  // If both halves are wrong, the lower one is reported.
  std::string upper_text = std::move(text_);
  text_.clear();
  if (pop(state, wanted)) text_ = std::move(upper_text);
  return false;
}

bool TypeChecker::push(TypeState& state, Type type) {
  if (state.depth + (type.is_category2() ? 2 : 1) > state.stack_capacity()) {
    ErrorContext context{ErrorContext::Kind::StackOverflow, bci_};
    context.type.frame = describe_frame(state, bci_, depth_before_);
    return refuse("Operand stack overflow", context);
  }
  state.operand(state.depth++) = type;
  return true;
}

bool TypeChecker::push_slots(TypeState& state, Type type) {
  if (type == Type::top()) return true;
  if (state.depth == state.stack_capacity()) return push(state, type);
  state.operand(state.depth++) = type;
  return !type.is_category2() || push(state, type.upper());
}

bool TypeChecker::push_value(TypeState& state, Type type) {
  if (type == Type::top()) return true;
  return push(state, type) && (!type.is_category2() || push(state, type.upper()));
}

// --- locals ----------------------------------------------------------------------------------------------------------

bool TypeChecker::get_local(TypeState& state, u32 index, Type wanted, Type* type) {
  if (wanted.is_category2() && index + 1 >= state.used_locals) {
    return refuse("get long/double overflows locals", {ErrorContext::Kind::BadLocalIndex, bci_, index});
  }
  if (index >= state.locals) {
    return refuse("Local variable table overflow", {ErrorContext::Kind::BadLocalIndex, bci_, index});
  }
  Type found = state.local(index);
  if (type != nullptr) *type = found;
  if (hierarchy_.is_assignable(wanted, found)) {
    if (index >= state.used_locals) state.used_locals = index + 1;
    return true;
  }
  return refuse_type(in_local(state, index), TypeOrigin::implicit(wanted), "Bad local variable type");
}

bool TypeChecker::load(TypeState& state, char letter) {
  u32 index = bytecode::local_index(method_->code, bci_);
  Type type;
  if (!get_local(state, index, type_of_letter(letter), &type)) return false;
  if (type.is_category2() && !get_local(state, index + 1, type.upper(), nullptr)) return false;
  return push_value(state, type);
}

// Writes one slot. If it overwrites one half of a long or double, the other half becomes Top.
void TypeChecker::set_local(TypeState& state, u32 index, Type type) {
  if (state.local(index).is_category2() && index + 1 < state.locals) state.local(index + 1) = Type::top();
  if (state.local(index).is_category2_upper() && index > 0) state.local(index - 1) = Type::top();
  state.local(index) = type;
  if (index >= state.used_locals) state.used_locals = index + 1;
}

bool TypeChecker::store(TypeState& state, char letter) {
  u32 index = bytecode::local_index(method_->code, bci_);
  Type type = type_of_letter(letter);
  if (letter == 'a') {
    if (!pop(state, type, &type)) return false;
  } else if (!pop_value(state, type)) {
    return false;
  }
  u32 last = index + (type.is_category2() ? 1 : 0);
  if (last >= state.locals) {
    return refuse("Local variable table overflow", {ErrorContext::Kind::BadLocalIndex, bci_, index});
  }
  set_local(state, index, type);
  if (type.is_category2()) {
    set_local(state, last, Type::top());
    state.local(index) = type;
    state.local(last) = type.upper();
  }
  state.locals_changed = true;
  return true;
}

bool TypeChecker::enter(TypeState& state) {
  u32 index = 0;
  auto put = [&](Type type) {
    if (index + (type.is_category2() ? 2 : 1) > state.locals) {
      return refuse("Local variable table overflow", {ErrorContext::Kind::BadLocalIndex, 0, index});
    }
    state.local(index++) = type;
    if (type.is_category2()) state.local(index++) = type.upper();
    return true;
  };
  if (!method_->is_static()) {
    bool unborn = method_->is_initializer() && hierarchy_.klass()->super != nullptr;
    if (unborn) state.flags |= flag_this_uninitialized;
    if (!put(unborn ? Type(TypeTag::UninitializedThis) : hierarchy_.this_type())) return false;
  }
  for (DescriptorIterator it(method_->descriptor); !it.at_end(); it.next())
    if (!put(hierarchy_.type_of_descriptor(it.text()))) return false;
  state.used_locals = index;
  return true;
}

VerificationType TypeChecker::exception_type(const ExceptionHandler& handler) const {
  return Type::reference(handler.catch_type_index == 0 ? names::java_lang_Throwable
                                                       : constants_->class_name(handler.catch_type_index));
}

// --- instructions ----------------------------------------------------------------------------------------------------

bool TypeChecker::step(TypeState& state, u32 bci) {
  const u8* code = method_->code;
  bci_ = bci;
  depth_before_ = state.depth;
  u8 opcode = effective_opcode(code, bci);
  if (char letter = local_load_letter(opcode)) return load(state, letter);
  if (char letter = local_store_letter(opcode)) return store(state, letter);
  if (opcode >= POP && opcode <= SWAP) return shuffle(state, opcode);
  if ((opcode >= IALOAD && opcode <= SALOAD) || (opcode >= IASTORE && opcode <= SASTORE))
    return array_access(state, opcode);
  switch (opcode) {
    case IINC: {
      Type type;
      return get_local(state, bytecode::local_index(code, bci), TypeTag::Int, &type);
    }
    case ACONST_NULL: return push(state, TypeTag::Null);
    case LDC:
    case LDC_W:
    case LDC2_W: return load_constant(state, opcode);
    case IRETURN:
    case LRETURN:
    case FRETURN:
    case DRETURN:
    case ARETURN:
    case RETURN: return return_from(state, opcode);
    case GETSTATIC:
    case PUTSTATIC:
    case GETFIELD:
    case PUTFIELD: return field(state, opcode);
    case INVOKEVIRTUAL:
    case INVOKESPECIAL:
    case INVOKESTATIC:
    case INVOKEINTERFACE:
    case INVOKEDYNAMIC: return invoke(state, opcode);
    case NEW: {
      u32 index = bytecode::constant_index(code, bci);
      if (!pool_entry(index, {ConstantTag::Class})) return false;
      Type type = Type::reference(constants_->class_name(index));
      if (!type.is_object()) return refuse_type(TypeOrigin::pool(index, type), {}, "Illegal new instruction");
      return push(state, Type::uninitialized(bci));
    }
    case NEWARRAY: {
      static constexpr const char* arrays[] = {"[Z", "[C", "[F", "[D", "[B", "[S", "[I", "[J"};
      u32 element = code[bci + 1];
      if (element < 4 || element > 11) return refuse_code(bci, "Illegal newarray instruction");
      return pop(state, TypeTag::Int) && push(state, hierarchy_.type_named(arrays[element - 4]));
    }
    case ANEWARRAY: return create_array_of(state);
    case MULTIANEWARRAY: return create_multi_array(state);
    case ARRAYLENGTH: {
      Type array;
      if (!pop(state, TypeTag::AnyReference, &array)) return false;
      if (!array.is(TypeTag::Null) && !array.is_array()) {
        return refuse_type(on_stack(state), {}, "Bad type on operand stack in arraylength");
      }
      return push(state, TypeTag::Int);
    }
    case ATHROW: return pop(state, Type::reference(names::java_lang_Throwable));
    case CHECKCAST:
    case INSTANCEOF: {
      u32 index = bytecode::constant_index(code, bci);
      if (!pool_entry(index, {ConstantTag::Class}) || !pop(state, Type::reference(names::java_lang_Object)))
        return false;
      return push(state, opcode == CHECKCAST ? Type::reference(constants_->class_name(index)) : Type(TypeTag::Int));
    }
    default: return simple(state, opcode);
  }
}

// Handles an instruction that its row of bytecodes.def describes fully.
bool TypeChecker::simple(TypeState& state, u8 opcode) {
  const bytecode::Row& row = bytecode::row(opcode);
  // LIFE(monitorenter) 2/10: "a" in its row: there must be a reference on the stack, or the class is rejected
  for (usize index = row.pops.size(); index-- > 0;)
    if (!pop_value(state, type_of_letter(row.pops[index]))) return false;
  for (char letter : row.pushes)
    if (!push_value(state, type_of_letter(letter))) return false;
  return true;
}

// Handles a shuffle. Shuffles move whole values: two slots are one value of category 2, or two values of category 1.
bool TypeChecker::shuffle(TypeState& state, u8 opcode) {
  // The slots taken from the top (one, or two as a unit), then the slots below them, under which copies are inserted.
  struct Shape {
    u8 top, below;
    bool copies;
  };
  static constexpr Shape shapes[] = {{1, 0, false}, {2, 0, false}, {1, 0, true}, {1, 1, true},
                                     {1, 2, true},  {2, 0, true},  {2, 1, true}, {2, 2, true}};
  Type top[2], below[2];
  auto take = [&](u32 count, Type* into) MAY_SAFEPOINT {
    if (count == 1) return pop(state, TypeTag::Category1, &into[0]);
    if (state.depth == 0) return pop(state, TypeTag::Category1, &into[0]);
    Type type = state.operand(state.depth - 1);
    if (!type.is_category1() && !type.is_category2_upper()) {
      --state.depth;
      return refuse_type(on_stack(state), {},
                         fmt::format("Bad type on operand stack in {}", bytecode::row(opcode).mnemonic));
    }
    --state.depth;
    into[1] = type;
    return pop(state, type.is_category1() ? TypeTag::Category1 : TypeTag::Category2, &into[0]);
  };
  auto put = [&](u32 count, const Type* from) {
    for (u32 index = 0; index < count; ++index)
      if (!push(state, from[index])) return false;
    return true;
  };
  if (opcode == SWAP) return take(1, top) && take(1, below) && put(1, top) && put(1, below);
  Shape shape = shapes[opcode - POP];
  if (!take(shape.top, top)) return false;
  if (!shape.copies) return true;
  return (shape.below == 0 || take(shape.below, below)) && put(shape.top, top) && put(shape.below, below) &&
         put(shape.top, top);
}

bool TypeChecker::array_access(TypeState& state, u8 opcode) {
  struct Kind {
    const char* letters;
    Type element;
  };
  static constexpr Kind kinds[] = {
      {"I", TypeTag::Int},           {"J", TypeTag::Long}, {"F", TypeTag::Float}, {"D", TypeTag::Double},
      {"L[", TypeTag::AnyReference}, {"BZ", TypeTag::Int}, {"C", TypeTag::Int},   {"S", TypeTag::Int}};
  bool is_store = opcode >= IASTORE;
  u32 which = opcode - (is_store ? IASTORE : IALOAD);
  const Kind& kind = kinds[which];
  bool references = opcode == AALOAD || opcode == AASTORE;
  if (is_store) {
    bool popped = references ? pop(state, Type::reference(names::java_lang_Object)) : pop_value(state, kind.element);
    if (!popped) return false;
  }
  Type array;
  if (!pop(state, TypeTag::Int) || !pop(state, TypeTag::AnyReference, &array)) return false;
  bool fits = false;
  for (const char* letter = kind.letters; *letter != 0; ++letter) fits = fits || array.is_array_of(*letter);
  if (!fits) {
    TypeOrigin expected;
    if (references) expected = TypeOrigin::implicit(TypeTag::AnyReference);
    else if (opcode != BALOAD && opcode != BASTORE)
      expected = TypeOrigin::implicit(hierarchy_.type_named(fmt::format("[{}", kind.letters)));
    return refuse_type(on_stack(state), expected,
                       fmt::format("Bad type on operand stack in {}", bytecode::row(opcode).mnemonic));
  }
  if (is_store) return true;
  if (!references) return push_value(state, kind.element);
  return push(state, array.is(TypeTag::Null) ? array : hierarchy_.component_of(array));
}

bool TypeChecker::load_constant(TypeState& state, u8 opcode) {
  u32 index = bytecode::constant_index(method_->code, bci_);
  using enum ConstantTag;
  bool allowed = opcode == LDC2_W
                     ? pool_entry(index, {Long, Double, Dynamic})
                     : pool_entry(index, {Integer, Float, String, Class, MethodHandle, MethodType, Dynamic});
  if (!allowed) return false;
  switch (constants_->tag(index)) {
    case Integer: return push(state, TypeTag::Int);
    case Float: return push(state, TypeTag::Float);
    case Long: return push_value(state, TypeTag::Long);
    case Double: return push_value(state, TypeTag::Double);
    case String: return push(state, Type::reference(names::java_lang_String));
    case Class: return push(state, Type::reference(names::java_lang_Class));
    case MethodHandle: return push(state, Type::reference(names::java_lang_invoke_MethodHandle));
    case MethodType: return push(state, Type::reference(names::java_lang_invoke_MethodType));
    default: {
      Type type = hierarchy_.type_of_descriptor(constants_->ref_descriptor(index)->text());
      if (type.is_category2() != (opcode == LDC2_W)) return refuse_pool_type(index);
      return push_value(state, type);
    }
  }
}

VerificationType TypeChecker::type_of_result(std::string_view descriptor) {
  switch (descriptor[0]) {
    case 'Z': return TypeTag::Boolean;
    case 'B': return TypeTag::Byte;
    case 'C': return TypeTag::Char;
    case 'S': return TypeTag::Short;
    default: return hierarchy_.type_of_descriptor(descriptor);
  }
}

bool TypeChecker::return_from(TypeState& state, u8 opcode) {
  Type wanted = type_of_result(return_descriptor_of(method_->descriptor->text()));
  if (opcode == RETURN) {
    if (wanted != Type::top()) return refuse_code(bci_, "Method expects a return value");
    if (method_->is_initializer() && (state.flags & flag_this_uninitialized) != 0)
      return refuse_code(bci_, "Constructor must call super() or this() before return");
    return true;
  }
  Type type = type_of_letter("ilfda"[opcode - IRETURN]);
  if (!pop_value(state, type)) return false;
  if (opcode == ARETURN) type = state.operand(state.depth);
  if (wanted == Type::top())
    return refuse_type(on_stack(state), TypeOrigin::signature(wanted), "Method does not expect a return value");
  if (!hierarchy_.is_assignable(wanted, type))
    return refuse_type(on_stack(state), TypeOrigin::signature(wanted), "Bad return type");
  return true;
}

}  // namespace keyhole
