// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emits constants, arithmetic, conversions and comparisons. The results are as Java defines them for all operands. Only
// divisions rely on checks of their operands, which the graph contains.
#include "jit/llvm/emitter.h"

#include <llvm/IR/Intrinsics.h>

namespace keyhole::llvm_plugin {

using low::Op;
namespace intrinsic = llvm::Intrinsic;

llvm::Value* Emitter::emit_placeless(const Node& node) {
  auto* of = type(node.type);
  switch (node.op) {
    case Op::Constant:
      if (of->isFloatTy()) return llvm::ConstantFP::get(context, llvm::APFloat(std::bit_cast<f32>(u32(node.bits))));
      if (of->isDoubleTy()) return llvm::ConstantFP::get(context, llvm::APFloat(std::bit_cast<f64>(node.bits)));
      if (of->isPointerTy()) return llvm::ConstantExpr::getIntToPtr(builder.getInt64(node.bits), of);
      return llvm::ConstantInt::get(of, llvm::APInt(64, node.bits).trunc(of->getIntegerBitWidth()));
    case Op::Symbol: {
      const std::string& name = function.symbols[node.bits];
      if (auto* known = module.getNamedValue(name)) return known;
      // the symbol gets an arbitrary function type, because only its address is used
      return external(name, convention());
    }
    case Op::Parameter: {
      llvm::Value* argument = code->getArg(static_cast<unsigned>(node.bits));
      return of->isPointerTy() ? argument : builder.CreatePtrToInt(argument, of);
    }
    case Op::Variable: return builder.CreateAlloca(of);
    default:
      return llvm::ConstantExpr::getInBoundsGetElementPtr(builder.getInt8Ty(), sites,
                                                          builder.getInt64(node.bits * sizeof(low::Site)));
  }
}

llvm::Value* Emitter::emit_value(const Node& node) {
  auto* of = type(node.type);
  auto* a = operand(node, 0);
  auto* b = node.operand_count > 1 ? operand(node, 1) : nullptr;
  const bool is_float = of->isFloatingPointTy();
  const auto count = [&] {  // Java uses the lower 5 bits of the shift count for an int, and the lower 6 bits for a long
    return builder.CreateAnd(b, llvm::ConstantInt::get(of, of->getIntegerBitWidth() - 1));
  };
  const auto high = [&](bool is_signed) {
    const unsigned bits = of->getIntegerBitWidth();
    auto* wide = builder.getIntNTy(2 * bits);
    auto* wide_a = builder.CreateIntCast(a, wide, is_signed);
    auto* product = builder.CreateMul(wide_a, builder.CreateIntCast(b, wide, is_signed));
    return builder.CreateTrunc(builder.CreateLShr(product, bits), of);
  };
  switch (node.op) {
    case Op::Add: return is_float ? builder.CreateFAdd(a, b) : builder.CreateAdd(a, b);
    case Op::Sub: return is_float ? builder.CreateFSub(a, b) : builder.CreateSub(a, b);
    case Op::Mul: return is_float ? builder.CreateFMul(a, b) : builder.CreateMul(a, b);
    case Op::Div: return is_float ? builder.CreateFDiv(a, b) : builder.CreateSDiv(a, b);
    case Op::Rem: return is_float ? builder.CreateFRem(a, b) : builder.CreateSRem(a, b);
    case Op::Neg: return is_float ? builder.CreateFNeg(a) : builder.CreateNeg(a);
    case Op::And: return builder.CreateAnd(a, b);
    case Op::Or: return builder.CreateOr(a, b);
    case Op::Xor: return builder.CreateXor(a, b);
    case Op::Shl: return builder.CreateShl(a, count());
    case Op::Shr: return builder.CreateAShr(a, count());
    case Op::UShr: return builder.CreateLShr(a, count());
    case Op::MulHigh: return high(true);
    case Op::UMulHigh: return high(false);
    case Op::Min: return builder.CreateBinaryIntrinsic(intrinsic::smin, a, b);
    case Op::Max: return builder.CreateBinaryIntrinsic(intrinsic::smax, a, b);
    case Op::PopCount: return builder.CreateUnaryIntrinsic(intrinsic::ctpop, a);
    case Op::LeadingZeros: return builder.CreateBinaryIntrinsic(intrinsic::ctlz, a, builder.getFalse());
    case Op::TrailingZeros: return builder.CreateBinaryIntrinsic(intrinsic::cttz, a, builder.getFalse());
    case Op::ByteSwap: return builder.CreateUnaryIntrinsic(intrinsic::bswap, a);
    case Op::Sqrt: return builder.CreateUnaryIntrinsic(intrinsic::sqrt, a);
    case Op::Abs: return builder.CreateUnaryIntrinsic(intrinsic::fabs, a);
    case Op::SignExtend: return builder.CreateSExt(a, of);
    case Op::ZeroExtend: return builder.CreateZExt(a, of);
    case Op::Truncate: return builder.CreateTrunc(a, of);
    case Op::IntToFloat: return builder.CreateSIToFP(a, of);
    case Op::FloatToInt: return builder.CreateIntrinsic(intrinsic::fptosi_sat, {of, a->getType()}, {a});
    case Op::FloatResize: return builder.CreateFPCast(a, of);
    default: return builder.CreateBitOrPointerCast(a, of);
  }
}

llvm::Value* Emitter::emit_compare(const Node& node) {
  auto* a = operand(node, 0);
  auto* b = operand(node, 1);
  const bool is_float = a->getType()->isFloatingPointTy();
  switch (node.op) {
    case Op::Equal: return is_float ? builder.CreateFCmpOEQ(a, b) : builder.CreateICmpEQ(a, b);
    case Op::NotEqual: return is_float ? builder.CreateFCmpUNE(a, b) : builder.CreateICmpNE(a, b);
    case Op::Less: return is_float ? builder.CreateFCmpOLT(a, b) : builder.CreateICmpSLT(a, b);
    case Op::LessEqual: return is_float ? builder.CreateFCmpOLE(a, b) : builder.CreateICmpSLE(a, b);
    case Op::Greater: return is_float ? builder.CreateFCmpOGT(a, b) : builder.CreateICmpSGT(a, b);
    case Op::GreaterEqual: return is_float ? builder.CreateFCmpOGE(a, b) : builder.CreateICmpSGE(a, b);
    case Op::Below: return builder.CreateICmpULT(a, b);
    default: return builder.CreateICmpULE(a, b);
  }
}

}  // namespace keyhole::llvm_plugin
