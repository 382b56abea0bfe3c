// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the marks of instructions: the texts that say where the instructions come from (low::Function::marks). The
// emitter uses the number of a mark as a line number (emit_function.cpp), so the object file's line table has the mark
// of each instruction. Linked code has no line table, so marks are read from the object file.
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/Object/ObjectFile.h>

#include "jit/llvm/machine.h"

namespace keyhole::llvm_plugin {

std::vector<Mark> read_marks(llvm::StringRef object) {
  std::vector<Mark> marks;
  auto file = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(object, "code"));
  if (!file) {
    llvm::consumeError(file.takeError());
    return marks;
  }
  const auto debug = llvm::DWARFContext::create(**file);
  for (const auto& unit : debug->compile_units()) {
    const auto* table = debug->getLineTableForUnit(unit.get());
    if (table == nullptr) continue;
    for (const auto& row : table->Rows) {
      // LLVM uses line 0 for an instruction that comes from several nodes. Such an instruction gets the mark of the
      // preceding instruction.
      if (!row.EndSequence && row.Line != 0) marks.push_back({row.Address.Address, row.Line});
    }
  }
  return marks;
}

}  // namespace keyhole::llvm_plugin
