// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emits the parts that concern the whole function: the prologue, blocks in their order, edges with moves, jump tables
// and sites.
#include "jit/middle/emitter.h"

#include <algorithm>

namespace keyhole::middle {

using low::no_node;
using low::Op;
using low::Type;

Emitter::Emitter(const low::Function& function, const BlockOrder& order, const Selection& selection,
                 const LiveRanges& live, const Allocation& allocation, llvm_plugin::Host& host,
                 asmjit::CodeHolder& holder)
    : function_(function), order_(order), selection_(selection), live_(live), allocation_(allocation), host_(host),
      a_(&holder) {
  CodeHolder::check(a_);
  const auto& features = asmjit::CpuInfo::host().features().x86();
  has_bmi2_ = features.hasBMI2();
  has_popcnt_ = features.hasPOPCNT();
  has_lzcnt_ = features.hasLZCNT();
  has_bmi_ = features.hasBMI();
  for (u8 i = 0; i < now_in_.size(); ++i) now_in_[i] = i;
}

void Emitter::refuse(std::string why) {
  if (refusal_.empty()) refusal_ = std::move(why);
}
void Emitter::refuse(const Node& node, std::string_view why) {
  refuse(std::string(low::name(node.op)) + " " + std::string(low::name(node.type)) + ": " + std::string(why));
}

// Computes the size of the native frame. If a register has to be saved around at least one call of a C function, the
// register gets a word of the frame.
void Emitter::find_frame() {
  bool has_calls = false;
  u32 words = allocation_.slots();
  for (const NodeId id : live_.emitted) {
    const Op op = node(id).op;
    if (op == Op::CallJava) has_calls = true;
    if (op != Op::Leaf && op != Op::Snippet && !(op == Op::Rem && is_float(type_of(id)))) continue;
    has_calls = true;
    for (Location location = 0; location < first_slot; ++location) {
      if (saved_at_[location] == 0 && is_saved(location, id)) saved_at_[location] = ++words;
    }
  }
  if (has_calls && words % 2 == 0) ++words;  // K3
  frame_bytes_ = static_cast<i32>(8 * words);
}

std::string Emitter::run() {
  symbols_.reserve(function_.symbols.size());
  for (const std::string& name : function_.symbols) {
    if (name == low::own_entry_symbol) {
      symbols_.push_back(0);
      continue;
    }
    symbols_.push_back(host_.resolve(name).address);
    if (symbols_.back() == 0) return "unknown symbol: " + name;
  }
  find_frame();
  entry_ = a_.newLabel();
  sites_ = a_.newLabel();
  for (usize i = 0; i < function_.blocks.size(); ++i) blocks_.push_back(a_.newLabel());
  a_.bind(entry_);
  if (frame_bytes_ != 0) a_.sub(x86::rsp, imm(frame_bytes_));
  move_parameters();
  for (u32 place = 0; place < order_.blocks.size() && refusal_.empty(); ++place) emit_block(place);
  for (usize i = 0; i < edges_.size() && refusal_.empty(); ++i) {
    const Edge edge = edges_[i];
    a_.bind(edge.label);
    move_to_phis(edge.from, edge.target);
    a_.jmp(blocks_[function_.blocks[edge.from].targets[edge.target]]);
  }
  emit_tables();
  emit_sites();
  return refusal_;
}

void Emitter::emit_block(u32 place) {
  const BlockId block = order_.blocks[place];
  constexpr u32 loop_alignment = 16;
  const bool starts_loop =
      place > 0 && !order_.is_rare[block] && order_.loop_depth[block] > order_.loop_depth[order_.blocks[place - 1]];
  if (starts_loop) a_.align(asmjit::AlignMode::kCode, loop_alignment);
  a_.bind(blocks_[block]);
  const u32 end =
      place + 1 < live_.block_begin.size() ? live_.block_begin[place + 1] : static_cast<u32>(live_.emitted.size());
  for (u32 i = live_.block_begin[place]; i < end && refusal_.empty(); ++i) {
    const NodeId id = live_.emitted[i];
    const Node& n = node(id);
    if (lists_marks_ && n.mark != 0 && n.mark != last_mark_) {
      last_mark_ = n.mark;
      a_.commentf("; %s", function_.marks[n.mark - 1].c_str());
    }
    switch (n.op) {
      case Op::Jump: emit_edge(block, 0, place); break;
      case Op::Branch: emit_branch(id, block, place); break;
      case Op::Switch: emit_switch(id, block, place); break;
      default: emit(id);
    }
  }
}

void Emitter::emit(NodeId id) {
  const Node& n = node(id);
  switch (n.op) {
    case Op::Get: {
      const NodeId variable = resolve(operand(n, 0));
      if (is_float(n.type)) {
        const Xmm to = result(id, x86::xmm0);
        move_to_vector(to, variable);
        return finish(id, to);
      }
      const Gp to = result(id, x86::rax);
      move_to_general(to, variable);
      return finish(id, to);
    }
    case Op::Set: return move({allocation_.of(operand(n, 0)), operand(n, 1)});
    case Op::Address: {
      const Gp to = result(id, x86::rax);
      const NodeId base = operand(n, 0);
      if (n.operand_count == 1) {
        move_to_general(x86::rax, base);
      } else {
        if (n.scale > 0x7FFF'FFFF) return refuse(n, "scale");
        move_to_general(x86::rax, operand(n, 1));
        if (n.scale != 1) a_.imul(x86::rax, x86::rax, imm(n.scale));
        a_.add(x86::rax, in_general(base, x86::rcx));
      }
      if (n.bits != 0) {
        load_constant(x86::rcx, n.bits);
        a_.add(x86::rax, x86::rcx);
      }
      a_.mov(to, x86::rax);
      return finish(id, to);
    }
    case Op::Load: return emit_load(id);
    case Op::Store: return emit_store(id);
    case Op::Exchange:
    case Op::FetchAdd: return emit_atomic(id);
    case Op::FetchAnd: return emit_fetch_and(id);
    case Op::CompareExchange: return emit_compare_exchange(id);
    case Op::Fence:
      if (n.order == low::Order::SequentiallyConsistent) a_.lock().or_(x86::dword_ptr(x86::rsp), imm(0));
      return;
    case Op::StackPointer: {
      const Gp to = result(id, x86::rax);
      a_.mov(to, x86::rsp);
      return finish(id, to);
    }
    case Op::Leaf:
    case Op::Snippet: return emit_call_of_c(id);
    case Op::CallJava: return emit_call_of_java(id);
    case Op::Return: return emit_return(id);
    case Op::Exit: return emit_exit(id);
    case Op::Unreachable: a_.ud2(); return;
    default: emit_value(id);
  }
}

// --- edges -----------------------------------------------------------------------------------------------------------

// Returns the moves that the code makes on an edge. One kind of move sets the phis of the target block. The other kind
// sets a variable: if only paths through this edge read the variable, the Set node was moved to the edge (selection.h
// E5).
std::vector<Emitter::Move> Emitter::moves_of_edge(BlockId from, usize target) const {
  const BlockId to = function_.blocks[from].targets[target];
  const low::Block& block = function_.blocks[to];
  const auto edge = static_cast<u32>(std::ranges::find(block.predecessors, from) - block.predecessors.begin());
  std::vector<Move> moves;
  auto add = [&](Location location, NodeId value) {
    if (location != no_location && location_or_none(value) != location) moves.push_back({location, value});
  };
  for (const NodeId id : block.nodes) {
    if (node(id).op != Op::Phi) break;
    if (selection_.form[id] == Form::Value) add(allocation_.of(id), function_.operand(id, edge));
  }
  const u32 begin = live_.position[live_.emitted[live_.block_begin[order_.place[to]]]];
  for (const SunkSet& sunk : selection_.sunk[from]) {
    const NodeId variable = function_.operand(sunk.set, 0);
    if (sunk.target == target && live_.is_live_at(variable, begin))
      add(allocation_.of(variable), function_.operand(sunk.set, 1));
  }
  return moves;
}

bool Emitter::has_moves(BlockId from, usize target) const { return !moves_of_edge(from, target).empty(); }

void Emitter::move_to_phis(BlockId from, usize target) {
  std::vector<Move> moves = moves_of_edge(from, target);
  move_in_parallel(moves);
}

// Returns the label for a jump along an edge. If the edge has moves, the label belongs to separate code with the moves
// and a jump, which is emitted after all blocks.
Label Emitter::label_of_edge(BlockId from, usize target) {
  if (!has_moves(from, target)) return blocks_[function_.blocks[from].targets[target]];
  edges_.push_back({from, target, a_.newLabel()});
  return edges_.back().label;
}

// Emits an edge at the current position: the edge's moves, then a jump unless the target block follows directly.
void Emitter::emit_edge(BlockId from, usize target, u32 place) {
  move_to_phis(from, target);
  const BlockId to = function_.blocks[from].targets[target];
  if (place + 1 >= order_.blocks.size() || order_.blocks[place + 1] != to) a_.jmp(blocks_[to]);
}

void Emitter::emit_tables() {
  for (const Table& table : tables_) {
    a_.align(asmjit::AlignMode::kData, 8);
    a_.bind(table.label);
    for (const Label& target : table.targets) a_.embedLabel(target);
  }
}

// Emits the words of the call sites (Function::sites) after the instructions.
void Emitter::emit_sites() {
  a_.align(asmjit::AlignMode::kData, alignof(low::Site) * 2);
  a_.bind(sites_);
  if (!function_.sites.empty()) a_.embed(function_.sites.data(), function_.sites.size() * sizeof(low::Site));
}

}  // namespace keyhole::middle
