// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// LLVM as the plug-in uses it: the target machine, the snippets, two pass pipelines, code generation, disassembly.
#pragma once

#include <memory>

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include "jit/llvm/plugin.h"

namespace keyhole::llvm_plugin {

// Makes the target machine. `processor` is LLVM's name of the processor, or empty for this machine's. If it returns
// null, `error` says why.
std::unique_ptr<llvm::TargetMachine> make_machine(const std::string& processor, std::string& error);
// The library functions that LLVM may insert calls of: memcpy, memmove, memset, fmod and fmodf only.
llvm::TargetLibraryInfoImpl known_library(const llvm::TargetMachine& machine);

// Links the snippets that `module` calls into it, to be inlined. Returns an error message, or an empty string.
std::string add_snippets(llvm::Module& module, const std::vector<llvm::Function*>& called, Host& host);

void run_passes(llvm::Module& module, llvm::TargetMachine& machine, bool loops_over_arrays);
// Checks that a reference which was loaded before a call of Java is not used after the call. Returns a description of
// the first wrong use, or an empty string.
std::string check_references(const llvm::Module& module);

// ObjectGenerator: LLVM's code generator, from a module to an object file. Its hundred or so passes are created once
// and run for each module: creating them with their tables takes 0.7 to 1.2 ms, a quarter of the time of a small
// method.
class ObjectGenerator {
 public:
  // Generates the object file. Returns an error message, or an empty string; then `object` is valid until the next
  // call.
  std::string generate(llvm::Module& module, llvm::TargetMachine& machine);
  llvm::SmallVector<char, 0>& object() { return object_; }

 private:
  std::unique_ptr<llvm::legacy::PassManager> make_passes(llvm::TargetMachine& machine);

  llvm::SmallVector<char, 0> object_;
  llvm::raw_svector_ostream out_{object_};                    // output of all passes
  std::unique_ptr<llvm::legacy::PassManager> usual_, quick_;  // `quick_` is for large modules
};

// A mark: the instructions from this byte on, up to the next mark, have it.
struct Mark {
  u64 offset;
  u32 number;  // number in Function::marks, from 1
};
// The marks of an object file, in the order of instructions.
std::vector<Mark> read_marks(llvm::StringRef object);

// Disassembles instructions to text, with their addresses and the comments of their marks.
std::string disassemble(const llvm::TargetMachine& machine, const void* code, usize bytes, uptr address,
                        const std::vector<Mark>& marks, const std::vector<std::string>& texts);

}  // namespace keyhole::llvm_plugin
