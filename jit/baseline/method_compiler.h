// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Method compiler: generates a method's machine code in one pass over its bytecodes, in order, without an intermediate
// form.
//
//   1   find the blocks, choose the pinned locals                                      blocks.h, pinned_locals.h
//   2   the method's entry                                                             emit_entry.h
//   3   each bytecode in order, over the compile-time operand stack                    emitters.h, emit_*.h, inliner.h
//   4   after the code: rare parts, slow paths, entries of blocks, call sites          slow_paths.h, call_sites.h
//   5   into the code cache                                                            install()
//
// The steps share the Compilation (compilation.h).
#pragma once

#include <string>

#include "jit/baseline/emitters/emitters.h"
#include "jit/code/code_cache.h"

namespace keyhole::baseline {

class MethodCompiler {
 public:
  struct Result {
    CompiledCode* code = nullptr;  // null: the method was not compiled
    u32 bytes = 0;
    const char* reason = "";
    bool is_cache_full = false;
  };

  // The code is generated for the address of `room`, but may turn out to be too large for it. If `listing` is not null,
  // a listing is made.
  MethodCompiler(Method* method, const MethodCode* body, const Stubs& stubs, Profiling profiling,
                 const code_cache::Room& room, std::string* listing);
  // Compiles the method. Called once, under the compiler's lock.
  Result compile();
  // Returns the calls in the compiled code, for gdb.
  const std::vector<gdb::Call>& calls() const { return compilation_.calls.unwind_ranges(); }

 private:
  struct Buffer {
    Buffer(uptr address, bool is_listed);
    asmjit::StringLogger logger;
    CodeHolder holder;
  };

  void emit_entry();
  void start_block();
  void emit_instruction();
  void finish_instruction();
  void emit_after_code(const CompiledCode& code);
  Result link(CompiledCode& code);
  void install(CompiledCode& code, usize bytes);

  code_cache::Room room_;
  std::string* listing_;
  Buffer buffer_;
  Compilation compilation_;
  Emitters emitters_;
};

}  // namespace keyhole::baseline
