// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// CodeHost: gives the plug-in room in the code cache, addresses of symbols, and the snippets' bitcode.
//
//   room of a code     compile: allocate ──> installed ──> the sweeper releases it ──> the plug-in forgets the code
//                                      └──> the compile fails: release
//
// H1: the host uses the code cache under the compiler's lock. One thread at a time calls the plug-in; that thread is
//     InNative and holds the tier's lock.
// H2: room of installed code belongs to the sweeper, which may reuse it before the plug-in forgets the code. So room
//     that the plug-in releases while it forgets code has been released before, and release() ignores it.
#pragma once

#include <map>
#include <string>

#include "jit/graph/lower/lower.h"
#include "jit/llvm/plugin.h"

namespace keyhole::optimised {

class CodeHost final : public llvm_plugin::Host {
 public:
  CodeHost();

  // Begins a method: symbols are resolved for it until the next begin(). Both arguments must live until then.
  void begin(const graph::Lowered& lowered, std::string_view name);
  // H2: while true, release() does nothing.
  void set_forgets(bool forgets) { forgets_ = forgets; }

  llvm_plugin::Room allocate(usize bytes) override;
  void release(uptr address, usize bytes) override;
  llvm_plugin::Symbol resolve(std::string_view name) override;
  std::span<const std::byte> bitcode() override;
  std::string processor() override;

 private:
  llvm_plugin::Symbol entry_of(std::string_view number);

  std::map<std::string_view, llvm_plugin::Symbol> known_;  // symbols that have the same address for all methods
  const graph::Lowered* lowered_ = nullptr;
  std::string_view name_;
  bool forgets_ = false;
};

}  // namespace keyhole::optimised
