// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emits the parts that concern the whole function: the calling convention, blocks, sites and phis.
#include "jit/llvm/emitter.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

namespace keyhole::llvm_plugin {

using low::Op;

Emitter::Emitter(const low::Function& function, llvm::Module& module)
    : function(function), module(module), context(module.getContext()), builder(context) {}

llvm::Type* Emitter::type(low::Type type) {
  switch (type) {
    case low::Type::None: return builder.getVoidTy();
    case low::Type::I1: return builder.getInt1Ty();
    case low::Type::I8: return builder.getInt8Ty();
    case low::Type::I16: return builder.getInt16Ty();
    case low::Type::I32: return builder.getInt32Ty();
    case low::Type::I64: return builder.getInt64Ty();
    case low::Type::F32: return builder.getFloatTy();
    case low::Type::F64: return builder.getDoubleTy();
    case low::Type::Ptr: return builder.getPtrTy();
  }
  return nullptr;
}

// Returns the function type of the calling convention, with three results: the status in eax, the result in rdx, and
// the address of the result's stack slot in rcx.
llvm::FunctionType* Emitter::convention() {
  auto* result = llvm::StructType::get(builder.getInt32Ty(), builder.getInt64Ty(), builder.getPtrTy());
  const std::vector<llvm::Type*> parameters(low::parameter_count, builder.getPtrTy());
  return llvm::FunctionType::get(result, parameters, false);
}

llvm::Function* Emitter::external(const std::string& name, llvm::FunctionType* type) {
  if (auto* known = module.getFunction(name)) return known;
  auto* made = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module);
  made->setDoesNotThrow();
  return made;
}

llvm::Value* Emitter::use(NodeId id) {
  const Node& node = function.nodes[id];
  if (values[id] == nullptr && low::belongs_to_no_block(node.op)) {
    const bool is_instruction = node.op == Op::Variable || (node.op == Op::Parameter && node.type != low::Type::Ptr);
    if (!is_instruction) return emit_placeless(node);
    // emits the node once, in the entry block, which dominates all uses of the node
    llvm::IRBuilder<>::InsertPointGuard guard(builder);
    builder.SetInsertPoint(blocks[0], blocks[0]->begin());
    builder.SetCurrentDebugLocation({});
    values[id] = emit_placeless(node);
  }
  return values[id];
}

// Prepares the module for marks: an instruction gets the number of its node's mark as its source line, so the line
// table of the object file contains the marks (marks.cpp). The instructions of an inlined snippet get the mark of the
// node that calls the snippet.
void Emitter::begin_marks() {
  module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  module.addModuleFlag(llvm::Module::Warning, "Dwarf Version", 4);
  llvm::DIBuilder debug(module);
  auto* file = debug.createFile("marks", "");
  debug.createCompileUnit(llvm::dwarf::DW_LANG_C, file, "", true, "", 0, "", llvm::DICompileUnit::LineTablesOnly);
  auto* type = debug.createSubroutineType(debug.getOrCreateTypeArray({}));
  marked = debug.createFunction(file, "code", "", file, 0, type, 0, llvm::DINode::FlagZero,
                                llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);
  code->setSubprogram(marked);
  debug.finalize();
}

void Emitter::emit(NodeId id) {
  const Node& node = function.nodes[id];
  if (node.op == Op::Phi) values[id] = builder.CreatePHI(type(node.type), node.operand_count);
  else if (node.op >= Op::Add && node.op <= Op::Bits) values[id] = emit_value(node);
  else if (node.op >= Op::Equal && node.op <= Op::BelowEqual) values[id] = emit_compare(node);
  else if (node.op == Op::Select) {
    values[id] = builder.CreateSelect(operand(node, 0), operand(node, 1), operand(node, 2));
  } else if (node.op >= Op::Address && node.op <= Op::Set) values[id] = emit_memory(node);
  else values[id] = emit_call(node);
}

std::string Emitter::run() {
  code = llvm::Function::Create(convention(), llvm::Function::ExternalLinkage, low::own_entry_symbol, module);
  code->setCallingConv(llvm::CallingConv::PreserveNone);
  code->setDoesNotThrow();
  code->addFnAttr(llvm::Attribute::NullPointerIsValid);
  code->setDSOLocal(true);
  code->setAlignment(llvm::Align(16));
  if (!function.marks.empty()) begin_marks();
  if (!function.sites.empty()) {
    // Reserves a section for the words of the function's call sites (low::Site), which are written after linking. Until
    // then all words are 1: if they were 0, LLVM would make a section without content.
    const std::vector<u64> words(function.sites.size() * sizeof(low::Site) / sizeof(u64), 1);
    auto* content = llvm::ConstantDataArray::get(context, words);
    sites = new llvm::GlobalVariable(module, content->getType(), false, llvm::GlobalValue::InternalLinkage, content,
                                     "keyhole_sites");
    sites->setSection(sites_section);
    sites->setAlignment(llvm::Align(16));
  }
  values.assign(function.nodes.size(), nullptr);
  for (usize i = 0; i < function.blocks.size(); ++i) {
    blocks.push_back(llvm::BasicBlock::Create(context, "b" + std::to_string(i), code));
  }

  // Emits blocks in reverse postorder. The block that defines a value dominates the blocks that use the value, so each
  // value is emitted before its uses.
  std::vector<low::BlockId> order;
  std::vector<bool> seen(blocks.size());
  std::vector<std::pair<low::BlockId, usize>> path{{0, 0}};
  seen[0] = true;
  while (!path.empty()) {
    auto& [block, next] = path.back();
    if (next == function.blocks[block].targets.size()) {
      order.push_back(block);
      path.pop_back();
    } else if (const low::BlockId target = function.blocks[block].targets[next++]; !seen[target]) {
      seen[target] = true;
      path.emplace_back(target, 0);
    }
  }
  for (auto number = order.rbegin(); number != order.rend(); ++number) {
    const low::Block& block = function.blocks[*number];
    builder.SetInsertPoint(blocks[*number]);
    for (const NodeId id : block.nodes) {
      if (marked != nullptr) {
        const u32 mark = function.nodes[id].mark;
        builder.SetCurrentDebugLocation(mark == 0 ? nullptr : llvm::DILocation::get(context, mark, 0, marked));
      }
      if (low::is_terminator(function.nodes[id].op)) emit_terminator(function.nodes[id], block);
      else emit(id);
    }
  }
  for (const low::BlockId number : order) {
    const low::Block& block = function.blocks[number];
    for (const NodeId id : block.nodes) {
      if (function.nodes[id].op != Op::Phi) break;
      for (usize i = 0; i < block.predecessors.size(); ++i) {
        if (!seen[block.predecessors[i]]) continue;
        auto* value = use(function.operand(id, static_cast<u32>(i)));
        llvm::cast<llvm::PHINode>(values[id])->addIncoming(value, blocks[block.predecessors[i]]);
      }
    }
  }
  for (usize i = 0; i < blocks.size(); ++i) {
    if (!seen[i]) blocks[i]->eraseFromParent();
  }
  std::string wrong;
  llvm::raw_string_ostream out(wrong);
  llvm::verifyModule(module, &out);
  return wrong;
}

}  // namespace keyhole::llvm_plugin
