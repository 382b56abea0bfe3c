// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Links the snippets that a function calls into the function's module, so that they can be inlined.
#include <cstring>

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Constants.h>
#include <llvm/Linker/Linker.h>

#include "jit/llvm/machine.h"

namespace keyhole::llvm_plugin {

namespace {

// Prepares a snippet for inlining: drops the attributes that clang has deduced for the snippet as a whole. These
// attributes do not hold for the function into which the snippet is inlined (jit/snippets/README.md).
void become_inlined(llvm::Function& function) {
  function.setAttributes({});
  function.addFnAttr(llvm::Attribute::AlwaysInline);
  function.addFnAttr(llvm::Attribute::NullPointerIsValid);
  function.setLinkage(llvm::GlobalValue::InternalLinkage);
}

// Replaces a variable by a constant with the variable's present value, which is final (Symbol::is_constant).
void become_constant(llvm::GlobalVariable& variable, uptr address) {
  auto* type = variable.getValueType();
  if (!type->isIntegerTy() || type->getIntegerBitWidth() > 64 || type->getIntegerBitWidth() % 8 != 0) return;
  u64 value = 0;
  std::memcpy(&value, reinterpret_cast<const void*>(address), type->getIntegerBitWidth() / 8);
  variable.setInitializer(llvm::ConstantInt::get(type, value));
  variable.setConstant(true);
  variable.setLinkage(llvm::GlobalValue::InternalLinkage);
}

}  // namespace

std::string add_snippets(llvm::Module& module, const std::vector<llvm::Function*>& called, Host& host) {
  if (called.empty()) return {};
  std::vector<std::pair<std::string, llvm::FunctionType*>> wanted;
  for (const auto* snippet : called) wanted.emplace_back(snippet->getName().str(), snippet->getFunctionType());
  const auto bytes = host.bitcode();
  const llvm::StringRef text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  auto parsed = llvm::getLazyBitcodeModule(llvm::MemoryBufferRef(text, "snippets"), module.getContext());
  if (!parsed) return "the snippets: " + llvm::toString(parsed.takeError());
  (*parsed)->setTargetTriple(module.getTargetTriple());
  (*parsed)->setDataLayout(module.getDataLayout());
  for (const auto& [name, type] : wanted) {
    const auto* found = (*parsed)->getFunction(name);
    if (found == nullptr) return "there is no " + name;
    if (found->getFunctionType() != type) return name + " is of another type";
  }
  if (llvm::Linker::linkModules(module, std::move(*parsed), llvm::Linker::LinkOnlyNeeded)) {
    return "the snippets cannot be linked";
  }
  for (const auto& [name, type] : wanted) become_inlined(*module.getFunction(name));
  for (auto& variable : module.globals()) {
    if (!variable.isDeclaration()) continue;
    const Symbol symbol = host.resolve(std::string_view(variable.getName().data(), variable.getName().size()));
    if (symbol.address != 0 && symbol.is_constant) become_constant(variable, symbol.address);
  }
  return {};
}

}  // namespace keyhole::llvm_plugin
