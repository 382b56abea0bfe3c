// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Defines the pass pipelines. Inlining and devirtualisation have been done on the graph, so LLVM inlines only snippets.
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimpleLoopUnswitch.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>
#include <llvm/Transforms/Vectorize/SLPVectorizer.h>

#include "jit/llvm/machine.h"

namespace keyhole::llvm_plugin {

namespace {

// If a function has more LLVM instructions than this, the code generator runs with fewer optimisations.
constexpr u32 large_function = 20'000;

// Removes phis with one input. The loop passes insert such a phi (LCSSA) for each value that is used after a loop. The
// code generator would make a copy for each such phi.
struct SinglePhis : llvm::PassInfoMixin<SinglePhis> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    for (llvm::BasicBlock& block : function) {
      if (block.getSinglePredecessor() != nullptr) llvm::FoldSingleEntryPHINodes(&block);
    }
    llvm::PreservedAnalyses preserved;
    preserved.preserveSet<llvm::CFGAnalyses>();
    return preserved;
  }
};

// Excludes vectorised loops and their remainder loops from unrolling. The vectoriser has already unrolled the
// vectorised loop, and the remainder loop has few iterations. The unrolling pass would unroll both loops again because
// of their constant trip counts: in a method with two nested loops that fill arrays, this doubled the code.
struct VectorLoopsStayAsTheyAre : llvm::PassInfoMixin<VectorLoopsStayAsTheyAre> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
      if (llvm::getBooleanLoopAttribute(loop, "llvm.loop.isvectorized")) loop->setLoopAlreadyUnrolled();
    }
    return llvm::PreservedAnalyses::all();
  }
};

llvm::FunctionPassManager passes_of(bool loops_over_arrays) {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(true));
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::InstCombinePass());
  // GVN does not number loads, because EarlyCSE and the graph's phases already find equal loads. To number a load, GVN
  // would search all code before the load. In a method of 2,000 instructions, these searches took nine tenths of the
  // passes' time.
  passes.addPass(llvm::GVNPass(llvm::GVNOptions().setMemDep(false)));
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()), true));
  passes.addPass(llvm::SimplifyCFGPass());
  if (!loops_over_arrays) {
    passes.addPass(SinglePhis());
    return passes;
  }
  llvm::LoopPassManager loops;
  loops.addPass(llvm::LoopRotatePass());
  loops.addPass(llvm::LICMPass(llvm::LICMOptions()));
  loops.addPass(llvm::SimpleLoopUnswitchPass(false));
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops), true));
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::IndVarSimplifyPass()));
  passes.addPass(llvm::LoopVectorizePass());
  passes.addPass(llvm::SLPVectorizerPass());
  passes.addPass(VectorLoopsStayAsTheyAre());
  passes.addPass(llvm::LoopUnrollPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(SinglePhis());
  return passes;
}

}  // namespace

void run_passes(llvm::Module& module, llvm::TargetMachine& machine, bool loops_over_arrays) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager calls;
  llvm::ModuleAnalysisManager modules;
  functions.registerPass([&] { return llvm::TargetLibraryAnalysis(known_library(machine)); });
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(calls);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, calls, modules);
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass(false));
  passes.addPass(llvm::GlobalDCEPass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(passes_of(loops_over_arrays)));
  passes.run(module, modules);
}

std::unique_ptr<llvm::legacy::PassManager> ObjectGenerator::make_passes(llvm::TargetMachine& machine) {
  auto passes = std::make_unique<llvm::legacy::PassManager>();
  passes->add(new llvm::TargetLibraryInfoWrapperPass(known_library(machine)));
  if (machine.addPassesToEmitFile(*passes, out_, nullptr, llvm::CodeGenFileType::ObjectFile)) return nullptr;
  return passes;
}

std::string ObjectGenerator::generate(llvm::Module& module, llvm::TargetMachine& machine) {
  const bool is_large = module.getInstructionCount() > large_function;
  machine.setOptLevel(is_large ? llvm::CodeGenOptLevel::Less : llvm::CodeGenOptLevel::Default);
  auto& passes = is_large ? quick_ : usual_;
  if (passes == nullptr) passes = make_passes(machine);
  if (passes == nullptr) return "this machine's code generator makes no object files";
  object_.clear();
  passes->run(module);
  return {};
}

}  // namespace keyhole::llvm_plugin
