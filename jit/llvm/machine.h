// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The plug-in's interface to LLVM: the target machine, snippets, two pass pipelines, code generation, disassembly.
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

// Makes the target machine for the processor with LLVM's name `processor`. An empty name selects the processor on which
// the VM runs. If LLVM refuses, returns null and sets `error` to the reason.
std::unique_ptr<llvm::TargetMachine> make_machine(const std::string& processor, std::string& error);
// Returns the library functions to which LLVM may insert calls: memcpy, memmove, memset, fmod and fmodf.
llvm::TargetLibraryInfoImpl known_library(const llvm::TargetMachine& machine);

// Links the called snippets into `module`, so that they can be inlined. Returns an error message, or an empty string on
// success.
std::string add_snippets(llvm::Module& module, const std::vector<llvm::Function*>& called, Host& host);

void run_passes(llvm::Module& module, llvm::TargetMachine& machine, bool loops_over_arrays);
// Checks that no reference that was loaded before a call of Java is used after the call. Returns an empty string, or a
// description of the first use that breaks this rule.
std::string check_references(const llvm::Module& module);

// ObjectGenerator: runs LLVM's code generator, which makes an object file from a module. The code generator has about a
// hundred passes. They are created once and used for all modules, because creating them takes 0.7 to 1.2 ms, a quarter
// of the time of a small method.
class ObjectGenerator {
 public:
  // Generates the object file. Returns an error message, or an empty string on success. After success `object` is valid
  // until the next call.
  std::string generate(llvm::Module& module, llvm::TargetMachine& machine);
  llvm::SmallVector<char, 0>& object() { return object_; }

 private:
  std::unique_ptr<llvm::legacy::PassManager> make_passes(llvm::TargetMachine& machine);

  llvm::SmallVector<char, 0> object_;
  llvm::raw_svector_ostream out_{object_};                    // output of all passes
  std::unique_ptr<llvm::legacy::PassManager> usual_, quick_;  // `quick_` is for large modules
};

// Mark: the origin of a range of instructions. The text low::Function::marks[number - 1] describes the origin. The
// range ends where the range of the next Mark begins.
struct Mark {
  u64 offset;  // offset of the range's first instruction
  u32 number;  // from 1
};
// Returns the marks of an object file's instructions, in the order of their offsets.
std::vector<Mark> read_marks(llvm::StringRef object);

// Disassembles instructions to text, each with its address. Where instructions of another mark begin, a comment shows
// the text of that mark, texts[Mark::number - 1].
std::string disassemble(const llvm::TargetMachine& machine, const void* code, usize bytes, uptr address,
                        const std::vector<Mark>& marks, const std::vector<std::string>& texts);

}  // namespace keyhole::llvm_plugin
