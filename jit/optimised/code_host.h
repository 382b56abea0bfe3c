// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// CodeHost: the VM's services for a back end: room in the code cache, addresses of symbols, and the snippets' bitcode.
//
//   room of a code     compile: allocate ──> installed ──> the sweeper releases it ──> the plug-in forgets the code
//                                      └──> the compile fails: release
//
// H1: the host takes the compiler's lock when it uses the code cache. One thread at a time calls the back end; this
//     thread is InNative and holds the lock of the CodeGenerator.
// H2: the sweeper releases the room of installed code, and the room may be reused before the plug-in frees its data
//     about the code. When the plug-in frees this data, it calls release() for the room again. release() ignores this
//     second call.
#pragma once

#include <map>
#include <string>

#include "jit/graph/lower/lower.h"
#include "jit/llvm/plugin.h"

namespace keyhole::optimised {

class CodeHost final : public llvm_plugin::Host {
 public:
  CodeHost();

  // Begins the compilation of a method: until the next begin(), resolve() looks up symbols of this method. `lowered`
  // and `name` must live until the next begin().
  void begin(const graph::Lowered& lowered, std::string_view name);
  // H2: while `forgets` is true, release() does nothing, because the sweeper has already released the code's memory in
  // the code cache.
  void set_forgets(bool forgets) { forgets_ = forgets; }

  llvm_plugin::Room allocate(usize bytes) override;
  void release(uptr address, usize bytes) override;
  llvm_plugin::Symbol resolve(std::string_view name) override;
  std::span<const std::byte> bitcode() override;
  std::string processor() override;

 private:
  llvm_plugin::Symbol entry_of(std::string_view number);

  std::map<std::string_view, llvm_plugin::Symbol> known_;  // the symbols that have the same address in all methods
  const graph::Lowered* lowered_ = nullptr;
  std::string_view name_;
  bool forgets_ = false;
};

}  // namespace keyhole::optimised
