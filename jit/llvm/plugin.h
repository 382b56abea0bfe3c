// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Plug-in interface: libkeyhole-llvm.so compiles lowered functions with LLVM. The library is beside the executable, and
// is opened for the first method that is compiled, or shortly before.
//
//    dlopen ──> entry_point(build) ──create(host)──> Compiler ──compile(function)──> Code ──free──>
//
// P1: the plug-in includes low_graph.h and runtime/base/types.h, and nothing else of the VM. So one plug-in serves all
//     header layouts.
// P2: only one thread at a time calls functions of a Compiler. The Compiler calls the host on that thread.
// P3: no error in LLVM ends the process. A function that LLVM refuses is reported by Result::error. After a fatal error
//     of LLVM, or when memory runs out, the compilation is given up and the Compiler must not be used again
//     (Result::is_lost).
// P4: code is in memory of the host, which is written through one view and executed in the other.
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
  uptr address = 0;          // address at which the code runs; 0: there is no room
  void* writable = nullptr;  // address at which the code is written
};

struct Symbol {
  uptr address = 0;  // the symbol's address; 0: unknown
  // it is a variable that does not change any more: the compiler uses its value as a constant
  bool is_constant = false;
};

class Host {
 public:
  virtual ~Host() = default;
  // Allocates room, aligned to 64 bytes, and below 4 GiB so that direct calls reach it.
  virtual Room allocate(usize bytes) = 0;
  // Releases room after a failed compilation, or from Compiler::free.
  virtual void release(uptr address, usize bytes) = 0;
  virtual Symbol resolve(std::string_view name) = 0;
  // The bitcode of the snippets' module (jit/snippets).
  virtual std::span<const std::byte> bitcode() = 0;
  // LLVM's name of the processor to compile for; empty for this machine's. It is called once.
  virtual std::string processor() { return {}; }
};

struct Options {
  // requests LLVM's text before and after its passes, and the instructions
  bool before = false, after = false, assembly = false;
  // requests a check for references that are used across calls; slow, for tests
  bool checks_references = false;
  // The Result::object of an earlier compilation. If it is given, it is linked, and nothing is compiled. The function
  // of that compilation may differ in its name, sites and marks, and in the addresses of its symbols. The same plug-in
  // must have made the object, for the same processor and the same constants.
  std::span<const std::byte> object = {};
  bool wants_object = false;
};

struct Result {
  std::string error;         // empty: the compilation succeeded
  bool is_lost = false;      // the Compiler must not be used again (P3)
  bool is_wrong = false;     // a reference is used across a call (Options::checks_references)
  void* resource = nullptr;  // the argument for free()
  uptr begin = 0;            // begin of the piece of the host's memory that the code is in
  usize bytes = 0;
  uptr entry = 0;
  usize code_bytes = 0;  // bytes of instructions, from the entry
  uptr sites = 0;        // address of the words of Function::sites, in their order, 16 bytes each
  u64 emit_ns = 0, pass_ns = 0, code_ns = 0, link_ns = 0;
  u32 instructions = 0;  // number of LLVM instructions after the passes
  std::string before, after, assembly;
  std::string object;  // the object file, if it was requested
};

class Compiler {
 public:
  virtual ~Compiler() = default;
  virtual Result compile(const low::Function& function, const Options& options) = 0;
  // Frees the plug-in's data about a code. The world is stopped, and no frame is in the code.
  virtual void free(void* resource) = 0;
};

// The type of the exported function entry_point_name. The function returns null, with the reason in `error`, if the
// builds differ or LLVM does not start. `build` is the CMake property KEYHOLE_BUILD of the target keyhole_llvm, a hash
// of the headers that both sides include.
using EntryPoint = Compiler* (*)(std::string_view build, Host* host, std::string* error);

}  // namespace keyhole::llvm_plugin
