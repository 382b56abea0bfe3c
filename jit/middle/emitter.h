// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emitter: emits machine code for a function whose values have locations. The class is implemented in several files:
//
//   emitter.cpp        the function as a whole: prologue, blocks, edges, sites
//   operands.cpp       operands in registers, memory and instructions
//   moves.cpp          parallel moves: phis, arguments, parameters
//   emit_values.cpp    integers, conversions, selections
//   emit_floats.cpp    floating point
//   emit_compares.cpp  comparisons and branches
//   emit_memory.cpp    accesses, atomic operations, fences
//   emit_calls.cpp     calls, returns, exits
//
// The native frame, from rsp on:
//
//   | spill slots | a word for each register that is saved around calls of C | maybe a word | return address
//
// K1: rax, rcx, rdx, xmm0 and xmm1 are scratch registers and never hold a value between nodes. For an instruction,
//     operands that are values are computed first, in rax or rdx, then one address in rcx.
// K2: the result of a node is written after all operands have been read. Code that writes earlier checks that the
//     result shares no register with an operand.
// K3: rsp is a multiple of 16 at each call. The word above the return address of a call belongs to the caller's native
//     frame (vm/code/compiled_code.h, L3).
#pragma once

#include <array>
#include <span>
#include <string>

#include "jit/code/code_holder.h"
#include "jit/code/registers.h"
#include "jit/llvm/plugin.h"
#include "jit/middle/allocation.h"

namespace keyhole::middle {

using asmjit::imm;
using asmjit::Label;
using x86::CondCode;
using x86::Gp;
using x86::Mem;
using x86::Xmm;

// A condition of a branch: one test of the flags, or two tests joined by `and` (Both) or by `or` (Either).
// Floating-point comparisons need two tests.
struct Condition {
  enum class Kind : u8 { One, Both, Either };
  Kind kind = Kind::One;
  CondCode first = CondCode::kE, second = CondCode::kE;

  Condition negated() const {
    const Kind opposite = kind == Kind::One ? Kind::One : kind == Kind::Both ? Kind::Either : Kind::Both;
    return {opposite, x86::negateCond(first), x86::negateCond(second)};
  }
};

class Emitter {
 public:
  Emitter(const low::Function& function, const BlockOrder& order, const Selection& selection, const LiveRanges& live,
          const Allocation& allocation, llvm_plugin::Host& host, asmjit::CodeHolder& holder);

  // Emits the function. Returns an empty string, or the reason if the function contains something that this back end
  // cannot compile.
  std::string run();
  Label sites() const { return sites_; }
  // Makes run() write the nodes' marks into the listing, as comments. A mark is a text that says where a node comes
  // from (low::Function::marks).
  void list_marks() { lists_marks_ = true; }

 private:
  using NodeId = low::NodeId;
  using Node = low::Node;
  using BlockId = low::BlockId;

  struct Move {
    Location to;
    NodeId from;
  };

  // emitter.cpp
  void emit(NodeId id);
  void emit_block(u32 place);
  void emit_sites();
  void emit_tables();
  void find_frame();
  Label label_of_edge(BlockId from, usize target);
  void emit_edge(BlockId from, usize target, u32 place);
  bool has_moves(BlockId from, usize target) const;
  std::vector<Move> moves_of_edge(BlockId from, usize target) const;
  void move_to_phis(BlockId from, usize target);
  void refuse(std::string why);
  void refuse(const Node& node, std::string_view why);

