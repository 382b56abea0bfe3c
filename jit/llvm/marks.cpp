// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Marks of nodes are line numbers of the module (emit_function.cpp), so LLVM says for each instruction which one it
// has: in the line table of the object file. Linked code has none.
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
      // Line 0: what several nodes have become goes with what is before it.
      if (!row.EndSequence && row.Line != 0) marks.push_back({row.Address.Address, row.Line});
    }
  }
  return marks;
}

}  // namespace keyhole::llvm_plugin
