// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The plug-in that compiles lowered functions with LLVM: libkeyhole-llvm.so, beside the executable, opened when the
// first method is to be compiled, or shortly before.
//
//    dlopen ──> entry_point(build) ──create(host)──> Compiler ──compile(function)──> Code ──free──>
//
// P1: the plug-in includes low_graph.h and runtime/base/types.h, and nothing else of the VM. So one serves all layouts.
// P2: one thread at a time uses a Compiler, for all of its functions. It calls the host on that thread.
// P3: nothing that LLVM does ends the process: what it refuses comes back as a sentence (Result::error). Out of memory
//     as well; the compile is given up, the Compiler must not be used for others then (Result::is_lost).
// P4: code lies in memory of the host, written through one view, executed in the other.
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
  uptr address = 0;          // where it runs; 0: there is no room
  void* writable = nullptr;  // where it is written
};

struct Symbol {
  uptr address = 0;          // 0: unknown
  bool is_constant = false;  // a variable that does not change any more: its value is taken when code is made
};

class Host {
 public:
  virtual ~Host() = default;
  // Aligned to 64 bytes, and below 4 GiB when calls are to reach it.
  virtual Room allocate(usize bytes) = 0;
  // What a failed compile or Compiler::free gives back.
  virtual void release(uptr address, usize bytes) = 0;
  virtual Symbol resolve(std::string_view name) = 0;
  // The module of the snippets (jit/snippets).
  virtual std::span<const std::byte> bitcode() = 0;
  // By LLVM's name; empty: this one. Asked once.
  virtual std::string processor() { return {}; }
};

struct Options {
  bool before = false, after = false, assembly = false;   // LLVM's text before and after its passes; instructions
  bool checks_references = false;                          // no reference survives a call: for tests, it takes time
  // Result::object of the same function, but for its name, sites and marks, and for the addresses of its symbols: it is
  // linked and not compiled. The same plug-in has made it, for the same processor and the same constants.
  std::span<const std::byte> object = {};
  bool wants_object = false;
};

struct Result {
  std::string error;             // empty: all below is there
  bool is_lost = false;          // P3
  bool is_wrong = false;         // a reference survives a call (Options::checks_references)
  void* resource = nullptr;      // for free()
  uptr begin = 0;                // the piece of the host's memory
  usize bytes = 0;
  uptr entry = 0;
  usize code_bytes = 0;          // of instructions, from the entry
  uptr sites = 0;                // Function::sites, in their order, 16 bytes each
  u64 emit_ns = 0, pass_ns = 0, code_ns = 0, link_ns = 0;
  u32 instructions = 0;          // of LLVM's, after its passes
  std::string before, after, assembly;
  std::string object;            // the object file, if it was wanted
};

class Compiler {
 public:
  virtual ~Compiler() = default;
  virtual Result compile(const low::Function& function, const Options& options) = 0;
  // World stopped, nobody is in it.
  virtual void free(void* resource) = 0;
};

// What entry_point_name is: null, and why in `error`, when the builds differ or LLVM does not start. `build` is the
// CMake property KEYHOLE_BUILD of the target keyhole_llvm, a hash of the headers that both sides include.
using EntryPoint = Compiler* (*)(std::string_view build, Host* host, std::string* error);

}  // namespace keyhole::llvm_plugin
