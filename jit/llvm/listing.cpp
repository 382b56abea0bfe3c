// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Disassembles linked code. Comments show the bytecode from which instructions come:
//
//   ; bci 1 line 5  iload_1
//   0x41000010  mov eax, dword ptr [r13]
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstPrinter.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/Format.h>

#include "jit/llvm/machine.h"

namespace keyhole::llvm_plugin {

std::string disassemble(const llvm::TargetMachine& machine, const void* code, usize bytes, uptr address,
                        const std::vector<Mark>& marks, const std::vector<std::string>& texts) {
  constexpr unsigned intel = 1;
  const auto& target = machine.getTarget();
  const auto& registers = *machine.getMCRegisterInfo();
  const auto& features = *machine.getMCSubtargetInfo();
  llvm::MCContext context(machine.getTargetTriple(), machine.getMCAsmInfo(), &registers, &features);
  const std::unique_ptr<llvm::MCDisassembler> reader(target.createMCDisassembler(features, context));
  const std::unique_ptr<llvm::MCInstPrinter> printer(target.createMCInstPrinter(
      machine.getTargetTriple(), intel, *machine.getMCAsmInfo(), *machine.getMCInstrInfo(), registers));
  printer->setPrintBranchImmAsAddress(true);
  printer->setPrintImmHex(true);
  std::string text;
  llvm::raw_string_ostream out(text);
  const llvm::ArrayRef<u8> all(static_cast<const u8*>(code), bytes);
  auto mark = marks.begin();
  u32 said = 0;
  for (u64 at = 0, size = 0; at < bytes; at += size) {
    u32 number = said;
    for (; mark != marks.end() && mark->offset <= at; ++mark) number = mark->number;
    if (number != said && number <= texts.size()) out << "; " << texts[number - 1] << '\n';
    said = number;
    llvm::MCInst instruction;
    out << llvm::format_hex(address + at, 10) << ' ';
    const auto status = reader->getInstruction(instruction, size, all.slice(at), address + at, llvm::nulls());
    size = std::max<u64>(size, 1);
    // `next` is the address of the next instruction, which printInst needs to print branch targets.
    const uptr next = address + at + size;
    if (status == llvm::MCDisassembler::Success) printer->printInst(&instruction, next, "", features, out);
    else out << "\t(no instruction)";
    out << '\n';
  }
  return text;
}

}  // namespace keyhole::llvm_plugin
