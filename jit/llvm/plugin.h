// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Plug-in interface: libkeyhole-llvm.so compiles lowered functions with LLVM. The library is beside the executable, and
// is opened for the first method that is compiled, or shortly before.
//
//    dlopen ──> entry_point(build) ──create(host)──> Compiler ──compile(function)──> Code ──free──>
//
// P1: the plug-in includes only two headers of the VM, low_graph.h and runtime/base/types.h. So one plug-in serves all
//     header layouts.
// P2: only one thread at a time calls functions of a Compiler. The Compiler calls the host on the same thread.
// P3: no error in LLVM ends the process. If LLVM refuses a function, Result::error has the reason. After a fatal error
//     of LLVM, or when memory runs out, the compilation ends and the Compiler must not be used again (Result::is_lost).
// P4: code is in memory of the host, which has two mappings: code is written through the writable one and runs in the
//     executable one.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jit/graph/low/low_graph.h"

namespace keyhole::llvm_plugin {

inline constexpr std::string_view file_name = "libkeyhole-llvm.so";
inline constexpr char entry_point_name[] = "keyhole_llvm_plugin";

struct Room {
  uptr address = 0;          // address at which the code runs; 0 means that the code cache has no room
  void* writable = nullptr;  // address at which the compiler writes the code
};

struct Symbol {
  uptr address = 0;  // the symbol's address; 0: unknown
  // whether the symbol is a variable that does not change any more; the compiler uses the variable's value as a
  // constant
  bool is_constant = false;
};

class Host {
 public:
  virtual ~Host() = default;
  // Allocates memory for code at a multiple of 64. The memory is below 4 GiB, so that direct calls reach it.
  virtual Room allocate(usize bytes) = 0;
  // Releases memory that allocate() returned. Called after a failed compilation, and by Compiler::free.
  virtual void release(uptr address, usize bytes) = 0;
  virtual Symbol resolve(std::string_view name) = 0;
  // Returns the bitcode of the snippets (jit/snippets).
  virtual std::span<const std::byte> bitcode() = 0;
  // Returns LLVM's name of the processor for which the plug-in generates code. An empty name stands for the processor
  // on which the VM runs. The plug-in calls processor() once, before it creates the Compiler.
  virtual std::string processor() { return {}; }
};

struct Options {
  // request the text of LLVM's IR before and after the passes, and a listing of the instructions
  bool before = false, after = false, assembly = false;
  // requests the check that no reference is used across a call; slow, for tests
  bool checks_references = false;
  // The object file of an earlier compilation (Result::object), or empty. If there is an object file, the plug-in links
  // it and compiles nothing. The function of the earlier compilation may differ from this function in its name, call
  // sites and marks, and in the addresses of its symbols. The same plug-in must have made the object file, for the same
  // processor and the same constants.
  std::span<const std::byte> object = {};
  bool wants_object = false;
};

struct Result {
  std::string error;         // empty: the compilation succeeded
  bool is_lost = false;      // the Compiler must not be used again (P3)
  bool is_wrong = false;     // checks_references was set, and the code uses a reference across a call
  void* resource = nullptr;  // the argument for free()
  uptr begin = 0;            // begin of the code's piece of memory
  usize bytes = 0;
  uptr entry = 0;
  usize code_bytes = 0;  // bytes of instructions, from the entry
  uptr sites = 0;        // address of the call sites in the code, a copy of Function::sites; 16 bytes per call site
  u64 emit_ns = 0, pass_ns = 0, code_ns = 0, link_ns = 0;
  u32 instructions = 0;  // number of LLVM instructions after the passes
  std::string before, after, assembly;
  std::string object;  // the object file, if it was requested
};

class Compiler {
 public:
  virtual ~Compiler() = default;
  virtual Result compile(const low::Function& function, const Options& options) = 0;
  // Frees the plug-in's data about code. The sweeper has freed the code itself.
  virtual void free(void* resource) = 0;
};

// The type of the exported function entry_point_name, which creates a Compiler. If `build` is not the plug-in's own
// build, or if LLVM does not start, the function returns null, with the reason in `error`. A build is the CMake
// property KEYHOLE_BUILD of the target keyhole_llvm, a hash of the headers that VM and plug-in share.
using EntryPoint = Compiler* (*)(std::string_view build, Host* host, std::string* error);

}  // namespace keyhole::llvm_plugin
