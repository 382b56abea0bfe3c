// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads operands by the format of the instruction: jumps, switches, locals, constants.
#include "vm/verify/inference_operands.h"

#include <fmt/format.h>

#include "vm/metadata/constant_pool.h"
#include "vm/verify/slot_types.h"

namespace keyhole::inference {
namespace {

using enum ConstantTag;

u32 tags(std::initializer_list<ConstantTag> list) {
  u32 bits = 0;
  for (ConstantTag tag : list) bits |= u32{1} << static_cast<u32>(tag);
  return bits;
}

// Maps load_n to load, and store_n to store.
u8 without_number(u8 opcode) {
  if (opcode >= ILOAD_0 && opcode <= ALOAD_3) return static_cast<u8>(ILOAD + (opcode - ILOAD_0) / 4);
  if (opcode >= ISTORE_0 && opcode <= ASTORE_3) return static_cast<u8>(ISTORE + (opcode - ISTORE_0) / 4);
  return opcode;
}

bool may_be_wide(u8 opcode) {
  return (opcode >= ILOAD && opcode <= ALOAD) || (opcode >= ISTORE && opcode <= ASTORE) || opcode == IINC ||
         opcode == RET;
}

}  // namespace

bool OperandReader::read() {
  if (!find_instructions()) return false;
  for (Instruction& instruction : instructions_)
    if (!read_operands(instruction)) return false;
  return read_handlers();
}

bool OperandReader::find_instructions() {
  u32 length = method_->code_length;
  numbers_.assign(length, no_instruction);
  for (u32 bci = 0; bci < length;) {
    u32 bytes = bytecode::length_at(method_->code, bci, length);
    if (bytes == 0) {
      return refuse(is_cut_off(bci) ? fmt::format("Code stops in the middle of instruction  starting at offset {}", bci)
                                    : fmt::format("Illegal instruction found at offset {}", bci));
    }
    numbers_[bci] = static_cast<u32>(instructions_.size());
    instructions_.emplace_back().bci = bci;
    instructions_.back().opcode = without_number(effective_opcode(method_->code, bci));
    bci += bytes;
  }
  return true;
}

// Does the code end inside the instruction at bci, after enough bytes to know its length?
bool OperandReader::is_cut_off(u32 bci) const {
  const u8* code = method_->code;
  u32 length = method_->code_length;
  switch (code[bci]) {
    case WIDE: return bci + 1 < length && may_be_wide(code[bci + 1]);
    case TABLESWITCH:
    case LOOKUPSWITCH: {
      bool is_table = code[bci] == TABLESWITCH;
      u32 operands = (bci + 4) & ~3u;
      if (operands + (is_table ? 12 : 8) > length) return operands + (is_table ? 8 : 4) < length;
      i64 count = bytecode::Switch(code, bci).count();
      return count >= (is_table ? 1 : 0) && count <= 65535;
    }
    default: return bytecode::is_valid(code[bci]);
  }
}

bool OperandReader::add_target(Instruction& instruction, i64 bci, const char* fault) {
  if (!starts_at(bci)) return refuse(fault);
  instruction.targets.push_back(numbers_[bci]);
  return true;
}

bool OperandReader::read_switch(Instruction& instruction) {
  const u8* code = method_->code;
  bytecode::Switch table(code, instruction.bci);
  for (u32 padding = instruction.bci + 1; padding % 4 != 0; ++padding)
    if (method_->holder->major_version < 51 && code[padding] != 0) return refuse("Non zero padding bytes in switch");
  for (u32 index = 1; !table.is_table() && index < table.count(); ++index)
    if (table.key(index - 1) >= table.key(index)) return refuse("Unsorted lookup switch");
  if (!starts_at(static_cast<i32>(table.default_target()))) return refuse("Illegal default target in switch");
  for (u32 index = 0; index < table.count(); ++index)
    if (!add_target(instruction, static_cast<i32>(table.target_at(index)), "Illegal branch in tableswitch"))
      return false;
  return add_target(instruction, table.default_target(), "");
}

bool OperandReader::read_local(Instruction& instruction) {
  instruction.local = bytecode::local_index(method_->code, instruction.bci);
  char letter = local_load_letter(instruction.opcode);
  if (letter == 0) letter = local_store_letter(instruction.opcode);
  u32 slots = letter == 'l' || letter == 'd' ? 2 : 1;
  return instruction.local + slots <= method_->max_locals || refuse("Illegal local variable number");
}

bool OperandReader::read_constant(Instruction& instruction, u32 allowed) {
  const ConstantPool* constants = method_->constants;
  instruction.constant = bytecode::constant_index(method_->code, instruction.bci);
  if (instruction.constant == 0 || instruction.constant >= constants->count)
    return refuse("Illegal constant pool index");
  return (tags({constants->tag(instruction.constant)}) & allowed) != 0 || refuse("Illegal type in constant pool");
}

bool OperandReader::read_class(Instruction& instruction) {
  if (!read_constant(instruction, tags({Class}))) return false;
  instruction.type = Type::reference(method_->constants->class_name(instruction.constant));
  std::string_view name = instruction.type.name()->text();
  usize dimensions = name.find_first_not_of('[');
  switch (instruction.opcode) {
    case ANEWARRAY:
      if (dimensions >= 255) return refuse("Array with too many dimensions");
      instruction.type = hierarchy_.array_of(instruction.type);
      return true;
    case NEW: return dimensions == 0 || refuse("Illegal creation of multi-dimensional array");
    case MULTIANEWARRAY:
      instruction.dimensions = method_->code[instruction.bci + 3];
      return (instruction.dimensions != 0 && instruction.dimensions <= dimensions) ||
             refuse("Illegal dimension argument");
    default: return true;
  }
}

bool OperandReader::read_call(Instruction& instruction) {
  const u8* operands = method_->code + instruction.bci;
  const ConstantPool* constants = method_->constants;
  u8 opcode = instruction.opcode;
  if (opcode == INVOKEDYNAMIC) return refuse("invokedynamic bytecode is not supported in this class file version");
  u32 allowed = tags({opcode == INVOKEINTERFACE ? InterfaceMethodref : Methodref});
  if (!read_constant(instruction, allowed)) return false;
  u32 index = instruction.constant;
  const Symbol* name = constants->ref_name(index);
  const Symbol* descriptor = constants->ref_descriptor(index);
  instruction.type = Type::reference(constants->ref_class_name(index));
  instruction.calls_initializer = name == names::object_initializer;
  if (instruction.calls_initializer) {
    if (opcode != INVOKESPECIAL) return refuse("Must call initializers using invokespecial");
  } else {
    if ((*name)[0] == '<') return refuse("Illegal call to internal method");
    if (opcode == INVOKESPECIAL && !hierarchy_.is_named_in_supers(instruction.type.name()))
      return refuse("Illegal use of nonvirtual function call");
  }
  if (opcode == INVOKEINTERFACE) {
    if (operands[3] != argument_slots_of(descriptor->text()) + 1)
      return refuse("Inconsistent args_size for invokeinterface");
    if (operands[4] != 0) return refuse("Fourth operand byte of invokeinterface must be zero");
  }
  if ((opcode == INVOKEVIRTUAL || opcode == INVOKESPECIAL) && hierarchy_.is_named_in_supers(instruction.type.name())) {
    instruction.checks_protected = hierarchy_.is_protected_method(instruction.type.name(), name, descriptor);
  }
  return !hierarchy_.threw();
}

bool OperandReader::read_operands(Instruction& instruction) {
  const u8* code = method_->code;
  u8 opcode = instruction.opcode;
  u16 major = method_->holder->major_version;
  if (opcode == TABLESWITCH || opcode == LOOKUPSWITCH) return read_switch(instruction);
  if (bytecode::has(opcode, bytecode::flag::branches) && opcode != RET) {
    u32 target = bytecode::branch_target(code, instruction.bci);
    return add_target(instruction, static_cast<i32>(target), "Illegal target of jump or branch");
  }
  if (local_load_letter(opcode) != 0 || local_store_letter(opcode) != 0 || opcode == IINC || opcode == RET)
    return read_local(instruction);
  switch (opcode) {
    case LDC:
    case LDC_W: {
      u32 allowed = tags({Integer, Float, String});
      if (major >= 49) allowed |= tags({Class});
      return read_constant(instruction, allowed);
    }
    case LDC2_W: return read_constant(instruction, tags({Long, Double}));
    case GETSTATIC:
    case PUTSTATIC:
    case GETFIELD:
    case PUTFIELD: {
      if (!read_constant(instruction, tags({Fieldref}))) return false;
      const ConstantPool* constants = method_->constants;
      const Symbol* owner = constants->ref_class_name(instruction.constant);
      instruction.type = Type::reference(owner);
      if ((opcode == GETFIELD || opcode == PUTFIELD) && hierarchy_.is_named_in_supers(owner)) {
        instruction.checks_protected = hierarchy_.is_protected_field(owner, constants->ref_name(instruction.constant),
                                                                     constants->ref_descriptor(instruction.constant));
      }
      return !hierarchy_.threw();
    }
    case INVOKEVIRTUAL:
    case INVOKESPECIAL:
    case INVOKESTATIC:
    case INVOKEINTERFACE:
    case INVOKEDYNAMIC: return read_call(instruction);
    case NEW:
    case ANEWARRAY:
    case CHECKCAST:
    case INSTANCEOF:
    case MULTIANEWARRAY: return read_class(instruction);
    case NEWARRAY: {
      static constexpr const char* arrays[] = {"[Z", "[C", "[F", "[D", "[B", "[S", "[I", "[J"};
      u32 element = code[instruction.bci + 1];
      if (element < 4 || element > 11) return refuse("Bad type passed to newarray");
      instruction.type = hierarchy_.type_named(arrays[element - 4]);
      return true;
    }
    default: return true;
  }
}

bool OperandReader::read_handlers() {
  // The exception needs an operand slot. This is checked before the rows of handlers, and also for unreachable ones.
  if (method_->handler_count != 0 && method_->max_stack == 0) return refuse("Stack size too large");
  for (u32 index = 0; index < method_->handler_count; ++index) {
    const ExceptionHandler& row = method_->handlers[index];
    is_format_fault_ = true;
    if (row.start_bci >= row.end_bci || !starts_at(row.start_bci) ||
        (row.end_bci != method_->code_length && !starts_at(row.end_bci)))
      return refuse("Illegal exception table range");
    if (row.handler_bci == 0 || !starts_at(row.handler_bci)) return refuse("Illegal exception table handler");
    is_format_fault_ = false;
    u32 end = row.end_bci == method_->code_length ? static_cast<u32>(instructions_.size()) : numbers_[row.end_bci];
    Type throwable = Type::reference(names::java_lang_Throwable), caught = throwable;
    if (row.catch_type_index != 0) {
      caught = Type::reference(method_->constants->class_name(row.catch_type_index));
      if (!hierarchy_.is_inferred_assignable(throwable, caught))
        return !hierarchy_.threw() && refuse("catch_type not a subclass of Throwable");
    }
    handlers_.push_back({numbers_[row.start_bci], end, numbers_[row.handler_bci], caught});
  }
  return true;
}

}  // namespace keyhole::inference
