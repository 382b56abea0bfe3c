// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Sets up LLVM: its options, the target machine, and the library functions that it may call.
#include "jit/llvm/machine.h"

#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/SubtargetFeature.h>

namespace keyhole::llvm_plugin {

namespace {

// Sets an option of LLVM's code generator for the whole process. LLVM has such options only on its command line.
void set(const char* option, const char* value) {
  auto& options = llvm::cl::getRegisteredOptions();
  if (const auto found = options.find(option); found != options.end()) found->second->addOccurrence(1, option, value);
}

}  // namespace

std::unique_ptr<llvm::TargetMachine> make_machine(const std::string& processor, std::string& error) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  LLVMInitializeX86AsmParser();  // snippets contain assembly
  LLVMInitializeX86Disassembler();
  // The options below switch off four passes of LLVM. The four passes take time, but made no measured code faster. Loop
  // strength reduction took half the time of code generation for a method of nested loops.
  set("disable-lsr", "true");
  // Domain reassignment took a tenth of the time of code generation for large methods. This pass helps only code that
  // uses mask registers.
  set("disable-x86-domain-reassignment", "true");
  // The instruction schedulers after and before register allocation each took a twentieth of the time of code
  // generation. Processors execute instructions out of order, so the code gains little from being scheduled.
  set("disable-post-ra", "true");
  set("enable-misched", "false");
  const std::string triple = "x86_64-unknown-linux-gnu";
  const auto* target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (target == nullptr) return nullptr;
  llvm::SubtargetFeatures features;
  std::string name = processor;
  if (name.empty()) {
    name = llvm::sys::getHostCPUName();
    for (const auto& feature : llvm::sys::getHostCPUFeatures()) features.AddFeature(feature.first(), feature.second);
  } else {
    const std::unique_ptr<llvm::MCSubtargetInfo> any(target->createMCSubtargetInfo(triple, "", ""));
    if (!any->isCPUStringValid(name)) {
      error = "LLVM knows no processor " + name;
      return nullptr;
    }
  }
  llvm::TargetOptions options;
  // Java rounds after each operation, so LLVM may not replace a multiplication and an addition by one instruction.
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  // Not for a JIT: some distributions build LLVM with control-flow protection, and such an LLVM begins each function of
  // a JIT with endbr64. Nothing else depends on this argument, as relocations and code model are given.
  constexpr bool is_for_jit = false;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(triple, name, features.getString(), options,
                                                                          llvm::Reloc::PIC_, llvm::CodeModel::Small,
                                                                          llvm::CodeGenOptLevel::Default, is_for_jit));
}

llvm::TargetLibraryInfoImpl known_library(const llvm::TargetMachine& machine) {
  llvm::TargetLibraryInfoImpl library(machine.getTargetTriple());
  library.disableAllFunctions();
  for (const auto function :
       {llvm::LibFunc_memcpy, llvm::LibFunc_memmove, llvm::LibFunc_memset, llvm::LibFunc_fmod, llvm::LibFunc_fmodf}) {
    library.setAvailable(function);
  }
  return library;
}

}  // namespace keyhole::llvm_plugin
