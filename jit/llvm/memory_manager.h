// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory manager for JITLink: allocates one piece of the host's memory for all sections of an object file, instructions
// first. Code is written through the writable view of the code cache, and relocated for the addresses of the executable
// view.
#pragma once

#include <llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h>

#include "jit/llvm/plugin.h"

namespace keyhole::llvm_plugin {

class MemoryManager final : public llvm::jitlink::JITLinkMemoryManager {
 public:
  explicit MemoryManager(Host& host) : host(host) {}

  void allocate(const llvm::jitlink::JITLinkDylib*, llvm::jitlink::LinkGraph& graph, OnAllocatedFunction done) override;
  using JITLinkMemoryManager::allocate;
  void deallocate(std::vector<FinalizedAlloc> pieces, OnDeallocatedFunction done) override;
  using JITLinkMemoryManager::deallocate;

  // Piece: the piece of the code cache that holds the code linked last.
  struct Piece {
    uptr begin = 0;
    usize bytes = 0;
    uptr text = 0, sites = 0;
    usize text_bytes = 0;
    const void* text_writable = nullptr;
    void* sites_writable = nullptr;
    void* writable = nullptr;  // the writable view of `begin`
  };
  Piece last;

 private:
  class InFlight;
  Host& host;
};

}  // namespace keyhole::llvm_plugin
