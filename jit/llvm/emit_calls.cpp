// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emits calls, returns and deopt points. A call of Java has only the attribute nounwind, so LLVM assumes that it reads
// and writes all memory. A deopt point is a `musttail` call, which becomes a jump. With an ordinary call, even a call
// that does not return, each leaf method would get a prologue.
#include "jit/llvm/emitter.h"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/MDBuilder.h>

namespace keyhole::llvm_plugin {

using low::Op;
using low::Parameter;

llvm::Value* Emitter::emit_call(const Node& node) {
  switch (node.op) {
    case Op::CallStatus: return builder.CreateExtractValue(operand(node, 0), 0);
    case Op::CallResult: return builder.CreateExtractValue(operand(node, 0), 1);
    case Op::CallSlot: return builder.CreateExtractValue(operand(node, 0), 2);
    case Op::CallJava: {
      std::vector<llvm::Value*> arguments(low::parameter_count, llvm::PoisonValue::get(builder.getPtrTy()));
      arguments[static_cast<u32>(Parameter::Frame)] = operand(node, 1);
      arguments[static_cast<u32>(Parameter::Slot)] = operand(node, 2);
      arguments[static_cast<u32>(Parameter::Method)] = operand(node, 3);
      arguments[static_cast<u32>(Parameter::Thread)] = operand(node, 4);
      auto* call = builder.CreateCall(convention(), operand(node, 0), arguments);
      call->setCallingConv(llvm::CallingConv::PreserveNone);
      call->setDoesNotThrow();
      return call;
    }
    default: break;
  }
  std::vector<llvm::Value*> arguments;
  std::vector<llvm::Type*> types;
  for (u32 i = 0; i < node.operand_count; ++i) {
    arguments.push_back(operand(node, i));
    types.push_back(arguments.back()->getType());
  }
  auto* callee = external(function.symbols[node.bits], llvm::FunctionType::get(type(node.type), types, false));
  auto* call = builder.CreateCall(llvm::FunctionType::get(type(node.type), types, false), callee, arguments);
  call->setDoesNotThrow();
  for (u32 i = 0; i < types.size(); ++i) {  // C++ passes a bool zero-extended
    if (types[i]->isIntegerTy(1)) call->addParamAttr(i, llvm::Attribute::ZExt);
  }
  if (node.type == low::Type::I1) call->addRetAttr(llvm::Attribute::ZExt);
  if (node.op == Op::Snippet) called_snippets.push_back(callee);
  return call;
}

// The VM's convention returns with the thread in r15, but `preserve_none` preserves only rbp. So before each return, an
// empty inline-assembly statement forces the thread into r15 and the three result words into their registers.
llvm::Value* Emitter::with_thread(const std::array<llvm::Value*, 3>& words) {
  auto* result = llvm::cast<llvm::StructType>(convention()->getReturnType());
  llvm::Value* thread = builder.GetInsertBlock()->getParent()->getArg(static_cast<u32>(Parameter::Thread));
  auto* type = llvm::FunctionType::get(
      result, {result->getElementType(0), result->getElementType(1), result->getElementType(2), thread->getType()},
      false);
  auto* nothing = llvm::InlineAsm::get(type, "", "={ax},={dx},={cx},0,1,2,{r15}", /*hasSideEffects=*/true);
  return builder.CreateCall(nothing, {words[0], words[1], words[2], thread});
}

void Emitter::emit_terminator(const Node& node, const low::Block& block) {
  switch (node.op) {
    case Op::Jump: builder.CreateBr(blocks[block.targets[0]]); return;
    case Op::Branch: {
      llvm::MDNode* weights = nullptr;
      if (block.likely) weights = llvm::MDBuilder(context).createBranchWeights(2000, 1);
      if (block.unlikely) weights = llvm::MDBuilder(context).createBranchWeights(1, 2000);
      builder.CreateCondBr(operand(node, 0), blocks[block.targets[0]], blocks[block.targets[1]], weights);
      return;
    }
    case Op::Switch: {
      auto* value = operand(node, 0);
      auto* made = builder.CreateSwitch(value, blocks[block.targets[0]], static_cast<unsigned>(block.cases.size()));
      for (usize i = 0; i < block.cases.size(); ++i) {
        auto* number = llvm::ConstantInt::getSigned(llvm::cast<llvm::IntegerType>(value->getType()), block.cases[i]);
        made->addCase(number, blocks[block.targets[i + 1]]);
      }
      return;
    }
    case Op::Return: {
      builder.CreateRet(with_thread({operand(node, 0), operand(node, 1), operand(node, 2)}));
      return;
    }
    case Op::Exit: {
      std::vector<llvm::Value*> arguments;
      for (u32 i = 1; i <= low::parameter_count; ++i) {
        const NodeId id = function.operands_of(node)[i];
        auto* value = id == low::no_node ? llvm::PoisonValue::get(builder.getPtrTy()) : use(id);
        arguments.push_back(builder.CreateBitOrPointerCast(value, builder.getPtrTy()));
      }
      auto* call = builder.CreateCall(convention(), operand(node, 0), arguments);
      call->setCallingConv(llvm::CallingConv::PreserveNone);
      call->setTailCallKind(llvm::CallInst::TCK_MustTail);
      builder.CreateRet(call);
      return;
    }
    default: builder.CreateUnreachable(); return;
  }
}

}  // namespace keyhole::llvm_plugin
