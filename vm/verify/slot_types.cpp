// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The transfer function of frame maps. It uses the rows of bytecodes.def where they suffice, else the descriptors in
// the constant pool.
#include "vm/verify/slot_types.h"

#include "vm/metadata/constant_pool.h"

namespace keyhole {
namespace {

SlotKind kind_of_letter(char letter) {
  switch (letter) {
    case 'i': return SlotKind::Int;
    case 'f': return SlotKind::Float;
    case 'l': return SlotKind::Long;
    case 'd': return SlotKind::Double;
    default: return SlotKind::Reference;
  }
}

SlotKind kind_of_type(BasicType type) {
  switch (type) {
    case BasicType::Float: return SlotKind::Float;
    case BasicType::Long: return SlotKind::Long;
    case BasicType::Double: return SlotKind::Double;
    case BasicType::Reference: return SlotKind::Reference;
    default: return SlotKind::Int;
  }
}

constexpr bool is_wide_kind(SlotKind kind) { return kind == SlotKind::Long || kind == SlotKind::Double; }
constexpr SlotKind upper_of(SlotKind kind) {
  return kind == SlotKind::Long ? SlotKind::LongUpper : SlotKind::DoubleUpper;
}

bool has_tag(const ConstantPool* constants, u32 index, std::initializer_list<ConstantTag> tags) {
  if (index == 0 || index >= constants->count) return false;
  for (ConstantTag tag : tags)
    if (constants->tag(index) == tag) return true;
  return false;
}

}  // namespace

char local_load_letter(u8 opcode) {
  if (opcode >= ILOAD && opcode <= ALOAD) return "ilfda"[opcode - ILOAD];
  if (opcode >= ILOAD_0 && opcode <= ALOAD_3) return "ilfda"[(opcode - ILOAD_0) >> 2];
  return 0;
}

char local_store_letter(u8 opcode) {
  if (opcode >= ISTORE && opcode <= ASTORE) return "ilfda"[opcode - ISTORE];
  if (opcode >= ISTORE_0 && opcode <= ASTORE_3) return "ilfda"[(opcode - ISTORE_0) >> 2];
  return 0;
}

u32 invoke_argument_slots(const Method* method, u32 bci) {
  u8 opcode = method->code[bci];
  if (!bytecode::has(opcode, bytecode::flag::calls)) return 0;
  u32 receiver = opcode == INVOKESTATIC || opcode == INVOKEDYNAMIC ? 0 : 1;
  return receiver +
         argument_slots_of(method->constants->ref_descriptor(bytecode::constant_index(method->code, bci))->text());
}

const ShufflePattern& shuffle_pattern(u8 opcode) {
  static constexpr ShufflePattern patterns[] = {{1, 0, {}},
                                                {2, 0, {}},  // pop, pop2
                                                {1, 2, {0, 0}},
                                                {2, 3, {0, 1, 0}},
                                                {3, 4, {0, 2, 1, 0}},  // dup, dup_x1, dup_x2
                                                {2, 4, {1, 0, 1, 0}},
                                                {3, 5, {1, 0, 2, 1, 0}},
                                                {4, 6, {1, 0, 3, 2, 1, 0}},  // dup2, dup2_x1, dup2_x2
                                                {2, 2, {0, 1}}};             // swap
  return patterns[opcode - POP];
}

StackEffect stack_effect(const Method* method, u32 bci) {
  const u8* code = method->code;
  u8 opcode = effective_opcode(code, bci);
  if (opcode >= POP && opcode <= SWAP) return {shuffle_pattern(opcode).taken, shuffle_pattern(opcode).count};
  auto descriptor = [&] { return method->constants->ref_descriptor(bytecode::constant_index(code, bci))->text(); };
  switch (opcode) {
    case LDC:
    case LDC_W: return {0, 1};
    case LDC2_W: return {0, 2};
    case GETSTATIC:
    case PUTSTATIC:
    case GETFIELD:
    case PUTFIELD: {
      u32 value = slot_count(basic_type_of_descriptor(descriptor()[0])), object = opcode >= GETFIELD ? 1 : 0;
      return opcode == GETSTATIC || opcode == GETFIELD ? StackEffect{object, value} : StackEffect{object + value, 0};
    }
    case INVOKEVIRTUAL:
    case INVOKESPECIAL:
    case INVOKESTATIC:
    case INVOKEINTERFACE:
    case INVOKEDYNAMIC: return {invoke_argument_slots(method, bci), slot_count(return_type_of(descriptor()))};
    case MULTIANEWARRAY: return {code[bci + 3], 1};
    default: {
      auto slots = [](std::string_view letters) {
        u32 count = 0;
        for (char letter : letters) count += letter == 'l' || letter == 'd' ? 2 : 1;
        return count;
      };
      return {slots(bytecode::row(opcode).pops), slots(bytecode::row(opcode).pushes)};
    }
  }
}

bool SlotDomain::refuse(u32 bci, const char* why) {
  if (reason_.empty()) {
    u8 opcode = bci < method_->code_length ? method_->code[bci] : u8{NOP};
    reason_ = fmt::format("{} at bci {} ({})", why, bci, bytecode::row(opcode).mnemonic);
  }
  return false;
}

void SlotDomain::fault(FlowFault fault, u32 bci, u32) {
  static constexpr const char* texts[] = {
      "control falls off the end of the code", "operand depths differ where paths meet",
      "not a return address of a running subroutine", "too many subroutines", "operand stack overflow"};
  refuse(bci, texts[static_cast<u32>(fault)]);
}

bool SlotDomain::enter(State& state) {
  u32 local = 0;
  auto put = [&](SlotKind kind) {
    u32 needed = is_wide_kind(kind) ? 2 : 1;
    if (local + needed > state.locals) return false;
    state.local(local++) = kind;
    if (needed == 2) state.local(local++) = upper_of(kind);
    return true;
  };
  bool fits = method_->is_static() || put(SlotKind::Reference);
  for (DescriptorIterator it(method_->descriptor); fits && !it.at_end(); it.next()) fits = put(kind_of_type(it.type()));
  return fits || refuse(0, "arguments do not fit into the locals");
}

bool SlotDomain::pop(State& state, u32 bci, SlotKind kind) {
  u32 needed = is_wide_kind(kind) ? 2 : 1;
  if (state.depth < needed) return refuse(bci, "operand stack underflow");
  state.depth -= needed;
  if (state.operand(state.depth).kind() != kind ||
      (needed == 2 && state.operand(state.depth + 1).kind() != upper_of(kind)))
    return refuse(bci, "operand of the wrong type");
  return true;
}

bool SlotDomain::push(State& state, u32 bci, SlotKind kind) {
  u32 needed = is_wide_kind(kind) ? 2 : 1;
  if (state.depth + needed > state.stack_capacity()) return refuse(bci, "operand stack overflow");
  state.operand(state.depth++) = kind;
  if (needed == 2) state.operand(state.depth++) = upper_of(kind);
  return true;
}

bool SlotDomain::push_type(State& state, u32 bci, BasicType type) {
  return type == BasicType::Void || push(state, bci, kind_of_type(type));
}
bool SlotDomain::pop_type(State& state, u32 bci, BasicType type) { return pop(state, bci, kind_of_type(type)); }

bool SlotDomain::pop_arguments(State& state, u32 bci, const Symbol* descriptor) {
  // Checks the arguments bottom first and then drops them all, so that no list of the arguments is needed.
  u32 slots = argument_slots_of(descriptor->text());
  if (state.depth < slots) return refuse(bci, "operand stack underflow");
  u32 operand = state.depth - slots;
  for (DescriptorIterator it(descriptor); !it.at_end(); it.next()) {
    SlotKind kind = kind_of_type(it.type());
    if (state.operand(operand).kind() != kind) return refuse(bci, "argument of the wrong type");
    operand += is_wide_kind(kind) ? 2 : 1;
  }
  state.depth -= slots;
  return true;
}

bool SlotDomain::load(State& state, u32 bci, u32 local, char letter) {
  SlotKind kind = kind_of_letter(letter);
  if (local + (is_wide_kind(kind) ? 2 : 1) > state.locals) return refuse(bci, "no such local");
  if (state.local(local).kind() != kind || (is_wide_kind(kind) && state.local(local + 1).kind() != upper_of(kind)))
    return refuse(bci, "local of the wrong type");
  return push(state, bci, kind);
}

bool SlotDomain::store(State& state, u32 bci, u32 local, char letter) {
  SlotKind kind = kind_of_letter(letter);
  u32 needed = is_wide_kind(kind) ? 2 : 1;
  if (local + needed > state.locals) return refuse(bci, "no such local");
  SlotType stored = kind;
  if (letter == 'a' && state.depth != 0 && state.operand(state.depth - 1).is_return_address()) {
    stored = state.operand(--state.depth);
  } else if (!pop(state, bci, kind)) {
    return false;
  }
  // If one half of a long or double is overwritten, the other half becomes Top.
  if (local > 0 && is_wide_kind(state.local(local - 1).kind())) state.local(local - 1) = SlotType::top();
  if (u32 last = local + needed - 1; last + 1 < state.locals && is_wide_kind(state.local(last).kind()))
    state.local(last + 1) = SlotType::top();
  state.local(local) = stored;
  if (needed == 2) state.local(local + 1) = upper_of(kind);
  state.locals_changed = true;
  return true;
}

bool SlotDomain::shuffle(State& state, u32 bci, u8 opcode) {
  const ShufflePattern& pattern = shuffle_pattern(opcode);
  if (state.depth < pattern.taken) return refuse(bci, "operand stack underflow");
  SlotType taken[4];
  for (u32 index = 0; index < pattern.taken; ++index) taken[index] = state.operand(state.depth - 1 - index);
  state.depth -= pattern.taken;
  if (state.depth + pattern.count > state.stack_capacity()) return refuse(bci, "operand stack overflow");
  for (u32 index = 0; index < pattern.count; ++index) state.operand(state.depth++) = taken[pattern.from_top[index]];
  return true;
}

bool SlotDomain::step(State& state, u32 bci) {
  const u8* code = method_->code;
  const ConstantPool* constants = method_->constants;
  u8 opcode = effective_opcode(code, bci);
  if (char letter = local_load_letter(opcode)) return load(state, bci, bytecode::local_index(code, bci), letter);
  if (char letter = local_store_letter(opcode)) return store(state, bci, bytecode::local_index(code, bci), letter);
  if (opcode >= POP && opcode <= SWAP) return shuffle(state, bci, opcode);
  switch (opcode) {
    case IINC: {
      u32 local = bytecode::local_index(code, bci);
      return (local < state.locals && state.local(local).kind() == SlotKind::Int) ||
             refuse(bci, "local of the wrong type");
    }
    case LDC:
    case LDC_W:
    case LDC2_W: {
      u32 index = bytecode::constant_index(code, bci);
      if (index == 0 || index >= constants->count) return refuse(bci, "no such constant");
      switch (constants->tag(index)) {
        case ConstantTag::Integer: return push(state, bci, SlotKind::Int);
        case ConstantTag::Float: return push(state, bci, SlotKind::Float);
        case ConstantTag::Long: return push(state, bci, SlotKind::Long);
        case ConstantTag::Double: return push(state, bci, SlotKind::Double);
        case ConstantTag::String:
        case ConstantTag::Class:
        case ConstantTag::MethodHandle:
        case ConstantTag::MethodType: return push(state, bci, SlotKind::Reference);
        case ConstantTag::Dynamic:
          return push_type(state, bci, basic_type_of_descriptor((*constants->ref_descriptor(index))[0]));
        default: return refuse(bci, "constant of the wrong kind");
      }
    }
    case GETSTATIC:
    case PUTSTATIC:
    case GETFIELD:
    case PUTFIELD: {
      u32 index = bytecode::constant_index(code, bci);
      if (!has_tag(constants, index, {ConstantTag::Fieldref})) return refuse(bci, "constant of the wrong kind");
      BasicType type = basic_type_of_descriptor((*constants->ref_descriptor(index))[0]);
      switch (opcode) {
        case GETSTATIC: return push_type(state, bci, type);
        case PUTSTATIC: return pop_type(state, bci, type);
        case GETFIELD: return pop(state, bci, SlotKind::Reference) && push_type(state, bci, type);
        default: return pop_type(state, bci, type) && pop(state, bci, SlotKind::Reference);
      }
    }
    case INVOKEVIRTUAL:
    case INVOKESPECIAL:
    case INVOKESTATIC:
    case INVOKEINTERFACE:
    case INVOKEDYNAMIC: {
      u32 index = bytecode::constant_index(code, bci);
      if (!has_tag(constants, index,
                   {ConstantTag::Methodref, ConstantTag::InterfaceMethodref, ConstantTag::InvokeDynamic}))
        return refuse(bci, "constant of the wrong kind");
      const Symbol* descriptor = constants->ref_descriptor(index);
      if (!pop_arguments(state, bci, descriptor)) return false;
      if (opcode != INVOKESTATIC && opcode != INVOKEDYNAMIC && !pop(state, bci, SlotKind::Reference)) return false;
      return push_type(state, bci, return_type_of(descriptor->text()));
    }
    case MULTIANEWARRAY:
      for (u32 dimension = 0; dimension < code[bci + 3]; ++dimension)
        if (!pop(state, bci, SlotKind::Int)) return false;
      return push(state, bci, SlotKind::Reference);
    default: {
      const bytecode::Row& row = bytecode::row(opcode);
      for (usize index = row.pops.size(); index-- > 0;)
        if (!pop(state, bci, kind_of_letter(row.pops[index]))) return false;
      for (char letter : row.pushes)
        if (!push(state, bci, kind_of_letter(letter))) return false;
      return true;
    }
  }
}

}  // namespace keyhole
