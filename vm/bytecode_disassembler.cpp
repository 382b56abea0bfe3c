// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Operands by the formats of vm/bytecodes.def.
#include "vm/bytecode_disassembler.h"

#include <fmt/format.h>

#include "vm/bytecodes.h"
#include "vm/metadata/constant_pool.h"

namespace keyhole {
namespace {

std::string constant_text(const ConstantPool* constants, u32 index) {
  if (index == 0 || index >= constants->count) return fmt::format("#{} <no such constant>", index);
  std::string text = fmt::format("#{} ", index);
  switch (constants->tag(index)) {
    case ConstantTag::Integer: return text + fmt::format("int {}", constants->integer(index));
    case ConstantTag::Float: return text + fmt::format("float {}", __builtin_bit_cast(f32, constants->integer(index)));
    case ConstantTag::Long: return text + fmt::format("long {}", constants->long_value(index));
    case ConstantTag::Double:
      return text + fmt::format("double {}", __builtin_bit_cast(f64, constants->long_value(index)));
    case ConstantTag::Class: return text + constants->class_name(index)->string();
    case ConstantTag::String: return text + fmt::format("\"{}\"", constants->string_text(index)->text());
    case ConstantTag::MethodType: return text + constants->string_text(index)->string();
    case ConstantTag::Fieldref:
      return text + fmt::format("{}.{} {}", constants->ref_class_name(index)->text(),
                                constants->ref_name(index)->text(), constants->ref_descriptor(index)->text());
    case ConstantTag::Methodref:
    case ConstantTag::InterfaceMethodref:
      return text + fmt::format("{}.{}{}", constants->ref_class_name(index)->text(), constants->ref_name(index)->text(),
                                constants->ref_descriptor(index)->text());
    case ConstantTag::Dynamic:
    case ConstantTag::InvokeDynamic:
      return text + fmt::format("bootstrap {} {} {}", constants->first(index), constants->ref_name(index)->text(),
                                constants->ref_descriptor(index)->text());
    default: return text + fmt::format("<tag {}>", static_cast<u32>(constants->tag(index)));
  }
}

}  // namespace

std::string disassemble(const Method* method, u32 bci) {
  using enum bytecode::OperandFormat;
  const u8* code = method->code;
  if (code == nullptr || bci >= method->code_length) return "<outside the code>";
  if (bytecode::length_at(code, bci, method->code_length) == 0) return fmt::format("<illegal {:#04x}>", code[bci]);
  const bytecode::Row& row = bytecode::row(code[bci]);
  std::string mnemonic(row.mnemonic);
  switch (row.operands) {
    case none: return mnemonic;
    case byte1:
    case short2: return fmt::format("{} {}", mnemonic, bytecode::immediate(code, bci));
    case local1: return fmt::format("{} {}", mnemonic, bytecode::local_index(code, bci));
    case increment:
      return fmt::format("{} {} {}", mnemonic, bytecode::local_index(code, bci), bytecode::immediate(code, bci));
    case branch2:
    case branch4: return fmt::format("{} {}", mnemonic, bytecode::branch_target(code, bci));
    case constant1:
    case constant2:
    case dynamic_call:
    case interface_call:
      return fmt::format("{} {}", mnemonic, constant_text(method->constants, bytecode::constant_index(code, bci)));
    case multi_array:
      return fmt::format("{} {} {}", mnemonic, constant_text(method->constants, bytecode::constant_index(code, bci)),
                         code[bci + 3]);
    case array_type: {
      static constexpr const char* names[] = {"boolean", "char", "float", "double", "byte", "short", "int", "long"};
      u32 type = code[bci + 1];
      return fmt::format("{} {}", mnemonic, type >= 4 && type <= 11 ? names[type - 4] : "?");
    }
    case wide: {
      const char* widened = bytecode::row(code[bci + 1]).mnemonic.data();
      if (code[bci + 1] == IINC)
        return fmt::format("wide iinc {} {}", bytecode::local_index(code, bci), bytecode::immediate(code, bci));
      return fmt::format("wide {} {}", widened, bytecode::local_index(code, bci));
    }
    case table_switch:
    case lookup_switch: {
      bytecode::Switch table(code, bci);
      std::string text = mnemonic;
      for (u32 index = 0; index < table.count(); ++index)
        text += fmt::format(" {}:{}", table.key(index), table.target_at(index));
      return text + fmt::format(" default:{}", table.default_target());
    }
  }
  return mnemonic;
}

std::string disassemble(const Method* method) {
  std::string text;
  for (u32 bci = 0; bci < method->code_length;) {
    text += fmt::format("{:5}: {}\n", bci, disassemble(method, bci));
    u32 bytes = bytecode::length_at(method->code, bci, method->code_length);
    if (bytes == 0) break;
    bci += bytes;
  }
  for (u32 index = 0; index < method->handler_count; ++index) {
    const ExceptionHandler& handler = method->handlers[index];
    text += fmt::format(
        "  {}..{} -> {} {}\n", handler.start_bci, handler.end_bci, handler.handler_bci,
        handler.catch_type_index == 0 ? "any" : method->constants->class_name(handler.catch_type_index)->string());
  }
  return text;
}

}  // namespace keyhole