  // operands.cpp
  const Node& node(NodeId id) const { return function_.nodes[id]; }
  NodeId resolve(NodeId id) const { return selection_.resolve(id); }
  low::Type type_of(NodeId id) const { return function_.nodes[id].type; }
  NodeId operand(const Node& node, u32 index) const { return function_.operands_of(node)[index]; }
  // Returns the present location of a value. During parallel moves it may differ from the allocated location, because
  // registers are exchanged.
  Location location(NodeId value) const;
  Location location_or_none(NodeId id) const;
  bool is_constant(NodeId id, u64* bits) const;
  bool is_immediate(NodeId id, i32* value) const;
  bool is_thread(NodeId id) const;
  Mem slot(Location location, u32 bytes = 8) const;
  void load_constant(Gp target, u64 bits);
  void load_constant(Xmm target, u64 bits);
  Gp in_general(NodeId id, Gp scratch);
  void move_to_general(Gp target, NodeId id);
  void move_to_general(Gp target, NodeId id, Gp other);
  Xmm in_vector(NodeId id, Xmm scratch);
  void move_to_vector(Xmm target, NodeId id);
  Mem address(NodeId id, u32 bytes, Gp scratch = x86::rcx, Gp other = x86::rdx);
  // whether a memory operand can name the node's value: the value is in a spill slot, or is a folded load
  bool is_in_memory(NodeId id) const;
  Mem memory_of(NodeId id, u32 bytes);  // the memory operand for the value of a node for which is_in_memory() is true
  bool reads(NodeId id, Location location) const;
  Gp result(NodeId id, Gp scratch) const;
  Xmm result(NodeId id, Xmm scratch) const;
  void finish(NodeId id, Gp value);
  void finish(NodeId id, Xmm value);
  static Gp sized(Gp value, low::Type type);
  static u32 bytes_of(low::Type type);
  static bool is_float(low::Type type) { return type == low::Type::F32 || type == low::Type::F64; }
  static bool is_wide(low::Type type) { return type == low::Type::I64 || type == low::Type::Ptr; }

  // moves.cpp
  void move_in_parallel(std::vector<Move>& moves);
  void move(const Move& move);
  void exchange(Location a, Location b);
  void move_parameters();

  // emit_values.cpp
  void emit_value(NodeId id);
  void emit_binary(NodeId id);
  void emit_shift(NodeId id);
  void emit_multiply(NodeId id);
  void emit_divide(NodeId id);
  bool divide_by_constant(NodeId id);
  void emit_multiply_high(NodeId id);
  void emit_minimum(NodeId id);
  void emit_count(NodeId id);
  void emit_extend(NodeId id);
  void emit_truncate(NodeId id);
  void emit_bits(NodeId id);
  void emit_select(NodeId id);

  // emit_floats.cpp
  void emit_float(NodeId id);
  void emit_float_binary(NodeId id);
  void emit_float_to_int(NodeId id);
  void emit_float_sign(NodeId id);

  // emit_compares.cpp
  Condition compare(NodeId id);
  Condition compare_floats(const Node& node);
  Condition compare_integers(const Node& node);
  Condition condition_of(NodeId id);
  void emit_compare(NodeId id);
  void jump_if(Condition condition, Label target);
  void emit_branch(NodeId id, BlockId block, u32 place);
  void emit_switch(NodeId id, BlockId block, u32 place);
  void search(Gp value, low::Type type, std::span<const std::pair<i64, usize>> cases, BlockId block);

  // emit_memory.cpp
  void emit_load(NodeId id);
  void emit_store(NodeId id);
  void emit_atomic(NodeId id);
  void emit_fetch_and(NodeId id);
  void emit_compare_exchange(NodeId id);

  // emit_calls.cpp
  void emit_call_of_c(NodeId id);
  void call_of_c(NodeId id, std::string_view name);
  void emit_call_of_java(NodeId id);
  void emit_return(NodeId id);
  void emit_exit(NodeId id);
  void drop_frame();
  bool is_saved(Location location, NodeId call) const;

  const low::Function& function_;
  const BlockOrder& order_;
  const Selection& selection_;
  const LiveRanges& live_;
  const Allocation& allocation_;
  llvm_plugin::Host& host_;
  x86::Assembler a_;
  std::string refusal_;
  std::vector<Label> blocks_;  // by BlockId
  Label entry_, sites_;
  bool lists_marks_ = false;
  u32 last_mark_ = 0;
  bool has_bmi2_ = false, has_popcnt_ = false, has_lzcnt_ = false, has_bmi_ = false;

  struct Edge {
    BlockId from;
    usize target;
    Label label;
  };
  std::vector<Edge> edges_;  // edges whose moves are emitted after all blocks
  struct Table {
    Label label;
    std::vector<Label> targets;
  };
  std::vector<Table> tables_;
  std::vector<uptr> symbols_;  // by index in Function::symbols: the symbol's address; 0 for this function's own entry
  // by Location of a register: the number, from 1, of the frame's word that saves the register around calls of C. 0
  // means that no word saves the register
  std::array<u32, 32> saved_at_{};
  i32 frame_bytes_ = 0;
  // by register: the register that holds this register's original content at this point of the parallel moves
  std::array<u8, 32> now_in_{};
  Location moved_slot_ = no_location;  // during parallel moves: the spill slot whose original content is in rdx
};

}  // namespace keyhole::middle
