// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emits addresses, accesses and fences. TBAA metadata distinguishes classes of memory. No load is marked as invariant,
// because LLVM could move an invariant load across a call, where objects move.
#include "jit/llvm/emitter.h"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/MDBuilder.h>

namespace keyhole::llvm_plugin {

using low::Op;
using low::Order;

namespace {

llvm::AtomicOrdering ordering(Order order) {
  switch (order) {
    case Order::Plain:
    case Order::EachTime: return llvm::AtomicOrdering::NotAtomic;
    case Order::Unordered: return llvm::AtomicOrdering::Unordered;
    case Order::Acquire: return llvm::AtomicOrdering::Acquire;
    case Order::Release:
    case Order::ThreadRelease: return llvm::AtomicOrdering::Release;
    case Order::AcquireRelease: return llvm::AtomicOrdering::AcquireRelease;
    case Order::SequentiallyConsistent: break;
  }
  return llvm::AtomicOrdering::SequentiallyConsistent;
}

llvm::Align natural(llvm::Type* type) {
  const u64 bits = type->isPointerTy() ? 64 : type->getPrimitiveSizeInBits().getFixedValue();
  return llvm::Align(bits / 8);
}

}  // namespace

// Returns the TBAA tag of an access. The TBAA tree has three levels: root, class of memory, part of the class. An
// access without a part may alias every part of its class.
llvm::MDNode* Emitter::alias_tag(low::Alias alias, u32 part) {
  if (alias == low::Alias::Any) return nullptr;
  constexpr const char* names[] = {"any", "frame", "thread", "metadata", "length", "header", "element", "field"};
  const std::string name = names[static_cast<u32>(alias)];
  llvm::MDBuilder metadata(context);
  auto* of = metadata.createTBAAScalarTypeNode(name, metadata.createTBAARoot("keyhole"));
  if (part != 0) of = metadata.createTBAAScalarTypeNode(name + "." + std::to_string(part), of);
  return metadata.createTBAAStructTagNode(of, of, 0);
}

llvm::Value* Emitter::emit_memory(const Node& node) {
  auto* tag = alias_tag(node.alias, node.part);
  const auto marked = [&](auto* access) {
    if (tag != nullptr) access->setMetadata(llvm::LLVMContext::MD_tbaa, tag);
    return access;
  };
  switch (node.op) {
    case Op::Address: {
      auto* address = operand(node, 0);
      if (node.operand_count > 1) {
        auto* index = operand(node, 1);
        if (node.scale != 1) index = builder.CreateMul(index, builder.getInt64(node.scale));
        address = builder.CreateGEP(builder.getInt8Ty(), address, index);
      }
      return node.bits == 0 ? address : builder.CreateGEP(builder.getInt8Ty(), address, builder.getInt64(node.bits));
    }
    case Op::Load: {
      auto* load = builder.CreateAlignedLoad(type(node.type), operand(node, 0), natural(type(node.type)));
      load->setOrdering(ordering(node.order));
      load->setVolatile(node.order == Order::EachTime);
      return marked(load);
    }
    case Op::Store: {
      auto* value = operand(node, 1);
      auto* store = builder.CreateAlignedStore(value, operand(node, 0), natural(value->getType()));
      store->setOrdering(ordering(node.order));
      return marked(store);
    }
    // Variables of the low graph are stack allocations at first. SROA, the first pass, turns them into SSA values and
    // phis.
    case Op::Get: return builder.CreateLoad(type(node.type), operand(node, 0));
    case Op::Set: return builder.CreateStore(operand(node, 1), operand(node, 0));
    case Op::Exchange:
    case Op::FetchAdd: {
      const auto kind = node.op == Op::Exchange ? llvm::AtomicRMWInst::Xchg : llvm::AtomicRMWInst::Add;
      return marked(builder.CreateAtomicRMW(kind, operand(node, 0), operand(node, 1), natural(type(node.type)),
                                            llvm::AtomicOrdering::SequentiallyConsistent));
    }
    case Op::FetchAnd:
      return marked(builder.CreateAtomicRMW(llvm::AtomicRMWInst::And, operand(node, 0), operand(node, 1),
                                            natural(type(node.type)), llvm::AtomicOrdering::Monotonic));
    case Op::CompareExchange: {
      auto* exchange = marked(builder.CreateAtomicCmpXchg(
          operand(node, 0), operand(node, 1), operand(node, 2), natural(type(node.type)),
          llvm::AtomicOrdering::SequentiallyConsistent, llvm::AtomicOrdering::SequentiallyConsistent));
      return builder.CreateExtractValue(exchange, 0);
    }
    case Op::Fence: {
      // Emits an instruction with a lock prefix. LLVM's own fence is mfence, which takes twice as long
      // (hardware_world.h).
      if (node.order == Order::SequentiallyConsistent) {
        auto* type = llvm::FunctionType::get(builder.getVoidTy(), false);
        const char* clobbers = "~{memory},~{dirflag},~{fpsr},~{flags}";
        return builder.CreateCall(
            llvm::InlineAsm::get(type, "lock orl $$0, (%rsp)", clobbers, /*hasSideEffects=*/true));
      }
      const bool own = node.order == Order::ThreadRelease;
      return builder.CreateFence(ordering(node.order), own ? llvm::SyncScope::SingleThread : llvm::SyncScope::System);
    }
    default: {  // StackPointer
      auto* name = llvm::MDNode::get(context, llvm::MDString::get(context, "rsp"));
      return builder.CreateIntrinsic(llvm::Intrinsic::read_register, {builder.getInt64Ty()},
                                     {llvm::MetadataAsValue::get(context, name)});
    }
  }
}

}  // namespace keyhole::llvm_plugin
