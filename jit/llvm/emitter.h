// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emitter: translates a lowered function to an LLVM module with one defined function, `own_entry_symbol`.
#pragma once

#include <array>
#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "jit/graph/low/low_graph.h"

namespace keyhole::llvm_plugin {

inline constexpr char sites_section[] = ".keyhole.sites";

class Emitter {
 public:
  Emitter(const low::Function& function, llvm::Module& module);
  // Emits the module. Returns an error message, or an empty string on success.
  std::string run();
  // Returns the snippets that the module calls. The module only declares them; add_snippets() takes their bodies from
  // the snippets' bitcode.
  const std::vector<llvm::Function*>& snippets() const { return called_snippets; }

 private:
  using NodeId = low::NodeId;
  using Node = low::Node;

  void emit(NodeId id);
  // emit_values.cpp
  llvm::Value* emit_placeless(const Node& node);
  llvm::Value* emit_value(const Node& node);
  llvm::Value* emit_compare(const Node& node);
  // emit_memory.cpp
  llvm::Value* emit_memory(const Node& node);
  llvm::MDNode* alias_tag(low::Alias alias, u32 part);
  // emit_calls.cpp
  llvm::Value* emit_call(const Node& node);
  llvm::Value* with_thread(const std::array<llvm::Value*, 3>& words);
  void emit_terminator(const Node& node, const low::Block& block);

  llvm::Type* type(low::Type type);
  llvm::Value* use(NodeId id);
  llvm::Value* operand(const Node& node, u32 index) { return use(function.operands_of(node)[index]); }
  llvm::FunctionType* convention();
  void begin_marks();
  llvm::Function* external(const std::string& name, llvm::FunctionType* type);

  const low::Function& function;
  llvm::Module& module;
  llvm::LLVMContext& context;
  llvm::IRBuilder<> builder;
  llvm::Function* code = nullptr;
  llvm::GlobalVariable* sites = nullptr;
  llvm::DISubprogram* marked = nullptr;  // debug scope of the marks (begin_marks); null in a function without marks
  std::vector<llvm::Value*> values;
  std::vector<llvm::BasicBlock*> blocks;  // by BlockId: one LLVM block for each low::Block, because no block is split
  std::vector<llvm::Function*> called_snippets;
};

}  // namespace keyhole::llvm_plugin
