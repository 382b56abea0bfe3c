// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// What LLVM is asked to do: this machine, the snippets, two pipelines, and text of the results.
#pragma once

#include <memory>

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include "jit/llvm/plugin.h"

namespace keyhole::llvm_plugin {

// `processor`: its name, or empty for this one. Null: why is in `error`.
std::unique_ptr<llvm::TargetMachine> make_machine(const std::string& processor, std::string& error);
// LLVM may invent calls of memcpy, memmove, memset, fmod and fmodf, and no others.
llvm::TargetLibraryInfoImpl known_library(const llvm::TargetMachine& machine);

// Puts the snippets that `module` calls into it, to be inlined. Empty, or why not.
std::string add_snippets(llvm::Module& module, const std::vector<llvm::Function*>& called, Host& host);

void run_passes(llvm::Module& module, llvm::TargetMachine& machine, bool loops_over_arrays);
// Behind a call of Java no reference of before it is used. Empty, or which one is.
std::string check_references(const llvm::Module& module);

// LLVM's code generator: a module becomes an object file. Its passes, some hundred, are made once and run for each
// module: making them, and the tables that they keep of the machine, takes 0.7 to 1.2 ms, for a small method a quarter
// of the time.
class ObjectGenerator {
 public:
  // Empty, or why not. `object` is good until the next call.
  std::string generate(llvm::Module& module, llvm::TargetMachine& machine);
  llvm::SmallVector<char, 0>& object() { return object_; }

 private:
  std::unique_ptr<llvm::legacy::PassManager> make_passes(llvm::TargetMachine& machine);

  llvm::SmallVector<char, 0> object_;
  llvm::raw_svector_ostream out_{object_};   // where all passes write to
  std::unique_ptr<llvm::legacy::PassManager> usual_, quick_;   // quick: for large modules
};

// From this byte of the instructions on, until the next one.
struct Mark {
  u64 offset;
  u32 number;   // of Function::marks, from 1
};
// Of an object file, in order.
std::vector<Mark> read_marks(llvm::StringRef object);

// Instructions with their addresses, and what is said about them.
std::string disassemble(const llvm::TargetMachine& machine, const void* code, usize bytes, uptr address,
                        const std::vector<Mark>& marks, const std::vector<std::string>& texts);

}  // namespace keyhole::llvm_plugin
