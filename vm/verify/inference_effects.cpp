// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the effects, by families of instructions.
#include "vm/verify/inference_effects.h"

#include <fmt/format.h>

#include <algorithm>

#include "vm/link/release_behaviour.h"
#include "vm/metadata/constant_pool.h"
#include "vm/verify/slot_types.h"

namespace keyhole::inference {
namespace {

Type type_of_letter(char letter) {
  switch (letter) {
    case 'i': return TypeTag::Int;
    case 'f': return TypeTag::Float;
    case 'l': return TypeTag::Long;
    default: return TypeTag::Double;
  }
}

const char* kind_fault(char letter) {
  switch (letter) {
    case 'i': return "Expecting to find integer on stack";
    case 'f': return "Expecting to find float on stack";
    case 'l': return "Expecting to find long on stack";
    default: return "Expecting to find double on stack";
  }
}

char letter_of_descriptor(char first) {
  switch (first) {
    case 'F': return 'f';
    case 'J': return 'l';
    case 'D': return 'd';
    case 'L':
    case '[': return 'a';
    default: return 'i';
  }
}

// Is it an initialised object, an array or null?
bool is_object(Type type) { return type.is_reference(); }

}  // namespace

// --- operands --------------------------------------------------------------------------------------------------------

bool Effects::pop(State& state, Type* popped) {
  if (state.operands->empty()) return refuse("Unable to pop operand off an empty stack");
  if (popped != nullptr) *popped = state.operands->back();
  state.operands.writable().pop_back();
  return true;
}

bool Effects::pop_kind(State& state, char letter, const Instruction& instruction, Type* popped) {
  if (letter == 'a') return pop_reference(state, instruction, popped);
  Type wanted = type_of_letter(letter), top;
  if (!pop(state, &top)) return false;
  if (wanted.is_category2()) {
    if (top != wanted.upper()) return refuse(kind_fault(letter));
    if (!pop(state, &top)) return false;
  }
  if (top != wanted) return refuse(kind_fault(letter));
  if (popped != nullptr) *popped = top;
  return true;
}

// Pops a reference. Only few instructions take an object that is not initialised, and only astore takes a return
// address.
bool Effects::pop_reference(State& state, const Instruction& instruction, Type* popped) {
  Type top;
  if (!pop(state, &top)) return false;
  if (popped != nullptr) *popped = top;
  u8 opcode = instruction.opcode;
  if (is_object(top)) return true;
  if (top.is_return_address() && opcode == ASTORE) return true;
  if (top.is_uninitialized() && (opcode == ASTORE || opcode == IFNULL || opcode == IFNONNULL)) return true;
  if (top.is(TypeTag::UninitializedThis) && opcode == PUTFIELD && is_own_field(instruction)) return true;
  return refuse("Expecting to find object/array on stack");
}

bool Effects::pop_array(State& state, const char* elements, const char* fault, Type* popped) {
  if (!pop(state, popped)) return false;
  for (const char* element = elements; *element != 0; ++element)
    if (popped->is_array_of(*element)) return true;
  return refuse(fault);
}

void Effects::push(State& state, Type type) {
  if (type == Type::top()) return;
  std::vector<Type>& operands = state.operands.writable();
  operands.push_back(type);
  if (type.is_category2()) operands.push_back(type.upper());
}

// --- locals ----------------------------------------------------------------------------------------------------------

bool Effects::check_local(const Instruction& instruction, const State& state) {
  u8 opcode = instruction.opcode;
  char letter = opcode == IINC ? 'i' : opcode == RET ? 'r' : local_load_letter(opcode);
  if (letter == 0) return true;
  u32 index = instruction.local;
  auto at = [&](u32 local) { return local < state.locals->size() ? (*state.locals)[local] : Type::top(); };
  Type found = at(index);
  if (letter == 'l' || letter == 'd') {
    if (index + 1 >= state.locals->size())
      return refuse(fmt::format("Accessing value from uninitialized register pair {}/{}", index, index + 1));
    Type wanted = type_of_letter(letter);
    return (found == wanted && at(index + 1) == wanted.upper()) ||
           refuse(fmt::format("Register pair {}/{} contains wrong type", index, index + 1));
  }
  if (index >= state.locals->size())
    return refuse(fmt::format("Accessing value from uninitialized register {}", index));
  bool fits = letter == 'r'   ? found.is_return_address()
              : letter == 'a' ? is_object(found) || found.is_uninitialized()
                              : found == type_of_letter(letter);
  if (fits) return true;
  if (found.is_return_address()) return refuse(fmt::format("Cannot load return address from register {}", index));
  return refuse(fmt::format("Register {} contains wrong type", index));
}

// Writes a local. If it overwrites one half of a long or double, the other half becomes unusable.
void Effects::set_local(State& state, u32 index, Type type) {
  u32 slots = type.is_category2() ? 2 : 1;
  std::vector<Type>& locals = state.locals.writable();
  if (index + slots > locals.size()) locals.resize(index + slots, Type::top());
  if (locals[index].is_category2_upper() && index > 0) locals[index - 1] = Type::top();
  locals[index] = type;
  if (slots == 2) locals[index + 1] = type.upper();
  note_written(state, index);
  if (slots == 2) note_written(state, index + 1);
}

void Effects::note_written(State& state, u32 local) {
  if (state.masks->empty()) return;
  for (Mask& mask : state.masks.writable()) mask.written[local] = true;
}

bool Effects::load(const Instruction& instruction, State& state) {
  push(state, (*state.locals)[instruction.local]);
  return true;
}

bool Effects::store(const Instruction& instruction, State& state) {
  Type stored;
  if (!pop_kind(state, local_store_letter(instruction.opcode), instruction, &stored)) return false;
  set_local(state, instruction.local, stored);
  return true;
}

// --- families --------------------------------------------------------------------------------------------------------

bool Effects::apply(const Instruction& instruction, State& state) {
  constructed_ = false;
  u8 opcode = instruction.opcode;
  if (opcode >= IRETURN && opcode <= RETURN) return return_from(instruction, state);
  if (opcode == IINC || opcode == RET) return true;
  bool done;
  if (local_load_letter(opcode) != 0) done = load(instruction, state);
  else if (local_store_letter(opcode) != 0) done = store(instruction, state);
  else if (opcode >= POP && opcode <= SWAP) done = shuffle(instruction, state);
  else if ((opcode >= IALOAD && opcode <= SALOAD) || (opcode >= IASTORE && opcode <= SASTORE))
    done = array_access(instruction, state);
  else if (opcode >= LDC && opcode <= LDC2_W) done = constant(instruction, state);
  else if (opcode >= GETSTATIC && opcode <= PUTFIELD) done = field(instruction, state);
  else if (bytecode::has(opcode, bytecode::flag::calls)) done = call(instruction, state);
  else done = create(instruction, state);
  if (!done) return false;
  return state.operands->size() <= method_->max_stack || refuse("Stack size too large");
}

bool Effects::shuffle(const Instruction& instruction, State& state) {
  // A shuffle: the operands taken from the top (two of them count as one unit where a long or double is allowed), then
  // those below.
  struct Shape {
    u8 top, below;
    bool copies;
  };
  static constexpr Shape shapes[] = {{1, 0, false}, {2, 0, false}, {1, 0, true}, {1, 1, true}, {1, 2, true},
                                     {2, 0, true},  {2, 1, true},  {2, 2, true}, {1, 1, false}};
  Shape shape = shapes[instruction.opcode - POP];
  std::vector<Type> top, below;  // topmost first
  auto take = [&](u32 count, std::vector<Type>& into) {
    bool is_unit = count == 2;
    while (into.size() < count) {
      Type type;
      if (!pop(state, &type)) return false;
      if (type.is_category2_upper()) {
        if (!is_unit || !into.empty()) return refuse("Attempt to split long or double on the stack");
        into = {type, state.operands->back()};
        state.operands.writable().pop_back();
        return true;
      }
      into.push_back(type);
    }
    return true;
  };
  auto put = [&](const std::vector<Type>& from) {
    std::vector<Type>& operands = state.operands.writable();
    operands.insert(operands.end(), from.rbegin(), from.rend());
  };
  if (!take(shape.top, top)) return false;
  if (shape.below != 0 && !take(shape.below, below)) return false;
  if (instruction.opcode == SWAP) {
    put(top);
    put(below);
  } else if (shape.copies) {
    put(top);
    if (shape.below != 0) {
      put(below);
      put(top);
    } else {
      put(top);
    }
  }
  return true;
}

bool Effects::array_access(const Instruction& instruction, State& state) {
  struct Kind {
    const char* elements;
    char letter;
    const char* fault;
  };
  static constexpr Kind kinds[] = {{"I", 'i', "Expecting to find array of ints on stack"},
                                   {"J", 'l', "Expecting to find array of longs on stack"},
                                   {"F", 'f', "Expecting to find array of floats on stack"},
                                   {"D", 'd', "Expecting to find array of doubles on stack"},
                                   {"L[", 'a', "Expecting to find array of objects or arrays on stack"},
                                   {"BZ", 'i', "Expecting to find array of bytes or Booleans on stack"},
                                   {"C", 'i', "Expecting to find array of chars on stack"},
                                   {"S", 'i', "Expecting to find array of shorts on stack"}};
  bool is_store = instruction.opcode >= IASTORE;
  const Kind& kind = kinds[instruction.opcode - (is_store ? IASTORE : IALOAD)];
  Type value, array;
  if (is_store && !pop_kind(state, kind.letter, instruction, &value)) return false;
  if (!pop_kind(state, 'i', instruction) || !pop_array(state, kind.elements, kind.fault, &array)) return false;
  if (is_store) return true;
  if (kind.letter != 'a') push(state, type_of_letter(kind.letter));
  else push(state, array.is(TypeTag::Null) ? array : hierarchy_.component_of(array));
  return true;
}

bool Effects::constant(const Instruction& instruction, State& state) {
  switch (method_->constants->tag(instruction.constant)) {
    case ConstantTag::Integer: push(state, TypeTag::Int); break;
    case ConstantTag::Float: push(state, TypeTag::Float); break;
    case ConstantTag::Long: push(state, TypeTag::Long); break;
    case ConstantTag::Double: push(state, TypeTag::Double); break;
    case ConstantTag::String: push(state, Type::reference(names::java_lang_String)); break;
    default: push(state, Type::reference(names::java_lang_Class)); break;
  }
  return true;
}

bool Effects::is_own_field(const Instruction& instruction) const {
  const ConstantPool* constants = method_->constants;
  return hierarchy_.klass()->find_declared_field(constants->ref_name(instruction.constant),
                                                 constants->ref_descriptor(instruction.constant)) != nullptr &&
         instruction.type == hierarchy_.this_type();
}

bool Effects::field(const Instruction& instruction, State& state) {
  u8 opcode = instruction.opcode;
  std::string_view descriptor = method_->constants->ref_descriptor(instruction.constant)->text();
  Type type = hierarchy_.type_of_descriptor(descriptor), value, object;
  bool writes = opcode == PUTSTATIC || opcode == PUTFIELD, has_object = opcode == GETFIELD || opcode == PUTFIELD;
  char letter = letter_of_descriptor(descriptor[0]);
  if (writes && !pop_kind(state, letter, instruction, &value)) return false;
  if (has_object && !pop_kind(state, 'a', instruction, &object)) return false;
  // The value may be the constructor's own object before super() returns: pop_kind has allowed it for a field of its
  // class.
  bool is_this_as_object = value.is(TypeTag::UninitializedThis) && type.name() == names::java_lang_Object;
  if (writes && letter == 'a' && !is_this_as_object && !is_assignable(type, value))
    return refuse("Bad type in putfield/putstatic");
  if (has_object) {
    if (object.is(TypeTag::UninitializedThis)) object = hierarchy_.this_type();  // pop_kind has allowed it
    if (!is_assignable(instruction.type, object)) return refuse("Incompatible type for getting or setting field");
    if (instruction.checks_protected && !is_assignable(hierarchy_.this_type(), object))
      return refuse("Bad access to protected data");
  }
  if (!writes) push(state, type);
  return !hierarchy_.threw();
}

bool Effects::call(const Instruction& instruction, State& state) {
  const ConstantPool* constants = method_->constants;
  const Symbol* descriptor = constants->ref_descriptor(instruction.constant);
  u8 opcode = instruction.opcode;
  std::vector<Type> wanted, given;
  std::string letters;
  for (DescriptorIterator it(descriptor); !it.at_end(); it.next()) {
    wanted.push_back(hierarchy_.type_of_descriptor(it.text()));
    letters += letter_of_descriptor(it.text()[0]);
  }
  given.resize(wanted.size());
  for (usize index = wanted.size(); index-- > 0;)
    if (!pop_kind(state, letters[index], instruction, &given[index])) return false;
  Type object;
  if (instruction.calls_initializer) {
    if (!pop(state, &object)) return false;
    if (!object.is_uninitialized())
      return refuse(fmt::format("Expecting to find {} object on stack", release::uninitialized_in_words()));
    if (!initialize(instruction, state, object)) return false;
  } else if (opcode != INVOKESTATIC) {
    if (!pop_kind(state, 'a', instruction, &object)) return false;
    if (!is_assignable(instruction.type, object)) return refuse("Incompatible object argument for function call");
    if (opcode == INVOKESPECIAL && !is_assignable(hierarchy_.this_type(), object))
      return refuse("Incompatible object argument for invokespecial");
    if (instruction.checks_protected && !is_assignable(hierarchy_.this_type(), object)) {
      // Arrays have a public clone(), although Object's is protected.
      bool is_array_clone = instruction.type.name() == names::java_lang_Object && object.is_array() &&
                            constants->ref_name(instruction.constant)->text() == "clone";
      if (!is_array_clone) return refuse("Bad access to protected data");
    }
  }
  for (usize index = 0; index < wanted.size(); ++index) {
    if (letters[index] == 'a' && !is_assignable(wanted[index], given[index]))
      return refuse("Incompatible argument to function");
  }
  push(state, hierarchy_.type_of_descriptor(return_descriptor_of(descriptor->text())));
  return !hierarchy_.threw();
}

bool Effects::initialize(const Instruction& instruction, State& state, Type object) {
  Type created = hierarchy_.this_type();
  if (object.is(TypeTag::UninitializedThis)) {
    const Klass* super = hierarchy_.klass()->super;
    if (instruction.type != created && (super == nullptr || instruction.type.name() != super->name))
      return refuse("Call to wrong initialization method");
    constructed_ = true;
  } else {
    created = Type::reference(method_->constants->class_name(bytecode::constant_index(method_->code, object.bci())));
    if (created != instruction.type) return refuse("Call to wrong initialization method");
    if (instruction.checks_protected && !is_assignable(hierarchy_.this_type(), created))
      return refuse("Bad access to protected data");
  }
  replace(state, object, created);
  return true;
}

void Effects::replace(State& state, Type from, Type to) {
  auto holds = [from](const std::vector<Type>& types) {
    return std::find(types.begin(), types.end(), from) != types.end();
  };
  if (holds(*state.operands))
    std::replace(state.operands.writable().begin(), state.operands.writable().end(), from, to);
  if (!holds(*state.locals)) return;
  std::vector<Type>& locals = state.locals.writable();
  for (u32 local = 0; local < locals.size(); ++local) {
    if (locals[local] != from) continue;
    locals[local] = to;
    note_written(state, local);
  }
}

bool Effects::return_from(const Instruction& instruction, State& state) {
  std::string_view descriptor = return_descriptor_of(method_->descriptor->text());
  constexpr const char* wrong = "Wrong return type in function";
  if (instruction.opcode == RETURN) return descriptor == "V" || refuse(wrong);
  char letter = "ilfda"[instruction.opcode - IRETURN];
  Type value;
  if (!pop_kind(state, letter, instruction, &value)) return false;
  if (descriptor == "V" || letter != letter_of_descriptor(descriptor[0])) return refuse(wrong);
  return letter != 'a' || is_assignable(hierarchy_.type_of_descriptor(descriptor), value) || refuse(wrong);
}

// Handles objects, arrays and casts, then all instructions that their row of bytecodes.def describes fully.
bool Effects::create(const Instruction& instruction, State& state) {
  Type operand;
  switch (instruction.opcode) {
    case ACONST_NULL: push(state, TypeTag::Null); return true;
    case NEW: {
      Type created = Type::uninitialized(instruction.bci);
      if (std::find(state.operands->begin(), state.operands->end(), created) != state.operands->end())
        return refuse("Uninitialized object on stack at creating point");
      replace(state, created, Type::top());
      push(state, created);
      return true;
    }
    case NEWARRAY:
    case ANEWARRAY:
      if (!pop_kind(state, 'i', instruction)) return false;
      push(state, instruction.type);
      return true;
    case MULTIANEWARRAY:
      for (u32 dimension = 0; dimension < instruction.dimensions; ++dimension)
        if (!pop_kind(state, 'i', instruction)) return false;
      push(state, instruction.type);
      return true;
    case CHECKCAST:
    case INSTANCEOF:
      if (!pop_reference(state, instruction, &operand)) return false;
      push(state, instruction.opcode == CHECKCAST ? instruction.type : Type(TypeTag::Int));
      return true;
    case ARRAYLENGTH:
      if (!pop(state, &operand)) return false;
      if (!operand.is(TypeTag::Null) && !operand.is_array()) return refuse("Expecting to find array on stack");
      push(state, TypeTag::Int);
      return true;
    case ATHROW:
      if (!pop(state, &operand)) return false;
      if (!operand.is_object() && !operand.is(TypeTag::Null)) return refuse("Expecting to find object on stack");
      return is_assignable(Type::reference(names::java_lang_Throwable), operand) ||
             refuse("Can only throw Throwable objects");
    case JSR:
    case JSR_W: push(state, Type::return_address(instruction.targets[0])); return true;
    default: break;
  }
  const bytecode::Row& row = bytecode::row(instruction.opcode);
  for (usize index = row.pops.size(); index-- > 0;)
    if (!pop_kind(state, row.pops[index], instruction)) return false;
  for (char letter : row.pushes) push(state, type_of_letter(letter));
  return true;
}

}  // namespace keyhole::inference
