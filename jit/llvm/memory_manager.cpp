// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the memory manager. JITLink's "finalized allocation" contains the bounds of the piece of memory.
#include "jit/llvm/memory_manager.h"

#include <cstring>

#include <llvm/ExecutionEngine/JITLink/JITLink.h>

#include "jit/llvm/emitter.h"

namespace keyhole::llvm_plugin {

namespace jitlink = llvm::jitlink;

namespace {
constexpr usize piece_alignment = 64;
usize aligned(usize value, usize alignment) { return (value + alignment - 1) & ~(alignment - 1); }
}  // namespace

class MemoryManager::InFlight final : public jitlink::JITLinkMemoryManager::InFlightAlloc {
 public:
  InFlight(MemoryManager& manager, jitlink::LinkGraph& graph, Piece piece)
      : manager(manager), graph(graph), piece(piece) {}

  void finalize(OnFinalizedFunction done) override {
    for (const auto* section : {".text", sites_section}) {
      auto* found = graph.findSectionByName(section);
      if (found == nullptr) continue;
      const jitlink::SectionRange range(*found);
      if (range.empty()) continue;
      if (section == sites_section) {
        piece.sites = range.getStart().getValue();
        piece.sites_writable = static_cast<char*>(piece.writable) + (piece.sites - piece.begin);
      } else {
        piece.text = range.getStart().getValue();
        piece.text_bytes = range.getSize();
        piece.text_writable = range.getFirstBlock()->getContent().data();
      }
    }
    manager.last = piece;
    done(FinalizedAlloc(llvm::orc::ExecutorAddr::fromPtr(new Piece(piece))));
  }

  void abandon(OnAbandonedFunction done) override {
    manager.host.release(piece.begin, piece.bytes);
    done(llvm::Error::success());
  }

 private:
  MemoryManager& manager;
  jitlink::LinkGraph& graph;
  Piece piece;
};

void MemoryManager::allocate(const jitlink::JITLinkDylib*, jitlink::LinkGraph& graph, OnAllocatedFunction done) {
  jitlink::BasicLayout layout(graph);
  usize bytes = 0;
  for (auto& [group, segment] : layout.segments()) {
    bytes = aligned(bytes, segment.Alignment.value()) + segment.ContentSize + segment.ZeroFillSize;
  }
  bytes = aligned(bytes, piece_alignment);
  const Room room = host.allocate(bytes);
  if (room.address == 0) {
    done(llvm::createStringError(llvm::inconvertibleErrorCode(), "there is no room in the code cache"));
    return;
  }
  std::memset(room.writable, 0, bytes);
  usize offset = 0;
  for (auto& [group, segment] : layout.segments()) {
    offset = aligned(offset, segment.Alignment.value());
    segment.Addr = llvm::orc::ExecutorAddr(room.address + offset);
    segment.WorkingMem = static_cast<char*>(room.writable) + offset;
    offset += segment.ContentSize + segment.ZeroFillSize;
  }
  if (auto error = layout.apply()) {
    host.release(room.address, bytes);
    done(std::move(error));
    return;
  }
  Piece piece;
  piece.begin = room.address;
  piece.bytes = bytes;
  piece.writable = room.writable;
  done(std::make_unique<InFlight>(*this, graph, piece));
}

void MemoryManager::deallocate(std::vector<FinalizedAlloc> pieces, OnDeallocatedFunction done) {
  for (auto& one : pieces) {
    auto* piece = one.release().toPtr<Piece*>();
    host.release(piece->begin, piece->bytes);
    delete piece;
  }
  done(llvm::Error::success());
}

}  // namespace keyhole::llvm_plugin
